//! Measures the cost of a picture of a position, compared with the position line of the same position.
//!
//! Run it with `cargo bench -p assam --bench pictures`. docs/performance.md explains the figures.

#[path = "../../notation/benches/speed/side_by_side.rs"]
mod side_by_side;

use assam_referee::picture::terminal::WIDTH;
use assam_referee::picture::{Moment, PictureForm};
use assam_referee::{Setup, Table};

use side_by_side::{Task, compare};

fn main() {
    let marrakech: Vec<String> = include_str!("../../notation/vectors/marrakech/positions.jsonl")
        .lines()
        .map(|vector| field(vector, "position_line"))
        .collect();
    measure("marrakech/1", &marrakech);
    let marrakesh: Vec<String> = include_str!("../../notation/vectors/marrakesh/masked.jsonl")
        .lines()
        .map(|vector| {
            let record = field(vector, "record");
            let setup = record.lines().next().unwrap_or_default().trim_start_matches("MKN/1 ");
            format!("{setup} position={}", field(vector, "position"))
        })
        .collect();
    measure("marrakesh/1", &marrakesh);
}

/// Returns a text member of a vector.
fn field(vector: &str, name: &str) -> String {
    let vector: serde_json::Value = serde_json::from_str(vector).expect("a vector is a JSON object");
    vector[name].as_str().expect("every vector has this text").to_owned()
}

fn measure(ruleset: &str, lines: &[String]) {
    println!("\n{ruleset}: positions of the vectors\n");
    let table =
        |line: &String| Setup::read_position_line(line).expect("the line is that of a position").table();
    let tables: Vec<Box<dyn Table>> = lines.iter().map(table).collect();
    let moment = Moment { ply: 1, word: None, events: Vec::new() };
    let form = PictureForm::default();
    let bytes = tables.iter().map(|table| table.svg(&moment, &form).len()).sum();
    compare(
        ("pictures", tables.len(), bytes),
        &[
            Task::each("the position line", &tables, |table| table.position_line()),
            Task::each("SVG", &tables, |table| table.svg(&moment, &form)),
            Task::each("lines for a terminal", &tables, |table| table.screen(&moment, WIDTH)),
        ],
    );
}
