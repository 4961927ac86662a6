//! The options in the documents: every value is one that the program accepts, and none is missing.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use assam_notation::{Notation, OptionKind, OptionSpec};
use assam_referee::{Ruleset, Shown, Visitor};

/// The options of one game.
struct Options {
    ruleset: &'static str,
    all: &'static [OptionSpec],
    /// Returns whether some table of the game accepts this value of an option.
    takes: fn(&str, &str) -> bool,
    /// Returns the values of an option at the tables that do not name it.
    defaults: fn(&str) -> BTreeSet<String>,
}

impl Options {
    fn of<G: Notation>() -> Self {
        Self { ruleset: G::RULESET, all: G::OPTIONS, takes: takes::<G>, defaults: defaults::<G> }
    }

    /// Returns the options of every listed game.
    fn all() -> Vec<Self> {
        Ruleset::ALL.iter().map(|ruleset| ruleset.visit(Read)).collect()
    }

    fn have(&self, name: &str) -> bool {
        self.all.iter().any(|option| option.name == name)
    }
}

struct Read;

impl Visitor for Read {
    type Output = Options;

    fn visit<G: Shown>(self, _: Ruleset) -> Options {
        Options::of::<G>()
    }
}

fn takes<G: Notation>(name: &str, value: &str) -> bool {
    G::SEATS.into_iter().any(|seats| G::read_setup(seats, &[(name, value)]).is_ok())
}

fn defaults<G: Notation>(name: &str) -> BTreeSet<String> {
    let setups = G::SEATS.map(|seats| G::read_setup(seats, &[]).unwrap());
    let options = setups.flat_map(|setup| G::options(&setup));
    options.filter(|option| option.name == name).map(|option| option.value).collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn document(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Returns the names of the documents about options.
fn documents() -> Vec<String> {
    let mut names = vec!["README.md".to_owned()];
    for folder in [
        "docs",
        "docs/rules",
        "docs/guides",
        "docs/reference",
        "docs/develop",
        "notation",
        "notation/grammar",
    ] {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if name.ends_with(".md") {
                names.push(format!("{folder}/{name}"));
            }
        }
    }
    names
}

/// Returns the lines of a document without its examples of refused records, which may have wrong values.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let (mut is_fenced, mut is_refused) = (false, false);
    text.lines().filter(move |line| {
        if let Some(info) = line.trim_start().strip_prefix("```") {
            is_fenced = !is_fenced;
            is_refused = is_fenced && info.starts_with("mkn-refused");
        }
        !is_refused
    })
}

/// Returns every `name=value` of a line.
fn settings(line: &str) -> impl Iterator<Item = (&str, &str)> {
    line.split(|c: char| !(c.is_ascii_alphanumeric() || "_-=".contains(c)))
        .filter_map(|word| word.split_once('='))
        .filter(|(_, value)| !value.is_empty())
}

/// Returns the texts in backticks.
fn code(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// A row of a table of options.
struct Row<'a> {
    name: &'a str,
    /// The second cell.
    values: &'a str,
    /// The third cell, if there is one.
    meaning: &'a str,
}

/// Returns the rows of all tables of options. A row without a name continues the option above.
fn rows<'a>(text: &'a str, options: &Options) -> Vec<Row<'a>> {
    let mut rows = Vec::new();
    let mut name = None;
    for line in lines(text) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, first, values, rest @ ..] = &cells[..] else {
            name = None;
            continue;
        };
        if !first.is_empty() {
            name = first.strip_prefix('`').and_then(|first| first.strip_suffix('`'));
        }
        if let Some(name) = name.filter(|name| options.have(name)) {
            rows.push(Row { name, values, meaning: rest.first().copied().unwrap_or_default() });
        }
    }
    rows
}

#[test]
fn every_value_of_an_option_that_a_document_names_is_one_that_the_program_takes() {
    let (mut named, mut refused) = (0, Vec::new());
    for document_name in documents() {
        let text = document(&document_name);
        let tables = Options::all();
        let mut found: Vec<(&str, &str)> = lines(&text).flat_map(settings).collect();
        for row in tables.iter().flat_map(|options| rows(&text, options)) {
            found.extend(code(row.values).into_iter().map(|value| (row.name, value)));
        }
        for (name, value) in found {
            let games: Vec<&Options> = tables.iter().filter(|options| options.have(name)).collect();
            named += games.len();
            if !games.is_empty() && !games.iter().any(|options| (options.takes)(name, value)) {
                refused.push(format!("{document_name}: {name}={value}"));
            }
        }
    }
    assert!(refused.is_empty(), "the program refuses {refused:#?}");
    assert!(named > 100, "{named}");
}

#[test]
fn the_rules_name_every_value_of_every_option_and_mark_the_default() {
    for options in Options::all() {
        let (game, _) = options.ruleset.split_once('/').unwrap();
        let text = document(&format!("docs/rules/{game}.md"));
        assert!(text.lines().next().unwrap().contains(&format!("`{}`", options.ruleset)), "{game}");
        let rows = rows(&text, &options);
        let mut names: Vec<&str> = rows.iter().map(|row| row.name).collect();
        names.dedup();
        assert_eq!(names, options.all.iter().map(|option| option.name).collect::<Vec<_>>());
        for option in options.all {
            let own: Vec<&Row<'_>> = rows.iter().filter(|row| row.name == option.name).collect();
            let values: Vec<&str> = own.iter().flat_map(|row| code(row.values)).collect();
            let defaults: BTreeSet<&str> = match option.kind {
                OptionKind::Choice(choice) => {
                    assert_eq!(
                        values,
                        choice.iter().map(|(value, _)| *value).collect::<Vec<_>>(),
                        "{}",
                        option.name
                    );
                    let marked = own.iter().filter(|row| row.values.ends_with("(default)"));
                    marked.flat_map(|row| code(row.values)).collect()
                }
                OptionKind::Number { min, max } => {
                    assert_eq!(values, [min.to_string(), max.to_string()], "{}", option.name);
                    let told = own.iter().filter_map(|row| row.meaning.split_once("Default: "));
                    told.flat_map(|(_, told)| code(told)).collect()
                }
            };
            let expected = (options.defaults)(option.name);
            assert_eq!(defaults, expected.iter().map(String::as_str).collect(), "{}", option.name);
            assert!(own.iter().all(|row| !row.meaning.is_empty()), "{}", option.name);
        }
    }
}

#[test]
fn the_grammar_lists_every_value_of_every_option_with_the_default_first() {
    let grammar: Vec<String> =
        documents().iter().filter(|name| name.starts_with("notation/")).map(|name| document(name)).collect();
    for options in Options::all() {
        let rows: Vec<Row<'_>> = grammar.iter().flat_map(|text| rows(text, &options)).collect();
        let names: Vec<&str> = rows.iter().map(|row| row.name).collect();
        assert_eq!(names, options.all.iter().map(|option| option.name).collect::<Vec<_>>());
        for (row, option) in rows.iter().zip(options.all) {
            let values = code(row.values);
            let defaults = (options.defaults)(option.name);
            match option.kind {
                OptionKind::Choice(choice) => {
                    assert_eq!(values, choice.iter().map(|(value, _)| *value).collect::<Vec<_>>());
                    assert_eq!(defaults, BTreeSet::from([values[0].to_owned()]), "{}", option.name);
                }
                OptionKind::Number { min, max } => {
                    assert_eq!(values[..2], [min.to_string(), max.to_string()], "{}", option.name);
                    let told: BTreeSet<String> = values[2..].iter().map(|value| value.to_string()).collect();
                    assert_eq!(told, defaults, "{}", option.name);
                }
            }
        }
    }
}
