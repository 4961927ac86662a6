//! Any bytes as a record.
#![no_main]

use assam_fuzz::reading::record_is_read;
use assam_rules::marrakech;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    record_is_read::<marrakech::Position>(bytes);
});
