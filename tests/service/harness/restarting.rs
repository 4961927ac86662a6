//! Scripts that live through a restart of the service.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};

use super::{Backend, Service};

/// Runs a script with the address of a service, which is killed and started again as often as the script says `restart`; the last line that
/// it says.
pub(crate) fn restarting(backend: &Backend, script: &mut Command) -> String {
    let mut service = Service::start(backend);
    let script = script.arg(service.base()).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut process = script.spawn().unwrap();
    let mut told = process.stdin.take().unwrap();
    let mut restarts = 0;
    let mut last = String::new();
    for line in BufReader::new(process.stdout.take().unwrap()).lines() {
        last = line.unwrap();
        if last == "restart" {
            service = service.start_again(backend);
            restarts += 1;
            told.write_all(b"done\n").unwrap();
        }
    }
    assert!(process.wait().unwrap().success(), "{last}");
    assert!(restarts > 0, "{last}");
    last
}
