//! The process of a command: input, output, environment, signals and threads. Nothing here knows games.

pub mod environment;
pub mod input;
pub mod look;
pub mod output;
pub mod output_file;
pub mod output_path;
pub mod pool;
pub mod progress;
pub mod signals;
