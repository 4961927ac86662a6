//! Written matches: `112446/455566` dice, `b:` and `r:` hands, `6s` a card played, `6@6` a use, `+5c` a bonus
//! card, `??` unknown, `!resign1`.

use assam_rules::marrakesh::{
    Action, BySide, Card, Cards, Chance, Deal, Diagram, Digit, Event, Hand, Oval, Ovals, Phase, Points,
    Position, Rank, Rule, Setup, Side, Suit, Throw,
};
use assam_rules::{Game, Leave, Move, Seat};

/// The dice and hands of the worked round, followed by play in which Blue leads.
pub(super) const START: &str = "112446/455566 b:6s5dQhAs3c2s r:2c3dQs3c6d4h";

pub(super) fn card(text: &str) -> Card {
    let (rank, suit) = text.split_at(1);
    let rank = "65432AQ".find(rank).unwrap();
    Card::new(Suit::ALL["shdc".find(suit).unwrap()], Rank::ALL[rank])
}

pub(super) fn name(card: Card) -> String {
    let rank = &"65432AQ"[card.rank() as usize..][..1];
    rank.to_owned() + &"shdc"[card.suit() as usize..][..1]
}

pub(super) fn cards(text: &str) -> Cards {
    let mut cards = Cards::new();
    for n in (0..text.len()).step_by(2) {
        cards.insert(card(&text[n..n + 2])).unwrap();
    }
    cards
}

pub(super) fn digit(text: &str) -> Digit {
    Digit::new(text.parse().unwrap()).unwrap()
}

/// Returns the pieces that these dice place.
pub(super) fn points(dice: &str) -> Points {
    let mut counts = [0; 6];
    for die in dice.bytes() {
        counts[usize::from(die - b'1')] += 1;
    }
    Points::new(counts).unwrap()
}

/// Reads ovals such as `42X` or `10.`: pieces, `0` a null chip, `X` closed, `.` empty.
pub(super) fn ovals(text: &str) -> Ovals {
    let ovals: Vec<Oval> = text
        .chars()
        .map(|oval| match oval {
            '.' => Oval::Empty,
            '0' => Oval::Chip,
            'X' => Oval::Closed,
            pieces => Oval::Pieces(pieces.to_digit(10).unwrap() as u8),
        })
        .collect();
    Ovals(ovals.try_into().unwrap())
}

pub(super) fn ovals_text(ovals: Ovals) -> String {
    let text = |oval: Oval| match oval {
        Oval::Empty => ".".to_owned(),
        Oval::Chip => "0".to_owned(),
        Oval::Closed => "X".to_owned(),
        Oval::Pieces(pieces) => pieces.to_string(),
    };
    ovals.0.map(text).concat()
}

fn throw(dice: &str) -> Throw {
    Throw::new(points(dice)).unwrap()
}

/// Reads a written move.
pub(super) fn mv(text: &str) -> Move<Position> {
    let deal = |hand: &str| if hand == "??" { Deal::UNKNOWN } else { Deal::new(cards(hand)).unwrap() };
    let seat = |n: &str| Seat::new(n.parse().unwrap()).unwrap();
    if let Some((blue, red)) = text.split_once('/') {
        Move::Chance(Chance::Dice { blue: throw(blue), red: throw(red) })
    } else if let Some(hand) = text.strip_prefix("b:") {
        Move::Chance(Chance::Deal(Side::Blue, deal(hand)))
    } else if let Some(hand) = text.strip_prefix("r:") {
        Move::Chance(Chance::Deal(Side::Red, deal(hand)))
    } else if let Some(bonus) = text.strip_prefix('+') {
        Move::Chance(Chance::Bonus(card(bonus)))
    } else if let Some((number, point)) = text.split_once('@') {
        Move::Action(Action::Use { number: digit(number), point: digit(point) })
    } else if let Some(n) = text.strip_prefix("!resign") {
        Move::Leave(Leave::Resign(seat(n)))
    } else if let Some(n) = text.strip_prefix("!timeout") {
        Move::Leave(Leave::Timeout(seat(n)))
    } else {
        match text {
            "!abort" => Move::Leave(Leave::Abort),
            "??" => Move::Action(Action::LeadUnknown),
            card_text => Move::Action(Action::Play(card(card_text))),
        }
    }
}

