//! Records cut off or damaged at every place never panic, and half a game is never taken for a whole one.

use assam_notation::ErrorKind;
use assam_rules::marrakech::Position;

use super::read;
use crate::laws::reading::record_is_read;

/// Records of every kind, in file form.
const RECORDS: [&str; 6] = [
    "MKN/1 marrakech/1 seats=3 cover=any\nseat1: Zo\u{eb} \u{5c71}\ndate: 2026-11-20\n\nN+3 d6e6\nE+2 f5f6\nS+4 e3e4\n*\n",
    "MKN/1 marrakech/1 seats=2 rugs_per_player=2\n\n+r\nN+1 d6d7+b\nE+1 f5g5+y\nN+1 e7f7+g\nN+1 f6f7\n= 35 32\n",
    "MKN/1 marrakech/1 seats=2 orientation=end rugs_per_player=1 two_player=one-colour\n\n+1\nd6d7 E+1\nf5g5\n= 32 32\n",
    "MKN/1 marrakech/1 seats=4\n\nN+1\n!resign3\n!timeout1\n!resign4\n= 0 30 0 0\n",
    "MKN/1 marrakech/1 seats=3 last_standing=no orientation=end start_dirhams=1\n\n+1\nd6d7 N+1+1+2\n*\n",
    "MKN/1 marrakech/1 seats=3\r\n\r\nN+3 d6e6\r\n!abort\r\n= -\r\n",
];

#[test]
fn a_record_cut_off_anywhere_is_refused() {
    for text in RECORDS {
        assert_eq!(read(text).verdict, Ok(()), "{text}");
        let whole = text.trim_end().len();
        for cut in 0..text.len() {
            let part = &text.as_bytes()[..cut];
            // Half a line end is a lone CR, which is refused.
            let is_whole = cut >= whole && !part.ends_with(b"\r");
            assert_eq!(read(part).verdict.is_ok(), is_whole, "{:?}", String::from_utf8_lossy(part));
        }
    }
}

#[test]
fn a_record_cut_off_between_two_words_says_that_its_end_is_missing() {
    for text in RECORDS {
        let body = text.find("\n\n").map_or_else(|| text.find("\r\n\r\n").unwrap() + 4, |at| at + 2);
        let words = text[body..].split_inclusive([' ', '\n']);
        let mut cut = body;
        for word in words {
            if word.starts_with(['*', '=']) {
                break;
            }
            let error = read(&text[..cut]).verdict.unwrap_err();
            assert_eq!(error.kind, ErrorKind::MissingMarker, "{:?}", &text[..cut]);
            cut += word.len();
        }
    }
}

#[test]
fn a_damaged_byte_never_panics_and_what_is_kept_is_always_a_game() {
    let odd = b"\0\t\n\r +-*=!?:/0159NSEWadgzrybg\x7f\x80\xc3\xef\xff";
    let mut accepted = 0;
    for text in RECORDS {
        for at in 0..text.len() {
            for &byte in odd {
                let mut damaged = text.as_bytes().to_vec();
                damaged[at] = byte;
                accepted += u32::from(check(&damaged));
            }
        }
    }
    assert!(accepted > 0, "white space for white space changes nothing");
}

#[test]
fn a_byte_too_many_or_too_few_never_panics() {
    for text in RECORDS {
        for at in 0..text.len() {
            let mut damaged = text.as_bytes().to_vec();
            damaged.remove(at);
            check(&damaged);
            for &byte in b"\0\n\r +*=!1Ea\xff" {
                let mut damaged = text.as_bytes().to_vec();
                damaged.insert(at, byte);
                check(&damaged);
            }
        }
    }
}

#[test]
fn two_halves_of_different_records_never_panic() {
    for first in RECORDS {
        for second in RECORDS {
            for cut in 0..first.len().min(second.len()) {
                let mut damaged = first.as_bytes()[..cut].to_vec();
                damaged.extend(&second.as_bytes()[cut..]);
                check(&damaged);
            }
        }
    }
}

/// Checks the laws of reading, and returns whether the record is accepted.
fn check(bytes: &[u8]) -> bool {
    record_is_read::<Position>(bytes).verdict.is_ok()
}
