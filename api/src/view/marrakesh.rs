//! Marrakesh as clients see it.

use std::fmt;

use assam_notation::marrakesh::card_name;
use assam_rules::Seat;
use assam_rules::marrakesh::{
    self as rules, Card, Defence, Digit, Hand, Lead, Match, Offence, Oval, Ovals, Phase, Position, Side,
    SideScore, Stop, Values, View,
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Event, ScorePart, Show, TieBreak};
use crate::picture::{Picture, Scene};

/// A position of Marrakesh, as far as its viewer may see it.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
#[schema(as = MarrakeshState)]
pub struct State {
    /// What the match waits for.
    pub phase: PhaseName,
    /// The seat that must decide, 1 Blue or 2 Red; null when the match is over.
    #[schema(example = 1)]
    pub seat: Option<u8>,
    /// The round that is played, from 1; the last one when the match is over.
    #[schema(example = 1)]
    pub round: u8,
    /// The trick on the table; null where no card is.
    pub trick: Option<OpenTrick>,
    /// The finished tricks of this round, in order.
    pub tricks: Vec<Trick>,
    /// Cards in the deck.
    #[schema(example = 40)]
    pub deck: u8,
    /// Cards on the discard pile.
    #[schema(example = 0)]
    pub discards: u8,
    /// The card on top of the discard pile; null where it is empty.
    #[schema(example = "5c")]
    pub top_discard: Option<String>,
    /// Blue and Red.
    pub seats: Vec<SeatState>,
}

/// What a match of Marrakesh waits for.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, ToSchema)]
#[schema(as = MarrakeshPhase)]
#[serde(rename_all = "snake_case")]
pub enum PhaseName {
    /// The dice of a round are thrown.
    Dice,
    /// A hand is dealt.
    Deal,
    /// The leader plays a card, face down.
    Lead,
    /// The receiver plays a card, and the lead is turned up.
    Reply,
    /// The winner of the trick uses a number.
    Use,
    /// The bonus card is drawn.
    Bonus,
    /// The match was played to its end, or a player left it.
    Over,
    /// The match was aborted.
    Aborted,
}

/// A trick.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct Trick {
    /// The seat that led.
    #[schema(example = 1)]
    pub leader: u8,
    /// The card led.
    #[schema(example = "6s")]
    pub lead: String,
    /// The card of the receiver.
    #[schema(example = "2c")]
    pub reply: String,
    /// The seat that won it.
    #[schema(example = 2)]
    pub winner: u8,
}

/// The trick on the table.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct OpenTrick {
    /// The seat that led.
    #[schema(example = 1)]
    pub leader: u8,
    /// The card led; `??` while it lies face down and you may not look.
    #[schema(example = "??")]
    pub lead: String,
    /// The card of the receiver; null while it is awaited.
    pub reply: Option<String>,
    /// The seat that won it; null while the reply is awaited.
    pub winner: Option<u8>,
    /// What its cards have in common: `none`, `suit`, `number` or `both`; null while the reply is awaited.
    pub matching: Option<&'static str>,
    /// The bonus card, once it is drawn.
    pub bonus: Option<String>,
    /// The numbers still to be used, largest first, each as often as it is to be used.
    #[schema(example = json!([6, 2]))]
    pub values: Vec<u8>,
    /// Pieces borne off in this trick so far.
    pub off: u8,
}

/// A seat of Marrakesh.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
#[schema(as = MarrakeshSeatState)]
pub struct SeatState {
    /// Its number: 1 Blue, 2 Red.
    pub seat: u8,
    /// Pieces on the points 1 to 6.
    #[schema(example = json!([2, 1, 0, 2, 0, 1]))]
    pub points: Vec<u8>,
    /// Its three ovals: pieces in it, `0` a null chip, `-` nothing yet, `X` closed.
    #[schema(example = json!(["4", "0", "-"]))]
    pub ovals: Vec<String>,
    /// Cards in its hand.
    #[schema(example = 6)]
    pub cards: u8,
    /// The cards in its hand; null where you may not look.
    #[schema(example = json!(["6s", "As", "Qh", "3d", "5c", "4c"]))]
    pub hand: Option<Vec<String>>,
    /// What it scored in the finished rounds.
    pub score: u16,
}

/// The lead was turned up, and the trick has a winner.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct TrickWon {
    /// The trick.
    pub trick: Trick,
    /// What its cards have in common: `none`, `suit`, `number` or `both`.
    #[schema(example = "suit")]
    pub matching: &'static str,
}

