//! Pairs of matches that differ only in what one viewer may not know.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};

use assam_api::chain;
use assam_api::chance::{ChanceSource, Committed, Purpose};
use assam_api::game::{Head, Holder, Info, PlayerId, SeatKind, Status, StoredGame, Visibility};
use assam_api::hex::Hex;
use assam_api::log::{Chain, Ledger, NotExtended, Written, walk_as_of};
use assam_api::store::Extension;
use assam_notation::{Decision, Opening, Replay, Word, mask, write_position_line};
use assam_players::{Playable as _, Player, random_action};
use assam_referee::{AnyDecision, tokens};
use assam_rules::marrakesh::{
    Action, BySide, Card, Cards, Chance, Deal, Digit, FullOvals, Phase, Position, Rounds, Setup, Side,
    SnBonus, Throw, ValueOrder,
};
use assam_rules::{Game as _, Move, Turn, Viewer};
use jiff::Timestamp;
use sha2::{Digest, Sha256};

use crate::dice::Dice;

/// Two matches, and for whom they are the same.
pub(super) struct Pair {
    /// Its number: the same number is always the same pair, but for the times.
    pub(super) number: u64,
    pub(super) viewer: Viewer,
    /// What the viewer sends; a spectator may have none.
    pub(super) secret: Option<String>,
    /// The secrets of the seats that somebody holds.
    pub(super) seats: [Option<String>; 2],
    pub(super) twins: [Match; 2],
    /// After how many submissions the two are compared.
    pub(super) moments: Vec<usize>,
}

/// A match as it grew in memory, by the function through which the service lets it grow.
pub(super) struct Match {
    /// The game after each submission; the first one is its start.
    pub(super) stood: Vec<StoredGame>,
    /// What each submission appended.
    pub(super) extensions: Vec<Extension>,
}

/// Draws that were fixed before, by ply.
struct Script {
    chance: HashMap<u32, Vec<u64>>,
    choices: HashMap<u32, Vec<u64>>,
}

/// Notices whether anything is drawn.
struct Watched(Cell<bool>);

impl ChanceSource for Script {
    fn draw(&self, purpose: Purpose, ply: u32, k: u32, range: u64) -> u64 {
        let draws = match purpose {
            Purpose::Chance => &self.chance[&ply],
            Purpose::Choice => &self.choices[&ply],
        };
        assert!(draws[k as usize] < range, "draw {k} of ply {ply}");
        draws[k as usize]
    }
}

impl ChanceSource for Watched {
    fn draw(&self, _: Purpose, _: u32, k: u32, range: u64) -> u64 {
        self.0.set(true);
        // Not the same for both boards: equal dice are thrown again.
        u64::from(k / 6) % range
    }
}

impl Match {
    /// The start of a game whose seats are taken.
    pub(super) fn start(game: StoredGame, source: &dyn ChanceSource) -> Self {
        let extension = extension(&game, source, &[], 0).unwrap();
        Self { stood: vec![extended(&game, &extension)], extensions: Vec::new() }
    }

    pub(super) fn play(&mut self, source: &dyn ChanceSource, decision: &str, after_ms: u64) {
        let game = self.end();
        let extension = extension(game, source, &[decision.to_owned()], after_ms).unwrap();
        let game = extended(game, &extension);
        self.stood.push(game);
        self.extensions.push(extension);
    }

    pub(super) fn end(&self) -> &StoredGame {
        self.stood.last().unwrap()
    }

    /// What brings a store from one moment to a later one.
    pub(super) fn extension(&self, from: usize, to: usize) -> (Head, Extension) {
        let parts = &self.extensions[from..to];
        let entries: Vec<&str> = parts.iter().rev().map(|part| part.entries.as_str()).collect();
        (
            self.stood[from].info.head.unwrap(),
            Extension { entries: entries.join(" "), ..parts[parts.len() - 1].clone() },
        )
    }
}

/// What these decisions add to a game.
pub(super) fn extension(
    game: &StoredGame,
    source: &dyn ChanceSource,
    decisions: &[String],
    after_ms: u64,
) -> Result<Extension, NotExtended> {
    let ruleset = game.info.ruleset();
    let read = |text: &String| ruleset.read_decision(text).unwrap().decision.unwrap();
    let decisions: Vec<AnyDecision> = decisions.iter().map(read).collect();
    let mut ledger = Ledger::replay(game).unwrap();
    ledger.extend_from(source, &decisions, after_ms).map(|extended| extended.extension)
}

