//! What the fuzz targets begin with, tried on the stable toolchain too: a crash that was found stays found.

use std::fs;
use std::path::Path;

use assam_rules::marrakech::Position;

use super::reading::{position_line_is_read, record_is_read, setup_line_is_read, stream_is_split};

#[test]
fn every_seed_of_the_fuzz_targets_keeps_the_laws_of_reading() {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let targets: [(&str, &dyn Fn(&[u8])); 4] = [
        ("record", &|bytes| drop(record_is_read::<Position>(bytes))),
        ("stream", &stream_is_split),
        ("position_line", &|bytes| drop(position_line_is_read::<Position>(&text(bytes)))),
        ("setup_line", &|bytes| drop(setup_line_is_read::<Position>(&text(bytes)))),
    ];
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/seeds");
    for (target, law) in targets {
        let mut tried = 0;
        for seed in fs::read_dir(seeds.join(target)).unwrap() {
            let path = seed.unwrap().path();
            println!("{}", path.display());
            law(&fs::read(path).unwrap());
            tried += 1;
        }
        assert!(tried >= 15, "{target}: {tried}");
    }
}
