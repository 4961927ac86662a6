//! What can be done with a game besides playing it: create, import, read, seat, rename, withdraw, rematch.
//! Each is one function of `App` with a typed error; what changes a game goes through `write`.

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
