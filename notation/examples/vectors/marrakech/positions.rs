//! Position lines with their legal moves, taken from games that another implementation played.
//!
//! The moves are found in the text of the line by trying every rug of the market, square by square.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::super::json::line;

const GAMES: [&str; 4] = [
    include_str!("../../../vectors/marrakech/default-2.jsonl"),
    include_str!("../../../vectors/marrakech/default-3.jsonl"),
    include_str!("../../../vectors/marrakech/default-4.jsonl"),
    include_str!("../../../vectors/marrakech/options.jsonl"),
];

/// Returns the last and fullest position of every game for each phase and number of players out.
pub fn file() -> String {
    let mut lines = String::new();
    for game in GAMES.iter().flat_map(|file| file.lines()) {
        let game: Value = serde_json::from_str(game).expect("the published games are JSON");
        let setup = text(&game["record"]).lines().next().unwrap_or_default().trim_start_matches("MKN/1 ");
        let mut kept = BTreeMap::new();
        for (entry, ply) in game["plies"].as_array().into_iter().flatten().enumerate() {
            let fields: Vec<&str> = text(&ply["position"]).split(';').collect();
            let out = if fields[8] == "-" { 0 } else { fields[8].split(',').count() };
            kept.insert((fields[4], out), (entry, ply));
        }
        let mut kept: Vec<_> = kept.into_values().collect();
        kept.sort_by_key(|&(entry, _)| entry);
        for (entry, ply) in kept {
            let position = text(&ply["position"]);
            let legal = legal(setup, position);
            assert_eq!(json!(legal.len()), ply["legal"], "{setup} {position}");
            lines.push_str(&line(&[
                ("from", json!(format!("{}, entry {entry}", text(&game["name"])))),
                ("position_line", json!(format!("{setup} position={position}"))),
                ("legal", json!(legal)),
            ]));
        }
    }
    lines
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Returns every legal decision, in alphabetical order.
fn legal(setup: &str, position: &str) -> Vec<String> {
    let fields: Vec<&str> = position.split(';').collect();
    let (assam, facing) = fields[2].split_at(2);
    match fields[4] {
        "orient" => {
            let about = match facing {
                "N" => "S",
                "S" => "N",
                "E" => "W",
                _ => "E",
            };
            ["E", "N", "S", "W"].into_iter().filter(|to| *to != about).map(str::to_owned).collect()
        }
        "lay" => {
            let taken: Vec<&str> =
                fields[1].split(',').filter(|rug| is_protected(rug, setup, &fields)).collect();
            let mut rugs = every_rug();
            rugs.retain(|rug| {
                let (one, other) = rug.split_at(2);
                let beside = distance(one, assam) == 1 || distance(other, assam) == 1;
                one != assam && other != assam && beside && !taken.contains(&&**rug)
            });
            rugs
        }
        _ => Vec::new(),
    }
}

/// Returns the names of all rugs, the western or southern square first.
fn every_rug() -> Vec<String> {
    let squares: Vec<String> =
        ('a'..='g').flat_map(|file| ('1'..='7').map(move |rank| format!("{file}{rank}"))).collect();
    let mut rugs = Vec::new();
    for one in &squares {
        rugs.extend(
            squares
                .iter()
                .filter(|other| one < *other && distance(one, other) == 1)
                .map(|other| format!("{one}{other}")),
        );
    }
    rugs
}

/// Returns the number of steps from one square to another.
fn distance(one: &str, other: &str) -> u8 {
    one.bytes().zip(other.bytes()).map(|(a, b)| a.abs_diff(b)).sum()
}

/// Returns whether the seat on turn may not cover this whole rug at once.
fn is_protected(rug: &str, setup: &str, fields: &[&str]) -> bool {
    if rug == "-" {
        return false;
    }
    let owner = owner(colour_at(fields[0], &rug[..2]), setup);
    let is_out = fields[8].split(',').any(|seat| seat == owner);
    if is_out && setup.contains(" bankrupt_rugs=open") {
        return false;
    }
    setup.contains(" cover=any") || owner != fields[3]
}

fn colour_at(board: &str, square: &str) -> char {
    let (file, rank) = (square.as_bytes()[0] - b'a', square.as_bytes()[1] - b'1');
    let row = board.split('/').nth(6 - usize::from(rank)).unwrap_or_default();
    let mut halves = row.chars().flat_map(|c| match c.to_digit(10) {
        Some(run) => vec![' '; run as usize],
        None => vec![c],
    });
    halves.nth(file.into()).unwrap_or(' ')
}

fn owner(colour: char, setup: &str) -> &'static str {
    let has_two_colours = setup.contains("seats=2") && !setup.contains("two_player=one-colour");
    let order = if has_two_colours { ["ry", "bg", "", ""] } else { ["r", "b", "y", "g"] };
    let seat = order.iter().position(|colours| colours.contains(colour));
    ["1", "2", "3", "4"][seat.unwrap_or(3)]
}
