//! Any text as the first line of a record.
#![no_main]

use assam_fuzz::reading::any_setup_line_is_read;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| any_setup_line_is_read(text));
