//! Features for operators: limits, metrics, logs, traces, keys and sockets.

mod doctor;
#[cfg(unix)]
mod given_sockets;
pub(crate) mod keys;
mod limits;
mod log;
mod memory;
mod only_read;
mod traces;
mod watched;
