//! Any bytes as a stream of records, in chunks.
#![no_main]

use assam_fuzz::reading::stream_is_split;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| stream_is_split(bytes));
