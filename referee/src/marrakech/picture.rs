//! The market of Marrakech: rugs, whole and half covered, and Assam.

use anstyle::{AnsiColor, Style};
use assam_rules::marrakech::{Board, Colour, Direction, Phase, Rug, Square};

use super::view::{SeatView, View};
use crate::picture::{Canvas, Line, Moment, Panel, Picture, Scene, SeatRow, Standing, Swatch, who_won};

/// The side of a square, and of the market, in units.
const SQUARE: i32 = 40;
const MARKET: i32 = SQUARE * Square::SIDE as i32;

impl Picture for Scene<'_, View> {
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
            status,
            hand: hand.map(swatch),
            columns: &["dirhams", "to lay", "visible", "score"],
            seats: self.view.seats.iter().map(|seat| self.seat_row(seat)).collect(),
            description: self.description(),
        }
    }

    fn size(&self) -> (i32, i32) {
        (MARKET, MARKET)
    }

    fn draw(&self, canvas: &mut Canvas) {
        for &colour in self.view.seats.iter().flat_map(|seat| seat.colours) {
            define_rug(canvas, colour);
        }
        draw_ground(canvas);
        let board = &self.view.board;
        for rug in board.whole_rugs() {
            let [low, high] = rug.squares();
            if let Some(letter) = board.colour(low).map(Colour::letter) {
                let (x, y) = corner(low);
                let turn = if low.file() == high.file() { " rotate(-90 20 20)" } else { "" };
                canvas.shape(format_args!(
                    "use href=\"#assam-{letter}{letter}\" data-on=\"{rug}\" transform=\"translate({x} {y}){turn}\""
                ));
            }
        }
        for square in Square::all().filter(|&square| !is_of_whole_rug(board, square)) {
            if let Some(letter) = board.colour(square).map(Colour::letter) {
                let (x, y) = corner(square);
                canvas.shape(format_args!(
                    "use href=\"#assam-{letter}\" data-on=\"{square}\" x=\"{x}\" y=\"{y}\""
                ));
            }
        }
        if let Some(rug) = self.last_rug() {
            let [low, high] = rug.squares();
            let ((x, _), (_, y)) = (corner(low), corner(high));
            let (width, height) = match low.file() == high.file() {
                true => (SQUARE, 2 * SQUARE),
                false => (2 * SQUARE, SQUARE),
            };
            canvas.shape(format_args!(
                "rect class=\"last\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"3\" \
                 fill=\"none\" stroke-width=\"2\""
            ));
        }
        draw_assam(canvas, self.view.assam, self.view.facing);
    }

    fn print(&self, _width: usize) -> Vec<Line> {
        let mut lines = Vec::new();
        for rank in (0..Square::SIDE).rev() {
            lines.push(self.border_line(rank + 1));
            lines.push(self.square_line(rank));
        }
        lines.push(self.border_line(0));
        lines.push(Line::plain("    a   b   c   d   e   f   g"));
        lines
    }
}

