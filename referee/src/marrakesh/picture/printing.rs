//! Marrakesh as lines of text.

use anstyle::Style;
use assam_rules::marrakesh::{Digit, Oval, Points, Side};

use super::super::view::View;
use super::pieces::{Face, Played, face_name, face_style, hand, in_use, swatch, tricks};
use crate::picture::Line;

/// The width of a half board and of the space between the two, in columns.
const HALF: usize = 18;
const GAP: usize = 5;

/// Returns the half boards side by side, the hands below them, then the tricks of the round.
pub(super) fn print(view: &View, width: usize) -> Vec<Line> {
    // A terminal of 40 columns is one too narrow for the full space.
    let next = if width < HALF + GAP + HALF { HALF + GAP - 1 } else { HALF + GAP };
    let mut lines = vec![beside(next, |line, side| {
        let name = swatch(side).name;
        line.push(Style::new(), "  ┌ ");
        line.push(swatch(side).style, name);
        line.push(Style::new(), &format!(" {}┬─────┐", "─".repeat(6 - name.len())));
    })];
    lines.extend(
        Digit::all().rev().map(|point| beside(next, |line, side| push_point(line, view, side, point))),
    );
    lines.push(beside(next, |line, _| line.push(Style::new(), "  └────────┴─────┘")));
    lines.push(hand_line(view, next));
    lines.push(Line::default());
    lines.push(Line::plain(&format!("  Round {} of {}", view.round, view.rounds)));
    let tricks: Vec<Played> = tricks(view).collect();
    if !tricks.is_empty() {
        lines.extend(Side::BOTH.map(|side| trick_line(&tricks, side)));
    }
    lines.extend(use_line(view));
    lines.push(pile_line(view));
    lines
}

/// Returns a line of both players. The second half board begins in column `next`.
fn beside(next: usize, push: impl Fn(&mut Line, Side)) -> Line {
    let mut line = Line::default();
    push(&mut line, Side::Blue);
    line.pad(next);
    push(&mut line, Side::Red);
    line
}

/// Returns the hands, below their half boards.
fn hand_line(view: &View, next: usize) -> Line {
    let mut line = Line::default();
    for (side, begin) in [(Side::Blue, 1), (Side::Red, next + 1)] {
        for (count, face) in hand(view.hands[side]).into_iter().enumerate() {
            line.pad(begin + 3 * count);
            line.push(face_style(face), &face_name(face));
        }
    }
    line
}

/// Writes a point with its pieces, and half of the oval next to it.
fn push_point(line: &mut Line, view: &View, side: Side, point: Digit) {
    let pieces = view.points[side].on(point);
    let free = usize::from(Points::PIECES.saturating_sub(pieces));
    line.push(Style::new(), &format!("{} │ ", point.get()));
    line.push(swatch(side).style, &piece(side).repeat(pieces.into()));
    line.push(Style::new(), &format!("{} │", " ".repeat(free)));
    if point.get() % 2 == 1 {
        line.push(Style::new(), "╰───╯│");
        return;
    }
    let oval = view.ovals[side].0[3 - usize::from(point.get()) / 2];
    let (style, mark) = match oval {
        Oval::Empty => (Style::new(), "─".to_owned()),
        Oval::Chip => (Style::new(), "0".to_owned()),
        Oval::Pieces(pieces) => (swatch(side).style, pieces.to_string()),
        Oval::Closed => (Style::new(), "X".to_owned()),
    };
    line.push(Style::new(), "╭─");
    line.push(style, &mark);
    line.push(Style::new(), "─╮│");
}

const fn piece(side: Side) -> &'static str {
    match side {
        Side::Blue => "●",
        Side::Red => "○",
    }
}

/// Returns the cards of a player, one column per trick: `>` before a lead, `*` after a card that won.
fn trick_line(tricks: &[Played], side: Side) -> Line {
    let mut line = Line::plain("  ");
    line.push(swatch(side).style, swatch(side).name);
    for (count, trick) in tricks.iter().enumerate() {
        let Some(face) = trick.cards[side] else { continue };
        line.pad(7 + 5 * count);
        line.push(Style::new(), if trick.leader == side { ">" } else { " " });
        line.push(face_style(face), &face_name(face));
        line.push(Style::new(), if trick.winner == Some(side) { "*" } else { "" });
    }
    line
}

/// Returns the remaining uses of the trick on the table.
fn use_line(view: &View) -> Option<Line> {
    let used = in_use(view);
    let times = |number: Digit| usize::from(used.values.count(number));
    let numbers = used.values.numbers().rev();
    let numbers: String = numbers.map(|number| format!(" {}", number.get()).repeat(times(number))).collect();
    let mut line = Line::plain(&format!("  to use{numbers}, {} off", used.off));
    if let Some(card) = used.bonus {
        line.push(Style::new(), ", bonus ");
        line.push(face_style(Face::Up(card)), &card.to_string());
    }
    (!used.values.is_empty()).then_some(line)
}

fn pile_line(view: &View) -> Line {
    let mut line = Line::plain(&format!("  deck {}, discards {}", view.deck, view.discards.len()));
    if let Some(top) = view.discards.top {
        line.push(Style::new(), ", on top ");
        line.push(face_style(Face::Up(top)), &top.to_string());
    }
    line
}
