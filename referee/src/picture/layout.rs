//! The panel of an SVG: next to the board, or below it on narrow pictures.

use super::lines::broken;
use super::{Canvas, Panel, PictureForm, SeatRow, Standing};

/// The width in pixels below which the panel moves below the board, so that its text stays readable.
const NARROW: u32 = 560;
/// The distance of the panel from the right border of a board, or from the lower one.
const BESIDE: i32 = 12;
const BELOW: i32 = -20;
/// The spaces left and right of a panel below the board. The left one has the winner's star.
const INDENT: i32 = 20;
const MARGIN: i32 = 16;
const WIDTH: i32 = 292;
/// The colours of a winner's star and its rim.
pub(super) const STAR: (&str, &str) = ("#d9a02c", "#8a6210");
/// The characters that fit on a small line: of a word, which has wide ones, of a sentence, of a name, and of
/// the legend.
const WORD_COLUMNS: usize = 38;
const SENTENCE_COLUMNS: usize = 48;
const NAME_COLUMNS: usize = 34;
const LEGEND_COLUMNS: usize = 52;
/// The distance of the seats from the top of the panel, the height of each, and the extra height of a name.
const SEATS_Y: i32 = 74;
const SEAT_HEIGHT: i32 = 38;
const NAME_HEIGHT: i32 = 14;
/// The height of a line of the last word and of a line of the legend.
const TOLD_HEIGHT: i32 = 18;
const LEGEND_HEIGHT: i32 = 15;
/// The space between two columns, and the room for a character of a heading and of a cell.
const COLUMN_GAP: i32 = 10;
const HEADING_CHARACTER: usize = 6;
const CELL_CHARACTER: usize = 9;

/// A panel with its layout.
pub(super) struct PanelLayout<'a> {
    panel: &'a Panel,
    names: &'a [String],
    /// Its distance from the left and from the top.
    place: (i32, i32),
    /// Its scale in percent. Below a board, it is as wide as the board.
    percent: i32,
    /// The right end of each column of the seats.
    columns: Vec<i32>,
    /// The last word and its consequences, in lines with their classes.
    told: Vec<(&'static str, String)>,
    legend: Vec<String>,
}

impl<'a> PanelLayout<'a> {
    /// Lays out a panel next to or below a board of this size, with the space around it.
    pub(super) fn of(panel: &'a Panel, form: &'a PictureForm, told: &[String], board: (i32, i32)) -> Self {
        let (place, percent) = if form.width.is_some_and(|width| width < NARROW) {
            let percent = 100 * board.0 / (INDENT + WIDTH + MARGIN);
            ((INDENT * percent / 100, board.1 + BELOW), percent)
        } else {
            ((board.0 + BESIDE, 0), 100)
        };
        let told = told.iter().enumerate().flat_map(|(n, told)| {
            let (class, columns) = if n == 0 { ("ink", WORD_COLUMNS) } else { ("faint", SENTENCE_COLUMNS) };
            broken(told, columns).into_iter().map(move |line| (class, line))
        });
        let legend = panel.legend.iter().flat_map(|sign| broken(sign, LEGEND_COLUMNS));
        Self {
            panel,
            names: &form.names,
            place,
            percent,
            columns: column_ends(panel),
            told: told.collect(),
            legend: legend.collect(),
        }
    }

    /// Returns the size of a picture with this panel and a board.
    pub(super) fn size(&self, board: (i32, i32)) -> (i32, i32) {
        let of = |units: i32| units * self.percent / 100;
        let (x, y) = self.place;
        let (right, bottom) = (x + of(WIDTH + MARGIN), y + of(self.height()));
        (right.max(board.0), bottom.max(board.1))
    }

    /// Returns the height of the panel.
    fn height(&self) -> i32 {
        self.legend_y() + LEGEND_HEIGHT * self.legend.len() as i32
    }

    /// Returns the height of a seat.
    fn seat_height(&self) -> i32 {
        let has_names = self.names.iter().any(|name| !name.is_empty());
        SEAT_HEIGHT + if has_names { NAME_HEIGHT } else { 0 }
    }

    /// Returns the distance of the last word from the top.
    fn told_y(&self) -> i32 {
        SEATS_Y + self.seat_height() * self.panel.seats.len() as i32 + 26
    }

    /// Returns the distance of the legend from the top.
    fn legend_y(&self) -> i32 {
        self.told_y() + TOLD_HEIGHT * self.told.len() as i32 + 8
    }

    /// Draws the panel.
    pub(super) fn draw(&self, canvas: &mut Canvas) {
        let (x, y) = self.place;
        let scale = match self.percent {
            100 => String::new(),
            percent => format!(" scale({}.{:02})", percent / 100, percent % 100),
        };
        let place = format_args!("class=\"panel\" transform=\"translate({x} {y}){scale}\"");
        canvas.group("g", place, |canvas| {
            self.draw_head(canvas);
            for (row, seat) in (0..).zip(&self.panel.seats) {
                let (number, y) = (seat.number, SEATS_Y + self.seat_height() * row);
                let place = format_args!("data-seat-row=\"{number}\" transform=\"translate(0 {y})\"");
                canvas.group("g", place, |canvas| self.draw_seat(canvas, seat));
            }
            for (line, (class, told)) in (0..).zip(&self.told) {
                let y = self.told_y() + TOLD_HEIGHT * line;
                canvas.text("text", format_args!("class=\"{class}\" y=\"{y}\" font-size=\"12\""), told);
            }
            canvas.group("g", format_args!("class=\"faint\" font-size=\"11\""), |canvas| {
                for (line, sign) in (0..).zip(&self.legend) {
                    let y = self.legend_y() + LEGEND_HEIGHT * line;
                    canvas.text("text", format_args!("y=\"{y}\""), sign);
                }
            });
        });
    }

