//! The half boards of Marrakesh: points and ovals, hands, and the tricks of the round.

use anstyle::{AnsiColor, Style};
use assam_notation::marrakesh::card_name;
use assam_rules::marrakesh::{
    BySide, Card, Digit, Hand, Lead, Oval, Phase, Side, Stop, Suit, Trick, Values, View,
};

use super::svg::Canvas;
use super::terminal::Line;
use super::{Moment, Panel, Picture, Scene, SeatRow, Standing, Swatch, who_won};

mod card;
mod drawing;
mod printing;

/// A card as it lies.
#[derive(Clone, Copy)]
enum Face {
    /// This card can be seen.
    Up(Card),
    /// Only its back can be seen.
    Down,
}

/// A trick, finished or on the table.
struct Played {
    leader: Side,
    cards: BySide<Option<Face>>,
    /// None while the reply is awaited.
    winner: Option<Side>,
}

/// What lies on the table besides the cards of the trick.
#[derive(Default)]
struct Use {
    bonus: Option<Card>,
    values: Values,
    /// Pieces borne off in this trick so far.
    off: u8,
}

impl Picture for Scene<'_, View> {
    fn moment(&self) -> &Moment {
        self.moment
    }

    fn panel(&self) -> Panel {
        Panel {
            game: "Marrakesh",
            status: self.status(),
            hand: None,
            columns: &["pips", "off", "rounds", "score"],
            seats: Side::BOTH.map(|side| self.seat_row(side)).into(),
            description: self.description(),
        }
    }

    fn size(&self) -> (i32, i32) {
        drawing::SIZE
    }

    fn draw(&self, canvas: &mut Canvas) {
        drawing::draw(self.view, canvas);
    }

    fn print(&self) -> Vec<Line> {
        printing::print(self.view)
    }
}

impl Scene<'_, View> {
    fn status(&self) -> String {
        match (self.view.stop, self.view.phase) {
            (Some(Stop::Aborted), _) => "The match was aborted".to_owned(),
            (Some(Stop::Left(_)), _) | (None, Phase::Over) => who_won(self.winners()),
            (None, Phase::Dice) => format!("The dice of round {} are thrown", self.view.round),
            (None, Phase::Deal(side)) => format!("Seat {} is dealt its hand", number(side)),
            (None, Phase::Lead { leader }) => format!("Seat {} must lead", number(leader)),
            (None, Phase::Reply { leader, .. }) => format!("Seat {} must reply", number(leader.opponent())),
            (None, Phase::Use { trick, values, .. }) => {
                format!("Seat {} must use {}", number(trick.winner()), to_use(values))
            }
            (None, Phase::Bonus { trick, .. }) => {
                format!("A bonus card is drawn for seat {}", number(trick.winner()))
            }
        }
    }

    fn seat_row(&self, side: Side) -> SeatRow {
        let view = self.view;
        let standing = if view.stop == Some(Stop::Left(side)) {
            Standing::Out
        } else if self.winners().contains(&number(side)) {
            Standing::Winner
        } else if on_turn(view) == Some(side) {
            Standing::OnTurn
        } else {
            Standing::In
        };
        let scored = view.scores.iter().filter(|score| score[side].points() > 0).count();
        let cells = [
            view.points[side].pips().to_string(),
            off(view, side).to_string(),
            scored.to_string(),
            view.totals[side].to_string(),
        ];
        SeatRow { number: number(side), swatches: vec![swatch(side)], cells: cells.into(), standing }
    }

    fn description(&self) -> String {
        let view = self.view;
        let mut text = format!("Round {} of {}.", view.round, view.rounds);
        for side in Side::BOTH {
            let points = Digit::all().rev().filter(|&point| view.points[side].on(point) > 0);
            let points: Vec<String> =
                points.map(|point| format!("{} on {}", view.points[side].on(point), point.get())).collect();
            let ovals = view.ovals[side].0.map(|oval| match oval {
                Oval::Empty => "empty".to_owned(),
                Oval::Chip => "null chip".to_owned(),
                Oval::Pieces(pieces) => pieces.to_string(),
                Oval::Closed => "closed".to_owned(),
            });
            let or_none = |list: Vec<String>| match list.as_slice() {
                [] => "none".to_owned(),
                list => list.join(", "),
            };
            text.push_str(&format!(
                " Seat {}, {}: pieces {}; ovals {}; hand {}.",
                number(side),
                swatch(side).name,
                or_none(points),
                ovals.join(", "),
                or_none(hand(view.hands[side]).into_iter().map(face_name).collect())
            ));
        }
        for (count, trick) in (1..).zip(tricks(view)) {
            let card = |side: Side| trick.cards[side].map_or("none yet".to_owned(), face_name);
            let (leader, receiver) = (trick.leader, trick.leader.opponent());
            text.push_str(&format!(
                " Trick {count}: seat {} led {}, reply {}",
                number(leader),
                card(leader),
                card(receiver)
            ));
            text.push_str(
                &trick.winner.map_or(".".to_owned(), |side| format!(", won by seat {}.", number(side))),
            );
        }
        if let Some(card) = in_use(view).bonus {
            text.push_str(&format!(" Bonus card {}.", card_name(card)));
        }
        text.push_str(&format!(" Deck {}; discards {}", view.deck, view.discards));
        text.push_str(
            &view.top_discard.map_or(".".to_owned(), |top| format!(", on top {}.", card_name(top))),
        );
        text
    }
}

