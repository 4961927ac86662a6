//! The client in TypeScript as it is published, and scripts that use it.

use std::env;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::thread;

/// The folder into which `scripts/clients` installed the package.
const FOLDER: &str = "ASSAM_TEST_TYPESCRIPT";

/// The folder of the package; none where it is not built, which is told, and which CI does not allow.
pub(crate) fn installed() -> Option<PathBuf> {
    if let Ok(folder) = env::var(FOLDER) {
        return Some(Path::new(&folder).join("node_modules/assam-client"));
    }
    assert!(
        !env::var("CI").is_ok_and(|ci| ci == "true"),
        "run scripts/test, or scripts/clients, and set {FOLDER}"
    );
    // Straight to the stream: libtest does not hold this back.
    let test = thread::current();
    let test = test.name().unwrap_or("a test");
    let mut stream = io::stderr();
    writeln!(stream, "SKIPPED for want of the client ({FOLDER}): {test}").unwrap();
    None
}

/// Runs a script that stands beside the installed package.
pub(crate) fn typescript(script: &Path, arguments: &[&str]) -> Output {
    Command::new("node").arg(script).args(arguments).output().unwrap()
}
