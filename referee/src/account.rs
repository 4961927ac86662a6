//! The account of a game as clients see it: luck, errors, hidden cards and corrections, which add up to the result.

use assam_notation::{Decision, Record};
use assam_players::{Account, Amount, Balance, Cause, JudgedMove, Mark, View};
use assam_rules::{BySeat, Move, Seat, Turn};
use serde::{Serialize, Serializer};

use crate::table_of::{action_text, any_lines};
use crate::{AnyLine, Shown, WinAndPoints};

/// The number of best decisions shown for a move.
const MOST_SHOWN: usize = 5;

/// The account of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct GameAccount {
    /// Whether the game is over, so that the columns lead to its result. In other games they lead to what the seats
    /// can expect.
    pub over: bool,
    /// The columns of each seat, in order.
    #[cfg_attr(feature = "utoipa", schema(max_items = 4))]
    pub seats: Vec<SeatAccount>,
    /// Every decision, act of chance and departure, in order.
    #[cfg_attr(feature = "utoipa", schema(max_items = 65_536))]
    pub moves: Vec<MoveAccount>,
    /// For each seat, the correction to the result after the last move.
    #[cfg_attr(feature = "utoipa", schema(max_items = 4))]
    pub close: Vec<WinAndPoints>,
    /// The best decisions of the seat on turn after the last move, best first.
    #[cfg_attr(feature = "utoipa", schema(max_items = 5))]
    pub next: Vec<AnyLine>,
}

/// The columns of a seat: `result` is the sum of `start`, `luck`, `errors`, `gifts`, `hidden` and `corrections`, to
/// the last digit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct SeatAccount {
    /// The number of the seat.
    #[cfg_attr(feature = "utoipa", schema(minimum = 1, maximum = 4))]
    pub seat: u8,
    /// The seat's expectation at first.
    pub start: WinAndPoints,
    /// The luck of all chance.
    pub luck: WinAndPoints,
    /// The seat's errors. Their win is 0 or less.
    pub errors: WinAndPoints,
    /// The seat's gain from the errors of others.
    pub gifts: WinAndPoints,
    /// The difference between what the cards were and what the deciding seats knew of them. 0 in Marrakech.
    pub hidden: WinAndPoints,
    /// Differences between two values of one position. They measure the uncertainty of the other columns.
    pub corrections: WinAndPoints,
    /// The result.
    pub result: WinAndPoints,
    /// The result without the luck.
    pub luck_adjusted: WinAndPoints,
    /// The decisions with a choice that were judged.
    #[cfg_attr(feature = "utoipa", schema(maximum = 65_536))]
    pub decisions: u32,
    /// The decisions that cost 2 to 5 % of the win.
    #[cfg_attr(feature = "utoipa", schema(maximum = 65_536))]
    pub doubtful: u32,
    /// The decisions that cost 5 to 10 % of the win.
    #[cfg_attr(feature = "utoipa", schema(maximum = 65_536))]
    pub mistakes: u32,
    /// The decisions that cost 10 % of the win or more.
    #[cfg_attr(feature = "utoipa", schema(maximum = 65_536))]
    pub blunders: u32,
}

/// A move and what it changed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct MoveAccount {
    /// The ply of the word that the move is a part of.
    #[cfg_attr(feature = "utoipa", schema(maximum = 65_536))]
    pub ply: u32,
    /// The move in notation.
    #[serde(rename = "move")]
    #[cfg_attr(feature = "utoipa", schema(max_length = 64, example = "N"))]
    pub text: String,
    /// The kind of its maker.
    pub kind: MoveKind,
    /// The seat that decided, resigned or ran out of time.
    #[cfg_attr(feature = "utoipa", schema(minimum = 1, maximum = 4))]
    pub seat: Option<u8>,
    /// `?!`, `?` or `??` for a decision that cost at least 2, 5 or 10 % of the win.
    #[serde(serialize_with = "sign")]
    #[cfg_attr(feature = "utoipa", schema(value_type = Option<crate::schema::MarkSign>))]
    pub mark: Option<Mark>,
    /// Each seat's expectation before it: the mean over the outcomes of chance, or the best decision.
    #[cfg_attr(feature = "utoipa", schema(max_items = 4))]
    pub before: Vec<WinAndPoints>,
    /// Each seat's expectation after it.
    #[cfg_attr(feature = "utoipa", schema(max_items = 4))]
    pub after: Vec<WinAndPoints>,
    /// The difference between the judge's value of the position now and after the move before.
    #[cfg_attr(feature = "utoipa", schema(max_items = 4))]
    pub correction: Vec<WinAndPoints>,
    /// Whether cards were hidden when it was made. Then the correction after it is part of the seats' `hidden`.
    pub hidden: bool,
    /// The best decisions that the seat had, best first, and the one that it made. Empty if it had no choice.
    #[cfg_attr(feature = "utoipa", schema(max_items = 6))]
    pub lines: Vec<AnyLine>,
}

