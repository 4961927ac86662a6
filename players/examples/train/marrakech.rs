//! Training for Marrakech: temporal-difference learning from games of the player against itself.

use assam_players::Equity;
use assam_players::marrakech::search::{Depth, Evaluate, Search, is_turn_over};
use assam_players::marrakech::{POINTS_HIDDEN, POINTS_PER_OUTPUT, features, shares_of};
use assam_players::net::{Net, quantise};
use assam_players::share::{ONE, Shares, won};
use assam_rules::marrakech::{
    BankruptRugs, Cover, Insolvency, Options, Orientation, Position, Region, Setup, TieBreak, Track,
    TwoPlayer,
};
use assam_rules::{Game, Move, Seat, Turn};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::mlp::{Mlp, Sample};

/// How much a network learns.
pub struct Plan {
    /// The seed of all random numbers.
    pub seed: u64,
    /// The number of times that games are played and learned from.
    pub batches: usize,
    /// The games of a batch.
    pub games: usize,
}

/// The share of what a turn is corrected towards that comes from the turns after it: the rest is what the search
/// expected. TD(0) has 0, a Monte Carlo method 1.
const LAMBDA: f32 = 0.6;
/// The positions that are learned from: the newest ones.
const KEPT: usize = 400_000;
/// The positions of one step.
const STEP: usize = 256;
/// How often a position is learned from in the mean, for each batch.
const PASSES: usize = 2;

/// A network that is being trained.
struct Trained<const IN: usize, const HIDDEN: usize, const OUT: usize>(Net<IN, HIDDEN, OUT>);

impl<const IN: usize, const HIDDEN: usize, const OUT: usize> Evaluate for Trained<IN, HIDDEN, OUT> {
    fn equity(&self, position: &Position) -> Equity {
        shares_of(&self.0, position).into()
    }
}

/// A turn of a game: what the network saw, whose turn it was, and the shares that the search expected.
struct TurnSeen<const IN: usize> {
    inputs: [i16; IN],
    seat: Seat,
    expected: Option<Shares>,
    /// The score of each seat.
    scores: Scores,
}

type Scores = [i32; Seat::MAX as usize];

/// A game that was played.
struct Played<const IN: usize> {
    turns: Vec<TurnSeen<IN>>,
    result: Shares,
    scores: Scores,
}

/// Draws a setup: in seven of ten games the default.
fn setup(seats: u8, rng: &mut ChaCha8Rng) -> Setup {
    let mut below = |range: u32| rng.next_u32() % range;
    let mut options = Options::default();
    if below(100) < 30 {
        if below(2) == 0 {
            options.track = [Track::NeSw, Track::NwSe][below(2) as usize];
        }
        if below(2) == 0 {
            options.orientation = [Orientation::Start, Orientation::End][below(2) as usize];
        }
        if below(3) == 0 {
            options.region = Region::Owner;
        }
        if below(3) == 0 {
            options.insolvency = [Insolvency::EliminateAtZero, Insolvency::PayWhatYouCan][below(2) as usize];
        }
        if below(3) == 0 {
            options.cover = Cover::Any;
        }
        if below(3) == 0 {
            options.bankrupt_rugs = BankruptRugs::Open;
        }
        if below(3) == 0 {
            options.start_dirhams = [5, 10, 15, 20, 50, 100][below(6) as usize];
        }
        if below(3) == 0 {
            options.rugs_per_player = Some(2 + 2 * below(16) as u8);
        }
        if seats == 2 && below(2) == 0 {
            options.two_player = Some(TwoPlayer::OneColour);
        }
        options.last_standing = below(4) > 0;
        options.tie_break = [TieBreak::Dirhams, TieBreak::Rugs, TieBreak::None][below(3) as usize];
    }
    Setup::new(seats, &options).expect("these options fit")
}

/// Returns a number that is near to normal, with a standard deviation of [`ONE`].
fn normal(rng: &mut ChaCha8Rng) -> i64 {
    // The sum of twelve uniform numbers has a standard deviation of 1.
    (0..12).map(|_| i64::from(rng.next_u32() >> 8)).sum::<i64>() - 6 * i64::from(ONE)
}