fn number(side: Side) -> u8 {
    side.seat().number()
}

/// Who must decide.
fn on_turn(view: &View) -> Option<Side> {
    match view.phase {
        _ if view.stop.is_some() => None,
        Phase::Lead { leader } => Some(leader),
        Phase::Reply { leader, .. } => Some(leader.opponent()),
        Phase::Use { trick, .. } => Some(trick.winner()),
        Phase::Dice | Phase::Deal(_) | Phase::Bonus { .. } | Phase::Over => None,
    }
}

/// Pieces of a player that are off the board.
fn off(view: &View, side: Side) -> u8 {
    let in_trick = match view.phase {
        Phase::Use { trick, off, .. } | Phase::Bonus { trick, off } if trick.winner() == side => off,
        Phase::Use { .. }
        | Phase::Bonus { .. }
        | Phase::Dice
        | Phase::Deal(_)
        | Phase::Lead { .. }
        | Phase::Reply { .. }
        | Phase::Over => 0,
    };
    view.ovals[side].pieces().saturating_add(in_trick)
}

/// The finished tricks of the round.
fn finished(view: &View) -> impl Iterator<Item = Played> {
    view.tricks.iter().copied().map(Played::of)
}

/// The trick on the table.
fn on_table(view: &View) -> Option<Played> {
    match view.phase {
        Phase::Reply { leader, lead } => {
            let mut cards = BySide([None; 2]);
            cards[leader] = Some(match lead {
                Lead::Known(card) => Face::Up(card),
                Lead::Unknown => Face::Down,
            });
            Some(Played { leader, cards, winner: None })
        }
        Phase::Use { trick, .. } | Phase::Bonus { trick, .. } => Some(Played::of(trick)),
        Phase::Dice | Phase::Deal(_) | Phase::Lead { .. } | Phase::Over => None,
    }
}

/// All tricks of the round, that on the table last.
fn tricks(view: &View) -> impl Iterator<Item = Played> {
    finished(view).chain(on_table(view))
}

fn in_use(view: &View) -> Use {
    match view.phase {
        Phase::Use { values, bonus, off, .. } => Use { bonus, values, off },
        Phase::Bonus { off, .. } => Use { off, ..Use::default() },
        Phase::Dice | Phase::Deal(_) | Phase::Lead { .. } | Phase::Reply { .. } | Phase::Over => {
            Use::default()
        }
    }
}

/// `6 or 2`, or `5, 4 times`.
fn to_use(values: Values) -> String {
    let numbers: Vec<String> = values.numbers().rev().map(|number| number.get().to_string()).collect();
    let times = if usize::from(values.total()) > numbers.len() {
        format!(", {} times", values.total())
    } else {
        String::new()
    };
    numbers.join(" or ") + &times
}

fn hand(hand: Hand) -> Vec<Face> {
    match hand {
        Hand::Known(cards) => cards.iter().map(Face::Up).collect(),
        Hand::Unknown(cards) => vec![Face::Down; cards.into()],
    }
}

/// As notation writes it.
fn face_name(face: Face) -> String {
    match face {
        Face::Up(card) => card_name(card),
        Face::Down => "??".to_owned(),
    }
}

fn swatch(side: Side) -> Swatch {
    let (letter, name, colour) = match side {
        Side::Blue => ('B', "blue", AnsiColor::BrightBlue),
        Side::Red => ('R', "red", AnsiColor::BrightRed),
    };
    Swatch { letter, name, style: colour.on_default().bold() }
}

/// How a card looks in a terminal: a colour a suit, none for a back.
fn face_style(face: Face) -> Style {
    let Face::Up(card) = face else { return Style::new().dimmed() };
    match card.suit() {
        Suit::Spades => Style::new().bold(),
        Suit::Hearts => AnsiColor::Red.on_default(),
        Suit::Diamonds => AnsiColor::Cyan.on_default(),
        Suit::Clubs => AnsiColor::Green.on_default(),
    }
}

impl Played {
    fn of(trick: Trick) -> Self {
        let mut cards = BySide([None; 2]);
        cards[trick.leader] = Some(Face::Up(trick.lead));
        cards[trick.leader.opponent()] = Some(Face::Up(trick.reply));
        Self { leader: trick.leader, cards, winner: Some(trick.winner()) }
    }
}