/// A bonus card was drawn.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct BonusDrawn {
    /// The card.
    #[schema(example = "5c")]
    pub card: String,
    /// What it has in common with the winner's card: `none`, `suit`, `number` or `both`.
    #[schema(example = "number")]
    pub matching: &'static str,
    /// How often its number is used: 1, 4 or 6 times.
    #[schema(example = 4)]
    pub times: u8,
}

/// The oval of a trick was marked.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct OvalMarked {
    /// Whose oval.
    #[schema(example = 1)]
    pub seat: u8,
    /// Which, 1 to 3.
    #[schema(example = 1)]
    pub oval: u8,
    /// Pieces in it, or `0` for a null chip.
    #[schema(example = "4")]
    pub mark: String,
}

/// A round is over.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct RoundScored {
    /// Which, from 1.
    #[schema(example = 1)]
    pub round: u8,
    /// The points of Blue and of Red.
    #[schema(example = json!([18, 0]))]
    pub scores: Vec<u8>,
}

impl fmt::Display for TrickWon {
    /// `Seat 2 wins the trick 6s 2c`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Trick { lead, reply, winner, .. } = &self.trick;
        write!(f, "Seat {winner} wins the trick {lead} {reply}")
    }
}

impl fmt::Display for BonusDrawn {
    /// `The bonus card 5c is used 4 times`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { card, times, .. } = self;
        write!(
            f,
            "The bonus card {card} is used {}",
            if *times == 1 { "once".to_owned() } else { format!("{times} times") }
        )
    }
}

impl fmt::Display for OvalMarked {
    /// `Oval 2 of seat 1 gets 3 pieces`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seat, oval, mark } = self;
        let what = match mark.as_str() {
            "0" => "a null chip".to_owned(),
            "1" => "1 piece".to_owned(),
            pieces => format!("{pieces} pieces"),
        };
        write!(f, "Oval {oval} of seat {seat} gets {what}")
    }
}

impl fmt::Display for RoundScored {
    /// `Round 3 ends 18 to 0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scores: Vec<String> = self.scores.iter().map(u8::to_string).collect();
        write!(f, "Round {} ends {}", self.round, scores.join(" to "))
    }
}

impl Show for Position {
    fn state(view: &View) -> super::State {
        super::State::Marrakesh(State::of(view))
    }

    fn score_parts(view: &View, seat: Seat) -> Vec<ScorePart> {
        let Some(side) = Side::of(seat) else { return Vec::new() };
        (1..).zip(view.scores.iter()).flat_map(|(round, score)| parts_of_round(round, score[side])).collect()
    }

    fn tie_breaks(view: &View, seat: Seat) -> Vec<TieBreak> {
        let Some(side) = Side::of(seat) else { return Vec::new() };
        let points = || view.scores.iter().map(|score| score[side].points());
        let scored = points().filter(|&points| points > 0).count();
        vec![
            TieBreak { name: "rounds_scored", value: scored as i32 },
            TieBreak { name: "best_round", value: points().max().unwrap_or_default().into() },
        ]
    }

    fn event(event: &rules::Event) -> Event {
        match *event {
            rules::Event::TrickWon { trick, winner: _, matching } => {
                Event::TrickWon(TrickWon { trick: Trick::of(&trick), matching: match_name(matching) })
            }
            rules::Event::BonusDrawn { card, matching, times } => {
                Event::BonusDrawn(BonusDrawn { card: card_name(card), matching: match_name(matching), times })
            }
            rules::Event::OvalMarked { side, oval, mark } => {
                Event::OvalMarked(OvalMarked { seat: number(side), oval, mark: oval_name(mark) })
            }
            rules::Event::RoundScored { round, score } => {
                Event::RoundScored(RoundScored { round, scores: score.0.map(SideScore::points).to_vec() })
            }
        }
    }

    fn picture(scene: Scene<'_, View>) -> impl Picture {
        scene
    }
}

impl State {
    fn of(view: &View) -> Self {
        let (phase, seat) = match (view.stop, view.phase) {
            (Some(Stop::Left(_)), _) => (PhaseName::Over, None),
            (Some(Stop::Aborted), _) => (PhaseName::Aborted, None),
            (None, Phase::Dice) => (PhaseName::Dice, None),
            (None, Phase::Deal(_)) => (PhaseName::Deal, None),
            (None, Phase::Lead { leader }) => (PhaseName::Lead, Some(leader)),
            (None, Phase::Reply { leader, .. }) => (PhaseName::Reply, Some(leader.opponent())),
            (None, Phase::Use { trick, .. }) => (PhaseName::Use, Some(trick.winner())),
            (None, Phase::Bonus { .. }) => (PhaseName::Bonus, None),
            (None, Phase::Over) => (PhaseName::Over, None),
        };
        Self {
            phase,
            seat: seat.map(number),
            round: view.round,
            trick: OpenTrick::of(view.phase),
            tricks: view.tricks.iter().map(Trick::of).collect(),
            deck: view.deck,
            discards: view.discards,
            top_discard: view.top_discard.map(card_name),
            seats: Side::BOTH.map(|side| SeatState::of(view, side)).to_vec(),
        }
    }
}

