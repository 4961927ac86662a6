//! The house keeps its shape: what ARCHITECTURE.md says of crates, modules and files, read from the sources.

mod modules;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use assam_referee::Ruleset;
use modules::Modules;

/// The crates, each depending only on those before it.
const CRATES: [&str; 6] = ["rules", "notation", "players", "referee", "api", "cli"];

/// The longest a source file may be, in lines.
const LONGEST: usize = 400;

/// The modules of games, which share names because the games are alike: `Position`, `Setup`, `Rule`.
fn games() -> Vec<String> {
    let module = |name: &str| name.split('/').next().unwrap_or_default().replace('-', "_");
    Ruleset::ALL.iter().map(|ruleset| module(ruleset.name())).collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Every Rust file in a folder and below.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("target") {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files of a crate that stand in one of its folders, with their texts.
fn texts(folder: &str) -> Vec<(String, String)> {
    let root = root();
    let name = |path: &PathBuf| path.strip_prefix(&root).unwrap().display().to_string();
    sources(&root.join(folder)).iter().map(|path| (name(path), read(path))).collect()
}

#[test]
fn no_modules_of_a_crate_import_each_other_in_a_circle() {
    let mut edges = 0;
    for name in CRATES {
        let modules = Modules::read(&root().join(name).join("src"));
        let graph = modules.imports();
        edges += graph.values().map(BTreeSet::len).sum::<usize>();
        if let Some(circle) = modules::circle(&graph) {
            panic!("{name}: {}", circle.join(" -> "));
        }
    }
    assert!(edges > 200, "{edges} imports: are they still read?");
}

#[test]
fn crates_depend_only_on_crates_below_them() {
    for (height, name) in CRATES.iter().enumerate() {
        let manifest = read(&root().join(name).join("Cargo.toml"));
        let dependencies = manifest.split("\n[dependencies]").nth(1).unwrap().split("\n[").next().unwrap();
        for (other, folder) in CRATES.iter().enumerate() {
            let is_named = dependencies.lines().any(|line| {
                line.strip_prefix(&format!("assam-{folder}")).is_some_and(|rest| rest.starts_with(['.', ' ']))
            });
            assert!(!is_named || other < height, "{name} depends on {folder}");
        }
    }
}

#[test]
fn no_source_file_outside_the_tests_is_longer_than_400_lines() {
    for folder in CRATES {
        for (name, text) in texts(folder) {
            assert!(text.lines().count() <= LONGEST, "{name} has {} lines", text.lines().count());
        }
    }
}

#[test]
fn http_does_not_know_the_store_and_the_application_does_not_know_http() {
    for (name, text) in texts("api/src/http") {
        assert!(!text.contains("crate::store") && !text.contains(".store"), "{name} reaches into the store");
    }
    for folder in ["api/src/app", "api/src/log", "api/src/store"] {
        for (name, text) in texts(folder) {
            for word in ["actix", "crate::http", "crate::problem", "StatusCode"] {
                assert!(!text.contains(word), "{name} knows {word}");
            }
        }
    }
}

#[test]
fn no_type_name_means_two_things() {
    let mut named: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for name in CRATES {
        let modules = Modules::read(&root().join(name).join("src"));
        for (module, types) in modules.types() {
            if !games().iter().any(|game| module.split("::").any(|part| part == game)) {
                for defined in types {
                    named.entry(defined).or_default().insert(format!("{name}::{module}"));
                }
            }
        }
    }
    assert!(named.len() > 150, "{} types: are they still read?", named.len());
    let twice: Vec<_> = named.iter().filter(|(_, places)| places.len() > 1).collect();
    assert!(twice.is_empty(), "{twice:#?}");
}
