//! The market for people: squares, rugs, Assam and his way.

use assam_rules::marrakech::{Phase, Square};

use self::looks::{compass, is_of_whole_rug, swatch};
pub(super) use self::marks::Marks;
use super::view::{SeatView, View};
use crate::picture::{Bounds, Canvas, Line, Moment, Panel, Picture, Scene, SeatRow, Standing, who_won};

mod assam;
mod drawing;
mod geometry;
mod looks;
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
            legend: self.legend(),
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
        let (visible, score) = match seat.out {
            Some(_) => ("–".to_owned(), "out".to_owned()),
            None => (seat.visible.to_string(), seat.score.to_string()),
        };
        SeatRow {
            number,
            swatches: seat.colours.iter().copied().map(swatch).collect(),
            cells: vec![seat.dirhams.to_string(), left.join("+"), visible, score],
            standing,
        }
    }

    fn legend(&self) -> Vec<String> {
        let mut legend = vec![format!("Assam faces {}, where his point is.", compass(self.view.facing))];
        legend.extend(self.marks.legend());
        let lies = |colour| Square::all().any(|square| self.view.board.colour(square) == Some(colour));
        let mut colours = self.view.seats.iter().flat_map(|seat| seat.colours);
        if colours.any(|&colour| self.view.is_out(colour) && lies(colour)) {
            legend.push("Striped: rugs that earn no payment.".to_owned());
        }
        if self.is_won_by_dirhams() {
            legend.push("Of equal scores, the one with more dirhams wins.".to_owned());
        }
        legend
    }

    /// Returns whether another seat has the score of the only winner.
    fn is_won_by_dirhams(&self) -> bool {
        let [winner] = self.winners() else { return false };
        let seats = &self.view.seats;
        let won = seats.iter().find(|seat| seat.seat.number() == *winner);
        won.is_some_and(|won| {
            seats.iter().any(|seat| seat.out.is_none() && seat.seat != won.seat && seat.score == won.score)
        })
    }

    fn description(&self) -> String {
        let View { board, assam, facing, .. } = &self.view;
        let mut text = format!("Assam is on {assam}, facing {}.", compass(*facing));
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
