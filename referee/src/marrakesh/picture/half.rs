//! A half board of Marrakesh as SVG: points with their pieces, ovals, and the hand next to it.

use assam_rules::marrakesh::{Action, Digit, Oval, Points, Side};

use super::super::names::{number, oval_name};
use super::super::view::View;
use super::card::{self, Part, Place};
use super::marks::{MovedPiece, TableMarks};
use super::pieces::{Face, face_name, hand, swatch};
use crate::picture::Canvas;

/// The lower end of Red's half board.
pub(super) const BOTTOM: i32 = 370;
/// The left end of the cards in hand, and the distance from one card to the next, to the right and down.
pub(super) const HAND_X: i32 = 304;
pub(super) const STEP: (i32, i32) = (44, 60);

/// The width of a point in units, and its height.
const POINT: i32 = 34;
const TIP: i32 = 96;
/// The width and height of a half board.
const SIZE: (i32, i32) = (6 * POINT, 116);
/// The centres of the ovals.
const OVALS_X: i32 = SIZE.0 + 44;

/// Defines the pieces. Blue's has a ring and Red's a cross, so they differ without colours too.
pub(super) fn define_pieces(canvas: &mut Canvas) {
    canvas.group("defs", format_args!(""), |canvas| {
        for side in Side::BOTH {
            let (ground, mark) = match side {
                Side::Blue => ("#2b5788", "M20 11a9 9 0 1 0 .1 0z"),
                Side::Red => ("#b3362c", "M20 11v18M11 20h18"),
            };
            let letter = swatch(side).letter;
            let piece = format_args!("id=\"assam-piece-{letter}\" stroke=\"#fff\" stroke-width=\"2.5\"");
            canvas.group("g", piece, |canvas| {
                canvas.shape(format_args!("circle cx=\"20\" cy=\"20\" r=\"18\" fill=\"{ground}\""));
                canvas.shape(format_args!("path fill=\"none\" d=\"{mark}\""));
            });
        }
    });
}

/// A half board and its orientation. As the players sit, Blue's points hang down and Red's stand up.
struct Half {
    side: Side,
    /// Its distance from the top.
    top: i32,
    /// The height of the base of its points, and the direction of their tips.
    base: i32,
    inwards: i32,
    /// The height of the numbers of the points.
    labels: i32,
}

impl Half {
    const fn of(side: Side) -> Self {
        match side {
            Side::Blue => Self { side, top: 6, base: 6, inwards: 1, labels: -1 },
            Side::Red => Self { side, top: BOTTOM - SIZE.1, base: BOTTOM, inwards: -1, labels: BOTTOM + 16 },
        }
    }
}

/// Draws the half board of a side with its hand.
pub(super) fn draw(canvas: &mut Canvas, view: &View, side: Side, marks: &TableMarks) {
    let half = Half::of(side);
    let legal = if view.on_turn == Some(side) { marks.legal.as_slice() } else { &[] };
    half.draw_board(canvas);
    for point in Digit::all() {
        half.draw_point(canvas, point, view.points[side].on(point));
    }
    canvas.group("g", format_args!("pointer-events=\"none\""), |canvas| {
        for point in Digit::all() {
            let pieces = view.points[side].on(point);
            half.draw_pieces(canvas, point, pieces);
            if legal.iter().any(|action| matches!(action, Action::Use { point: used, .. } if *used == point))
            {
                let (x, y) = half.piece_place(point, i32::from(pieces) - 1, pieces);
                canvas.shape(format_args!(
                    "circle class=\"legal-card\" data-legal=\"{point}\" fill=\"none\" stroke-width=\"4\" cx=\"{x}\" cy=\"{y}\" r=\"15\""
                ));
            }
        }
        if let Some(moved) = marks.moved.filter(|moved| moved.side == side) {
            half.draw_moved(canvas, moved, view.points[side]);
        }
    });
    for (count, oval) in view.ovals[side].0.into_iter().enumerate() {
        half.draw_oval(canvas, count, oval, marks.oval == Some((side, count)));
    }
    canvas.group("g", format_args!("class=\"cards\""), |canvas| {
        for (count, face) in (0..).zip(hand(view.hands[side])) {
            let (x, y) = (HAND_X + STEP.0 * (count % 3), half.top + STEP.1 * (count / 3));
            card::draw(canvas, face, Part::Hand(side), Place { x, y, percent: 100 });
            if legal.iter().any(|action| plays(*action, face)) {
                let (width, height) = (card::SIZE.0, card::SIZE.1);
                canvas.shape(format_args!(
                    "rect class=\"legal-card\" data-legal=\"{}\" fill=\"none\" stroke-width=\"4\" pointer-events=\"none\" x=\"{x}\" y=\"{y}\" \
                     width=\"{width}\" height=\"{height}\" rx=\"5\"",
                    face_name(face)
                ));
            }
        }
    });
}