    /// Draws the status, the swatch in hand, and the headings of the columns.
    fn draw_head(&self, canvas: &mut Canvas) {
        let panel = self.panel;
        let status = format_args!("class=\"ink\" y=\"41\" font-size=\"16\" font-weight=\"600\"");
        canvas.text("text", status, &panel.status);
        if let Some(hand) = panel.hand {
            let (symbol, letter, x) = (panel.symbol, hand.letter, WIDTH - 56);
            canvas.shape(format_args!(
                "use class=\"hand\" href=\"#assam-{symbol}-{letter}{letter}\" transform=\"translate({x} 22) scale(.7)\""
            ));
        }
        let y = SEATS_Y - 8;
        canvas.group("g", format_args!("class=\"faint\" font-size=\"10.5\" text-anchor=\"end\""), |canvas| {
            for (head, x) in panel.columns.iter().zip(&self.columns) {
                canvas.text("text", format_args!("x=\"{x}\" y=\"{y}\""), head);
            }
        });
    }

    fn draw_seat(&self, canvas: &mut Canvas, seat: &SeatRow) {
        let class = if seat.standing == Standing::Out { "faint" } else { "ink" };
        self.draw_standing(canvas, seat.standing);
        let faded = if seat.standing == Standing::Out { "opacity=\".45\"" } else { "" };
        canvas.group("g", format_args!("{faded}"), |canvas| {
            for (n, swatch) in (0..).zip(&seat.swatches) {
                let (symbol, letter, x) = (self.panel.symbol, swatch.letter, 6 + 25 * n);
                canvas.shape(format_args!(
                    "use href=\"#assam-{symbol}-{letter}\" transform=\"translate({x} 6) scale(.65)\""
                ));
            }
        });
        let swatches = seat.swatches.len();
        let x = 12 + 25 * swatches;
        let number = format!("Seat {}", seat.number);
        canvas.text("text", format_args!("class=\"{class}\" x=\"{x}\" y=\"24\""), &number);
        // A second swatch takes the place of four characters.
        let room = NAME_COLUMNS - 4 * (swatches - 1);
        let name = self.names.get(usize::from(seat.number) - 1).map(|name| shortened(name, room));
        if let Some(name) = name.filter(|name| !name.is_empty()) {
            canvas.text(
                "text",
                format_args!("class=\"faint name\" x=\"{x}\" y=\"42\" unicode-bidi=\"isolate\""),
                &name,
            );
        }
        for (n, (cell, x)) in (1..).zip(seat.cells.iter().zip(&self.columns)) {
            let weight = if n == seat.cells.len() { " font-weight=\"600\"" } else { "" };
            let place = format_args!("class=\"{class}\" x=\"{x}\" y=\"24\" text-anchor=\"end\"{weight}");
            canvas.text("text", place, cell);
        }
    }

    /// Marks the seat on turn with a bar and winners with a star.
    fn draw_standing(&self, canvas: &mut Canvas, standing: Standing) {
        let height = self.seat_height() - 4;
        let mut ground = || {
            canvas.shape(format_args!(
                "rect class=\"turn\" y=\"2\" width=\"{WIDTH}\" height=\"{height}\" rx=\"6\""
            ));
        };
        match standing {
            Standing::In | Standing::Out => {}
            Standing::OnTurn => {
                ground();
                canvas.shape(format_args!(
                    "rect class=\"ink\" y=\"2\" width=\"4\" height=\"{height}\" rx=\"2\""
                ));
            }
            Standing::Winner => {
                ground();
                canvas.shape(format_args!(
                    "path class=\"winner\" transform=\"translate(-17 12)\" fill=\"{}\" stroke=\"{}\" \
                     d=\"M7 0l2 5h5l-4 3.5 1.5 5L7 10.5l-4.5 3 1.5-5-4-3.5h5z\"",
                    STAR.0, STAR.1
                ));
            }
        }
    }
}

/// Returns the right end of each column. Each has room for its heading and its widest cell.
fn column_ends(panel: &Panel) -> Vec<i32> {
    let (mut ends, mut end) = (Vec::new(), WIDTH - 8);
    for (column, heading) in panel.columns.iter().enumerate().rev() {
        let cells = panel.seats.iter().filter_map(|seat| seat.cells.get(column));
        let widest = cells.map(|cell| CELL_CHARACTER * cell.chars().count()).max().unwrap_or_default();
        ends.push(end);
        end -= widest.max(HEADING_CHARACTER * heading.len()) as i32 + COLUMN_GAP;
    }
    ends.reverse();
    ends
}

/// Returns a name without characters that reverse text, shortened if it is too long for so many columns.
fn shortened(name: &str, room: usize) -> String {
    let name = name.replace(|c| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'), "");
    // In half columns, roughly: capitals take one and a half columns, the widest letters and East Asian ones
    // two.
    let halves = |letter: char| match letter {
        'm' | 'w' | 'M' | 'W' | '@' => 4,
        letter if letter.is_uppercase() => 3,
        '\u{1100}'.. => 4,
        _ => 2,
    };
    if name.chars().map(halves).sum::<usize>() <= 2 * room {
        return name;
    }
    let mut left = 2 * (room - 1);
    let fits = |letter: &char| left.checked_sub(halves(*letter)).map(|rest| left = rest).is_some();
    name.chars().take_while(fits).chain(['…']).collect()
}
