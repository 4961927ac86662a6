//! What followers get of games, of their own games and of the feed for lobbies, and how processes hear of each other's changes.
//! It reads games and never changes one.

pub mod feed;
pub mod feed_board;
pub mod followed;
pub mod follower;
pub mod outbox;
pub mod own_games;
pub mod own_games_hub;
mod peers;
pub mod presence;
