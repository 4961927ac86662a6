//! Pictures of positions, for terminals and as SVG.
//!
//! A game draws its board and fills in a panel; everything around them is the same for all games. A picture shows all
//! that is known in a position, but no names: names can be erased, while pictures are copied.

mod canvas;
mod line;
mod lines;
mod panel;
mod scene;
pub(crate) mod svg;
pub mod terminal;

pub use canvas::Canvas;
pub use line::Line;
pub use panel::{Panel, Picture, SeatRow, Standing, Swatch};
pub use scene::Moment;
pub(crate) use scene::{Scene, who_won};
