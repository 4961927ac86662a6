//! The players of Marrakech.

use assam_rules::marrakech::Position;

use crate::Playable;

impl Playable for Position {}