/// Plays a game of the network against itself, and returns its turns with the result.
fn play<const IN: usize, const HIDDEN: usize, const OUT: usize>(
    net: &Trained<IN, HIDDEN, OUT>,
    seed: u64,
    game: u64,
) -> Played<IN> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(game);
    let setup = setup(OUT as u8, &mut rng);
    let mut position = Position::new(&setup);
    // In a third of the games the seats err, each by as much as drawn, in thousandths: then strange positions are
    // known, too.
    let mut errors = [0_i64; Seat::MAX as usize];
    if rng.next_u32().is_multiple_of(3) {
        errors = errors.map(|_| [0, 10, 30, 100, 300][(rng.next_u32() % 5) as usize]);
    }
    let mut turns: Vec<TurnSeen<IN>> = Vec::new();
    let mut is_new = true;
    loop {
        if is_new && !position.turn().is_end() {
            let mut inputs = [0; IN];
            features::fill(&position, &mut inputs);
            turns.push(TurnSeen { inputs, seat: position.seat(), expected: None, scores: scores(&position) });
        }
        let phase = position.phase();
        match position.turn() {
            Turn::Chance => {
                for chance in position.draw_chance(&mut |range| u64::from(rng.next_u32()) % range) {
                    position.apply(Move::Chance(chance));
                }
            }
            Turn::Player(seat) => {
                let decisions = Search::new(net, Depth::ONE_TURN, u64::MAX).decisions(&position);
                if let Some(TurnSeen { expected: expected @ None, .. }) = turns.last_mut() {
                    *expected = decisions.first().map(|(_, equity)| equity.shares);
                }
                let error = errors[seat.index()];
                let seems = |equity: &Equity, rng: &mut ChaCha8Rng| {
                    i64::from(equity.shares[seat]) + if error > 0 { error * normal(rng) / 1000 } else { 0 }
                };
                let best = decisions.iter().max_by_key(|(_, equity)| seems(equity, &mut rng));
                let (action, _) = best.expect("a seat has a decision");
                position.apply(Move::Action(*action));
            }
            Turn::Over | Turn::Aborted => break,
        }
        is_new = is_turn_over(phase, position.phase());
    }
    let ranking = position.ranking().expect("no game is aborted");
    Played { turns, result: won(ranking.winners()), scores: scores(&position) }
}

fn scores(position: &Position) -> Scores {
    let mut scores = Scores::default();
    for (score, of_seat) in scores.iter_mut().zip(position.scores()) {
        *score = of_seat;
    }
    scores
}

/// Returns what the turns of a game teach, the last one first: each turn's share is corrected towards what the search
/// expected there, and towards the turns after it.
fn lessons<const IN: usize, const OUT: usize>(
    turns: Vec<TurnSeen<IN>>,
    result: Shares,
    knows_nothing: bool,
) -> impl Iterator<Item = Sample<IN, OUT>> {
    let mut later = result;
    turns.into_iter().rev().map(move |turn| {
        let expected = if knows_nothing { result } else { turn.expected.unwrap_or(later) };
        for (later, expected) in later.0.iter_mut().zip(expected.0) {
            *later = (LAMBDA * *later as f32 + (1.0 - LAMBDA) * expected as f32) as i32;
        }
        let mut target = [0.0; OUT];
        let mut seat = turn.seat;
        for target in &mut target {
            *target = later[seat] as f32 / ONE as f32;
            seat = seat.next(OUT as u8);
        }
        Sample { inputs: turn.inputs, target }
    })
}

