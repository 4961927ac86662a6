//! Whether to use colours.

use anstream::AutoStream;
use clap::{Args, ValueEnum};

/// Whether to use colours.
#[derive(Args, Clone, Copy)]
pub struct ColorArgs {
    /// When to use colours; `auto` uses them if the terminal can show them and `NO_COLOR` is not set
    #[arg(long, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    color: Color,
}

#[derive(ValueEnum, Clone, Copy)]
enum Color {
    Auto,
    Always,
    Never,
}

impl ColorArgs {
    /// Returns whether standard output is written in colour.
    pub fn of_stdout(self) -> bool {
        self.of(&std::io::stdout())
    }

    /// Returns whether standard error is written in colour.
    pub fn of_stderr(self) -> bool {
        self.of(&std::io::stderr())
    }

    fn of(self, stream: &impl anstream::stream::RawStream) -> bool {
        match self.color {
            Color::Auto => AutoStream::choice(stream) != anstream::ColorChoice::Never,
            Color::Always => true,
            Color::Never => false,
        }
    }
}
