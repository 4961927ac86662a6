//! Lists of games and players, and what stands in them.

mod own_games;
mod shared_lists;
mod standings;
mod tags;
