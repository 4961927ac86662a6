//! The form of a picture: its parts, colours and size.

/// The form of a picture as SVG. The default is the whole picture at its original size, in the colours of the
/// page, without names and marks.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct PictureForm {
    /// Whether to draw only the board and its labels, without the panel and the card around both. With
    /// [`Theme::Auto`] it has no background and shows the page's.
    pub board_only: bool,
    /// The colours.
    pub theme: Theme,
    /// The width in pixels, by default the original one. On a narrow picture, the panel moves below the
    /// board.
    pub width: Option<u32>,
    /// Whether to mark the legal decisions of the seat on turn.
    pub marks_legal: bool,
    /// The names of the seats in order, drawn in the panel unless empty.
    pub names: Vec<String>,
}

/// The colours of a picture.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Theme {
    /// The page's colours: light or dark, as the reader prefers.
    #[default]
    Auto,
    /// The colours of a light page.
    Light,
    /// The colours of a dark page.
    Dark,
}

impl Theme {
    /// Returns the classes of the root of a picture.
    pub(super) const fn classes(self) -> &'static str {
        match self {
            Self::Auto => "assam",
            Self::Light => "assam light",
            Self::Dark => "assam dark",
        }
    }
}