/// Trains a network and returns its file. The result is the same on every machine.
pub fn train<const IN: usize, const HIDDEN: usize, const OUT: usize>(plan: &Plan) -> Vec<u8> {
    let mut rng = ChaCha8Rng::seed_from_u64(plan.seed ^ 0xA55A);
    let mut mlp = Mlp::new([IN, HIDDEN, OUT], true, &mut rng);
    let mut kept: Vec<Sample<IN, OUT>> = Vec::new();
    let mut newest = 0;
    // The mean of the last tenth is steadier than the last weights.
    let mut sums = vec![0.0_f32; mlp.weights.len()];
    let mut summed = 0.0;
    for batch in 0..plan.batches {
        let net = Trained::<IN, HIDDEN, OUT>(Net::read(&file([IN, HIDDEN, OUT], &mlp.weights)));
        let mut fresh = 0;
        for Played { turns, result, .. } in games(&net, plan, batch) {
            for sample in lessons(turns, result, batch < 4) {
                if kept.len() < KEPT {
                    kept.push(sample);
                } else {
                    kept[newest % KEPT] = sample;
                }
                newest += 1;
                fresh += 1;
            }
        }
        let progress = batch as f32 / plan.batches as f32;
        let rate = 0.00002 + if progress < 0.5 { 0.002 } else { 0.004 * (1.0 - progress) };
        for _ in 0..fresh * PASSES / STEP {
            let one = |_| &kept[(rng.next_u64() % kept.len() as u64) as usize];
            let samples: Vec<_> = (0..STEP).map(one).collect();
            mlp.step(&samples, rate);
        }
        if progress >= 0.9 {
            sums.iter_mut().zip(&mlp.weights).for_each(|(sum, weight)| *sum += weight);
            summed += 1.0;
        }
        eprint!("\r{} seats: batch {} of {} ", OUT, batch + 1, plan.batches);
    }
    eprintln!();
    let mean: Vec<f32> = sums.iter().map(|sum| sum / summed).collect();
    file([IN, HIDDEN, OUT], &mean)
}

/// Trains a network for points from games of a network for shares against itself, and returns its file. It learns
/// how many dirhams each seat will gain until the end. The result is the same on every machine.
pub fn train_points<const IN: usize, const HIDDEN: usize, const OUT: usize>(
    for_shares: &[u8],
    plan: &Plan,
) -> Vec<u8> {
    let net = Trained::<IN, HIDDEN, OUT>(Net::read(for_shares));
    let mut rng = ChaCha8Rng::seed_from_u64(plan.seed ^ 0x5AA5);
    let sizes = [IN, POINTS_HIDDEN, OUT];
    let mut mlp = Mlp::new(sizes, false, &mut rng);
    let mut samples: Vec<Sample<IN, OUT>> = Vec::new();
    for batch in 0..plan.batches {
        for Played { turns, scores, .. } in games(&net, plan, batch) {
            samples.extend(turns.into_iter().map(|turn| {
                let mut target = [0.0; OUT];
                let mut seat = turn.seat;
                for target in &mut target {
                    let gain = scores[seat.index()] - turn.scores[seat.index()];
                    *target = gain as f32 / POINTS_PER_OUTPUT as f32;
                    seat = seat.next(OUT as u8);
                }
                Sample { inputs: turn.inputs, target }
            }));
        }
        eprint!("\rpoints of {OUT} seats: batch {} of {} ", batch + 1, plan.batches);
    }
    let steps = samples.len() * 4 / STEP;
    for step in 0..steps {
        let one = |_| &samples[(rng.next_u64() % samples.len() as u64) as usize];
        let picked: Vec<_> = (0..STEP).map(one).collect();
        mlp.step(&picked, 0.002 * (1.0 - step as f32 / steps as f32) + 0.00001);
    }
    eprintln!();
    file(sizes, &mlp.weights)
}

fn file(sizes: [usize; 3], weights: &[f32]) -> Vec<u8> {
    let mut file = Vec::new();
    quantise(sizes, weights, &mut |bytes| file.extend_from_slice(bytes));
    file
}

/// Plays the games of a batch on two threads. The result does not depend on them.
fn games<const IN: usize, const HIDDEN: usize, const OUT: usize>(
    net: &Trained<IN, HIDDEN, OUT>,
    plan: &Plan,
    batch: usize,
) -> Vec<Played<IN>> {
    let first = (batch * plan.games) as u64;
    std::thread::scope(|scope| {
        let half = |half| {
            scope.spawn(move || {
                let games = (0..plan.games as u64).filter(|game| game % 2 == half);
                games.map(|game| play(net, plan.seed, first + game)).collect::<Vec<_>>()
            })
        };
        let halves = [half(0), half(1)];
        halves.into_iter().flat_map(|half| half.join().expect("games are played")).collect()
    })
}
