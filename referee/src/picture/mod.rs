//! Pictures of positions, for terminals and as SVG.
//!
//! A game draws its board and fills in a panel; everything around them is the same for all games. A picture shows all
//! that is known in a position. The service draws no names: names can be erased, while pictures are copied.

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
