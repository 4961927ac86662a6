//! Pictures as SVG: self-contained, for light and dark pages, with a description for screen readers.

use super::lines::broken;
use super::{Bounds, Canvas, Panel, Picture, PictureForm, SeatRow, Standing, Theme, style};

/// The space between the border and the board with its labels.
const EDGE: i32 = 8;
/// The space between the board and the panel.
const GAP: i32 = 20;
const PANEL_WIDTH: i32 = 292;
/// The space between the panel and the right border.
const MARGIN: i32 = 16;
/// The characters that fit on a small line of the panel: of a word, which has wide ones, of a sentence, of a name, and of
/// the legend.
const WORD_COLUMNS: usize = 38;
const SENTENCE_COLUMNS: usize = 48;
const NAME_COLUMNS: usize = 34;
const LEGEND_COLUMNS: usize = 52;
/// The distance of the seats from above, the height of each, and what a name adds.
const SEATS_Y: i32 = 74;
const SEAT_HEIGHT: i32 = 38;
const NAME_HEIGHT: i32 = 14;
/// The height of a line of the last word, and of one of the legend.
const TOLD_HEIGHT: i32 = 18;
const LEGEND_HEIGHT: i32 = 15;
/// The distance from the right end of a column to that of the next.
const COLUMN: i32 = 48;

/// The panel as it is laid out.
struct PanelLayout<'a> {
    panel: &'a Panel,
    names: &'a [String],
    /// Its distance from the left.
    x: i32,
    /// The last word and its consequences, in lines with their classes.
    told: Vec<(&'static str, String)>,
    legend: Vec<String>,
}

/// Renders a picture.
pub fn render(picture: &impl Picture, form: &PictureForm) -> String {
    let panel = picture.panel();
    let moment = picture.moment();
    let Bounds { left, top, right, bottom } = picture.bounds();
    let board = (right - left, bottom - top);
    let layout = PanelLayout::of(&panel, &form.names, &moment.told(), EDGE + board.0 + GAP);
    let (edge, (width, height)) = match form.board_only {
        true => (0, board),
        false => (EDGE, (layout.x + PANEL_WIDTH + MARGIN, (2 * EDGE + board.1).max(layout.height()))),
    };
    let pixels = form.width.map_or((width as u32, height as u32), |pixels| {
        let tall = u64::from(pixels) * height as u64 / width as u64;
        (pixels, u32::try_from(tall).unwrap_or(u32::MAX).max(1))
    });
    let (classes, key, ply) = (form.theme.classes(), panel.key, moment.ply);
    let mut canvas = Canvas::default();
    let root = format_args!(
        "xmlns=\"http://www.w3.org/2000/svg\" class=\"{classes}\" data-game=\"{key}\" data-ply=\"{ply}\" \
         viewBox=\"0 0 {width} {height}\" width=\"{}\" height=\"{}\" role=\"img\" \
         font-family=\"system-ui,sans-serif\" font-size=\"13\"",
        pixels.0, pixels.1
    );
    canvas.group("svg", root, |canvas| {
        let hand = panel.hand.map_or(String::new(), |hand| format!(", {} in hand", hand.name));
        let title = format!("{}, ply {ply}: {}{hand}", panel.game, panel.status);
        canvas.text("title", format_args!(""), &title);
        canvas.text("desc", format_args!(""), &panel.description);
        canvas.text("style", format_args!(""), &style());
        if !form.board_only {
            canvas.shape(format_args!(
                "rect class=\"card\" x=\".5\" y=\".5\" width=\"{}\" height=\"{}\" rx=\"10\"",
                width - 1,
                height - 1
            ));
        } else if form.theme != Theme::Auto {
            // The page may have other colours.
            canvas.shape(format_args!(
                "rect class=\"card\" stroke-width=\"0\" width=\"{width}\" height=\"{height}\""
            ));
        }
        let place =
            format_args!("data-board=\"{key}\" transform=\"translate({} {})\"", edge - left, edge - top);
        canvas.group("g", place, |canvas| picture.draw(canvas));
        if !form.board_only {
            layout.draw(canvas);
        }
    });
    canvas.0
}

impl<'a> PanelLayout<'a> {
    fn of(panel: &'a Panel, names: &'a [String], told: &[String], x: i32) -> Self {
        let told = told.iter().enumerate().flat_map(|(n, told)| {
            let (class, columns) = if n == 0 { ("ink", WORD_COLUMNS) } else { ("faint", SENTENCE_COLUMNS) };
            broken(told, columns).into_iter().map(move |line| (class, line))
        });
        let legend = panel.legend.iter().flat_map(|sign| broken(sign, LEGEND_COLUMNS));
        Self { panel, names, x, told: told.collect(), legend: legend.collect() }
    }

    /// Returns the height of a seat.
    fn seat_height(&self) -> i32 {
        let has_names = self.names.iter().any(|name| !name.is_empty());
        SEAT_HEIGHT + if has_names { NAME_HEIGHT } else { 0 }
    }

    /// Returns the distance of the last word from above.
    fn told_y(&self) -> i32 {
        SEATS_Y + self.seat_height() * self.panel.seats.len() as i32 + 26
    }

    /// Returns the distance of the legend from above.
    fn legend_y(&self) -> i32 {
        self.told_y() + TOLD_HEIGHT * self.told.len() as i32 + 8
    }

