//! The rules of ARCHITECTURE.md for crates, modules and files, checked in the sources.

mod map;
mod modules;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use assam_referee::Ruleset;
use modules::Modules;

/// The crates, each depending only on earlier ones.
const CRATES: [&str; 9] =
    ["rules", "notation", "players", "referee", "record", "proofs", "store", "api", "cli"];

/// Maximum length of a source file, in lines.
const LONGEST: usize = 800;

/// Returns the modules of games. They share names because the games are alike: `Position`, `Setup`, `Rule`.
fn games() -> Vec<String> {
    let module = |name: &str| name.split('/').next().unwrap_or_default().replace('-', "_");
    Ruleset::ALL.iter().map(|ruleset| module(ruleset.name())).collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Returns every file below a folder with one of these endings, except built and installed ones.
fn files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !["target", "node_modules"].iter().any(|built| path.ends_with(built)) {
            found.extend(files(&path, extensions));
        } else if path.extension().is_some_and(|ending| extensions.iter().any(|wanted| ending == *wanted)) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Returns every Rust file below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    files(folder, &["rs"])
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the files directly in a folder of a crate, with their texts.
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

/// Returns the dependencies in all sections of a manifest, by their registry names.
fn dependencies(manifest: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut in_section = false;
    for line in manifest.lines() {
        let line = line.split('#').next().unwrap_or_default().trim();
        let is_kind =
            |part: &str| ["dependencies", "dev-dependencies", "build-dependencies"].contains(&part.trim());
        if let Some(header) = line.strip_prefix('[') {
            let parts: Vec<&str> = header.trim_end_matches(']').split('.').collect();
            in_section = parts.last().is_some_and(|last| is_kind(last));
            // A dependency with a separate table.
            if let [.., kind, name] = &*parts
                && is_kind(kind)
            {
                found.insert(name.trim().trim_matches('"').to_owned());
            }
        } else if let Some((name, value)) = line.split_once('=') {
            // A package may go by another name.
            for renamed in line.split("package").skip(1).filter(|_| in_section || name.trim() == "package") {
                found.extend(renamed.split('"').nth(1).map(str::to_owned));
            }
            if in_section && !value.is_empty() {
                found.insert(name.split('.').next().unwrap_or_default().trim().trim_matches('"').to_owned());
            }
        }
    }
    found
}

#[test]
fn a_dependency_is_found_in_every_section_of_a_manifest_and_in_every_form() {
    let manifest = "[package]\nname = \"x\"\n[dependencies]\na.workspace = true\nb = \"1\" # c = 1\n\
        [dependencies.d]\nversion = \"1\"\n[build-dependencies]\n\"e\" = \"1\"\n\
        [target.'cfg(unix)'.dependencies]\nf = { path = \"../f\" }\n[dev-dependencies]\ng = { package = \"h\", version = \"1\" }\n\
        [lints]\nworkspace = true\n";
    let expected = ["a", "b", "d", "e", "f", "g", "h"].map(str::to_owned);
    assert_eq!(dependencies(manifest), BTreeSet::from(expected));
}

#[test]
fn crates_depend_only_on_crates_below_them() {
    let mut edges = BTreeSet::new();
    for (height, name) in CRATES.iter().enumerate() {
        let named = dependencies(&read(&root().join(name).join("Cargo.toml")));
        for (other, folder) in CRATES.iter().enumerate() {
            // The program is named after the project.
            let package = if *folder == "cli" { "assam".to_owned() } else { format!("assam-{folder}") };
            if named.contains(&package) {
                assert!(other < height, "{name} depends on {folder}");
                edges.insert((*name, *folder));
            }
        }
    }
    for edge in [
        ("notation", "rules"),
        ("players", "rules"),
        ("referee", "notation"),
        ("record", "referee"),
        ("proofs", "record"),
        ("store", "proofs"),
        ("api", "store"),
        ("cli", "api"),
    ] {
        assert!(edges.contains(&edge), "{edge:?}: are dependencies still read?");
    }
}

#[test]
fn no_file_of_rust_is_longer_than_800_lines() {
    let mut files = 0;
    for folder in CRATES.iter().chain(&["tests", "fuzz"]) {
        for (name, text) in texts(folder) {
            assert!(text.lines().count() <= LONGEST, "{name} has {} lines", text.lines().count());
            files += 1;
        }
    }
    assert!(files > 300, "{files}");
}

/// Returns whether a module is one of these, or below one of them.
fn is_in(module: &str, parents: &[&str]) -> bool {
    parents.iter().any(|parent| module.split("::").next() == Some(parent))
}

/// The parts of `assam-store` without games: caches, counters, and rounds of a runtime.
const TOOLS: [&str; 3] = ["byte_cache", "counted", "round"];

#[test]
fn http_does_not_know_the_store_and_the_application_does_not_know_http() {
    let modules = Modules::read(&root().join("api/src"));
    let mut from_http = 0;
    for (module, others) in modules.named() {
        for other in &others {
            from_http += u32::from(is_in(&module, &["http"]) && is_in(other, &["app"]));
            let is_app = is_in(&module, &["app"]);
            assert!(!is_app || !is_in(other, &["http", "problem"]), "{module} knows {other}");
        }
    }
    let (mut stores, mut web) = (0, 0);
    for (module, paths) in modules.outside() {
        for path in &paths {
            let mut names = path.split("::");
            let (name, part) = (names.next().unwrap(), names.next().unwrap_or_default());
            if name == "assam_store" && !TOOLS.contains(&part) {
                assert!(!is_in(&module, &["http"]), "{module} reaches into {path}");
                stores += u32::from(is_in(&module, &["app"]));
            }
            if name.starts_with("actix") {
                assert!(!is_in(&module, &["app"]), "{module} knows {path}");
                web += 1;
            }
        }
    }
    assert!(
        from_http > 10 && stores > 10 && web > 10,
        "{from_http}, {stores}, {web}: are imports still read?"
    );
    // A field needs no import.
    for (name, text) in texts("api/src/http") {
        assert!(
            ![".store", ".reads."].iter().any(|field| text.contains(field)),
            "{name} reaches into the store"
        );
    }
}

#[test]
fn only_the_game_writer_is_handed_what_writes_games() {
    let mut writers = Vec::new();
    for (name, text) in ["api/src", "cli/src"].into_iter().flat_map(texts) {
        if ["WritesGames", ".games.write(", "write_skip_locked"].iter().any(|way| text.contains(way)) {
            writers.push(name);
        }
    }
    writers.sort();
    assert_eq!(writers, ["api/src/app/write/game_writer.rs", "api/src/app/write/writer_thread.rs"]);
}

#[test]
fn no_part_of_a_database_has_more_than_thirteen_methods() {
    let mut parts = 0;
    for (name, text) in texts("store/src/contract") {
        for part in text.split("\npub trait ").skip(1) {
            let (part, _) = part.split_once("\n}").unwrap();
            let (title, methods) = part.split_once('{').unwrap();
            assert!(
                title.trim_end().ends_with(": Send + Sync"),
                "{name}: {title} has the methods of others, too"
            );
            let methods = methods
                .lines()
                .filter(|line| line.starts_with("    fn ") || line.starts_with("    async fn "));
            let count = methods.count();
            assert!((1..=13).contains(&count), "{name}: {title} has {count} methods");
            parts += 1;
        }
    }
    assert_eq!(parts, 8, "are traits still found?");
}

/// Returns the dependencies of each package in `Cargo.lock`, for any version and feature.
fn locked() -> BTreeMap<String, BTreeSet<String>> {
    let lock = read(&root().join("Cargo.lock"));
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for package in lock.split("[[package]]").skip(1) {
        let name = package.split('"').nth(1).unwrap();
        let listed = package.split_once("dependencies = [").map_or("", |(_, listed)| listed);
        // A version may follow the name.
        let others = listed.split('"').skip(1).step_by(2).filter_map(|other| other.split(' ').next());
        found.entry(name.to_owned()).or_default().extend(others.map(str::to_owned));
    }
    found
}

/// Returns all direct and indirect dependencies of a package.
fn reached(packages: &BTreeMap<String, BTreeSet<String>>, from: &str) -> BTreeSet<String> {
    let mut reached = BTreeSet::new();
    let mut next = vec![from];
    while let Some(name) = next.pop() {
        for other in packages.get(name).into_iter().flatten() {
            if reached.insert(other.clone()) {
                next.push(other);
            }
        }
    }
    reached
}

#[test]
fn records_and_proofs_reach_no_database_no_runtime_and_no_web_server_and_the_store_reaches_no_web_server() {
    let packages = locked();
    let web = ["actix-web", "actix-http", "hyper"];
    let databases = ["rusqlite", "tokio-postgres", "deadpool-postgres", "refinery"];
    let pure: Vec<&str> = web.iter().chain(&databases).chain(&["tokio", "mio"]).copied().collect();
    for (name, walls) in [("assam-record", &pure[..]), ("assam-proofs", &pure), ("assam-store", &web)] {
        let reached = reached(&packages, name);
        let crossed: Vec<_> = walls.iter().filter(|other| reached.contains(**other)).collect();
        assert!(crossed.is_empty(), "{name} depends on {crossed:?}");
    }
    let service = reached(&packages, "assam-api");
    for name in ["actix-web", "rusqlite", "tokio-postgres", "tokio"] {
        assert!(service.contains(name), "{name}: are packages still read?");
    }
}

/// Maximum number of source files in a folder, without subfolders.
const MOST_FILES: usize = 14;

/// Extensions of source files. Other files in a folder are data.
const LANGUAGES: [&str; 6] = ["rs", "js", "mjs", "py", "html", "css"];

#[test]
fn no_folder_has_more_than_14_source_files() {
    // Crates before these are exempt.
    for name in ["record/src", "proofs/src", "store/src", "api/src", "cli/src", "bench/src", "tests", "pages"]
    {
        let mut folders: BTreeMap<PathBuf, usize> = BTreeMap::new();
        for path in files(&root().join(name), &LANGUAGES) {
            *folders.entry(path.parent().unwrap().to_owned()).or_default() += 1;
        }
        assert!(folders.len() > 2, "{name}: {folders:?}");
        for (folder, files) in folders {
            assert!(files <= MOST_FILES, "{} has {files} source files", folder.display());
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

/// The README's start command names no program.
#[test]
fn cargo_run_has_one_program_to_start() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let defaults = manifest.split("default-members = [").nth(1).unwrap().split(']').next().unwrap();
    let members = defaults.split('"').skip(1).step_by(2);
    let programs: Vec<&str> =
        members.filter(|member| root().join(member).join("src/main.rs").exists()).collect();
    assert_eq!(programs, ["cli"]);
}
