//! The half boards of Marrakesh: points and ovals, hands and the trick on the table.

use assam_rules::marrakesh::View;

use super::svg::Canvas;
use super::terminal::Line;
use super::{Moment, Panel, Picture, Scene};

impl Picture for Scene<'_, View> {
    fn moment(&self) -> &Moment {
        self.moment
    }

    fn panel(&self) -> Panel {
        Panel {
            game: "Marrakesh",
            status: String::new(),
            hand: None,
            columns: &[],
            seats: Vec::new(),
            description: String::new(),
        }
    }

    fn draw(&self, _: &mut Canvas) {}

    fn print(&self) -> Vec<Line> {
        Vec::new()
    }
}
