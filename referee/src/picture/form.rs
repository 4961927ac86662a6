//! The form of a picture: what of it is drawn, in which colours, and how large.

/// The form of a picture as SVG. By default it is the whole picture, in its own size, in the colours of the page, without
/// names and marks.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct PictureForm {
    /// Whether only the board and its labels are drawn, without the panel and the card around both. With
    /// [`Theme::Auto`] it has no background, so that it takes that of the page.
    pub board_only: bool,
    /// The colours.
    pub theme: Theme,
    /// The width in pixels; its own size by default. Where it is narrow, the panel stands below the board.
    pub width: Option<u32>,
    /// Whether the decisions are marked that the seat on turn may make.
    pub marks_legal: bool,
    /// Names of the seats in order, which are drawn in the panel; a name that is empty is not.
    pub names: Vec<String>,
}

/// The colours of a picture.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Theme {
    /// Those of the page: light or dark, as its reader prefers.
    #[default]
    Auto,
    /// Those of a light page.
    Light,
    /// Those of a dark page.
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
