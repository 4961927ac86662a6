//! How games change: submissions become plans, and plans are written by the one writer of a process.
//! Nothing outside this folder writes to a game.

pub mod cached_game;
pub mod change;
mod detached;
pub mod game_writer;
mod leave;
mod pending_write;
pub mod ply;
pub mod submission;
mod submit;
mod unconfirmed_writes;
mod write_queue;
mod writer_thread;
