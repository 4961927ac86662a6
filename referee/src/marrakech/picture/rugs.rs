//! Rugs as symbols of an SVG.

use assam_rules::marrakech::Colour;

use crate::picture::Canvas;

/// The weave of a rug of one colour: ground, threads, and a figure unique to the colour.
struct Weave {
    ground: &'static str,
    thread: &'static str,
    /// A path around the middle of a half.
    figure: &'static str,
}

fn weave(colour: Colour) -> Weave {
    let (ground, thread, figure) = match colour {
        // A lozenge in a lozenge.
        Colour::Red => ("#b3362c", "#f6cfb4", "M0-9l9 9-9 9-9-9zm0 5l-4 4 4 4 4-4z"),
        // A cross.
        Colour::Yellow => ("#e0a92f", "#5c3d05", "M-3-9h6v6h6v6h-6v6h-6v-6h-6v-6h6z"),
        // Three waves.
        Colour::Blue => (
            "#2b5788",
            "#cfe3f5",
            "M-9-6l4.5-3 4.5 3 4.5-3 4.5 3v3l-4.5-3-4.5 3-4.5-3-4.5 3zm0 7l4.5-3 4.5 3 4.5-3 4.5 3v3l-4.5-3-4.5 3-4.5-3-4.5 3zm0 7l4.5-3 4.5 3 4.5-3 4.5 3v3l-4.5-3-4.5 3-4.5-3-4.5 3z",
        ),
        // A ring.
        Colour::Green => {
            ("#3f8049", "#e2f2c6", "M-9 0a9 9 0 1 1 18 0 9 9 0 1 1-18 0zm4 0a5 5 0 1 0 10 0 5 5 0 1 0-10 0z")
        }
    };
    Weave { ground, thread, figure }
}

/// Defines half a rug and a whole one, with fringes at its ends. An edge in the colour of its threads
/// separates a rug from the tiles, on light and dark pages. A rug without payments has stripes.
pub(super) fn define(canvas: &mut Canvas, colour: Colour, is_out: bool) {
    let letter = colour.letter();
    let Weave { ground, thread, figure } = weave(colour);
    let weft = format!("fill=\"{thread}\" stroke=\"{thread}\" fill-rule=\"evenodd\"");
    let place_figure = |canvas: &mut Canvas, x: i32| {
        canvas.shape(format_args!("use href=\"#assam-figure-{letter}\" x=\"{x}\" y=\"20\""));
    };
    canvas.shape(format_args!("path id=\"assam-figure-{letter}\" stroke-width=\"0\" d=\"{figure}\""));
    canvas.group("g", format_args!("id=\"assam-rug-{letter}\" {weft}"), |canvas| {
        canvas.shape(format_args!("path fill=\"{ground}\" d=\"M4 4h32v32h-32z\""));
        canvas.shape(format_args!(
            "path fill=\"none\" stroke-width=\"1.5\" stroke-dasharray=\"2\" d=\"M7 7h26v26h-26z\""
        ));
        place_figure(canvas, 20);
        draw_stripes(canvas, 36, is_out);
    });
    canvas.group("g", format_args!("id=\"assam-rug-{letter}{letter}\" {weft}"), |canvas| {
        let fringes = "d=\"M4 5v30M76 5v30\"";
        canvas.shape(format_args!("path stroke-width=\"4\" {fringes}"));
        canvas.shape(format_args!(
            "path stroke=\"{ground}\" stroke-width=\"4\" stroke-dasharray=\"1.5\" {fringes}"
        ));
        canvas.shape(format_args!("path fill=\"{ground}\" d=\"M5 4h70v32h-70z\""));
        canvas.shape(format_args!("path fill=\"none\" stroke-width=\"1.5\" d=\"M8 7h64v26h-64z\""));
        place_figure(canvas, 24);
        place_figure(canvas, 56);
        draw_stripes(canvas, 76, is_out);
    });
}

/// Draws stripes in the colour of the tiles across a rug, up to its eastern end.
fn draw_stripes(canvas: &mut Canvas, east: i32, is_out: bool) {
    if is_out {
        let stripes: String = (8..east).step_by(8).map(|x| format!("M{x} 3h3v34h-3z")).collect();
        canvas.shape(format_args!("path class=\"tile\" stroke-width=\"0\" d=\"{stripes}\""));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::contrast::{SIGN, assert_apart, colours, contrast};

    #[test]
    fn every_rug_stands_out_from_the_tiles_and_its_figure_from_its_ground() {
        for Weave { ground, thread, .. } in Colour::ALL.map(weave) {
            assert_apart(SIGN, thread, ground);
            for tile in colours("tile", "fill") {
                let seen = contrast(ground, tile).max(contrast(thread, tile));
                assert!(seen >= SIGN, "{ground} with {thread} on {tile} has {seen:.2} to 1");
            }
        }
    }

    #[test]
    fn marks_of_decisions_stand_out_from_every_rug_and_from_the_tiles() {
        let tiles = colours("tile", "fill");
        let marks = colours("legal", "fill").into_iter().zip(colours("legal", "stroke"));
        for ((fill, rim), tile) in marks.zip(tiles) {
            for under in Colour::ALL.map(|colour| weave(colour).ground).into_iter().chain([tile]) {
                let seen = contrast(fill, under).max(contrast(rim, under));
                assert!(seen >= SIGN, "{fill} with {rim} on {under} has {seen:.2} to 1");
            }
        }
    }
}
