//! The inputs that fuzz targets start from, checked on the stable toolchain too: fixed crashes stay fixed.

use std::fs;
use std::path::Path;

use super::reading::{
    any_position_is_played, any_position_line_is_read, any_record_is_read, any_setup_line_is_read,
    stream_is_split,
};

#[test]
fn every_seed_of_the_fuzz_targets_keeps_the_laws_of_reading() {
    for (target, law) in [
        ("record", any_record_is_read as fn(&[u8])),
        ("stream", stream_is_split),
        ("position_line", position_line),
        ("setup_line", setup_line),
        // Starts from the seeds of the parser.
        ("position_line", players),
    ] {
        let mut tried = 0;
        let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/seeds").join(target);
        for seed in fs::read_dir(seeds).unwrap() {
            let path = seed.unwrap().path();
            println!("{}", path.display());
            law(&fs::read(path).unwrap());
            tried += 1;
        }
        assert!(tried >= 15, "{target}: {tried}");
    }
}

fn position_line(bytes: &[u8]) {
    any_position_line_is_read(&String::from_utf8_lossy(bytes));
}

fn setup_line(bytes: &[u8]) {
    any_setup_line_is_read(&String::from_utf8_lossy(bytes));
}

fn players(bytes: &[u8]) {
    any_position_is_played(&String::from_utf8_lossy(bytes));
}
