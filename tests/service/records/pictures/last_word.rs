//! Marks of the last word in an SVG of Marrakesh.

use assam_referee::picture::Moment;
use roxmltree::{Document, Node};

use super::marrakesh::Truth;

/// Checks the marks of the last word: the piece that it moved, and the oval that it marked.
pub(super) fn check_last(document: &Document<'_>, moment: &Moment, truth: &Truth) {
    // If a round has ended, another one or none has begun, and nothing of the word is left to mark.
    let trick = truth.on_table.as_ref().filter(|_| truth.phase == "use").or(truth.finished.last());
    let (from, to, winner) = match (moment.word.as_deref().map(str::as_bytes), trick) {
        (Some([number, b'@', point, ..]), Some(trick)) => {
            let to = point.checked_sub(number - b'0').filter(|point| *point > b'0');
            (Some(*point), to, trick.winner())
        }
        _ => (None, None, None),
    };
    let all = |name: &str| -> Vec<(usize, &str)> {
        let marks = document.descendants().filter_map(|node| Some((node, node.attribute(name)?)));
        let half =
            |node: Node<'_, '_>| node.ancestors().find_map(|node| node.attribute("data-half")) == Some("2");
        marks.map(|(node, value)| (usize::from(half(node)), value)).collect()
    };
    for (name, point) in [("data-left", from), ("data-came", to)] {
        let point = point.map(|point| char::from(point).to_string());
        let expected: Vec<_> = winner.zip(point.as_deref()).into_iter().collect();
        assert_eq!(all(name), expected, "{:?}", moment.word);
    }
    let marked = moment.events.iter().map(ToString::to_string).find(|told| told.starts_with("Oval "));
    let framed = document
        .descendants()
        .find(|node| node.attribute("class").is_some_and(|class| class.ends_with("e last")));
    let framed = framed.and_then(|ellipse| ellipse.parent()).map(|oval| {
        let [oval, seat] = ["data-oval", "data-seat"].map(|name| oval.attribute(name).unwrap());
        format!("Oval {oval} of seat {seat} gets ")
    });
    match (framed, marked.filter(|_| truth.phase == "lead" && !truth.finished.is_empty())) {
        (Some(framed), Some(marked)) => assert!(marked.starts_with(&framed), "{marked}"),
        (framed, marked) => assert_eq!(framed, marked),
    }
}
