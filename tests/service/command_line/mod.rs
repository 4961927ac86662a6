//! The program as a command: its help, its exit statuses, and how it handles unexpected files, variables and
//! servers. Commands on records are in `records` and `archive`.

mod closed;
mod completions;
mod destinations;
mod help;
mod impostor;
mod perft;
mod program;
mod random;
mod rights;
mod settings;
mod strange_servers;
mod tls;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::harness::{assam, err};

/// A record that can be imported.
const OVER: &str = "MKN/1 marrakech/1 seats=3\nseat1: Lea\n\n!resign1 !resign2 = 0 0 30\n";

/// Creates a database with a game in a folder.
fn database(folder: &Path) -> PathBuf {
    let file = folder.join("a.db");
    let made = assam(&["import", "-", "--database", &url(&file)], OVER);
    assert_eq!(made.status.code(), Some(0), "{}", err(&made));
    file
}

fn url(file: &Path) -> String {
    format!("sqlite:{}", file.display())
}

fn text(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}

/// Appends to a path.
fn with(path: &Path, ending: &str) -> PathBuf {
    PathBuf::from(text(path) + ending)
}

/// Runs the program with only these variables.
fn with_variables(arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_assam"));
    command.args(arguments).env_clear().envs(variables.iter().copied()).output().unwrap()
}

/// Returns all files of a folder with their contents.
fn contents(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = entries.filter(|path| !path.is_dir()).collect();
    files.sort();
    files.into_iter().map(|path| (path.clone(), fs::read(&path).unwrap_or_default())).collect()
}
