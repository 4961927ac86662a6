//! What the texts, numbers and lists of the states and events of Marrakech are held to.

use crate::shown::Bound;

const SEAT: &str = r#"{"minimum": 1, "maximum": 4}"#;
const COLOUR: &str = r#"{"pattern": "^[rybg]$"}"#;
const DIRHAMS: &str = r#"{"minimum": 0, "maximum": 65535}"#;

pub(super) const BOUNDS: &[Bound] = &[
    ("MarrakechState.seat", SEAT),
    ("MarrakechState.hand", COLOUR),
    ("MarrakechState.board", r#"{"minItems": 7, "maxItems": 7}"#),
    ("MarrakechState.board[]", r#"{"pattern": "^[.rybg]{7}$"}"#),
    // 49 squares have room for no more.
    ("MarrakechState.whole_rugs", r#"{"maxItems": 24}"#),
    ("MarrakechState.whole_rugs[]", r#"{"pattern": "^[a-g][1-7][a-g][1-7]$"}"#),
    ("MarrakechState.seats", r#"{"minItems": 2, "maxItems": 4}"#),
    ("Assam.square", r#"{"pattern": "^[a-g][1-7]$"}"#),
    ("MarrakechSeatState.seat", SEAT),
    ("MarrakechSeatState.colours", r#"{"minItems": 1, "maxItems": 2}"#),
    ("MarrakechSeatState.colours[]", COLOUR),
    ("MarrakechSeatState.dirhams", DIRHAMS),
    ("MarrakechSeatState.rugs_left{}", r#"{"minimum": 0, "maximum": 255}"#),
    ("MarrakechSeatState.visible", r#"{"minimum": 0, "maximum": 49}"#),
    ("MarrakechSeatState.score", r#"{"minimum": 0, "maximum": 65584}"#),
    ("MarrakechSeatState.out", SEAT),
    ("Payment.payer", SEAT),
    ("Payment.payee", SEAT),
    ("Payment.due", DIRHAMS),
    ("Payment.paid", DIRHAMS),
];
