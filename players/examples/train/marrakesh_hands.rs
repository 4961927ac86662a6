//! The network for Marrakesh: what a hand adds to the margin that the tables expect, learned from rounds that the player
//! plays against itself and against the solitaire player.

use assam_players::marrakesh::evaluation::Evaluation;
use assam_players::marrakesh::features::{self, HIDDEN, HandNet, INPUTS, POINTS_PER_OUTPUT};
use assam_players::marrakesh::half::Half;
use assam_players::marrakesh::search::{Effort, analyse, faces, unseen};
use assam_players::marrakesh::table::{POINT, Tables};
use assam_players::net::quantise;
use assam_players::{Playable, Player, View};
use assam_rules::marrakesh::{Phase, Position, Setup, Side};
use assam_rules::{Game, Move, Turn};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::mlp::{Mlp, Sample};

/// The range of margins that shares from 0 to 1 represent.
const RANGE: f32 = 4.0 * POINTS_PER_OUTPUT as f32;
/// How much the result counts for the beginning of a trick, against the next trick.
const KEEP: f32 = 0.7;

struct Seen {
    side: Side,
    inputs: [i16; INPUTS],
    /// The margin that the tables expect, and with the network.
    mean: f32,
    corrected: f32,
}

/// Plays a match and adds what it teaches.
fn play(evaluation: &Evaluation, game: u64, samples: &mut Vec<Sample<INPUTS, 2>>) {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    rng.set_stream(game);
    let mut position = Position::new(&Setup::default());
    let solitaire = match game % 4 {
        0 => Some(Side::Blue),
        1 => Some(Side::Red),
        _ => None,
    };
    let mut seen: Vec<Seen> = Vec::new();
    let mut rounds = 0;
    loop {
        if position.diagram().scores.len() > rounds {
            rounds = position.diagram().scores.len();
            let score = position.diagram().scores.last().expect("a score");
            for side in Side::BOTH {
                let result = i32::from(score[side].points()) - i32::from(score[side.opponent()].points());
                let mut later = result as f32;
                for seen in seen.iter().rev().filter(|seen| seen.side == side) {
                    let share = (0.5 + (later - seen.mean) / RANGE).clamp(0.0, 1.0);
                    samples.push(Sample { inputs: seen.inputs, target: [share, 1.0 - share] });
                    later = KEEP * later + (1.0 - KEEP) * seen.corrected;
                }
            }
            seen.clear();
        }
        let diagram = position.diagram();
        if let Phase::Lead { leader } = diagram.phase {
            for side in Side::BOTH.into_iter().filter(|&side| solitaire != Some(side)) {
                let halves = [side, side.opponent()].map(|side| Half::of(diagram, side));
                let (hand, unseen) = (faces(diagram.hands[side].known()), unseen(diagram, side));
                let leads = side == leader;
                let mut inputs = [0; INPUTS];
                features::fill(&hand, &unseen, &halves, leads, &mut inputs);
                let mean = evaluation.tables.mean(&halves[0], halves[1].empty(), leads)
                    - evaluation.tables.mean(&halves[1], halves[0].empty(), !leads);
                let more = evaluation.rest(&hand, &unseen, &halves, leads);
                let points = |mean: i32| mean as f32 / POINT as f32;
                seen.push(Seen { side, inputs, mean: points(mean), corrected: points(mean + more) });
            }
        }
        let mut draw = |range: u64| rng.next_u64() % range;
        match position.turn() {
            Turn::Chance => {
                for chance in position.draw_chance(&mut draw) {
                    position.apply(Move::Chance(chance));
                }
            }
            Turn::Player(seat) => {
                let is_card = matches!(position.diagram().phase, Phase::Lead { .. } | Phase::Reply { .. });
                let action = if solitaire.is_some_and(|side| side.seat() == seat) {
                    position.decision_of(Player::SolitaireAi, &mut draw)
                } else if is_card && draw(8) == 0 {
                    position.decision_of(Player::Random, &mut draw)
                } else {
                    let view = View::new(&position).expect("a view");
                    analyse(&view, Effort::THIS_TRICK, evaluation).lines.first().map(|line| line.action)
                };
                position.apply(Move::Action(action.expect("a decision")));
            }
            Turn::Over | Turn::Aborted => break,
        }
    }
}

/// Trains the network and returns its file.
pub fn train(tables: &Tables, batches: u64, matches: u64) -> Vec<u8> {
    let mut rng = ChaCha8Rng::seed_from_u64(0x4A5D);
    let mut mlp = Mlp::new([INPUTS, HIDDEN, 2], true, &mut rng);
    let file = |weights: &[f32]| {
        let mut file = Vec::new();
        quantise([INPUTS, HIDDEN, 2], weights, &mut |bytes| file.extend_from_slice(bytes));
        file
    };
    // At first a hand adds nothing.
    let second = INPUTS * HIDDEN + HIDDEN;
    mlp.weights[second..].fill(0.0);
    let mut samples: Vec<Sample<INPUTS, 2>> = Vec::new();
    let mut average = vec![0.0_f32; mlp.weights.len()];
    let mut averaged = 0.0;
    for batch in 0..batches {
        let net = HandNet::read(&file(&mlp.weights));
        // What the first batches saw was played without hands in mind.
        if batch == batches / 4 {
            samples.clear();
        }
        for game in 0..matches {
            play(&Evaluation { tables, net: Some(&net) }, batch * matches + game, &mut samples);
        }
        let progress = batch as f32 / batches as f32;
        let rate = 0.001 * (1.0 - progress) + 0.00002;
        let steps = samples.len().min(400_000) / 256;
        for _ in 0..steps {
            let picked: Vec<_> =
                (0..256).map(|_| &samples[(rng.next_u64() % samples.len() as u64) as usize]).collect();
            mlp.step(&picked, rate);
            if progress >= 0.85 {
                for (sum, weight) in average.iter_mut().zip(&mlp.weights) {
                    *sum += weight;
                }
                averaged += 1.0;
            }
        }
        eprint!("\rhands: batch {} of {batches} ", batch + 1);
    }
    eprintln!();
    for weight in &mut average {
        *weight /= averaged;
    }
    file(&average)
}
