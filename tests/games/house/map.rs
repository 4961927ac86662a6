//! ARCHITECTURE.md and the decision records are short, and true as far as a test can check.

use std::collections::{BTreeMap, BTreeSet};

use syn::visit::{self, Visit};
use syn::{BinOp, Expr, ItemConst, ItemMod, Lit, Type};

use super::{files, modules, read, root, sources};

const MAP: &str = "ARCHITECTURE.md";
const DECISIONS: &str = "docs/decisions";

/// The sections of every decision record, in order.
const PARTS: [&str; 4] = ["\n## Context\n", "\n## Decision\n", "\n## Rejected\n", "\n## Consequences\n"];

/// Returns the decision records by name.
fn decisions() -> BTreeMap<String, String> {
    let name = |path: &std::path::PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
    let all = files(&root().join(DECISIONS), &["md"]);
    let records: BTreeMap<_, _> = all.iter().map(|path| (name(path), read(path))).collect();
    records.into_iter().filter(|(name, _)| name != "README.md").collect()
}

/// Returns the text between two HTML comments.
fn between<'a>(text: &'a str, name: &str) -> &'a str {
    let (_, after) = text.split_once(&format!("<!-- {name} -->\n")).unwrap();
    after.split_once(&format!("<!-- /{name} -->")).unwrap().0.trim_matches('\n')
}

/// Returns the texts between single backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.lines().flat_map(|line| line.split('`').skip(1).step_by(2))
}

/// Counts words like `wc -w`: everything between white space, including the bars of tables.
#[test]
fn the_map_has_at_most_3000_words_and_a_decision_record_at_most_450() {
    let words = |text: &str| text.split_whitespace().count();
    let map = words(&read(&root().join(MAP)));
    assert!(map <= 3000, "{MAP} has {map} words");
    for (name, text) in decisions() {
        assert!(words(&text) <= 450, "{name} has {} words", words(&text));
    }
}

#[test]
fn every_decision_record_has_its_parts_and_its_line_in_the_index() {
    let index = read(&root().join(DECISIONS).join("README.md"));
    let records = decisions();
    assert!(records.len() >= 20, "{}", records.len());
    let mut numbers = BTreeSet::new();
    for (name, text) in &records {
        let mut rest = text.as_str();
        for part in PARTS {
            rest = rest.split_once(part).unwrap_or_else(|| panic!("{name} has no {part:?} there")).1;
        }
        let title = text.lines().next().unwrap().strip_prefix("# ").unwrap();
        let number = &name[..4];
        assert!(numbers.insert(number), "{number} stands twice");
        let line = format!("| [{number}]({name}) | {title} |");
        assert!(index.lines().any(|listed| listed == line), "the index has no line {line}");
    }
    let listed = index.lines().filter(|line| line.starts_with("| [")).count();
    assert_eq!(listed, records.len());
}

#[test]
fn every_file_that_the_map_and_the_decision_records_name_is_there() {
    let root = root();
    let mut named = 0;
    let texts = decisions().into_iter().chain([(MAP.to_owned(), read(&root.join(MAP)))]);
    for (document, text) in texts {
        let paths = quoted(&text).filter(|name| name.contains('/') && !name.contains([' ', '{', '*']));
        for path in paths {
            let is_ours = path.split('/').next().is_some_and(|first| {
                !first.is_empty() && !first.starts_with('.') && root.join(first).is_dir()
            });
            if is_ours {
                assert!(root.join(path).exists(), "{document} names {path}");
                named += 1;
            }
        }
    }
    assert!(named > 100, "{named} files: are they still read?");
}

#[test]
fn every_test_that_holds_a_never_is_there() {
    let tests: String = sources(&root().join("tests")).iter().map(|path| read(path)).collect();
    let map = read(&root().join(MAP));
    let is_test = |name: &&str| {
        name.matches('_').count() > 2
            && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
    };
    let mut named = 0;
    for name in quoted(between(&map, "never")).filter(is_test) {
        assert!(tests.contains(&format!("fn {name}(")), "{MAP} names the test {name}");
        named += 1;
    }
    assert!(named > 12, "{named} tests: are they still read?");
}

/// The value of a constant, as tables can show it.
#[derive(Clone, Copy)]
enum Bound {
    /// In microseconds.
    Time(u64),
    Number(u64),
}

/// The constants of a file in order, without those of tests.
#[derive(Default)]
struct Bounds(Vec<(String, Bound)>);

impl<'ast> Visit<'ast> for Bounds {
    fn visit_item_const(&mut self, item: &'ast ItemConst) {
        if let Type::Path(path) = &*item.ty {
            let kind = path.path.segments.last().unwrap().ident.to_string();
            let bound = match kind.as_str() {
                "Duration" | "SignedDuration" => time(&item.expr).map(Bound::Time),
                "usize" | "u64" | "u32" | "i64" => number(&item.expr).map(Bound::Number),
                _ => None,
            };
            self.0.extend(bound.map(|bound| (item.ident.to_string(), bound)));
        }
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if !modules::is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }
}