/// Returns whether a decision plays this card. Nothing shows which cards may be played among backs.
pub(super) fn plays(action: Action, face: Face) -> bool {
    match (action, face) {
        (Action::Play(card), Face::Up(held)) => card == held,
        (Action::Play(_) | Action::LeadUnknown | Action::Use { .. }, Face::Up(_) | Face::Down) => false,
    }
}

/// Draws a piece around a centre, `percent` of 40 units wide.
pub(super) fn draw_piece(canvas: &mut Canvas, side: Side, (x, y): (i32, i32), percent: i32) {
    let half = 20 * percent / 100;
    let place = Place { x: x - half, y: y - half, percent };
    let letter = swatch(side).letter;
    canvas.shape(format_args!("use href=\"#assam-piece-{letter}\" {}", place.transform()));
}

/// Returns the left end of a point.
fn point_x(point: Digit) -> i32 {
    POINT * i32::from(6 - point.get())
}

/// Returns a number of pieces in words.
fn checkers(count: u8) -> String {
    match count {
        0 => "no checkers".to_owned(),
        1 => "1 checker".to_owned(),
        count => format!("{count} checkers"),
    }
}

impl Half {
    fn draw_board(&self, canvas: &mut Canvas) {
        let (width, height) = (SIZE.0 + 6, SIZE.1 + 6);
        canvas.shape(format_args!(
            "rect class=\"ground\" x=\"-3\" y=\"{}\" width=\"{width}\" height=\"{height}\" rx=\"5\"",
            self.top - 3
        ));
        let mut shades = [String::new(), String::new()];
        for point in Digit::all() {
            let (x, base, tip) = (point_x(point), self.base, self.inwards * TIP);
            shades[point.index() % 2].push_str(&format!("M{x} {base}h{POINT}l-{} {tip}z", POINT / 2));
        }
        let edges = format_args!("class=\"edge\" stroke-width=\"1.5\" stroke-linejoin=\"round\"");
        canvas.group("g", edges, |canvas| {
            canvas.shape(format_args!("path class=\"tile\" d=\"{}\"", shades[0]));
            canvas.shape(format_args!("path class=\"tile\" fill-opacity=\".5\" d=\"{}\"", shades[1]));
        });
        let labels = format_args!("class=\"faint\" text-anchor=\"middle\" font-size=\"13\"");
        canvas.group("g", labels, |canvas| {
            for point in Digit::all() {
                let (x, y) = (point_x(point) + POINT / 2, self.labels);
                canvas.text("text", format_args!("x=\"{x}\" y=\"{y}\""), &point.get().to_string());
            }
        });
    }

    /// Draws the area of a point that a pointer finds, over its full width.
    fn draw_point(&self, canvas: &mut Canvas, point: Digit, pieces: u8) {
        let (seat, x, tall) = (number(self.side), point_x(point), self.inwards * SIZE.1);
        canvas.shape(format_args!(
            "path class=\"point\" data-point=\"{point}\" data-seat=\"{seat}\" data-checkers=\"{pieces}\" \
             aria-label=\"seat {seat}, point {point}: {}\" fill=\"none\" pointer-events=\"all\" \
             d=\"M{x} {}h{POINT}v{tall}h-{POINT}z\"",
            checkers(pieces),
            self.base
        ));
    }

