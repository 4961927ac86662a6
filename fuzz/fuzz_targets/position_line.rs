//! Any text as a position line.
#![no_main]

use assam_fuzz::reading::any_position_line_is_read;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| any_position_line_is_read(text));
