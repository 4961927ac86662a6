//! Pictures as SVG: self-contained, for light and dark pages, with a description for screen readers.

use super::layout::PanelLayout;
use super::{Bounds, Canvas, Picture, PictureForm, Theme, style};

/// The space between the border and the board with its labels.
const EDGE: i32 = 8;

/// Renders a picture.
pub fn render(picture: &impl Picture, form: &PictureForm) -> String {
    let panel = picture.panel();
    let moment = picture.moment();
    let Bounds { left, top, right, bottom } = picture.bounds();
    let board = (right - left, bottom - top);
    let framed = (board.0 + 2 * EDGE, board.1 + 2 * EDGE);
    let layout = PanelLayout::of(&panel, form, &moment.told(), framed);
    let (edge, (width, height)) = if form.board_only { (0, board) } else { (EDGE, layout.size(framed)) };
    let pixels = form.width.map_or((width as u32, height as u32), |pixels| {
        let tall = u64::from(pixels) * height as u64 / width as u64;
        (pixels, u32::try_from(tall).unwrap_or(u32::MAX).max(1))
    });
    let (classes, key, ply) = (form.theme.classes(), panel.key, moment.ply);
    let mut canvas = Canvas::default();
    let root = format_args!(
        "xmlns=\"http://www.w3.org/2000/svg\" class=\"{classes}\" data-game=\"{key}\" data-ply=\"{ply}\" \
         viewBox=\"0 0 {width} {height}\" width=\"{}\" height=\"{}\" role=\"img\" \
         font-family=\"system-ui,sans-serif\" font-size=\"13\"",
        pixels.0, pixels.1
    );
    canvas.group("svg", root, |canvas| {
        let hand = panel.hand.map_or(String::new(), |hand| format!(", {} in hand", hand.name));
        let title = format!("{}, ply {ply}: {}{hand}", panel.game, panel.status);
        canvas.text("title", format_args!(""), &title);
        canvas.text("desc", format_args!(""), &panel.description);
        canvas.text("style", format_args!(""), &style());
        if !form.board_only {
            canvas.shape(format_args!(
                "rect class=\"card\" x=\".5\" y=\".5\" width=\"{}\" height=\"{}\" rx=\"10\"",
                width - 1,
                height - 1
            ));
        } else if form.theme != Theme::Auto {
            // The page may have other colours.
            canvas.shape(format_args!(
                "rect class=\"card\" stroke-width=\"0\" width=\"{width}\" height=\"{height}\""
            ));
        }
        let place =
            format_args!("data-board=\"{key}\" transform=\"translate({} {})\"", edge - left, edge - top);
        canvas.group("g", place, |canvas| picture.draw(canvas));
        if !form.board_only {
            layout.draw(canvas);
        }
    });
    canvas.0
}
