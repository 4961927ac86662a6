//! `assam completions` and `assam man`, as shells and `man` read them.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::{Command, Output};

use crate::harness::{assam, err, out};

/// Reports a skipped test straight to the stream, as libtest does not hold this back.
fn skipped(what: &str) {
    let mut stream = io::stderr();
    writeln!(stream, "SKIPPED: no {what}").unwrap();
}

fn has(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Types into an interactive bash with the completions loaded, as at a terminal, until this is shown.
const TYPIST: &str = r#"
import os, pty, select, sys, time
program, folder, typed, awaited = sys.argv[1:]
child, terminal = pty.fork()
if child == 0:
    os.chdir(folder)
    path = os.path.dirname(program) + ":" + os.environ["PATH"]
    os.execvpe("bash", ["bash", "--norc", "--noprofile", "-i"], {"PATH": path, "TERM": "dumb", "HOME": folder, "PS1": "ready> "})
shown, until = b"", time.monotonic() + 60
def wait_for(text):
    global shown
    while text not in shown:
        ready, _, _ = select.select([terminal], [], [], max(0, until - time.monotonic()))
        if not ready:
            sys.exit(f"{text!r} is not in {shown!r}")
        shown += os.read(terminal, 4096)
    shown = shown[shown.index(text) + len(text):]
wait_for(b"ready> ")
os.write(terminal, b'eval "$(assam completions bash)"; echo load""ed\n')
wait_for(b"loaded")
wait_for(b"ready> ")
os.write(terminal, typed.encode() + b"\t")
wait_for(awaited.encode())
"#;

fn typed(folder: &Path, typed: &str, awaited: &str) -> Output {
    let program = env!("CARGO_BIN_EXE_assam");
    let folder = folder.to_str().unwrap();
    Command::new("python3").args(["-c", TYPIST, program, folder, typed, awaited]).output().unwrap()
}

#[test]
fn bash_completes_commands_rule_sets_forms_and_files() {
    if !has("bash") || !has("python3") {
        return skipped("bash or python3");
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("gathered.mkn"), "").unwrap();
    for (start, whole) in [
        ("assam vali", "assam validate "),
        ("assam validate gath", "assam validate gathered.mkn "),
        ("assam convert gath", "assam convert gathered.mkn "),
        ("assam show --follow gath", "assam show --follow gathered.mkn "),
        ("assam verify x --against gath", "assam verify x --against gathered.mkn "),
        ("assam convert x --to cano", "assam convert x --to canonical "),
        ("assam random --ruleset marrakes", "assam random --ruleset marrakesh/1 "),
        ("assam export --ruleset marrakec", "assam export --ruleset marrakech/1 "),
        ("assam completions el", "assam completions elvish "),
    ] {
        let shown = typed(folder.path(), start, whole);
        assert!(shown.status.success(), "{start}: {}", err(&shown));
    }
}

#[test]
fn every_shell_has_completions_that_know_each_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = assam(&["completions", shell], "");
        assert!(script.status.success());
        for word in ["validate", "follow", "against", "ruleset"] {
            assert!(out(&script).contains(word), "{shell}: {word}");
        }
    }
    let unknown = assam(&["completions", "tcsh"], "");
    assert_eq!(unknown.status.code(), Some(2));
    assert!(err(&unknown).contains("bash, elvish, fish, powershell, zsh"), "{}", err(&unknown));
}

#[test]
fn there_is_a_page_of_the_manual_for_each_command_and_groff_has_nothing_to_say_about_any() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("share/man1");
    let written = assam(&["man", "--out", pages.to_str().unwrap()], "");
    assert!(written.status.success(), "{}", err(&written));
    let pages: Vec<_> = fs::read_dir(pages).unwrap().map(|page| page.unwrap().path()).collect();
    let names: Vec<&str> = pages.iter().filter_map(|page| page.file_name()?.to_str()).collect();
    for name in ["assam.1", "assam-serve.1", "assam-validate.1", "assam-man.1"] {
        assert!(names.contains(&name), "{names:?}");
    }
    let validate = pages.iter().find(|page| page.ends_with("assam-validate.1")).unwrap();
    let validate = fs::read_to_string(validate).unwrap();
    for text in [".SH EXAMPLES", "assam validate games", "Exit status: 0"] {
        assert!(validate.contains(text), "{validate}");
    }
    assert!(out(&assam(&["man"], "")).contains("assam\\-validate(1)"));
    if !has("groff") {
        return skipped("groff");
    }
    for page in &pages {
        let set =
            Command::new("groff").args(["-man", "-Tutf8", "-ww", "-z", "-t"]).arg(page).output().unwrap();
        assert_eq!((set.status.success(), err(&set).as_str()), (true, ""), "{}", page.display());
    }
}

#[test]
fn a_folder_for_pages_that_cannot_be_made_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let refused = assam(&["man", "--out", file.to_str().unwrap()], "");
    assert_eq!(refused.status.code(), Some(2));
    assert!(err(&refused).starts_with(&format!("assam: {}: ", file.display())), "{}", err(&refused));
}