/// The words of a log, with everything known.
fn written(game: &StoredGame) -> Vec<Written<'_>> {
    let last = game.info.head.map_or(0, |head| head.ply);
    let mut words = Vec::new();
    walk_as_of(Viewer::Arbiter, game, last, |written| words.push(written)).unwrap();
    words
}

fn extended(game: &StoredGame, extension: &Extension) -> StoredGame {
    let log = [extension.entries.as_str(), game.log.as_str()].join(" ").trim().to_owned();
    let info = Info { head: Some(extension.head), status: extension.status, ..game.info.clone() };
    StoredGame { log, info, ..game.clone() }
}

/// The words of a game.
pub(super) fn words(game: &StoredGame) -> Vec<Word<Position>> {
    written(game).iter().map(|written| Word::read(written.word.text()).unwrap()).collect()
}

/// The words of a game as a viewer may read them.
pub(super) fn told(game: &StoredGame, viewer: Viewer) -> Vec<String> {
    let (_, masked) = mask(&Opening::start(setup_of(game)), &words(game), viewer);
    masked.iter().map(Word::text).collect()
}

/// Where a game stands.
pub(super) fn position(game: &StoredGame) -> Position {
    after(&setup_of(game), words(game))
}

/// Where it stands to a viewer, as a position line.
pub(super) fn position_line(game: &StoredGame, viewer: Viewer) -> String {
    let words = told(game, viewer).into_iter().map(|word| Word::read(&word).unwrap()).collect();
    write_position_line(&after(&setup_of(game), words))
}

fn after(setup: &Setup, words: Vec<Word<Position>>) -> Position {
    let mut replay = Replay::new(setup);
    for word in words {
        replay.play(&word).unwrap();
    }
    replay.position().clone()
}

fn setup_of(game: &StoredGame) -> Setup {
    let line = assam_notation::SetupLine::read(game.info.setup.line()).unwrap();
    *Opening::<Position>::read(&line).unwrap().setup()
}

/// Is the viewer the seat that must decide?
pub(super) fn is_on_turn(position: &Position, viewer: Viewer) -> bool {
    matches!((position.turn(), viewer), (Turn::Player(seat), Viewer::Seat(own)) if seat == own)
}

/// A decision as it is written.
pub(super) fn text(action: Action) -> String {
    Word::<Position> { decision: Some(Decision::Action(action)), chance: Default::default() }.text()
}

/// What comes of a decision in which nothing is drawn; none where it is refused, or something is drawn.
pub(super) fn drawn_for_nothing(game: &StoredGame, decision: &str) -> Option<Head> {
    let source = Watched(Cell::new(false));
    let extension = extension(game, &source, &[decision.to_owned()], 0).ok()?;
    (!source.0.get()).then_some(extension.head)
}

/// Would the service write these decisions of the seat on turn?
pub(super) fn is_legal(game: &StoredGame, decisions: &[String]) -> bool {
    let source = Watched(Cell::new(false));
    extension(game, &source, decisions, 0).is_ok()
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
        let twin = StoredGame { seed: Some(bytes(dice)), ..game };
        let second = twin_of(&first, twin, viewer, dice);
        Self { number, viewer, secret, seats, twins: [first, second], moments }
    }
}

/// Who sits where: the viewer, and others who may be built in; a match without anybody is over at once.
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
    let seats = kinds.iter().zip(secrets).map(|(&kind, secret)| Holder {
        player: secret.as_ref().map(|secret| player(secret)),
        secret: secret.as_ref().map(|secret| Hex(Sha256::digest(secret).into())),
        name: secret.as_ref().map(|_| "Zoë".to_owned()),
        ..Holder::of(kind)
    });
    StoredGame {
        owner: secrets[0].as_ref().map(|secret| Sha256::digest(secret).into()),
        join_code: (visibility == Visibility::Private).then(|| bytes(dice)),
        request: None,
        seed: Some(bytes(dice)),
        tags: String::new(),
        log: String::new(),
        info: Info {
            id: hex(dice)[..32].parse().unwrap(),
            created_at: now,
            setup: assam_referee::Setup::read(&Opening::<Position>::start(setup).line()).unwrap(),
            visibility,
            imported: false,
            patience_hours: dice.pick(&[None, Some(8760)]),
            revision: 2,
            seats: seats.collect(),
            status: Status::Running,
            started_at: Some(now),
            head: None,
        },
    }
}

/// The public id of whoever holds this secret, as README says.
pub(super) fn player(secret: &str) -> PlayerId {
    hex::encode(&Sha256::digest(format!("assam/player\n{secret}"))[..10]).parse().unwrap()
}

