//! Pairs of matches that differ only in what one viewer may not know.

use assam_notation::{Decision, Opening, Word};
use assam_players::{Player, random_action};
use assam_record::game::{Forced, Holder, Info, SeatKind, Status, StoredGame, Visibility};
use assam_record::hex::Hex;
use assam_record::log::Chain;
use assam_rules::Viewer;
use assam_rules::marrakesh::{Chance, FullOvals, Phase, Position, Rounds, Setup, Side, SnBonus, ValueOrder};
use jiff::Timestamp;
use sha2::{Digest, Sha256};

use super::afresh::{Script, drawn_afresh};
use super::grown::{Match, bytes, hex, player, seeded, written};
use super::known::{is_on_turn, position, setup_of, text, told, words};
use crate::dice::Dice;
use crate::harness::blank_game;

/// Two matches that are the same for one viewer.
pub(super) struct Pair {
    /// Its number, which determines the pair except for times.
    pub(super) number: u64,
    pub(super) viewer: Viewer,
    /// The viewer's secret. A spectator may have none.
    pub(super) secret: Option<String>,
    /// The secrets of the occupied seats.
    pub(super) seats: [Option<String>; 2],
    pub(super) twins: [Match; 2],
    /// Compares the two after these numbers of submissions.
    pub(super) moments: Vec<usize>,
}

impl Pair {
    pub(super) fn new(number: u64, dice: &mut Dice, now: Timestamp) -> Self {
        let [blue, red] = Side::BOTH.map(|side| Viewer::Seat(side.seat()));
        let viewer = dice.pick(&[blue, red, Viewer::Spectator]);
        let kinds = kinds(viewer, dice);
        let seats = kinds.map(|kind| (kind == SeatKind::Human).then(|| hex(dice)));
        let secret = match viewer {
            Viewer::Seat(seat) => seats[seat.index()].clone(),
            Viewer::Spectator | Viewer::Arbiter => (dice.below(4) > 0).then(|| hex(dice)),
        };
        let game = new_game(viewer, kinds, &seats, dice, now);
        let first = play(game.clone(), viewer, dice);
        let moments = moments(&first, dice);
        let twin = seeded(game, bytes(dice));
        let second = twin_of(&first, twin, viewer, dice);
        Self { number, viewer, secret, seats, twins: [first, second], moments }
    }
}

/// Returns the kinds of the seats: the viewer, and others who may be built in. A match without people would
/// end at once.
fn kinds(viewer: Viewer, dice: &mut Dice) -> [SeatKind; 2] {
    let mut kinds = [SeatKind::Human; 2];
    let other = match viewer {
        Viewer::Seat(seat) => 1 - seat.index(),
        Viewer::Spectator | Viewer::Arbiter => dice.below(2) as usize,
    };
    let built_in = [Player::SolitaireAi, Player::Random].map(SeatKind::BuiltIn);
    kinds[other] = dice.pick(&[SeatKind::Human, SeatKind::Human, built_in[0], built_in[1]]);
    kinds
}

fn new_game(
    viewer: Viewer,
    kinds: [SeatKind; 2],
    secrets: &[Option<String>; 2],
    dice: &mut Dice,
    now: Timestamp,
) -> StoredGame {
    let setup = Setup {
        full_ovals: dice.pick(&[FullOvals::Move, FullOvals::NullOnly]),
        rounds: dice.pick(&[Rounds::Twelve, Rounds::Six]),
        sn_bonus: dice.pick(&[SnBonus::Four, SnBonus::One]),
        value_order: dice.pick(&[ValueOrder::Free, ValueOrder::HighFirst]),
    };
    let visibility = match viewer {
        Viewer::Spectator => dice.pick(&[Visibility::Public, Visibility::Unlisted]),
        Viewer::Seat(_) | Viewer::Arbiter => {
            dice.pick(&[Visibility::Public, Visibility::Unlisted, Visibility::Private])
        }
    };
    let seats: Vec<Holder> = kinds
        .iter()
        .zip(secrets)
        .map(|(&kind, secret)| Holder {
            player: secret.as_ref().map(|secret| player(secret)),
            secret: secret.as_ref().map(|secret| Hex(Sha256::digest(secret).into())),
            name: secret.as_ref().map(|_| "Zoë".to_owned()),
            forced: dice.pick(&[Forced::Ask, Forced::Play]),
            ..Holder::new(kind)
        })
        .collect();
    let owner = secrets[0].as_ref().map(|secret| Sha256::digest(secret).into());
    let join_code = (visibility == Visibility::Private).then(|| bytes(dice));
    let blank = blank_game(
        hex(dice)[..32].parse().unwrap(),
        assam_referee::Setup::read(&Opening::<Position>::start(setup).line()).unwrap(),
        now,
    );
    let info = Info {
        visibility,
        patience_hours: dice.pick(&[None, Some(8760)]),
        revision: 2,
        seats,
        status: Status::Running,
        started_at: Some(now),
        ..blank.info
    };
    let game = StoredGame { info, owner, join_code, ..blank };
    seeded(game, bytes(dice))
}

