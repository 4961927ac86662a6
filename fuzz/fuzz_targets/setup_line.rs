//! Any text as the first line of a record.
#![no_main]

use assam_fuzz::reading::setup_line_is_read;
use assam_rules::marrakech;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = setup_line_is_read::<marrakech::Position>(text);
});
