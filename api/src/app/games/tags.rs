//! The tags of a game's record, each a line: `name: value`.

use std::borrow::Cow;

use assam_notation::tag_line;
use assam_record::clock::rfc3339;
use assam_record::game::{Info, SeatKind, StoredGame};
use assam_rules::Seat;

/// Returns the tags of a game's export: the record's tags for imported games, or else the players, the start,
/// whether hints are allowed, and the id.
pub fn tags_of(game: &StoredGame) -> Cow<'_, str> {
    let info = &game.info;
    if info.imported {
        return Cow::Borrowed(&game.tags);
    }
    let named =
        info.seated().filter_map(|(seat, holder)| Some(tag_line(&seat_tag(seat), holder.name.as_ref()?)));
    let date = info.started_at.map(|started| tag_line("date", &rfc3339(started)));
    let hints = allows_hints(info).then(|| tag_line("hints", "allowed"));
    let id = tag_line("game", &info.id.to_string());
    named.chain(date).chain(hints).chain([id]).collect()
}

/// Returns whether the only player of an unrated game against built-in players may have hints.
pub fn allows_hints(info: &Info) -> bool {
    let built_in = info.seats.iter().filter(|holder| matches!(holder.kind, SeatKind::BuiltIn(_))).count();
    !info.rated && !info.imported && built_in + 1 == info.seats.len()
}

/// Returns the name of the tag that names the holder of a seat.
pub fn seat_tag(seat: Seat) -> String {
    format!("seat{}", seat.number())
}

/// Returns tags without those of a name.
pub(super) fn without_tag(tags: &str, name: &str) -> String {
    let is_other = |line: &&str| tag_name(line) != name;
    tags.split_inclusive('\n').filter(is_other).collect()
}

/// Returns the names of tags that are missing from `known` or have another value there.
pub(super) fn names_of_others(tags: &str, known: &str) -> Vec<String> {
    let is_other = |line: &&str| !known.lines().any(|known| known == *line);
    tags.lines().filter(is_other).map(|line| tag_name(line).to_owned()).collect()
}

fn tag_name(line: &str) -> &str {
    line.split_once(':').map_or(line, |(name, _)| name)
}