/// The minimum time of a decision, in milliseconds. It keeps the last word ahead of the clock during the
/// comparison of two games, so that later writes have its time in both.
const LEAST_PAUSE: u64 = 60_000;

/// Plays a random match up to a random moment, often one with a hidden lead. If the viewer plays, they are on
/// turn there.
fn play(game: StoredGame, viewer: Viewer, dice: &mut Dice) -> Match {
    let source = Chain::new(&game).committed.unwrap();
    let mut played = Match::start(game, &source);
    let (until, wanted) = (dice.below(90), dice.below(5));
    loop {
        let position = position(played.end());
        let is_due = match position.diagram().phase {
            Phase::Lead { .. } => wanted == 0,
            Phase::Use { .. } => wanted == 1,
            Phase::Reply { .. } => wanted > 1,
            Phase::Dice | Phase::Deal(_) | Phase::Bonus { .. } | Phase::Over => false,
        };
        let is_late = u64::from(played.end().info.head.unwrap().ply) >= until;
        if is_due && is_late && (is_on_turn(&position, viewer) || viewer == Viewer::Spectator) {
            return played;
        }
        let action = random_action(&position, &mut |range| dice.below(range)).unwrap();
        played.play(&source, &text(action), LEAST_PAUSE + dice.below(5_000));
    }
}

/// Returns the last moment, and some earlier ones of the same round.
fn moments(played: &Match, dice: &mut Dice) -> Vec<usize> {
    let is_deal = |word: &Word<Position>| word.chance.iter().any(|drawn| matches!(drawn, Chance::Deal(..)));
    let dealt = words(played.end()).iter().rposition(is_deal).unwrap();
    let last = played.stood.len() - 1;
    let of_round = |&at: &usize| played.stood[at].info.head.unwrap().ply as usize >= dealt;
    let of_round: Vec<usize> = (0..last).filter(of_round).collect();
    let mut moments: Vec<usize> =
        (0..of_round.len().min(2)).map(|_| dice.pick(&of_round)).chain([last]).collect();
    moments.sort_unstable();
    moments.dedup();
    moments
}

/// Returns the same match to this viewer, with everything redrawn that they may not know at its end.
fn twin_of(first: &Match, game: StoredGame, viewer: Viewer, dice: &mut Dice) -> Match {
    let end = first.end();
    let fresh = drawn_afresh(&words(end), &setup_of(end), viewer, dice);
    let kinds: Vec<SeatKind> = game.info.seats.iter().map(|seat| seat.kind).collect();
    let script = Script::of(&fresh, &setup_of(end), &kinds);
    let mut twin = Match::start(game, &script);
    let stood_words = written(end);
    let mut at_ms = 0;
    for stood in &first.stood[1..] {
        // The first ply of a submission, which answers may follow.
        let ply = twin.end().info.head.unwrap().ply as usize + 1;
        let Some(Decision::Action(action)) = fresh[ply].decision else { panic!("nobody leaves") };
        twin.play(&script, &text(action), stood_words[ply].at_ms - at_ms);
        at_ms = stood_words[ply].at_ms;
        assert_eq!(twin.end().info.head.unwrap().ply, stood.info.head.unwrap().ply);
    }
    assert_eq!(words(twin.end()), fresh, "as it was scripted");
    assert_eq!(told(end, viewer), told(twin.end(), viewer), "the same to the viewer");
    twin
}
