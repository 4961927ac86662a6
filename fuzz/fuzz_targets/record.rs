//! Any bytes as a record.
#![no_main]

use assam_fuzz::reading::any_record_is_read;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| any_record_is_read(bytes));