/// A random match up to a random moment, often one where a lead lies hidden; a viewer who plays is on turn there.
fn play(game: StoredGame, viewer: Viewer, dice: &mut Dice) -> Match {
    let seed = game.seed.unwrap();
    let source = Committed::new(&seed, &start(&game));
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
        played.play(&source, &text(action), dice.below(5_000));
    }
}

/// The last moment, and some before it in the same round.
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

/// The same match to this viewer, with everything drawn afresh that he may not know at its end.
fn twin_of(first: &Match, game: StoredGame, viewer: Viewer, dice: &mut Dice) -> Match {
    let end = first.end();
    let fresh = drawn_afresh(&words(end), &setup_of(end), viewer, dice);
    let kinds: Vec<SeatKind> = game.info.seats.iter().map(|seat| seat.kind).collect();
    let script = Script::of(&fresh, &setup_of(end), &kinds);
    let mut twin = Match::start(game, &script);
    let stood_words = written(end);
    let mut at_ms = 0;
    for stood in &first.stood[1..] {
        // The first ply of a submission; behind it there may be answers.
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

/// What a viewer knows of the hands of a round.
#[derive(Clone, Default)]
struct Dealt {
    round: u8,
    /// The word that deals them, and which of its outcomes.
    at: BySide<(usize, usize)>,
    /// The cards that he knows of each hand.
    known: BySide<Cards>,
    /// The word of a lead that he does not know, and whose it is.
    lead: Option<(usize, Side)>,
}

/// The words with other cards in place of those that the viewer may not know, each possible deal equally likely.
fn drawn_afresh(
    words: &[Word<Position>],
    setup: &Setup,
    viewer: Viewer,
    dice: &mut Dice,
) -> Vec<Word<Position>> {
    let is_own = |side: Side| viewer == Viewer::Seat(side.seat());
    // Three rounds are dealt from one pack.
    let block = |round: u8| usize::from(round - 1) / 3;
    let mut seen = [Cards::new(); 4];
    let mut rounds: Vec<Dealt> = Vec::new();
    let mut position = Position::new(setup);
    for (n, word) in words.iter().enumerate() {
        let is = position.diagram();
        if let (Some(Decision::Action(Action::Play(card))), Turn::Player(seat)) =
            (word.decision, position.turn())
        {
            let (side, dealt) = (Side::of(seat).unwrap(), rounds.last_mut().unwrap());
            let is_hidden = n + 1 == words.len() && matches!(is.phase, Phase::Lead { .. });
            match (is_own(side), is_hidden) {
                // Known since it was dealt.
                (true, _) => {}
                (false, true) => dealt.lead = Some((n, side)),
                (false, false) => {
                    dealt.known[side].insert(card).unwrap();
                    seen[block(is.round)].insert(card).unwrap();
                }
            }
        }
        if let Some(decision) = word.decision {
            position.apply(decision.to_move());
        }
        for (k, &drawn) in word.chance.iter().enumerate() {
            let round = position.diagram().round;
            let seen = &mut seen[block(round)];
            match drawn {
                Chance::Dice { .. } => rounds.push(Dealt { round, ..Dealt::default() }),
                Chance::Deal(side, deal) => {
                    let dealt = rounds.last_mut().unwrap();
                    dealt.at[side] = (n, k);
                    if is_own(side) {
                        dealt.known[side] = deal.hand().known();
                        *seen = seen.union(deal.hand().known()).unwrap();
                    }
                }
                Chance::Bonus(card) => seen.insert(card).unwrap(),
            }
            position.apply(Move::Chance(drawn));
        }
    }
    let mut decks = seen.map(Cards::rest);
    let mut fresh = words.to_vec();
    for dealt in rounds {
        let deck = &mut decks[block(dealt.round)];
        for side in Side::BOTH.into_iter().filter(|&side| !is_own(side)) {
            let mut hand = dealt.known[side];
            let mut unseen = Vec::new();
            while hand.len() < Cards::HAND {
                let card = deck.nth(dice.below(deck.len().into())).unwrap();
                deck.remove(card);
                hand.insert(card).unwrap();
                unseen.push(card);
            }
            let (n, k) = dealt.at[side];
            fresh[n].chance[k] = Chance::Deal(side, Deal::new(hand).unwrap());
            if let Some((n, _)) = dealt.lead.filter(|(_, leader)| *leader == side) {
                fresh[n].decision = Some(Decision::Action(Action::Play(dice.pick(&unseen))));
            }
        }
    }
    fresh
}

impl Script {
    /// The draws that lead to these words, where players of these kinds decide.
    fn of(words: &[Word<Position>], setup: &Setup, kinds: &[SeatKind]) -> Self {
        let mut script = Self { chance: HashMap::new(), choices: HashMap::new() };
        let mut position = Position::new(setup);
        for (ply, word) in (0..).zip(words) {
            if let (Some(Decision::Action(action)), Turn::Player(seat)) = (word.decision, position.turn()) {
                script.choices.insert(ply, choice(&position, kinds[seat.index()], action));
            }
            if let Some(decision) = word.decision {
                position.apply(decision.to_move());
            }
            let mut draws = Vec::new();
            for (k, &drawn) in word.chance.iter().enumerate() {
                let mut deck = position.cards_out().rest();
                let mut draw = |card: Card| {
                    let place = deck.iter().position(|other| other == card).unwrap();
                    deck.remove(card);
                    place as u64
                };
                match (drawn, word.chance.get(k + 1)) {
                    (Chance::Dice { blue, red }, _) => draws.extend(faces(blue).chain(faces(red))),
                    (Chance::Deal(Side::Blue, blue), Some(&Chance::Deal(Side::Red, red))) => {
                        let hands = [blue, red].map(|deal| deal.hand().known().iter().collect::<Vec<Card>>());
                        draws.extend((0..6).flat_map(|n| [hands[0][n], hands[1][n]]).map(draw));
                    }
                    (Chance::Deal(..), _) => {}
                    (Chance::Bonus(card), _) => draws.push(draw(card)),
                }
                position.apply(Move::Chance(drawn));
            }
            script.chance.insert(ply, draws);
        }
        script
    }
}

/// The faces of six dice, from 0.
fn faces(throw: Throw) -> impl Iterator<Item = u64> {
    Digit::all().flat_map(move |point| vec![point.index() as u64; throw.points().on(point).into()])
}

/// What is to be drawn for a player of this kind to decide like this.
fn choice(position: &Position, kind: SeatKind, wanted: Action) -> Vec<u64> {
    let draws_of = |number: u64| {
        let mut draws = Vec::new();
        let mut draw = |range: u64| {
            draws.push(number % range);
            number % range
        };
        let decided = match kind {
            SeatKind::Open | SeatKind::Human => Some(wanted),
            SeatKind::BuiltIn(player) => position.choose(player, &mut draw),
        };
        (decided == Some(wanted)).then_some(draws)
    };
    // No player has so many cards or uses to choose from.
    (0..32).find_map(draws_of).unwrap_or_else(|| panic!("{kind:?} never decides {wanted:?}"))
}

/// A part of a word that was hidden from somebody when it was written.
pub(super) struct Sealed {
    pub(super) ply: u32,
    pub(super) number: u32,
    pub(super) token: String,
    pub(super) salt: [u8; 32],
    pub(super) hash: [u8; 32],
    /// May the viewer read it now?
    pub(super) is_told: bool,
}

/// The sealed parts of a game.
pub(super) fn sealed_parts(game: &StoredGame, viewer: Viewer) -> Vec<Sealed> {
    let committed = committed(game);
    let told = told(game, viewer);
    let mut sealed = Vec::new();
    for (written, told) in written(game).iter().zip(&told) {
        let told: HashSet<(u32, &str)> = tokens(told).collect();
        for token in written.word.tokens().filter(|token| token.is_sealed) {
            let salt = committed.salt(written.ply, token.part);
            sealed.push(Sealed {
                ply: written.ply,
                number: token.part,
                token: token.text.to_owned(),
                salt,
                hash: chain::sealed_part(&salt, token.text),
                is_told: told.contains(&(token.part, token.text)),
            });
        }
    }
    sealed
}

/// Each head of a game.
pub(super) fn heads(game: &StoredGame) -> Vec<Head> {
    let mut chain = Chain::of(game);
    let heads = written(game).into_iter().map(|written| {
        chain.extend(&written);
        Head { ply: written.ply, hash: chain.head }
    });
    heads.collect()
}

/// The head before the first word.
pub(super) fn start(game: &StoredGame) -> [u8; 32] {
    Chain::of(game).head
}

fn committed(game: &StoredGame) -> Committed {
    Committed::new(&game.seed.unwrap(), &start(game))
}

fn bytes(dice: &mut Dice) -> [u8; 32] {
    [(); 32].map(|()| dice.below(256) as u8)
}

/// 64 hex digits.
pub(super) fn hex(dice: &mut Dice) -> String {
    hex::encode(bytes(dice))
}