impl Scene<'_, View> {
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

    /// Returns the rug that the last word laid.
    fn last_rug(&self) -> Option<Rug> {
        let word = self.moment.word.as_deref()?;
        self.view.board.whole_rugs().find(|&rug| word.starts_with(&rug.to_string()))
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

    /// Returns the line of the squares of a rank.
    fn square_line(&self, rank: u8) -> Line {
        let board = &self.view.board;
        let mut line = Line::plain(&format!("{} ", rank + 1));
        for square in (0..Square::SIDE).filter_map(|file| Square::new(file, rank)) {
            let style = style_of(board, square);
            match square.step(Direction::West).filter(|&west| is_joined(board, west, square)) {
                Some(_) => line.push(style, &letter_of(board, square).to_string()),
                None => line.push(Style::new(), "│"),
            }
            let letter = letter_of(board, square);
            if square == self.view.assam {
                line.push(style, &letter.to_string());
                line.push(assam_style(), &arrow(self.view.facing).to_string());
                line.push(style, &letter.to_string());
            } else {
                line.push(style, &String::from_iter([letter; 3]));
            }
        }
        line.push(Style::new(), "│");
        line
    }

    /// Returns the line below `rank` and above the rank before it; 0 is the southern border, 7 the northern one.
    fn border_line(&self, rank: u8) -> Line {
        let mut line = Line::plain("  ");
        for file in 0..=Square::SIDE {
            line.push(Style::new(), &self.corner_of(file, rank).to_string());
            match (Square::new(file, rank), rank.checked_sub(1).and_then(|south| Square::new(file, south))) {
                (Some(north), Some(south)) if is_joined(&self.view.board, south, north) => {
                    let letter = letter_of(&self.view.board, north);
                    line.push(style_of(&self.view.board, north), &String::from_iter([letter; 3]));
                }
                (None, None) => {}
                (Some(_) | None, Some(_) | None) => line.push(Style::new(), "───"),
            }
        }
        line
    }

    /// Returns the south-western corner of a square, drawn as the lines that meet there.
    fn corner_of(&self, file: u8, rank: u8) -> char {
        let board = &self.view.board;
        let at = |file: Option<u8>, rank: Option<u8>| Square::new(file?, rank?);
        let (west, south) = (file.checked_sub(1), rank.checked_sub(1));
        let [nw, ne] = [at(west, Some(rank)), at(Some(file), Some(rank))];
        let [sw, se] = [at(west, south), at(Some(file), south)];
        let is_line = |one: Option<Square>, other: Option<Square>| match (one, other) {
            (None, None) => false,
            (Some(one), Some(other)) => !is_joined(board, one, other),
            (Some(_), None) | (None, Some(_)) => true,
        };
        let [north, east, south, west] =
            [is_line(nw, ne), is_line(se, ne), is_line(sw, se), is_line(sw, nw)].map(usize::from);
        CORNERS[north + 2 * east + 4 * south + 8 * west]
    }
}

/// Corners, by the sum of the lines that meet there: 1 from the north, 2 from the east, 4 from the south, 8 from the
/// west.
const CORNERS: [char; 16] = [' ', '╵', '╶', '└', '╷', '│', '┌', '├', '╴', '┘', '─', '┴', '┐', '┤', '┬', '┼'];

fn assam_style() -> Style {
    AnsiColor::BrightWhite.on(AnsiColor::Magenta).bold()
}

