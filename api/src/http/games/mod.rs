//! Games and their players: creation, lists, seats and views. Handlers call `app`, and views copy from its
//! results.

pub mod beacon;
pub mod create;
pub mod dice;
pub mod game;
pub mod game_request;
pub mod game_view;
pub mod lists;
pub mod players;
pub mod rematch;
pub mod seats;
