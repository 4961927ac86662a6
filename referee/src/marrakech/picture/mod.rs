//! The market: squares, rugs, Assam and the way he came, for people.

use anstyle::AnsiColor;
use assam_rules::Seat;
use assam_rules::marrakech::{Board, Colour, Direction, Phase, Rug, Square};

pub(super) use self::marks::Marks;
use super::view::{SeatView, View};
use crate::picture::{
    Bounds, Canvas, Line, Moment, Panel, Picture, Scene, SeatRow, Standing, Swatch, who_won,
};

mod assam;
mod drawing;
mod marks;
mod printing;
mod rugs;

impl Picture for Scene<'_, View, Marks> {
    fn moment(&self) -> &Moment {
        self.moment
    }

    fn panel(&self) -> Panel {
        let seat = self.view.seat.number();
        let (status, hand) = match self.view.phase {
            Phase::TurnUp => (format!("A rug is turned up for seat {seat}"), None),
            Phase::Orient { hand } => (format!("Seat {seat} must turn Assam"), hand),
            Phase::Roll { hand } => (format!("The die is rolled for seat {seat}"), Some(hand)),
            Phase::Lay { hand } => (format!("Seat {seat} must lay its rug"), Some(hand)),
            Phase::Over => (who_won(self.winners()), None),
            Phase::Aborted => ("The game was aborted".to_owned(), None),
        };
        Panel {
            game: "Marrakech",
            key: "marrakech",
            symbol: "rug",
            status,
            hand: hand.map(swatch),
            columns: &["dirhams", "to lay", "visible", "score"],
            seats: self.view.seats.iter().map(|seat| self.seat_row(seat)).collect(),
            legend: self.marks.legend(),
            description: self.description(),
        }
    }

    fn bounds(&self) -> Bounds {
        drawing::BOUNDS
    }

    fn draw(&self, canvas: &mut Canvas) {
        drawing::draw(&self.view, &self.marks, canvas);
    }

    fn print(&self, _width: usize) -> Vec<Line> {
        printing::print(&self.view)
    }
}

impl Scene<'_, View, Marks> {
    fn seat_row(&self, seat: &SeatView) -> SeatRow {
        let number = seat.seat.number();
        let is_due = matches!(self.view.phase, Phase::Orient { .. } | Phase::Lay { .. });
        let standing = if seat.out.is_some() {
            Standing::Out
        } else if self.winners().contains(&number) {
            Standing::Winner
        } else if is_due && self.view.seat == seat.seat {
            Standing::OnTurn
        } else {
            Standing::In
        };
        let left: Vec<String> =
            seat.colours.iter().map(|&colour| seat.rugs_left[colour].to_string()).collect();
        let score = if seat.out.is_some() { "out".to_owned() } else { seat.score.to_string() };
        SeatRow {
            number,
            swatches: seat.colours.iter().copied().map(swatch).collect(),
            cells: vec![seat.dirhams.to_string(), left.join("+"), seat.visible.to_string(), score],
            standing,
        }
    }

    fn description(&self) -> String {
        let View { board, assam, facing, .. } = &self.view;
        let mut text = format!("Assam stands on {assam}, facing {}.", compass(*facing));
        for seat in &self.view.seats {
            for &colour in seat.colours {
                let is_half = |&square: &Square| {
                    board.colour(square) == Some(colour) && !is_of_whole_rug(board, square)
                };
                let whole = board.whole_rugs().filter(|rug| board.colour(rug.squares()[0]) == Some(colour));
                let names: Vec<String> = whole
                    .map(|rug| rug.to_string())
                    .chain(Square::all().filter(is_half).map(|square| square.to_string()))
                    .collect();
                let names = if names.is_empty() { "none".to_owned() } else { names.join(" ") };
                let (name, number) = (swatch(colour).name, seat.seat.number());
                text.push_str(&format!(" Seat {number}, {name} rugs: {names}."));
            }
        }
        text
    }
}

fn compass(facing: Direction) -> &'static str {
    match facing {
        Direction::North => "north",
        Direction::East => "east",
        Direction::South => "south",
        Direction::West => "west",
    }
}

fn swatch(colour: Colour) -> Swatch {
    let (name, style) = match colour {
        Colour::Red => ("red", AnsiColor::BrightWhite.on(AnsiColor::Red)),
        Colour::Yellow => ("yellow", AnsiColor::Black.on(AnsiColor::Yellow)),
        Colour::Blue => ("blue", AnsiColor::BrightWhite.on(AnsiColor::Blue)),
        Colour::Green => ("green", AnsiColor::Black.on(AnsiColor::Green)),
    };
    Swatch { letter: colour.letter(), name, style }
}

/// Returns the seat that lays a colour.
fn owner(view: &View, colour: Colour) -> Option<Seat> {
    view.seats.iter().find(|seat| seat.colours.contains(&colour)).map(|seat| seat.seat)
}

fn is_joined(board: &Board, one: Square, other: Square) -> bool {
    Rug::new(one, other).is_some_and(|rug| board.is_whole(rug))
}

fn is_of_whole_rug(board: &Board, square: Square) -> bool {
    let neighbours = Direction::ALL.into_iter().filter_map(|direction| square.step(direction));
    neighbours.into_iter().any(|neighbour| is_joined(board, square, neighbour))
}
