//! The rules of the games, one sentence each, in positions that are played to from the start.

mod marrakech;
mod marrakesh;
