//! Writes the computed vectors, each game's into its folder under `notation/vectors`:
//!
//!     cargo run -p assam-notation --example vectors
//!
//! Nothing here uses the reader or the rules. Expected results are worked out independently, and the tests
//! compare the two.

use std::path::Path;
use std::{fs, io};

mod json;
mod marrakech;

fn main() -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors");
    for (name, text) in marrakech::files() {
        fs::write(folder.join("marrakech").join(name), text)?;
    }
    Ok(())
}
