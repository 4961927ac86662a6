//! The half boards of Marrakesh for people: points and ovals, hands, and the tricks of the round.

use assam_rules::marrakesh::{Action, Digit, Oval, Phase, Side, Stop};

pub(super) use self::marks::TableMarks;
use self::pieces::{face_name, hand, in_use, off, swatch, to_use, tricks};
use super::names::number;
use super::view::View;
use crate::picture::{Bounds, Canvas, Line, Moment, Panel, Picture, Scene, SeatRow, Standing, who_won};

mod card;
mod drawing;
mod half;
mod marks;
mod pieces;
mod printing;

impl Picture for Scene<'_, View, TableMarks> {
    fn moment(&self) -> &Moment {
        self.moment
    }

    fn panel(&self) -> Panel {
        Panel {
            game: "Marrakesh",
            key: "marrakesh",
            symbol: "piece",
            status: self.status(),
            hand: None,
            columns: &["pips", "off", "rounds", "score"],
            seats: Side::BOTH.map(|side| self.seat_row(side)).into(),
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

    fn print(&self, width: usize) -> Vec<Line> {
        printing::print(&self.view, width)
    }
}

impl Scene<'_, View, TableMarks> {
    fn status(&self) -> String {
        match (self.view.stop, self.view.phase) {
            (Some(Stop::Aborted), _) => "The match was aborted".to_owned(),
            (Some(Stop::Left(_)), _) | (None, Phase::Over) => who_won(self.winners()),
            (None, Phase::Dice) => format!("The dice of round {} are thrown", self.view.round),
            (None, Phase::Deal(side)) => format!("Seat {} is dealt its hand", number(side)),
            (None, Phase::Lead { leader }) => format!("Seat {} must lead", number(leader)),
            (None, Phase::Reply { leader, .. }) => format!("Seat {} must reply", number(leader.opponent())),
            (None, Phase::Use { trick, values, .. }) => {
                format!("Seat {} must use {}", number(trick.winner()), to_use(values, &self.marks.usable))
            }
            (None, Phase::Bonus { trick, .. }) => {
                format!("A bonus card is drawn for seat {}", number(trick.winner()))
            }
        }
    }

    fn seat_row(&self, side: Side) -> SeatRow {
        let view = &self.view;
        let standing = if view.stop == Some(Stop::Left(side)) {
            Standing::Out
        } else if self.winners().contains(&number(side)) {
            Standing::Winner
        } else if view.on_turn == Some(side) {
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

    fn legend(&self) -> Vec<String> {
        let view = &self.view;
        let has = |mark: Oval| Side::BOTH.iter().any(|&side| view.ovals[side].0.contains(&mark));
        let signs = [
            (true, "pips: the sum of the pieces' points, off: pieces borne off, rounds: rounds with points."),
            (has(Oval::Chip), "Grey disc in an oval: a null chip."),
            (has(Oval::Closed), "Cross in an oval: closed, as all pieces are off."),
            (tricks(view).any(|trick| trick.winner.is_some()), "Gold frame: the card that won its trick."),
            (self.marks_cards(), "Green frame: the card may be played."),
            (self.marks_pieces(), "Green ring: the piece may be moved."),
        ];
        let rounds: Vec<String> = view
            .scores
            .iter()
            .map(|score| format!("{}:{}", score[Side::Blue].points(), score[Side::Red].points()))
            .collect();
        let rounds = (!rounds.is_empty())
            .then(|| format!("Points by round, those of seat 1 first: {}.", rounds.join(" ")));
        let signs = signs.into_iter().filter(|(is_there, _)| *is_there).map(|(_, sign)| sign);
        rounds.into_iter().chain(self.marks.legend().chain(signs).map(str::to_owned)).collect()
    }

    /// Returns whether a playable card is marked. Hidden cards are not.
    fn marks_cards(&self) -> bool {
        let faces = self.view.on_turn.map_or(Vec::new(), |side| hand(self.view.hands[side]));
        self.marks.legal.iter().any(|&mark| faces.iter().any(|&face| half::plays(mark, face)))
    }

    /// Returns whether a movable piece is marked.
    fn marks_pieces(&self) -> bool {
        self.marks.legal.iter().any(|mark| matches!(mark, Action::Use { .. }))
    }

    fn description(&self) -> String {
        let view = &self.view;
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
            text.push_str(&format!(" Bonus card {card}."));
        }
        text.push_str(&format!(" Deck {}; discards {}", view.deck, view.discards.len()));
        text.push_str(&view.discards.top.map_or(".".to_owned(), |top| format!(", on top {top}.")));
        text
    }
}
