//! Tables in popular analysis tools, and the commands for these in docs/guides/analyse-games.md.

use std::io::{self, Write as _};
use std::path::Path;
use std::process::Command;
use std::{env, fs, thread};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::documents::{blocks, document};
use crate::harness::{assam, err, out};
use crate::records::tables::{documented, many_records};

/// The folder where `scripts/data-tools` installs them.
const TOOLS: &str = "ASSAM_TEST_DATA_TOOLS";

/// Returns a program installed by `scripts/data-tools`. Returns `None` if it has not run, which CI does not
/// allow.
pub(crate) fn tool(name: &str) -> Option<Command> {
    let Ok(tools) = env::var(TOOLS) else {
        assert!(!env::var("CI").is_ok_and(|ci| ci == "true"), "run scripts/test, or set {TOOLS}");
        // Straight to the stream, as libtest does not hold this back.
        let test = thread::current();
        let mut stream = io::stderr();
        writeln!(stream, "SKIPPED, no {TOOLS}: {}", test.name().unwrap_or("a test")).unwrap();
        return None;
    };
    Some(Command::new(Path::new(&tools).join("bin").join(name)))
}

/// Runs a script with DuckDB and pandas in a folder. Returns `None` if these are not installed.
fn python(folder: &Path, script: &str) -> Option<String> {
    let run = tool("python")?.args(["-B", "-c", script]).current_dir(folder).output();
    let run = run.unwrap();
    assert!(run.status.success(), "{}", err(&run));
    Some(out(&run))
}

/// Returns a folder with all tables of some records.
fn tables(records: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("games.mkn"), records).unwrap();
    for form in ["games.csv", "plies.csv", "games.parquet", "plies.parquet", "boards.parquet"] {
        let file = folder.path().join(form);
        let to: &[&str] = if form == "boards.parquet" { &["plies.parquet", "--board"] } else { &[form] };
        let convert = [&["convert", "-", "-o", file.to_str().unwrap(), "--to"], to].concat();
        let converted = assam(&convert, records);
        assert_eq!((converted.status.code(), err(&converted).as_str()), (Some(0), ""));
    }
    folder
}

#[test]
fn duckdb_and_pandas_read_the_same_from_csv_and_from_parquet_with_the_types_of_the_page() {
    let folder = tables(&many_records());
    let script = "
import duckdb, json, pandas
types = {}
for table in 'games', 'plies':
    types[table] = duckdb.sql(f\"describe select * from '{table}.parquet'\").fetchall()
    named = {name: kind for name, kind, *_ in types[table]}
    texts = ', '.join(f\"regexp_replace({name}, '^\\'\\'', '') as {name}\" for name, kind in named.items() if kind == 'VARCHAR')
    rows = [f\"select * replace ({texts}) from read_csv('{table}.csv', columns={named})\", f\"select * from '{table}.parquet'\"]
    assert duckdb.sql(rows[0]).fetchall() == duckdb.sql(rows[1]).fetchall(), table
    parquet = pandas.read_parquet(f'{table}.parquet', dtype_backend='pyarrow')
    csv = pandas.read_csv(f'{table}.csv', dtype_backend='pyarrow', dtype=parquet.dtypes.to_dict())
    for name, kind in named.items():
        if kind == 'VARCHAR': csv[name] = csv[name].str.removeprefix(\"'\")
    pandas.testing.assert_frame_equal(csv, parquet)
print(json.dumps({table: [[name, kind] for name, kind, *_ in columns] for table, columns in types.items()}))
";
    let Some(told) = python(folder.path(), script) else { return };
    let told: Value = serde_json::from_str(&told).unwrap();
    for (table, section) in [("games", "Columns of games"), ("plies", "Columns of plies")] {
        let kind = |kind: String| match kind.as_str() {
            "integer" => "BIGINT",
            "boolean" => "BOOLEAN",
            "text" | "dice" => "VARCHAR",
            other => panic!("{other}"),
        };
        let expected: Vec<_> =
            documented(section).into_iter().map(|(name, of)| json!([name, kind(of)])).collect();
        assert_eq!(told[table], json!(expected));
    }
}

#[test]
fn the_means_of_assam_stats_are_those_of_duckdb() {
    let records = many_records();
    let folder = tables(&records);
    let script = "
import duckdb, json
for table in 'games', 'plies':
    columns = [name for name, kind, *_ in duckdb.sql(f\"describe select * from '{table}.parquet'\").fetchall() if kind in ('BIGINT', 'BOOLEAN')]
    means = ', '.join(f'avg({name}::int)' for name in columns)
    for ruleset, seats, *row in duckdb.sql(f\"select ruleset, seats, {means} from '{table}.parquet' group by all\").fetchall():
        print(json.dumps([table, ruleset, seats, dict(zip(columns, row))]))
";
    let Some(told) = python(folder.path(), script) else { return };
    let stats = out(&assam(&["stats", "-", "--json"], &records));
    let stats: Vec<Value> = stats.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut compared = 0;
    for line in told.lines() {
        let [table, ruleset, seats, means]: [Value; 4] = serde_json::from_str(line).unwrap();
        let group =
            stats.iter().find(|group| group["ruleset"] == ruleset && group["seats"] == seats).unwrap();
        let columns = &group[format!("of_{}", table.as_str().unwrap())];
        for (name, column) in columns.as_object().unwrap() {
            let (Some(mean), Some(expected)) = (column["mean"].as_f64(), means.get(name)) else { continue };
            assert!(
                (mean - expected.as_f64().unwrap()).abs() < 1e-9,
                "{ruleset} {seats} {name}: {mean} {expected}"
            );
            compared += 1;
        }
    }
    assert!(compared > 60, "{compared}");
}

#[test]
fn the_lines_for_duckdb_and_pandas_on_the_page_on_data_run() {
    let folder = tables(&out(&assam(&["random", "200", "--seats", "3", "--seed", "1"], "")));
    let page = document("docs/guides/analyse-games.md");
    let scripts: Vec<String> = blocks(&page)
        .into_iter()
        .filter(|(language, _)| language == "python")
        .map(|(_, text)| text)
        .collect();
    assert_eq!(scripts.len(), 3, "one for DuckDB, one for pandas, one that learns");
    for script in scripts {
        let Some(told) = python(folder.path(), &script) else { return };
        assert!(!told.is_empty());
    }
}
