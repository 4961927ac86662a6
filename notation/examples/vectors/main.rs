//! Writes the vectors that are computed, each game's into its folder under `notation/vectors`:
//!
//!     cargo run -p assam-notation --example vectors
//!
//! Nothing here asks the reader or the rules: what is expected is worked out in another way, and the tests compare.

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