    /// Returns the distance of its lower end from above.
    fn height(&self) -> i32 {
        self.legend_y() + LEGEND_HEIGHT * self.legend.len() as i32
    }

    fn draw(&self, canvas: &mut Canvas) {
        let Self { panel, x: panel_x, .. } = self;
        let status =
            format_args!("class=\"ink\" x=\"{panel_x}\" y=\"41\" font-size=\"16\" font-weight=\"600\"");
        canvas.text("text", status, &panel.status);
        if let Some(hand) = panel.hand {
            let (symbol, letter, x) = (panel.symbol, hand.letter, panel_x + PANEL_WIDTH - 56);
            canvas.shape(format_args!(
                "use class=\"hand\" href=\"#assam-{symbol}-{letter}{letter}\" transform=\"translate({x} 22) scale(.7)\""
            ));
        }
        let y = SEATS_Y - 8;
        canvas.group("g", format_args!("class=\"faint\" font-size=\"10.5\" text-anchor=\"end\""), |canvas| {
            for (column, head) in panel.columns.iter().enumerate() {
                let x = panel_x + self.column_x(column);
                canvas.text("text", format_args!("x=\"{x}\" y=\"{y}\""), head);
            }
        });
        for (row, seat) in (0..).zip(&panel.seats) {
            let y = SEATS_Y + self.seat_height() * row;
            let faded = if seat.standing == Standing::Out { " opacity=\".45\"" } else { "" };
            let number = seat.number;
            let place =
                format_args!("data-seat-row=\"{number}\" transform=\"translate({panel_x} {y})\"{faded}");
            canvas.group("g", place, |canvas| self.draw_seat(canvas, seat));
        }
        for (line, (class, told)) in (0..).zip(&self.told) {
            let y = self.told_y() + TOLD_HEIGHT * line;
            let place = format_args!("class=\"{class}\" x=\"{panel_x}\" y=\"{y}\" font-size=\"12\"");
            canvas.text("text", place, told);
        }
        canvas.group("g", format_args!("class=\"faint\" font-size=\"11\""), |canvas| {
            for (line, sign) in (0..).zip(&self.legend) {
                let y = self.legend_y() + LEGEND_HEIGHT * line;
                canvas.text("text", format_args!("x=\"{panel_x}\" y=\"{y}\""), sign);
            }
        });
    }

    /// Returns the right end of a column.
    fn column_x(&self, column: usize) -> i32 {
        PANEL_WIDTH - 8 - COLUMN * (self.panel.columns.len() - 1 - column) as i32
    }

    fn draw_seat(&self, canvas: &mut Canvas, seat: &SeatRow) {
        if matches!(seat.standing, Standing::OnTurn | Standing::Winner) {
            let height = self.seat_height() - 4;
            canvas.shape(format_args!(
                "rect class=\"turn\" y=\"2\" width=\"{PANEL_WIDTH}\" height=\"{height}\" rx=\"6\""
            ));
        }
        for (n, swatch) in (0..).zip(&seat.swatches) {
            let (symbol, letter, x) = (self.panel.symbol, swatch.letter, 4 + 25 * n);
            canvas.shape(format_args!(
                "use href=\"#assam-{symbol}-{letter}\" transform=\"translate({x} 6) scale(.65)\""
            ));
        }
        let x = 10 + 25 * seat.swatches.len();
        canvas.text(
            "text",
            format_args!("class=\"ink\" x=\"{x}\" y=\"24\""),
            &format!("Seat {}", seat.number),
        );
        // A second swatch takes the place of four characters.
        let room = NAME_COLUMNS - 4 * (seat.swatches.len() - 1);
        let name = self.names.get(usize::from(seat.number) - 1).map(|name| shortened(name, room));
        if let Some(name) = name.filter(|name| !name.is_empty()) {
            canvas.text("text", format_args!("class=\"faint name\" x=\"{x}\" y=\"42\""), &name);
        }
        if seat.standing == Standing::Winner {
            let x = x + 46;
            canvas.shape(format_args!(
                "path class=\"winner\" transform=\"translate({x} 12)\" fill=\"#d9a02c\" stroke=\"#8a6210\" \
                 d=\"M7 0l2 5h5l-4 3.5 1.5 5L7 10.5l-4.5 3 1.5-5-4-3.5h5z\""
            ));
        }
        for (column, cell) in seat.cells.iter().enumerate() {
            let x = self.column_x(column);
            let weight = if column + 1 == seat.cells.len() { " font-weight=\"600\"" } else { "" };
            let place = format_args!("class=\"ink\" x=\"{x}\" y=\"24\" text-anchor=\"end\"{weight}");
            canvas.text("text", place, cell);
        }
    }
}

/// Returns a name, or its beginning where it is too long for so many columns.
fn shortened(name: &str, room: usize) -> String {
    // In halves of a column, roughly: capitals take one and a half, and the widest letters and those of East Asia two.
    let halves = |letter: char| match letter {
        'm' | 'w' | 'M' | 'W' | '@' => 4,
        letter if letter.is_uppercase() => 3,
        '\u{1100}'.. => 4,
        _ => 2,
    };
    if name.chars().map(halves).sum::<usize>() <= 2 * room {
        return name.to_owned();
    }
    let mut left = 2 * (room - 1);
    let fits = |letter: &char| left.checked_sub(halves(*letter)).map(|rest| left = rest).is_some();
    name.chars().take_while(fits).chain(['…']).collect()
}