/// The kind of a move's maker.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum MoveKind {
    /// Chance: what changes is luck.
    Chance,
    /// A seat: what changes is its error.
    Decision,
    /// A seat that resigned or ran out of time: what changes is its error.
    Departure,
    /// No seat: the game was aborted.
    Abort,
}

#[expect(clippy::ref_option, reason = "serde passes a reference")]
fn sign<S: Serializer>(mark: &Option<Mark>, serializer: S) -> Result<S::Ok, S::Error> {
    mark.map(Mark::sign).serialize(serializer)
}

impl SeatAccount {
    fn of(seat: Seat, balance: &Balance) -> Self {
        let [doubtful, mistakes, blunders] = balance.marks;
        Self {
            seat: seat.number(),
            start: balance.start.into(),
            luck: balance.luck.into(),
            errors: balance.errors.into(),
            gifts: balance.gifts.into(),
            hidden: balance.hidden.into(),
            corrections: balance.corrections.into(),
            result: balance.result.into(),
            luck_adjusted: balance.luck_adjusted().into(),
            decisions: balance.decisions,
            doubtful,
            mistakes,
            blunders,
        }
    }
}

/// Plays a record through and accounts for every move.
pub(crate) fn account<G: Shown>(record: &Record<G>, nodes: u64) -> Option<GameAccount> {
    let opening = record.opening.as_ref()?;
    let mut replay = opening.replay();
    let seats = G::seats(replay.position().setup());
    let of_seats = |amounts: BySeat<Amount>| Seat::all(seats).map(|seat| amounts[seat].into()).collect();
    let mut account = Account::new(replay.position(), nodes);
    let mut moves = Vec::new();
    for word in &record.words {
        let mut position = replay.position().clone();
        // The words of a record were already found legal.
        replay.play_telling(word, |_| ()).ok()?;
        for mv in word.moves() {
            let judged: JudgedMove<G> = account.judge(&position, mv);
            let (kind, seat) = match (judged.cause, mv) {
                (Cause::Chance, _) => (MoveKind::Chance, None),
                (Cause::Seat(seat), Move::Leave(_)) => (MoveKind::Departure, Some(seat.number())),
                (Cause::Seat(seat), _) => (MoveKind::Decision, Some(seat.number())),
                (Cause::Nobody, _) => (MoveKind::Abort, None),
            };
            let text = move_text(mv);
            moves.push(MoveAccount {
                ply: replay.ply(),
                kind,
                seat,
                mark: judged.mark(),
                before: of_seats(judged.before),
                after: of_seats(judged.after),
                correction: of_seats(judged.correction),
                hidden: judged.is_hidden,
                lines: judged
                    .analysis
                    .map(|analysis| shown(any_lines(analysis, seats), &text))
                    .unwrap_or_default(),
                text,
            });
            position.apply(mv);
        }
    }
    let last = replay.position();
    let close = of_seats(account.close(last));
    let next = View::new(last).map(|view| any_lines(G::analyse(&view, nodes, None), seats));
    Some(GameAccount {
        over: last.turn() == Turn::Over,
        seats: Seat::all(seats).map(|seat| SeatAccount::of(seat, account.balance(seat))).collect(),
        moves,
        close,
        next: next.map(|lines| shown(lines, "")).unwrap_or_default(),
    })
}

/// Leaves out decisions that are neither among the best nor the one that was made.
fn shown(mut lines: Vec<AnyLine>, made: &str) -> Vec<AnyLine> {
    let mut place = 0;
    lines.retain(|line| {
        place += 1;
        place <= MOST_SHOWN || line.decision == made
    });
    lines
}

fn move_text<G: Shown>(mv: Move<G>) -> String {
    let mut text = String::new();
    match mv {
        Move::Action(action) => return action_text::<G>(action),
        Move::Chance(chance) => G::write_chance(chance, &mut text),
        Move::Leave(leave) => Decision::<G>::Leave(leave).write(&mut text),
    }
    text
}
