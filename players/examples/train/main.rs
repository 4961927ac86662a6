//! Trains the networks of the merchants. The files are the same on every machine:
//!
//! `cargo run --release -p assam-players --example train [NAME ...]`
//!
//! Without names, all are trained, which takes less than an hour on two cores. The files are written to `players/weights`.

#![allow(clippy::print_stderr, reason = "the progress of a long run")]

use std::path::Path;
use std::{env, fs, io};

use assam_players::marrakech::HIDDEN;
use assam_players::marrakech::features::count;
use assam_players::marrakesh::table::Tables;

mod marrakech;
mod marrakesh;
mod marrakesh_hands;
mod mlp;

/// Trains something and writes it to a folder.
type Training = fn(&Path) -> io::Result<()>;

/// Each network or set of tables: its name, and what trains it. Those of Marrakesh build on its tables, and those for points on those for shares.
const NETWORKS: [(&str, Training); 8] = [
    ("marrakesh-tables", |folder| {
        let files = marrakesh::tables(20_000);
        ["means", "variances", "bonuses"]
            .iter()
            .zip(files)
            .try_for_each(|(name, file)| fs::write(folder.join(format!("marrakesh-{name}.bin")), file))
    }),
    ("marrakesh-hands", |folder| {
        let read = |name: &str| fs::read(folder.join(format!("marrakesh-{name}.bin")));
        let tables = Tables::read(&read("means")?, &read("variances")?, &read("bonuses")?);
        fs::write(folder.join("marrakesh-hands.bin"), marrakesh_hands::train(&tables, 20, 700))
    }),
    ("marrakech-2", |folder| {
        fs::write(folder.join("marrakech-2.bin"), marrakech::train::<{ count(2) }, HIDDEN, 2>(&plan(500)))
    }),
    ("marrakech-3", |folder| {
        fs::write(folder.join("marrakech-3.bin"), marrakech::train::<{ count(3) }, HIDDEN, 3>(&plan(300)))
    }),
    ("marrakech-4", |folder| {
        fs::write(folder.join("marrakech-4.bin"), marrakech::train::<{ count(4) }, HIDDEN, 4>(&plan(300)))
    }),
    ("marrakech-points-2", points::<{ count(2) }, 2>),
    ("marrakech-points-3", points::<{ count(3) }, 3>),
    ("marrakech-points-4", points::<{ count(4) }, 4>),
];

/// Trains a network for points, which builds on the one for shares.
fn points<const IN: usize, const SEATS: usize>(folder: &Path) -> io::Result<()> {
    let for_shares = fs::read(folder.join(format!("marrakech-{SEATS}.bin")))?;
    let file = marrakech::train_points::<IN, HIDDEN, SEATS>(&for_shares, &plan(40));
    fs::write(folder.join(format!("marrakech-points-{SEATS}.bin")), file)
}

const fn plan(batches: usize) -> marrakech::Plan {
    marrakech::Plan { seed: 1, batches, games: 256 }
}

fn main() -> io::Result<()> {
    let names: Vec<String> = env::args().skip(1).collect();
    let is_wanted = |name: &str| names.is_empty() || names.iter().any(|wanted| wanted == name);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("weights");
    for (_, train) in NETWORKS.iter().filter(|(name, _)| is_wanted(name)) {
        train(&folder)?;
    }
    Ok(())
}
