//! The look of text on a stream: colours and width.

use std::env;
use std::io::IsTerminal;

use anstream::AutoStream;
use anstream::stream::RawStream;
use clap::{Args, ValueEnum};
use terminal_size::{Width, terminal_size};

/// Whether to use colours.
#[derive(Args, Clone, Copy)]
pub struct ColorArgs {
    /// When to use colours. `auto` uses them if the terminal supports them and `NO_COLOR` is not set
    #[arg(long, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    color: Color,
}

#[derive(ValueEnum, Clone, Copy)]
enum Color {
    Auto,
    Always,
    Never,
}

/// The look of text on a stream.
#[derive(Clone, Copy)]
pub struct Look {
    pub is_colored: bool,
    /// The number of columns, if known.
    pub columns: Option<usize>,
}

impl ColorArgs {
    pub fn of_stdout(self) -> Look {
        self.of(&std::io::stdout())
    }

    pub fn of_stderr(self) -> Look {
        self.of(&std::io::stderr())
    }

    fn of(self, stream: &(impl RawStream + IsTerminal)) -> Look {
        let is_colored = match self.color {
            Color::Auto => AutoStream::choice(stream) != anstream::ColorChoice::Never,
            Color::Always => true,
            Color::Never => false,
        };
        Look { is_colored, columns: columns(stream) }
    }
}

/// Returns the number of columns of a stream: `COLUMNS` if set, else the width of its terminal.
pub fn columns(stream: &impl IsTerminal) -> Option<usize> {
    let said =
        env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).filter(|&columns| columns > 0);
    said.or_else(|| {
        let (Width(columns), _) = terminal_size().filter(|_| stream.is_terminal())?;
        Some(columns.into())
    })
}