fn arrow(facing: Direction) -> char {
    match facing {
        Direction::North => '▲',
        Direction::East => '▶',
        Direction::South => '▼',
        Direction::West => '◀',
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

fn letter_of(board: &Board, square: Square) -> char {
    board.colour(square).map_or(' ', Colour::letter)
}

fn style_of(board: &Board, square: Square) -> Style {
    board.colour(square).map_or(Style::new(), |colour| swatch(colour).style)
}

fn is_joined(board: &Board, one: Square, other: Square) -> bool {
    Rug::new(one, other).is_some_and(|rug| board.is_whole(rug))
}

fn is_of_whole_rug(board: &Board, square: Square) -> bool {
    let neighbours = Direction::ALL.into_iter().filter_map(|direction| square.step(direction));
    neighbours.into_iter().any(|neighbour| is_joined(board, square, neighbour))
}

/// Returns the north-western corner of a square.
fn corner(square: Square) -> (i32, i32) {
    let south = i32::from(Square::SIDE - 1 - square.rank());
    (SQUARE * i32::from(square.file()), SQUARE * south)
}

fn draw_ground(canvas: &mut Canvas) {
    canvas
        .shape(format_args!("rect class=\"ground\" x=\"-3\" y=\"-3\" width=\"286\" height=\"286\" rx=\"5\""));
    let mut tiles = String::new();
    for (x, y) in Square::all().map(corner) {
        tiles.push_str(&format!("M{} {}h38v38h-38z", x + 1, y + 1));
    }
    canvas.shape(format_args!("path class=\"tile\" d=\"{tiles}\""));
    let labels = format_args!("class=\"faint\" text-anchor=\"middle\" font-size=\"12\"");
    canvas.group("g", labels, |canvas| {
        for along in 0..Square::SIDE {
            let (middle, file) = (SQUARE * i32::from(along) + SQUARE / 2, char::from(b'a' + along));
            canvas.text("text", format_args!("x=\"{middle}\" y=\"{}\"", MARKET + 20), &file.to_string());
            let rank = (Square::SIDE - along).to_string();
            canvas.text("text", format_args!("x=\"-16\" y=\"{}\"", middle + 4), &rank);
        }
    });
}

/// The weave of a rug of one colour: ground, threads, and a figure that no other colour has.
struct Weave {
    ground: &'static str,
    thread: &'static str,
    /// A path around the middle of a half.
    figure: &'static str,
}

fn weave(colour: Colour) -> Weave {
    let (ground, thread, figure) = match colour {
        // A lozenge in a lozenge.
        Colour::Red => ("#b3362c", "#f6cfb4", "M0-9l9 9-9 9-9-9zm0 5l-4 4 4 4 4-4z"),
        // A cross.
        Colour::Yellow => ("#e0a92f", "#5c3d05", "M-3-9h6v6h6v6h-6v6h-6v-6h-6v-6h6z"),
        // Three waves.
        Colour::Blue => (
            "#2b5788",
            "#cfe3f5",
            "M-9-6l4.5-3 4.5 3 4.5-3 4.5 3v3l-4.5-3-4.5 3-4.5-3-4.5 3zm0 7l4.5-3 4.5 3 4.5-3 4.5 3v3l-4.5-3-4.5 3-4.5-3-4.5 3zm0 7l4.5-3 4.5 3 4.5-3 4.5 3v3l-4.5-3-4.5 3-4.5-3-4.5 3z",
        ),
        // A ring.
        Colour::Green => {
            ("#3f8049", "#e2f2c6", "M-9 0a9 9 0 1 1 18 0 9 9 0 1 1-18 0zm4 0a5 5 0 1 0 10 0 5 5 0 1 0-10 0z")
        }
    };
    Weave { ground, thread, figure }
}

/// Defines half a rug and a whole one: a whole one has fringes at its ends.
fn define_rug(canvas: &mut Canvas, colour: Colour) {
    let letter = colour.letter();
    let Weave { ground, thread, figure } = weave(colour);
    let weft = format!("fill=\"{thread}\" fill-rule=\"evenodd\"");
    canvas.group("defs", format_args!(""), |canvas| {
        canvas.group("g", format_args!("id=\"assam-{letter}\" {weft}"), |canvas| {
            canvas.shape(format_args!("path fill=\"{ground}\" d=\"M4 4h32v32h-32z\""));
            canvas.shape(format_args!(
                "path fill=\"none\" stroke=\"{thread}\" stroke-width=\"1.5\" stroke-dasharray=\"2\" d=\"M7 7h26v26h-26z\""
            ));
            canvas.shape(format_args!("path transform=\"translate(20 20)\" d=\"{figure}\""));
        });
        canvas.group("g", format_args!("id=\"assam-{letter}{letter}\" {weft}"), |canvas| {
            canvas.shape(format_args!(
                "path fill=\"none\" stroke=\"{ground}\" stroke-width=\"4\" stroke-dasharray=\"1.5\" d=\"M4 5v30M76 5v30\""
            ));
            canvas.shape(format_args!("path fill=\"{ground}\" d=\"M5 4h70v32h-70z\""));
            canvas.shape(format_args!(
                "path fill=\"none\" stroke=\"{thread}\" stroke-width=\"1.5\" d=\"M8 7h64v26h-64z\""
            ));
            canvas.shape(format_args!("path transform=\"translate(24 20)\" d=\"{figure}\""));
            canvas.shape(format_args!("path transform=\"translate(56 20)\" d=\"{figure}\""));
        });
    });
}

fn draw_assam(canvas: &mut Canvas, square: Square, facing: Direction) {
    let (x, y) = corner(square);
    let turn = match facing {
        Direction::North => 0,
        Direction::East => 90,
        Direction::South => 180,
        Direction::West => 270,
    };
    let at = format_args!(
        "class=\"assam-himself\" data-on=\"{square}{facing}\" transform=\"translate({} {}) rotate({turn})\" stroke=\"#241b2c\" stroke-width=\"1.5\" stroke-linejoin=\"round\"",
        x + SQUARE / 2,
        y + SQUARE / 2
    );
    canvas.group("g", at, |canvas| {
        canvas.shape(format_args!("path fill=\"#fff\" d=\"M0-19l8 9a13 13 0 1 1-16 0z\""));
        canvas.shape(format_args!("circle cy=\"1\" r=\"7\" fill=\"#7d2f92\""));
        canvas.shape(format_args!("path fill=\"none\" stroke=\"#fff\" d=\"M0 1v-5\""));
    });
}
