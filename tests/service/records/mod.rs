//! Records over HTTP and on the command line: validated, shown, converted and counted.

mod analyse;
mod awkward;
mod bulk;
mod convert;
pub(crate) mod data_tools;
mod follow;
mod marrakesh;
mod pictures;
mod show;
mod stats;
mod strangers;
pub(crate) mod tables;
mod validate;