/// Computes an expression of literals, `*`, `+` and `<<`.
#[allow(
    clippy::wildcard_enum_match_arm,
    reason = "the list of Rust's expressions is not ours and not closed"
)]
fn number(expr: &Expr) -> Option<u64> {
    match expr {
        Expr::Lit(lit) => match &lit.lit {
            Lit::Int(int) => int.base10_parse().ok(),
            _ => None,
        },
        Expr::Paren(inner) => number(&inner.expr),
        Expr::Binary(two) => {
            let (left, right) = (number(&two.left)?, number(&two.right)?);
            match two.op {
                BinOp::Mul(_) => Some(left * right),
                BinOp::Add(_) => Some(left + right),
                BinOp::Shl(_) => Some(left << right),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Computes a time in microseconds from a call of `Duration` or `SignedDuration`.
fn time(expr: &Expr) -> Option<u64> {
    let Expr::Call(call) = expr else { return None };
    let Expr::Path(made) = &*call.func else { return None };
    let unit = match made.path.segments.last()?.ident.to_string().as_str() {
        "from_micros" => 1,
        "from_millis" => 1_000,
        "from_secs" => 1_000_000,
        "from_mins" => 60_000_000,
        "from_hours" => 3_600_000_000,
        _ => return None,
    };
    Some(number(call.args.first()?)? * unit)
}

impl Bound {
    /// Formats it for people. Times use the largest unit that gives a whole number.
    fn text(self) -> String {
        let units = [("h", 3_600_000_000), ("min", 60_000_000), ("s", 1_000_000), ("ms", 1_000), ("us", 1)];
        match self {
            Self::Number(number) => grouped(number),
            Self::Time(time) => {
                let (unit, size) = units.into_iter().find(|(_, size)| time.is_multiple_of(*size)).unwrap();
                format!("{} {unit}", grouped(time / size))
            }
        }
    }
}

/// Writes a number with commas.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let is_group = |place: usize| place > 0 && (digits.len() - place).is_multiple_of(3);
    digits
        .chars()
        .enumerate()
        .flat_map(|(place, digit)| is_group(place).then_some(',').into_iter().chain([digit]))
        .collect()
}

/// The table must have every time in the service and its stores, and the numbers that it names.
#[test]
fn the_table_of_bounds_is_that_of_the_sources() {
    const HEAD: &str = "| file | constants |\n| --- | --- |";
    let root = root();
    let map = read(&root.join(MAP));
    let table = between(&map, "bounds");
    let mut named: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for row in table.lines() {
        let mut names = quoted(row);
        if let Some(file) = names.next() {
            named.entry(file.to_owned()).or_default().extend(names);
        }
    }
    let complete: Vec<_> =
        ["api/src", "store/src"].iter().flat_map(|folder| sources(&root.join(folder))).collect();
    let is_complete = |file: &str| complete.iter().any(|path| path.ends_with(file));
    let mut all: BTreeSet<String> = named.keys().cloned().collect();
    all.extend(complete.iter().map(|path| path.strip_prefix(&root).unwrap().display().to_string()));
    let mut expected = HEAD.to_owned();
    for file in all.into_iter().filter(|file| root.join(file).exists()) {
        let mut bounds = Bounds::default();
        bounds.visit_file(&syn::parse_file(&read(&root.join(&file))).unwrap());
        let is_shown = |(name, bound): &(String, Bound)| match bound {
            Bound::Time(_) if is_complete(&file) => true,
            Bound::Time(_) | Bound::Number(_) => {
                named.get(&file).is_some_and(|names| names.contains(name.as_str()))
            }
        };
        let shown = bounds.0.into_iter().filter(is_shown);
        let shown: Vec<_> = shown.map(|(name, bound)| format!("`{name}` {}", bound.text())).collect();
        if !shown.is_empty() {
            expected += &format!("\n| `{file}` | {} |", shown.join(", "));
        }
    }
    assert!(expected.lines().count() > 30, "are constants still read?");
    assert!(
        table == expected,
        "between the comments `bounds`, {MAP} has to have this (numbers that the table does not name can be added to it by name):\n\n{expected}\n"
    );
}

#[test]
fn constants_are_computed_and_written_for_people() {
    let mut bounds = Bounds::default();
    let source = "const A: Duration = Duration::from_millis(1_200); fn f() { const B: u64 = 6 * (1 << 10) + 1; } \
        const C: SignedDuration = SignedDuration::from_hours(7 * 24); const D: &str = \"4\"; \
        #[cfg(test)] mod tests { const E: u32 = 5; } const F: Duration = Duration::from_secs(60);";
    bounds.visit_file(&syn::parse_file(source).unwrap());
    let texts: Vec<_> =
        bounds.0.into_iter().map(|(name, bound)| format!("{name} {}", bound.text())).collect();
    assert_eq!(texts, ["A 1,200 ms", "B 6,145", "C 168 h", "F 1 min"]);
}