/// Reads a written decision.
pub(super) fn action(text: &str) -> Action {
    if let Move::Action(action) = mv(text) { action } else { panic!("{text} is no decision") }
}

/// Reads a written draw.
pub(super) fn chance(text: &str) -> Chance {
    if let Move::Chance(chance) = mv(text) { chance } else { panic!("{text} is not drawn") }
}

/// Returns the position after these legal moves.
pub(super) fn after_with(setup: &Setup, moves: &str) -> Position {
    play(Position::new(setup), moves).0
}

/// The same with the default options.
pub(super) fn after(moves: &str) -> Position {
    after_with(&Setup::default(), moves)
}

/// Returns the position after these moves, and the events of the last one.
pub(super) fn play(mut position: Position, moves: &str) -> (Position, Vec<Event>) {
    let mut events = Vec::new();
    for text in moves.split_whitespace() {
        let mut told = Vec::new();
        let played = position.play_telling(mv(text), &mut |event| told.push(event));
        played.unwrap_or_else(|rule| panic!("{text} in {moves}: {rule}"));
        events = told;
    }
    (position, events)
}

/// Returns the rule that the last of these moves breaks. Those before it are legal.
pub(super) fn refused_with(setup: &Setup, moves: &str) -> Rule {
    let (before, last) = moves.rsplit_once(' ').unwrap_or(("", moves));
    let mut position = after_with(setup, before);
    let unchanged = position.clone();
    let rule = position.play(mv(last)).unwrap_err();
    assert_eq!(position, unchanged);
    rule
}

/// The same with the default options.
pub(super) fn refused(moves: &str) -> Rule {
    refused_with(&Setup::default(), moves)
}

/// Returns the written legal decisions, in the order of the list.
pub(super) fn legal(position: &Position) -> String {
    let text = |action| match action {
        Action::Play(card) => name(card),
        Action::LeadUnknown => "??".to_owned(),
        Action::Use { number, point } => format!("{}@{}", number.get(), point.get()),
    };
    position.legal_actions().into_iter().map(text).collect::<Vec<_>>().join(" ")
}

/// Returns Blue's points and ovals, then Red's: `210201 ... 000132 ...`.
pub(super) fn boards(position: &Position) -> String {
    let is = position.diagram();
    let board = |side| {
        let points: String = is.points[side].counts().iter().map(ToString::to_string).collect();
        format!("{points} {}", ovals_text(is.ovals[side]))
    };
    Side::BOTH.map(board).join(" ")
}

/// A trick of the first round that Blue is about to lead, on these boards and ovals. The position is
/// constructed, with an earlier trick for each marked oval.
pub(super) struct Scene {
    pub(super) setup: Setup,
    pub(super) diagram: Diagram,
}

impl Scene {
    /// Lets Blue lead from `blue` and Red answer from `red`. The hands are filled up with other cards.
    pub(super) fn new(blue: &str, blue_ovals: &str, red: &str, red_ovals: &str) -> Self {
        let mut diagram = *after(START).diagram();
        diagram.points = BySide([points(blue), points(red)]);
        diagram.ovals = BySide([ovals(blue_ovals), ovals(red_ovals)]);
        diagram.phase = Phase::Lead { leader: Side::Blue };
        Self { setup: Setup::default(), diagram }
    }

    /// Adds earlier tricks, lead then reply. Blue won the last one.
    pub(super) fn tricks(mut self, leader: Side, tricks: &str) -> Self {
        let mut leader = leader;
        for pair in tricks.split_whitespace() {
            let trick =
                assam_rules::marrakesh::Trick { leader, lead: card(&pair[..2]), reply: card(&pair[2..]) };
            leader = trick.winner();
            assert!(self.diagram.tricks.push(trick));
        }
        self.diagram.phase = Phase::Lead { leader };
        self
    }

    /// Sets these hands.
    pub(super) fn hands(mut self, blue: &str, red: &str) -> Self {
        self.diagram.hands = BySide([Hand::Known(cards(blue)), Hand::Known(cards(red))]);
        self
    }

    pub(super) fn setup(mut self, setup: Setup) -> Self {
        self.setup = setup;
        self
    }

    pub(super) fn position(&self) -> Position {
        Position::from_diagram(&self.setup, &self.diagram)
            .unwrap_or_else(|why| panic!("{why}\n{:?}", self.diagram))
    }
}
