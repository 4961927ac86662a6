//! Changing games: submissions become plans, and each process writes them through one thread. Nothing outside
//! this folder writes a game.

pub mod cached_game;
pub mod game_writer;
mod leave;
pub mod plan;
pub mod ply;
pub mod submission;
mod submit;
mod unconfirmed_writes;
mod writer_thread;
