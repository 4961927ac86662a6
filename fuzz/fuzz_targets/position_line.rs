//! Any text as a position line.
#![no_main]

use assam_fuzz::reading::position_line_is_read;
use assam_rules::marrakech;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    // Refusing is no failure: what is tried is that it never panics, and the laws of what is accepted.
    let _ = position_line_is_read::<marrakech::Position>(text);
});
