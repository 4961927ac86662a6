//! Rugs as symbols of an SVG.

use assam_rules::marrakech::Colour;

use crate::picture::Canvas;

/// The weave of a rug of one colour: ground, threads, and a figure that no other colour has.
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

/// Defines half a rug and a whole one: a whole one has fringes at its ends.
pub(super) fn define(canvas: &mut Canvas, colour: Colour) {
    let letter = colour.letter();
    let Weave { ground, thread, figure } = weave(colour);
    let weft = format!("fill=\"{thread}\" fill-rule=\"evenodd\"");
    canvas.group("defs", format_args!(""), |canvas| {
        canvas.group("g", format_args!("id=\"assam-rug-{letter}\" {weft}"), |canvas| {
            canvas.shape(format_args!("path fill=\"{ground}\" d=\"M4 4h32v32h-32z\""));
            canvas.shape(format_args!(
                "path fill=\"none\" stroke=\"{thread}\" stroke-width=\"1.5\" stroke-dasharray=\"2\" d=\"M7 7h26v26h-26z\""
            ));
            canvas.shape(format_args!("path transform=\"translate(20 20)\" d=\"{figure}\""));
        });
        canvas.group("g", format_args!("id=\"assam-rug-{letter}{letter}\" {weft}"), |canvas| {
            canvas.shape(format_args!(
                "path fill=\"none\" stroke=\"{ground}\" stroke-width=\"4\" stroke-dasharray=\"1.5\" d=\"M4 5v30M76 5v30\""
            ));
            canvas.shape(format_args!("path fill=\"{ground}\" d=\"M5 4h70v32h-70z\""));
            canvas.shape(format_args!(
                "path fill=\"none\" stroke=\"{thread}\" stroke-width=\"1.5\" d=\"M8 7h64v26h-64z\""
            ));
            canvas.shape(format_args!("path transform=\"translate(24 20)\" d=\"{figure}\""));
            canvas.shape(format_args!("path transform=\"translate(56 20)\" d=\"{figure}\""));
        });
    });
}
