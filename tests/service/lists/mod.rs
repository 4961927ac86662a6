//! Lists of games and players.

mod dice;
mod own_games;
mod shared_lists;
mod standings;
mod tags;
