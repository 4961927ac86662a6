//! Plots of statistics as SVG, for light and dark pages, in the colours of the pictures of positions.

use std::fmt::Write as _;

use super::group::{Group, GroupName};
use super::report::percent;
use super::tally::{ColumnTally, CountedValue};

/// The size of a panel, and the space around it.
const WIDTH: usize = 320;
const HEIGHT: usize = 150;
const GAP: usize = 24;
/// The height of the title above everything, and of the name above a panel.
const TITLE: usize = 40;
const NAME: usize = 20;
/// Panels in a row.
const ACROSS: usize = 3;
/// The largest number of bars in a panel. With more values, several share a bar.
const BARS: usize = 40;

const STYLE: &str = "\
.card{fill:#fdf9f0;stroke:#d9cba8}.ink{fill:#2e271d}.faint{fill:#75684f}.bar{fill:#b5652b}.axis{stroke:#cbb587}
@media(prefers-color-scheme:dark){\
.card{fill:#25211b;stroke:#4a4233}.ink{fill:#f1e8d6}.faint{fill:#b5a788}.bar{fill:#d98a4f}.axis{stroke:#4a4233}}";

/// A panel: bars with names.
struct Chart {
    title: String,
    bars: Vec<(String, f64)>,
}

/// Draws a group: how often each seat was first, and the frequencies of each column's values.
pub fn svg((ruleset, seats): GroupName, group: &Group) -> String {
    let seats_first =
        group.seats().iter().map(|result| (format!("seat {}", result.seat), result.first_rate)).collect();
    let mut panels = vec![Chart { title: "first places, by seat".to_owned(), bars: seats_first }];
    let columns = group.games.columns().chain(group.plies.columns());
    panels.extend(columns.filter(|(column, _)| !column.name.starts_with("place_")).filter_map(
        |(column, tally)| {
            let bars = bars(tally);
            (bars.len() > 1).then(|| Chart { title: titled(&column.name, tally), bars })
        },
    ));
    let rows = panels.len().div_ceil(ACROSS);
    let (width, height) = (GAP + ACROSS * (WIDTH + GAP), TITLE + rows * (NAME + HEIGHT + 2 * GAP) + GAP);
    let title = format!("{ruleset}, {seats} seats: {} games", group.count);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\" font-family=\"system-ui,sans-serif\" font-size=\"12\">\n<title>{title}</title>\n<style>{STYLE}</style>\n\
         <rect class=\"card\" x=\".5\" y=\".5\" width=\"{}\" height=\"{}\" rx=\"10\"/>\n\
         <text class=\"ink\" x=\"{GAP}\" y=\"32\" font-size=\"16\" font-weight=\"600\">{title}</text>\n",
        width - 1,
        height - 1
    );
    for (n, panel) in panels.iter().enumerate() {
        let x = GAP + n % ACROSS * (WIDTH + GAP);
        let y = TITLE + GAP / 2 + n / ACROSS * (NAME + HEIGHT + 2 * GAP);
        // Writing to memory cannot fail.
        let _ = panel.draw(&mut out, x, y);
    }
    out + "</svg>\n"
}

fn titled(name: &str, tally: &ColumnTally) -> String {
    match tally.mean().filter(|_| tally.range.is_some()) {
        Some(mean) => format!("{name}, mean {mean:.2}"),
        None => name.to_owned(),
    }
}

/// Returns the share of each value, or of neighbouring values together if there are too many.
fn bars(tally: &ColumnTally) -> Vec<(String, f64)> {
    let share = |count: u64| count as f64 / tally.count as f64;
    let Some((min, max)) = tally.range else {
        let bars: Vec<_> = tally.values().map(|(value, count)| (value.to_string(), share(count))).collect();
        return if bars.len() <= BARS { bars } else { Vec::new() };
    };
    if tally.values().next().is_none() {
        return Vec::new();
    }
    let each = (min.abs_diff(max) as usize + 1).div_ceil(BARS) as i64;
    let mut shares = vec![0.0; ((max - min) / each + 1) as usize];
    for (value, count) in tally.values() {
        if let CountedValue::Number(number) = value {
            shares[((number - min) / each) as usize] += share(count);
        }
    }
    let name = |n: usize| {
        let first = min + n as i64 * each;
        if each == 1 { first.to_string() } else { format!("{first} .. {}", first + each - 1) }
    };
    shares.into_iter().enumerate().map(|(n, share)| (name(n), share)).collect()
}

impl Chart {
    fn draw(&self, out: &mut String, x: usize, y: usize) -> std::fmt::Result {
        let most = self.bars.iter().map(|(_, share)| *share).fold(f64::MIN_POSITIVE, f64::max);
        let (top, bottom) = (y + NAME, y + NAME + HEIGHT);
        let step = WIDTH as f64 / self.bars.len() as f64;
        writeln!(out, "<text class=\"ink\" x=\"{x}\" y=\"{}\">{}</text>", y + 8, escaped(&self.title))?;
        let right = x + WIDTH;
        writeln!(
            out,
            "<text class=\"faint\" x=\"{right}\" y=\"{}\" font-size=\"10\" text-anchor=\"end\">{}</text>",
            y + 8,
            percent(most)
        )?;
        writeln!(out, "<path class=\"axis\" d=\"M{x} {top}H{right}M{x} {bottom}H{right}\"/>")?;
        // As many names as fit.
        let widest = self.bars.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(1);
        let every = ((widest as f64 * 6.5 + 6.0) / step).ceil().max(1.0) as usize;
        for (n, (name, share)) in self.bars.iter().enumerate() {
            let (left, height) = (x as f64 + n as f64 * step, share / most * HEIGHT as f64);
            let name = escaped(name);
            writeln!(
                out,
                "<rect class=\"bar\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height:.1}\"><title>{name}: {}</title></rect>",
                left + step * 0.1,
                bottom as f64 - height,
                step * 0.8,
                percent(*share)
            )?;
            if n % every == 0 {
                writeln!(
                    out,
                    "<text class=\"faint\" x=\"{:.1}\" y=\"{}\" font-size=\"10\" text-anchor=\"middle\">{name}</text>",
                    left + step / 2.0,
                    bottom + 14
                )?;
            }
        }
        Ok(())
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
