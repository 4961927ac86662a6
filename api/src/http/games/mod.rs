//! Games and who plays them: created, listed, seated and shown. Handlers call `app`; views copy from what it returns.

pub mod beacon;
pub mod create;
pub mod game;
pub mod game_request;
pub mod game_view;
pub mod lists;
pub mod players;
pub mod rematch;
pub mod seats;
