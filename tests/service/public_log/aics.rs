//! An independent witness (aics-witness from PyPI), as installed.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use super::{KEY, grown};
use crate::harness::{Backend, Service, comes, err, out, sqlite};
use crate::records::data_tools::tool;

/// The witness, which listens until it is dropped.
struct Aics {
    child: Child,
    url: String,
}

impl Drop for Aics {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

fn command(folder: &Path, arguments: &[&str]) -> Option<Command> {
    let mut command = tool("aics-witness")?;
    command.current_dir(folder).args(arguments);
    Some(command)
}

fn told(folder: &Path, arguments: &[&str]) -> Option<String> {
    let run = command(folder, arguments)?.output().unwrap();
    assert!(run.status.success(), "{}", err(&run));
    Some(out(&run).trim_end().to_owned())
}

impl Aics {
    fn serve(folder: &Path) -> Option<Self> {
        let mut command = command(folder, &["serve", "--listen", "127.0.0.1:0"])?;
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let url = lines.find_map(|line| {
            let line = line.unwrap();
            line.split_once("listening on ").map(|(_, url)| url.split(' ').next().unwrap().to_owned())
        });
        // Its other output is read, so that it never blocks.
        std::thread::spawn(move || lines.for_each(drop));
        Some(Self { child, url: url.unwrap() })
    }
}

/// Waits until the log has so many entries, and the only witness has cosigned them.
fn is_cosigned(service: &Service, size: u64) {
    grown(service, size);
    let line = "\u{2014} witness.example.org/aics ";
    let is_shown = || service.stranger().get("/log/checkpoint").text.contains(line);
    assert!(comes(30, is_shown), "{}", service.stranger().get("/readyz").text);
    let ready = || service.stranger().get("/readyz").json();
    assert!(comes(30, || ready()["quorum_behind"] == json!(0)), "{}", ready());
}

#[test]
fn a_witness_that_others_wrote_cosigns_the_log_as_it_grows_and_finds_nothing_wrong() {
    let backend = sqlite();
    let folder = tempfile::tempdir().unwrap();
    let Some(key) = told(folder.path(), &["init", "--name", "witness.example.org/aics"]) else { return };
    told(folder.path(), &["add-log", "--origin", "PeterNeumann", "--vkey", KEY]);
    let Some(witness) = Aics::serve(folder.path()) else { return };
    let start =
        |backend: &Backend| Service::start_with(backend, &["--witness", &key, "--witness-url", &witness.url]);
    {
        let service = start(&backend);
        for size in 1..=3 {
            service.game(2, json!({}));
            is_cosigned(&service, size);
        }
    }
    // The service has forgotten what it sent.
    let service = start(&backend);
    service.game(2, json!({}));
    is_cosigned(&service, 4);
    let status: Value = serde_json::from_str(&told(folder.path(), &["status", "--json"]).unwrap()).unwrap();
    assert_eq!(status["logs"][0]["size"], json!(4), "{status}");
    let evidence = told(folder.path(), &["evidence"]).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&evidence).unwrap_or(json!([])), json!([]), "{evidence}");
}
