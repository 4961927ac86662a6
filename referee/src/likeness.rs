//! Names that are like others: what was probably meant.

/// How alike a name must be to what was written to be offered in its place, from 0 to 1.
const ALIKE: f64 = 0.8;

/// Returns the known name that is most like what was written, if one is like it at all.
pub fn likeliest<'a>(written: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let likeness = |name: &str| strsim::jaro_winkler(written, name);
    let best = known.max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    best.filter(|name| likeness(name) >= ALIKE)
}
