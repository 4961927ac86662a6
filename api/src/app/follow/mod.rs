//! What followers get: events of games, of their own games and of the feed for lobbies; and what processes tell each other.
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