impl Trick {
    fn of(trick: &rules::Trick) -> Self {
        Self {
            leader: number(trick.leader),
            lead: card_name(trick.lead),
            reply: card_name(trick.reply),
            winner: number(trick.winner()),
        }
    }
}

impl OpenTrick {
    /// The trick on the table in a phase; none where no card is.
    fn of(phase: Phase) -> Option<Self> {
        let open = |trick: rules::Trick, values, bonus: Option<Card>, off| Self {
            leader: number(trick.leader),
            lead: card_name(trick.lead),
            reply: Some(card_name(trick.reply)),
            winner: Some(number(trick.winner())),
            matching: Some(match_name(trick.matching())),
            bonus: bonus.map(card_name),
            values: uses(values),
            off,
        };
        match phase {
            Phase::Reply { leader, lead } => Some(Self {
                leader: number(leader),
                lead: match lead {
                    Lead::Known(card) => card_name(card),
                    Lead::Unknown => "??".to_owned(),
                },
                reply: None,
                winner: None,
                matching: None,
                bonus: None,
                values: Vec::new(),
                off: 0,
            }),
            Phase::Use { trick, values, bonus, off } => Some(open(trick, values, bonus, off)),
            Phase::Bonus { trick, off } => Some(open(trick, Values::default(), None, off)),
            Phase::Dice | Phase::Deal(_) | Phase::Lead { .. } | Phase::Over => None,
        }
    }
}

impl SeatState {
    fn of(view: &View, side: Side) -> Self {
        let hand = view.hands[side];
        Self {
            seat: number(side),
            points: view.points[side].counts().to_vec(),
            ovals: ovals(view.ovals[side]),
            cards: hand.len(),
            hand: match hand {
                Hand::Known(cards) => Some(cards.iter().map(card_name).collect()),
                Hand::Unknown(_) => None,
            },
            score: view.totals[side],
        }
    }
}

fn number(side: Side) -> u8 {
    side.seat().number()
}

fn ovals(ovals: Ovals) -> Vec<String> {
    ovals.0.map(oval_name).to_vec()
}

fn oval_name(oval: Oval) -> String {
    match oval {
        Oval::Empty => "-".to_owned(),
        Oval::Chip => "0".to_owned(),
        Oval::Pieces(pieces) => pieces.to_string(),
        Oval::Closed => "X".to_owned(),
    }
}

fn uses(values: Values) -> Vec<u8> {
    let times = |digit: Digit| std::iter::repeat_n(digit.get(), values.count(digit).into());
    values.numbers().rev().flat_map(times).collect()
}

const fn match_name(matching: Match) -> &'static str {
    match matching {
        Match::Nothing => "none",
        Match::Suit => "suit",
        Match::Number => "number",
        Match::Both => "both",
    }
}

/// The named categories of a round.
fn parts_of_round(round: u8, score: SideScore) -> impl Iterator<Item = ScorePart> {
    let offence = score.offence.map(|offence| (offence_name(offence), offence.points()));
    let defence = score.defence.map(|defence| (defence_name(defence), defence.points()));
    let pips = score.pips.then_some(("pips", 1));
    let part = move |(name, points): (_, u8)| ScorePart { round: Some(round), name, points: points.into() };
    [offence, defence, pips].into_iter().flatten().map(part)
}

const fn offence_name(offence: Offence) -> &'static str {
    match offence {
        Offence::Backgammon => "backgammon",
        Offence::Tangier => "tangier",
        Offence::Gibraltar => "gibraltar",
        Offence::Gammon => "gammon",
        Offence::ElAyun => "el_ayun",
        Offence::Bogart => "bogart",
        Offence::Casablanca => "casablanca",
        Offence::Rabat => "rabat",
        Offence::Game => "game",
    }
}

const fn defence_name(defence: Defence) -> &'static str {
    match defence {
        Defence::LittleFez => "little_fez",
        Defence::CommonFez => "common_fez",
        Defence::RoyalFez => "royal_fez",
        Defence::GrandFez => "grand_fez",
        Defence::OneChip => "one_chip",
        Defence::TwoChips => "two_chips",
    }
}
