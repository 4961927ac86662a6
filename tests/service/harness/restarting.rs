//! Scripts that live through a restart of the service.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};

use super::{Backend, Service};

/// Runs a script with the address of a service, which is killed and started again as often as the script says `restart`, or first `kill` and
/// later `start`; the last line that it says.
pub(crate) fn restarting(backend: &Backend, script: &mut Command) -> String {
    let service = Service::start(backend);
    let address = service.address();
    let script = script.arg(service.base()).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut process = script.spawn().unwrap();
    let mut told = process.stdin.take().unwrap();
    let mut running = Some(service);
    let mut restarts = 0;
    let mut last = String::new();
    for line in BufReader::new(process.stdout.take().unwrap()).lines() {
        last = line.unwrap();
        let (is_killed, is_started) = match last.as_str() {
            "kill" => (true, false),
            "start" => (false, true),
            "restart" => (true, true),
            _ => continue,
        };
        if is_killed {
            drop(running.take());
        }
        if is_started {
            running = Some(Service::start_at(&address, backend));
            restarts += 1;
        }
        told.write_all(b"done\n").unwrap();
    }
    assert!(process.wait().unwrap().success(), "{last}");
    assert!(restarts > 0, "{last}");
    last
}
