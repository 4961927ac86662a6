//! Records of random games, damaged at random: the laws of reading hold for any damage.
//!
//! Each mutation depends only on its number and the number of its game.

use assam_notation::{RecordText, read_record, write_position_line};
use assam_rules::marrakech::Position;
use assam_rules::{Game, Turn};

use super::records::canonical;
use super::table::for_every_game;
use crate::dice::Dice;
use crate::laws::reading::{position_line_is_read, record_is_read, setup_line_is_read, stream_is_split};

/// Texts to insert as damage, most of them with a meaning.
const PIECES: &[&[u8]] = &[
    b"",
    b" ",
    b"\n",
    b"\r\n",
    b"\r",
    b"\t",
    b"\0",
    b"+",
    b"*",
    b"=",
    b"-",
    b"!",
    b";",
    b":",
    b"/",
    b"0",
    b"1",
    b"9",
    b"N",
    b"S",
    b"r",
    b"g",
    b"d4",
    b"d6e6",
    b"+3",
    b"+b",
    b"*\n",
    b"= - ",
    b"!abort ",
    b"!resign1 ",
    b" cover=any",
    b"MKN/1 ",
    b"\nMKN/1 marrakech/1 seats=2\n",
    b"note: x\n",
    b"\x7f",
    b"\x80",
    b"\xff",
    b"\xc3\xa9",
    b"\xef\xbb\xbf",
    b"\xe2\x80\xa8",
    b"65536",
    b"-2147483649",
];

#[test]
fn damaged_records_keep_every_law_of_reading_and_their_undamaged_words() {
    let damaged = for_every_game(2_000, |table| {
        let mut table = table.finish();
        let text = canonical(&table);
        let record = read_record::<Position>(&text);
        let whole = if table.dice.below(2) == 0 { text } else { record.file_form() };
        for _ in 0..8 {
            let mut bytes = whole.clone().into_bytes();
            for _ in 0..=table.dice.below(3) {
                damage(&mut bytes, &mut table.dice);
            }
            let read = record_is_read::<Position>(&bytes);
            let same = whole.bytes().zip(&bytes).take_while(|(a, b)| a == *b).count();
            let body = whole.find("\n\n").unwrap() + 2;
            // Text, lines and head are checked before the first word.
            if let Some(undamaged) = whole.get(body..same).filter(|_| RecordText::read(&bytes).is_ok()) {
                // The last of them may be cut.
                let words = undamaged.split_ascii_whitespace().count().saturating_sub(1);
                let words = words.min(record.words.len());
                assert!(read.words.len() >= words, "{:?}", String::from_utf8_lossy(&bytes));
                assert_eq!(read.words[..words], record.words[..words]);
            }
            stream_is_split(&bytes);
        }
        8
    });
    assert_eq!(damaged, 16_000);
}

#[test]
fn damaged_first_lines_keep_every_law_of_reading() {
    let accepted = for_every_game(4_000, |table| {
        let mut table = table.finish();
        let text = canonical(&table);
        let first = text.lines().next().unwrap();
        (0..8)
            .filter(|_| {
                let mut bytes = first.as_bytes().to_vec();
                damage(&mut bytes, &mut table.dice);
                setup_line_is_read::<Position>(&String::from_utf8_lossy(&bytes)).is_ok()
            })
            .count() as u64
    });
    assert!(accepted > 300, "{accepted}");
}

#[test]
fn damaged_position_lines_keep_every_law_of_reading() {
    let accepted = for_every_game(1_000, |mut table| {
        let moves = table.dice.below(60);
        for _ in 0..moves {
            if let Some(mv) = table.choose() {
                table.make(mv);
            }
        }
        // A position line is written between two words, so due draws come first.
        while table.position.turn() == Turn::Chance {
            let drawn = table.choose().expect("something is due");
            table.make(drawn);
        }
        let line = write_position_line(&table.position);
        assert_eq!(position_line_is_read(&line).as_ref(), Ok(&table.position), "{line}");
        (0..8)
            .filter(|_| {
                let mut bytes = line.clone().into_bytes();
                damage(&mut bytes, &mut table.dice);
                position_line_is_read::<Position>(&String::from_utf8_lossy(&bytes)).is_ok()
            })
            .count() as u64
    });
    assert!(accepted > 100, "{accepted}");
}

/// Flips a bit, inserts or replaces something, cuts, swaps two stretches, or doubles one.
fn damage(bytes: &mut Vec<u8>, dice: &mut Dice) {
    let at = dice.below(bytes.len() as u64 + 1) as usize;
    let stretch = (dice.below(12) as usize).min(bytes.len() - at);
    match dice.below(8) {
        0 if at < bytes.len() => bytes[at] ^= 1 << dice.below(8),
        0 | 1 => bytes.truncate(at),
        2 | 3 => drop(bytes.splice(at..at, dice.pick(PIECES).iter().copied())),
        4 | 5 => drop(bytes.splice(at..at + stretch, dice.pick(PIECES).iter().copied())),
        6 => {
            let to = dice.below((bytes.len() - stretch) as u64 + 1) as usize;
            let moved: Vec<u8> = bytes.drain(at..at + stretch).collect();
            bytes.splice(to..to, moved);
        }
        _ => bytes.extend_from_within(at..at + stretch),
    }
}
