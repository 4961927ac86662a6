//! Finds the known name that was probably meant.

/// The least likeness at which a known name is offered, from 0 to 1.
const ALIKE: f64 = 0.8;

/// Returns the known name that is most like the written one, if any is like it at all.
pub fn likeliest<'a>(written: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let likeness = |name: &str| strsim::jaro_winkler(written, name);
    let best = known.max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    best.filter(|name| likeness(name) >= ALIKE)
}
