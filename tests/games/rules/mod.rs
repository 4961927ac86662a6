//! The rules of the games, one sentence each, in positions played to from the start.

mod marrakech;
mod marrakesh;
