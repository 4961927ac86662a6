//! Pictures for terminals: styled lines of text, at most 80 columns wide.

use anstyle::{AnsiColor, Style};

use super::lines::broken;
use super::{Line, Panel, Picture, SeatRow, Standing};

/// The largest width of a picture, in columns.
pub const WIDTH: usize = 80;

/// The space between the board and the panel, in columns.
const GAP: usize = 2;

/// Renders the whole picture in `width` columns, but at most [`WIDTH`]. Styles are ANSI sequences, and the
/// last line has a line end. If there is no room for the panel next to the board, it goes below.
pub fn render(picture: &impl Picture, width: usize) -> String {
    let width = width.min(WIDTH);
    let board = picture.print(width);
    let indent = board.iter().map(|line| line.width).max().unwrap_or_default() + GAP;
    let panel = picture.panel();
    let names = SeatNames::of(&panel);
    let is_beside = indent + names.width + cells_width(&panel) <= width;
    let room = if is_beside { width - indent } else { width };
    let mut told = describe(&panel, &names, room);
    told.push(Line::default());
    told.extend(picture.moment().told().iter().flat_map(|told| wrap(told, room)));
    let lines = if is_beside {
        beside(&board, &told, indent)
    } else {
        board.into_iter().chain([Line::default()]).chain(told).collect()
    };
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// Puts lines next to others, from this column on.
fn beside(board: &[Line], told: &[Line], indent: usize) -> Vec<Line> {
    let row = |row: usize| {
        let mut line = board.get(row).cloned().unwrap_or_default();
        if let Some(right) = told.get(row).filter(|right| right.width > 0) {
            line.pad(indent);
            line.text.push_str(&right.text);
        }
        line
    };
    (0..board.len().max(told.len())).map(row).collect()
}

/// Breaks a text between words into lines of at most `width` columns.
pub fn wrap(text: &str, width: usize) -> Vec<Line> {
    broken(text, width).iter().map(|line| Line::plain(line)).collect()
}

/// The names of the seats in the panel.
struct SeatNames {
    /// One for each seat.
    lines: Vec<Line>,
    /// The width of the longest.
    width: usize,
}

impl SeatNames {
    fn of(panel: &Panel) -> Self {
        let lines: Vec<Line> = panel.seats.iter().map(name_of).collect();
        Self { width: lines.iter().map(|line| line.width).max().unwrap_or_default(), lines }
    }
}

/// Returns the width of the cells of a seat.
fn cells_width(panel: &Panel) -> usize {
    panel.columns.iter().map(|head| 1 + head.len()).sum()
}

/// Returns the status and the table of the seats. Each seat has two lines if one would be too long.
fn describe(panel: &Panel, names: &SeatNames, width: usize) -> Vec<Line> {
    let mut status = Line::default();
    status.push(Style::new().bold(), &panel.status);
    if let Some(hand) = panel.hand {
        status.push(Style::new(), ", in hand: ");
        status.push(hand.style, hand.name);
    }
    let in_hand = panel.hand.map_or_else(String::new, |hand| format!(", in hand: {}", hand.name));
    let mut lines =
        if status.width <= width { vec![status] } else { wrap(&(panel.status.clone() + &in_hand), width) };
    let is_one_line = names.width + cells_width(panel) <= width;
    let mut heads = Line::default();
    heads.pad(if is_one_line { names.width } else { 0 });
    for head in panel.columns {
        heads.push(Style::new(), &format!(" {head}"));
    }
    lines.extend([Line::default(), heads]);
    for (seat, name) in panel.seats.iter().zip(&names.lines) {
        let mut line = name.clone();
        if is_one_line {
            line.pad(names.width);
        } else {
            lines.push(std::mem::take(&mut line));
        }
        for (cell, head) in seat.cells.iter().zip(panel.columns) {
            line.push(style_of(seat), &format!(" {cell:>width$}", width = head.len()));
        }
        lines.push(line);
    }
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

fn style_of(seat: &SeatRow) -> Style {
    match seat.standing {
        Standing::In => Style::new(),
        Standing::OnTurn => Style::new().bold(),
        Standing::Out => Style::new().dimmed(),
        Standing::Winner => Style::new().bold().fg_color(Some(AnsiColor::Yellow.into())),
    }
}

fn name_of(seat: &SeatRow) -> Line {
    let mut line = Line::default();
    line.push(style_of(seat), &format!("{} {}", mark(seat.standing), seat.number));
    for swatch in &seat.swatches {
        line.push(Style::new(), " ");
        line.push(swatch.style, swatch.name);
    }
    line
}
