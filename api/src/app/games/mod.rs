//! Everything that can be done with a game apart from playing it, such as creating, importing, reading,
//! seating and removing it. Each is a function of `App` with a typed error. Changes go through `write`.

pub mod access;
pub mod beacon;
pub mod create;
pub mod import;
mod operator;
pub mod read;
pub mod receipts;
pub mod rematch;
pub mod replace_secret;
pub mod seat_names;
pub mod seats;
pub mod tags;
pub mod withdraw;
