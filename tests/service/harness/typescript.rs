//! The published TypeScript client, scripts that use it, and the JavaScript verifier.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs, thread};

use serde_json::{Value, json};

/// The folder into which `scripts/clients` installed the package.
const FOLDER: &str = "ASSAM_TEST_TYPESCRIPT";

/// Returns the folder of the package. If it is not built, returns `None` with a notice, which CI does not
/// allow.
pub(crate) fn installed() -> Option<PathBuf> {
    if let Ok(folder) = env::var(FOLDER) {
        return Some(Path::new(&folder).join("node_modules/assam-client"));
    }
    assert!(
        !env::var("CI").is_ok_and(|ci| ci == "true"),
        "run scripts/test, or scripts/clients, and set {FOLDER}"
    );
    // Straight to the stream, as libtest does not hold this back.
    let test = thread::current();
    let test = test.name().unwrap_or("a test");
    let mut stream = io::stderr();
    writeln!(stream, "SKIPPED for want of the client ({FOLDER}): {test}").unwrap();
    None
}

/// Runs a script next to the installed package.
pub(crate) fn typescript(script: &Path, arguments: &[&str]) -> Output {
    Command::new("node").arg(script).args(arguments).output().unwrap()
}

/// Returns the output of `verify.js` for a proof and the kept evidence, or `None` without Node.js.
pub(crate) fn verified_by_javascript(proof: &Value, kept: &Value) -> Option<Output> {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let verifier = concat!(env!("CARGO_MANIFEST_DIR"), "/../clients/javascript/verify.js");
    fs::copy(verifier, at("verify.mjs")).unwrap();
    // Some browsers have no Ed25519, so it is removed here.
    let script = "import { verify } from './verify.mjs'; import { readFileSync } from 'node:fs';\n\
                  const [proof, { blind, ...kept }] = JSON.parse(readFileSync('proof.json', 'utf8'));\n\
                  const { subtle } = crypto; const importKey = subtle.importKey.bind(subtle);\n\
                  const without = async (...asked) => { if (asked[2] === 'Ed25519') throw new DOMException('', 'NotSupportedError'); return importKey(...asked); };\n\
                  if (blind) Object.defineProperty(subtle, 'importKey', { value: without });\n\
                  console.log(JSON.stringify(await verify(proof, kept)));\n";
    fs::write(at("run.mjs"), script).unwrap();
    fs::write(at("proof.json"), json!([proof, kept]).to_string()).unwrap();
    Command::new("node").arg("run.mjs").current_dir(folder.path()).output().ok()
}
