//! Pictures for terminals: lines of text with styles, 80 columns at most.

use anstyle::{AnsiColor, Style};

use super::lines::broken;
use super::{Line, Panel, Picture, SeatRow, Standing};

/// The largest width of a picture, in columns.
pub const WIDTH: usize = 80;

/// The space between the board and the panel, in columns.
const GAP: usize = 2;

/// Renders the whole picture, with its styles as ANSI sequences and a line end after the last line.
pub fn render(picture: &impl Picture) -> String {
    let board = picture.print();
    let indent = board.iter().map(|line| line.width).max().unwrap_or_default() + GAP;
    let mut beside = describe(&picture.panel(), WIDTH.saturating_sub(indent));
    beside.push(Line::default());
    beside.extend(picture.moment().told().iter().flat_map(|told| wrap(told, WIDTH.saturating_sub(indent))));
    let height = board.len().max(beside.len());
    let mut text = String::new();
    for row in 0..height {
        let mut line = board.get(row).cloned().unwrap_or_default();
        if let Some(right) = beside.get(row).filter(|right| right.width > 0) {
            line.pad(indent);
            line.text.push_str(&right.text);
        }
        text.push_str(&line.text);
        text.push('\n');
    }
    text
}

/// Breaks a text between words into lines of at most `width` columns.
pub fn wrap(text: &str, width: usize) -> Vec<Line> {
    broken(text, width).iter().map(|line| Line::plain(line)).collect()
}

/// Returns the status and the table of the seats.
fn describe(panel: &Panel, width: usize) -> Vec<Line> {
    let names: Vec<String> = panel.seats.iter().map(name_of).collect();
    let name_width = names.iter().map(String::len).max().unwrap_or_default();
    let mut status = Line::default();
    status.push(Style::new().bold(), &panel.status);
    if let Some(hand) = panel.hand {
        status.push(Style::new(), ", in hand: ");
        status.push(hand.style, hand.name);
    }
    let mut lines = if status.width <= width { vec![status] } else { wrap(&panel.status, width) };
    let mut heads = Line::plain(&" ".repeat(name_width));
    for head in panel.columns {
        heads.push(Style::new(), &format!(" {head}"));
    }
    lines.extend([Line::default(), heads]);
    lines.extend(panel.seats.iter().map(|seat| seat_line(seat, name_width, panel.columns)));
    lines
}

fn mark(standing: Standing) -> char {
    match standing {
        Standing::In => ' ',
        Standing::OnTurn => '>',
        Standing::Out => 'x',
        Standing::Winner => '*',
    }
}

fn name_of(seat: &SeatRow) -> String {
    let colours: Vec<&str> = seat.swatches.iter().map(|swatch| swatch.name).collect();
    format!("{} {} {}", mark(seat.standing), seat.number, colours.join(" "))
}

fn seat_line(seat: &SeatRow, name_width: usize, columns: &[&str]) -> Line {
    let style = match seat.standing {
        Standing::In => Style::new(),
        Standing::OnTurn => Style::new().bold(),
        Standing::Out => Style::new().dimmed(),
        Standing::Winner => Style::new().bold().fg_color(Some(AnsiColor::Yellow.into())),
    };
    let mut line = Line::default();
    line.push(style, &format!("{} {}", mark(seat.standing), seat.number));
    for swatch in &seat.swatches {
        line.push(Style::new(), " ");
        line.push(swatch.style, swatch.name);
    }
    line.pad(name_width);
    for (cell, head) in seat.cells.iter().zip(columns) {
        line.push(style, &format!(" {cell:>width$}", width = head.len()));
    }
    line
}
