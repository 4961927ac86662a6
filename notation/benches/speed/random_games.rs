//! Random games, the same in every run.

use assam_notation::{Decision, Explain, Opening, Record, Replay, read_record};
use assam_rules::Turn;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Returns games with default options, played at random to their end at tables of every size in turn.
pub fn random_games<G: Explain>(games: u32) -> Vec<Record<G>> {
    let mut dice = ChaCha8Rng::seed_from_u64(1);
    (0..games).zip(G::SEATS.cycle()).map(|(_, seats)| random_game(seats, &mut dice)).collect()
}

fn random_game<G: Explain>(seats: u8, dice: &mut ChaCha8Rng) -> Record<G> {
    let setup = G::read_setup(seats, &[]).expect("every option has a default at each number of seats");
    let opening = Opening::<G>::start(setup);
    let mut text = opening.line() + "\n\n";
    let mut replay: Replay<G> = opening.replay();
    while matches!(replay.position().turn(), Turn::Chance | Turn::Player(_)) {
        let legal = replay.position().legal_actions();
        let decision = (!legal.is_empty())
            .then(|| Decision::Action(legal[(dice.next_u64() % legal.len() as u64) as usize]));
        let word = replay.decide(decision, &mut |range| dice.next_u64() % range);
        word.expect("a legal decision, or none where something is drawn first").write(&mut text);
        text.push(' ');
    }
    text.push_str(&assam_notation::End::of(replay.position()).text());
    let record = read_record(text);
    assert_eq!(record.verdict, Ok(()));
    record
}

/// Returns the position after each word of a game.
pub fn positions<G: Explain>(record: &Record<G>) -> Vec<G> {
    let mut replay = record.opening.as_ref().expect("a whole record").replay();
    let mut after = |word| {
        replay.play(word).expect("a word of a valid record");
        replay.position().clone()
    };
    record.words.iter().map(&mut after).collect()
}
