//! Games over HTTP, from their creation to their end.

mod analysis;
mod beacon;
mod built_in;
mod clocks;
mod creation;
mod fewer_requests;
mod forced;
mod leaving;
mod outcomes;
pub(crate) mod playthrough;
mod positions;
mod rematch;
mod submissions;
mod withdraw;
