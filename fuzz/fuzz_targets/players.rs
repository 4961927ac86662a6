//! Any text as a position line, in which the built-in players decide.
#![no_main]

use assam_fuzz::reading::any_position_is_played;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| any_position_is_played(text));
