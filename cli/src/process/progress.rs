//! Progress on a terminal.

use std::io::{self, IsTerminal};

use indicatif::{ProgressBar, ProgressStyle};

use crate::process::input::Source;

/// Returns the progress of reading sources, shown on a terminal: a bar if the total length is known, else a
/// spinner.
pub fn of_sources(sources: &[Source]) -> ProgressBar {
    match sources.iter().map(Source::length).sum() {
        Some(length) => shown(ProgressBar::new(length), "{wide_bar} {bytes}/{total_bytes}, {eta} left"),
        None => shown(ProgressBar::no_length(), "{spinner} {bytes}, {bytes_per_sec}"),
    }
}

/// Returns progress with this template. It is hidden if standard error is not a terminal.
pub fn shown(progress: ProgressBar, template: &str) -> ProgressBar {
    if !is_shown() {
        return ProgressBar::hidden();
    }
    progress
        .with_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Returns whether there is a terminal to show progress on.
pub fn is_shown() -> bool {
    io::stderr().is_terminal()
}
