//! The shared harness of tests: fresh stores of both kinds, and the program that serves them.

mod answer;
mod browser;
mod document;
mod logged;
mod network;
mod patience;
mod program;
mod restarting;
mod service;
mod stores;
mod stream;
mod typescript;
mod vectors;

pub(crate) use answer::Answer;
pub(crate) use browser::{Browser, Page};
pub(crate) use document::{DOCUMENT, Examples, LISTED, expanded, ignores_query, operation};
pub(crate) use logged::{count_what_waits, log_what_waits, place_what_waits};
pub(crate) use network::{BelowPath, CHAIN, Drand, Proxy};
pub(crate) use patience::{comes, next_millisecond, soon};
pub(crate) use program::{assam, err, out, python, start};
pub(crate) use restarting::restarting;
pub(crate) use service::{Client, KEY, Service, is_untagged, secret, sit, with_entropy};
pub(crate) use stores::{
    AS_IF_DISTRIBUTED, Backend, NO_TRIGGER_FIRES, Writes, append, append_at, backends, blank_game, create,
    listed_as, postgres, remove, reseat, sqlite, take_down,
};
pub(crate) use stream::{Stream, Told};
pub(crate) use typescript::{installed, typescript, verified_by_javascript};
pub(crate) use vectors::{masked, matches, records, round, vectors};
