//! The example reader in Python, which shares no code with this project, says of the vectors what they want.

use std::env;
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;

#[test]
fn a_reader_in_python_agrees_with_all_vectors() {
    if Command::new("python3").arg("--version").output().is_err() {
        assert!(!env::var("CI").is_ok_and(|ci| ci == "true"), "CI needs python3: run scripts/test");
        writeln!(io::stderr(), "SKIPPED: no python3").unwrap();
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let run = Command::new("python3")
        .args(["-B", "examples/python/mkn.py", "--vectors", "notation/vectors"])
        .current_dir(root)
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success(), "{told}{}", String::from_utf8_lossy(&run.stderr));
    let last = told.lines().last().unwrap();
    let verdicts = last.strip_suffix(" verdicts, 0 disagreements").unwrap_or_else(|| panic!("{told}"));
    assert!(verdicts.parse::<u32>().unwrap() > 9000, "{told}");
}
