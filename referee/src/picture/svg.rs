//! Pictures as SVG: self-contained, for light and dark pages, with a description for screen readers.

use super::lines::broken;
use super::{Canvas, Panel, Picture, SeatRow, Standing};

/// The distance of the board from the left and from above.
const BOARD_X: i32 = 32;
const BOARD_Y: i32 = 20;
/// The space below the board, for its labels.
const BELOW: i32 = 36;
/// The space between the board and the panel.
const GAP: i32 = 20;
const PANEL_WIDTH: i32 = 292;
/// The space between the panel and the right border.
const MARGIN: i32 = 16;
/// The characters that fit on a small line of the panel: of a word, which has wide ones, and of a sentence.
const WORD_COLUMNS: usize = 38;
const SENTENCE_COLUMNS: usize = 48;
/// The distance of the seats from above, and the height of each.
const SEATS_Y: i32 = 74;
const SEAT_HEIGHT: i32 = 38;
/// The distance from the right end of a column to that of the next.
const COLUMN: i32 = 46;

/// Colours of a light page, then of a dark one. Rugs and pieces have the same on both.
const STYLE: &str = "\
.assam .card{fill:#fdf9f0;stroke:#d9cba8}.assam .ink{fill:#2e271d}.assam .faint{fill:#75684f}\
.assam .ground{fill:#cbb587}.assam .tile{fill:#f2e6c9}.assam .turn{fill:#efe2c0}.assam .last{stroke:#2e271d}
@media(prefers-color-scheme:dark){\
.assam .card{fill:#25211b;stroke:#4a4233}.assam .ink{fill:#f1e8d6}.assam .faint{fill:#b5a788}\
.assam .ground{fill:#16130f}.assam .tile{fill:#463d2f}.assam .turn{fill:#3b3427}.assam .last{stroke:#f1e8d6}}";

/// Renders the whole picture.
pub fn render(picture: &impl Picture) -> String {
    let panel = picture.panel();
    let moment = picture.moment();
    let board = picture.size();
    let panel_x = BOARD_X + board.0 + GAP;
    let below = SEATS_Y + SEAT_HEIGHT * panel.seats.len() as i32 + 26;
    let told = moment.told().into_iter().enumerate().flat_map(|(n, told)| {
        let (class, columns) = if n == 0 { ("ink", WORD_COLUMNS) } else { ("faint", SENTENCE_COLUMNS) };
        broken(&told, columns).into_iter().map(move |line| (class, line))
    });
    let told: Vec<(&str, String)> = told.collect();
    let panel_height = below + 18 * told.len() as i32;
    let (width, height) = (panel_x + PANEL_WIDTH + MARGIN, (BOARD_Y + board.1 + BELOW).max(panel_height));
    let mut canvas = Canvas::default();
    let root = format_args!(
        "xmlns=\"http://www.w3.org/2000/svg\" class=\"assam\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\" font-family=\"system-ui,sans-serif\" font-size=\"13\""
    );
    canvas.group("svg", root, |canvas| {
        let hand = panel.hand.map_or(String::new(), |hand| format!(", {} in hand", hand.name));
        let title = format!("{}, ply {}: {}{hand}", panel.game, moment.ply, panel.status);
        canvas.text("title", format_args!(""), &title);
        canvas.text("desc", format_args!(""), &panel.description);
        canvas.text("style", format_args!(""), STYLE);
        canvas.shape(format_args!(
            "rect class=\"card\" x=\".5\" y=\".5\" width=\"{}\" height=\"{}\" rx=\"10\"",
            width - 1,
            height - 1
        ));
        let board = format_args!("class=\"board\" transform=\"translate({BOARD_X} {BOARD_Y})\"");
        canvas.group("g", board, |canvas| picture.draw(canvas));
        draw_panel(canvas, &panel, panel_x);
        for (line, (class, told)) in (0..).zip(told) {
            let y = below + 18 * line;
            let place = format_args!("class=\"{class}\" x=\"{panel_x}\" y=\"{y}\" font-size=\"12\"");
            canvas.text("text", place, &told);
        }
    });
    canvas.0
}

fn draw_panel(canvas: &mut Canvas, panel: &Panel, panel_x: i32) {
    let status = format_args!("class=\"ink\" x=\"{panel_x}\" y=\"41\" font-size=\"16\" font-weight=\"600\"");
    canvas.text("text", status, &panel.status);
    if let Some(hand) = panel.hand {
        let (letter, x) = (hand.letter, panel_x + PANEL_WIDTH - 56);
        canvas.shape(format_args!(
            "use class=\"hand\" href=\"#assam-{letter}{letter}\" transform=\"translate({x} 22) scale(.7)\""
        ));
    }
    let column_x = |column: usize| PANEL_WIDTH - 8 - COLUMN * (panel.columns.len() - 1 - column) as i32;
    for (column, head) in panel.columns.iter().enumerate() {
        let x = panel_x + column_x(column);
        let y = SEATS_Y - 8;
        canvas.text(
            "text",
            format_args!("class=\"faint\" x=\"{x}\" y=\"{y}\" font-size=\"10.5\" text-anchor=\"end\""),
            head,
        );
    }
    for (row, seat) in (0..).zip(&panel.seats) {
        let y = SEATS_Y + SEAT_HEIGHT * row;
        let faded = if seat.standing == Standing::Out { " opacity=\".45\"" } else { "" };
        let place = format_args!("class=\"seat\" transform=\"translate({panel_x} {y})\"{faded}");
        canvas.group("g", place, |canvas| draw_seat(canvas, seat, column_x));
    }
}

fn draw_seat(canvas: &mut Canvas, seat: &SeatRow, column_x: impl Fn(usize) -> i32) {
    if matches!(seat.standing, Standing::OnTurn | Standing::Winner) {
        canvas.shape(format_args!(
            "rect class=\"turn\" y=\"2\" width=\"{PANEL_WIDTH}\" height=\"34\" rx=\"6\""
        ));
    }
    for (n, swatch) in (0..).zip(&seat.swatches) {
        let (letter, x) = (swatch.letter, 4 + 25 * n);
        canvas.shape(format_args!("use href=\"#assam-{letter}\" transform=\"translate({x} 6) scale(.65)\""));
    }
    let x = 10 + 25 * seat.swatches.len();
    canvas.text("text", format_args!("class=\"ink\" x=\"{x}\" y=\"24\""), &format!("Seat {}", seat.number));
    if seat.standing == Standing::Winner {
        let x = x + 46;
        canvas.shape(format_args!(
            "path class=\"winner\" transform=\"translate({x} 12)\" fill=\"#d9a02c\" stroke=\"#8a6210\" \
             d=\"M7 0l2 5h5l-4 3.5 1.5 5L7 10.5l-4.5 3 1.5-5-4-3.5h5z\""
        ));
    }
    for (column, cell) in seat.cells.iter().enumerate() {
        let x = column_x(column);
        let weight = if column + 1 == seat.cells.len() { " font-weight=\"600\"" } else { "" };
        let place = format_args!("class=\"ink\" x=\"{x}\" y=\"24\" text-anchor=\"end\"{weight}");
        canvas.text("text", place, cell);
    }
}
