//! Pictures of positions, for terminals and as SVG.
//!
//! Each game draws its board and fills in a panel. Everything around them is the same for all games. A
//! picture shows everything known in a position. The service draws no names, because names can be erased but
//! copies of pictures cannot.

mod canvas;
#[cfg(test)]
pub(crate) mod contrast;
mod form;
mod layout;
mod line;
mod lines;
mod panel;
mod scene;
mod style;
pub(crate) mod svg;
pub mod terminal;

pub use canvas::Canvas;
pub use form::{PictureForm, Theme};
pub use line::Line;
pub use panel::{Bounds, Panel, Picture, SeatRow, Standing, Swatch};
pub use scene::Moment;
pub(crate) use scene::{Scene, who_won};
pub use style::style;
