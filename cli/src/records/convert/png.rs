//! A picture as PNG, drawn from its SVG with the fonts of the system.

use std::collections::BTreeSet;

use fontdb::{Database, Family, Query, Style};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Group, Node, Options, Tree};
use skrifa::charmap::Charmap;
use thiserror::Error;

/// Why there is no picture.
#[derive(Error, Debug)]
pub enum NotDrawn {
    #[error(
        "a PNG needs a font for its text, but this system has none: install one (on Debian, `apt install fonts-dejavu-core`), \
         or write SVG with `--to svg`"
    )]
    NoFont,
    #[error("the picture is too large: choose a smaller --width")]
    TooLarge,
    #[error("the picture cannot be drawn: {0}")]
    Svg(#[from] resvg::usvg::Error),
    #[error("the picture cannot be written: {0}")]
    Png(String),
}

/// A picture as PNG.
pub struct Drawn {
    /// The file.
    pub bytes: Vec<u8>,
    /// The characters of its text that no font has. They are missing in the picture.
    pub missing: BTreeSet<char>,
}

/// Returns an SVG as PNG, in its size.
///
/// # Errors
/// If it cannot be drawn.
pub fn of(svg: &str) -> Result<Drawn, NotDrawn> {
    let mut options = Options::default();
    let fonts = options.fontdb_mut();
    fonts.load_system_fonts();
    let family = sans_serif(fonts).ok_or(NotDrawn::NoFont)?;
    fonts.set_sans_serif_family(&family);
    // Text without its font family is set in this one. Without it, the text would be left out.
    fonts.set_serif_family(family);
    let tree = Tree::from_str(svg, &options)?;
    let size = tree.size().to_int_size();
    let mut pixels = Pixmap::new(size.width(), size.height()).ok_or(NotDrawn::TooLarge)?;
    resvg::render(&tree, Transform::default(), &mut pixels.as_mut());
    let bytes = pixels.encode_png().map_err(|error| NotDrawn::Png(error.to_string()))?;
    let mut missing = BTreeSet::new();
    add_characters(tree.root(), &mut missing);
    missing.retain(|&character| shows(character) && !has(&options.fontdb, character));
    Ok(Drawn { bytes, missing })
}

/// Adds the characters of all text.
fn add_characters(group: &Group, characters: &mut BTreeSet<char>) {
    for node in group.children() {
        match node {
            Node::Group(group) => add_characters(group, characters),
            Node::Text(text) => {
                characters.extend(text.chunks().iter().flat_map(|chunk| chunk.text().chars()))
            }
            Node::Path(_) | Node::Image(_) => {}
        }
    }
}

/// Returns whether a character needs a glyph. Characters that only join others or choose their forms do not.
fn shows(character: char) -> bool {
    let is_silent = matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}');
    !is_silent && !character.is_whitespace() && !character.is_control()
}

/// Returns whether a font has a character.
fn has(fonts: &Database, character: char) -> bool {
    fonts.faces().any(|face| {
        let mapped = fonts.with_face_data(face.id, |data, index| {
            let font = skrifa::FontRef::from_index(data, index).ok()?;
            Charmap::new(&font).map(character)
        });
        mapped.flatten().is_some()
    })
}

/// Common system fonts, best first.
const COMMON: [Family<'static>; 8] = [
    Family::Name("DejaVu Sans"),
    Family::Name("Noto Sans"),
    Family::Name("Liberation Sans"),
    Family::Name("Segoe UI"),
    Family::Name("Helvetica Neue"),
    Family::Name("Helvetica"),
    Family::Name("Arial"),
    Family::Name("Roboto"),
];

/// Returns the font family for text: a common one, else one with sans in its name, else any.
fn sans_serif(fonts: &Database) -> Option<String> {
    let common = fonts.query(&Query { families: &COMMON, ..Query::default() });
    let common = common.and_then(|id| fonts.face(id)?.families.first());
    let upright = fonts.faces().filter(|face| face.style == Style::Normal && !face.monospaced);
    let upright = upright.filter_map(|face| face.families.first());
    let any = || fonts.faces().find_map(|face| face.families.first());
    let found = common.or_else(|| upright.min_by_key(|(name, _)| !name.contains("Sans"))).or_else(any);
    found.map(|(name, _)| name.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_no_font_has_are_found_wherever_text_stands() {
        assert!(!has(&Database::new(), 'a'));
        assert!(shows('a') && shows('山') && !shows('\u{200d}') && !shows(' ') && !shows('\u{fe0f}'));
        // No font has an unassigned character. A system without any font draws no text.
        let svg =
            "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><g><text>a\u{378}</text></g></svg>";
        match of(svg) {
            Ok(drawn) => assert_eq!(drawn.missing, BTreeSet::from(['\u{378}'])),
            Err(why) => assert!(matches!(why, NotDrawn::NoFont), "{why}"),
        }
    }

    #[test]
    fn where_there_is_no_font_the_error_names_the_way_out() {
        assert_eq!(sans_serif(&Database::new()), None);
        let told = NotDrawn::NoFont.to_string();
        assert!(told.contains("install one") && told.contains("--to svg"), "{told}");
    }
}
