//! Events for followers of a game, of all games of a player and of the lobby feed, and notifications between
//! processes. Nothing here changes a game.

pub mod feed;
pub mod feed_board;
pub mod followed;
pub mod follower;
pub mod outbox;
pub mod own_games;
pub mod own_games_hub;
mod peers;
pub mod presence;