    /// Returns the centre of one of several pieces on a point, from 0 at its base. More than three overlap.
    fn piece_place(&self, point: Digit, piece: i32, pieces: u8) -> (i32, i32) {
        let step = if pieces > 4 { 86 / i32::from(pieces - 1) } else { 28 };
        (point_x(point) + POINT / 2, self.base + self.inwards * (15 + step * piece))
    }

    /// Draws the pieces on a point.
    fn draw_pieces(&self, canvas: &mut Canvas, point: Digit, pieces: u8) {
        for piece in 0..i32::from(pieces) {
            draw_piece(canvas, self.side, self.piece_place(point, piece, pieces), 70);
        }
    }

    /// Draws a ring around the piece that moved last, and an empty one at its previous place.
    fn draw_moved(&self, canvas: &mut Canvas, MovedPiece { from, to, .. }: MovedPiece, points: Points) {
        let mut circle = |name: &str, point: Digit, piece: u8, pieces: u8, radius: &str| {
            let (x, y) = self.piece_place(point, piece.into(), pieces);
            canvas.shape(format_args!(
                "circle class=\"last\" data-{name}=\"{point}\" fill=\"none\" stroke-width=\"2\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\""
            ));
        };
        let left = points.on(from);
        circle("left", from, left, left + 1, "8");
        if let Some(to) = to {
            let there = points.on(to);
            circle("came", to, there.saturating_sub(1), there, "15.5");
        }
    }

    /// Draws an oval with its number and mark. The first has place 0. The last marked oval has a frame.
    fn draw_oval(&self, canvas: &mut Canvas, place: usize, oval: Oval, is_last: bool) {
        let (seat, count, mark) = (number(self.side), place + 1, oval_name(oval));
        let y = self.top + 20 + 38 * place as i32;
        let (class, told) = match oval {
            Oval::Empty => ("tile", "empty".to_owned()),
            Oval::Chip => ("tile", "null chip".to_owned()),
            Oval::Pieces(pieces) => ("tile", checkers(pieces)),
            Oval::Closed => ("ground", "closed".to_owned()),
        };
        let attributes = format_args!(
            "data-oval=\"{count}\" data-seat=\"{seat}\" data-mark=\"{mark}\" aria-label=\"seat {seat}, oval {count}: {told}\""
        );
        let (last, width) = if is_last { (" last", "2.5") } else { ("", "1.5") };
        canvas.group("g", attributes, |canvas| {
            canvas.shape(format_args!(
                "ellipse class=\"{class}{last}\" cx=\"{OVALS_X}\" cy=\"{y}\" rx=\"33\" ry=\"17\" stroke=\"#8d8067\" stroke-width=\"{width}\""
            ));
            let label = format_args!(
                "class=\"faint\" x=\"{}\" y=\"{}\" font-size=\"13\" text-anchor=\"middle\"",
                OVALS_X + 41,
                y + 5
            );
            canvas.text("text", label, &count.to_string());
            self.draw_mark(canvas, y, oval);
        });
    }

    fn draw_mark(&self, canvas: &mut Canvas, y: i32, oval: Oval) {
        match oval {
            Oval::Empty => {}
            Oval::Chip => {
                canvas.shape(format_args!("circle class=\"chip\" cx=\"{OVALS_X}\" cy=\"{y}\" r=\"10\""))
            }
            // This many overlap too much to be counted.
            Oval::Pieces(pieces @ 4..) => {
                draw_piece(canvas, self.side, (OVALS_X - 12, y), 40);
                let place = format_args!("class=\"ink\" x=\"{OVALS_X}\" y=\"{}\" font-size=\"14\"", y + 5);
                canvas.text("text", place, &format!("× {pieces}"));
            }
            Oval::Pieces(pieces) => {
                let pieces = i32::from(pieces);
                for piece in 0..pieces {
                    let x = OVALS_X + (10 * piece) - 5 * (pieces - 1);
                    draw_piece(canvas, self.side, (x, y), 40);
                }
            }
            Oval::Closed => canvas.shape(format_args!(
                "path class=\"closed last\" stroke-width=\"3\" d=\"M{} {}l20 14m0-14l-20 14\"",
                OVALS_X - 10,
                y - 7
            )),
        }
    }
}
