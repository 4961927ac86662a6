//! The options of pictures on the command line and over HTTP.

use roxmltree::Document;

use crate::harness::{Service, assam, err, out, sqlite};

/// A game with names in which seat 2 must lay its rug, and one in which seat 1 must turn Assam.
const NAMED: &str = "MKN/1 marrakech/1 seats=3\nseat1: Ali & Söhne\nseat3: Zoë\n\nN+3 d6e6 E+1\n*\n";
const OTHER: &str = "MKN/1 marrakech/1 seats=3\n\n*\n";
/// A match in which seat 2 must use the numbers of a trick, with nothing hidden in its file.
const MATCH: &str =
    "MKN/1 marrakesh/1 seats=2 rounds=6\n\n+223556/345566+b:6s4s2s5h5c5c+r:4h5d4dAd4c2c 5h 5d\n*\n";

/// A match in which seat 1 must reply from a hidden hand.
const HIDDEN: &str = "MKN/1 marrakesh/1 seats=2\n\n+123455/123366+b:????????????+r:5s4sAs6h5d4c 4s\n*\n";
/// The same with seat 2 leading from a hidden hand.
const HIDDEN_LEAD: &str = "MKN/1 marrakesh/1 seats=2\n\n+123455/123366+b:6s4s2s5h5c5c+r:????????????\n*\n";
/// A game that seat 3 has left, and that seat 1 wins with the same score as seat 2 but more dirhams.
const EQUAL: &str = include_str!("tie.mkn");

fn svg(options: &[&str], record: &str) -> String {
    let drawn = assam(&[&["convert", "-", "--to", "svg"], options].concat(), record);
    assert_eq!((drawn.status.code(), err(&drawn).as_str()), (Some(0), ""), "{options:?}");
    out(&drawn)
}

/// Returns the values of an attribute in a picture.
fn values(svg: &str, name: &str) -> Vec<String> {
    let document = Document::parse(svg).unwrap();
    document.descendants().filter_map(|node| node.attribute(name)).map(str::to_owned).collect()
}

#[test]
fn the_record_of_several_is_chosen_by_its_number() {
    let both = format!("{NAMED}\n{OTHER}");
    assert!(svg(&["--record", "1"], &both).contains("ply 3"));
    assert_eq!(svg(&["--record", "2"], &both), svg(&[], OTHER));
    for (options, told) in [
        (&[][..], "a picture shows one record, but this file has several: choose one with --record"),
        (&["--record", "3"], "there is no record 3: the last one is 2"),
        (&["--record", "2", "--ply", "1"], "there is no ply 1: the last one is 0"),
    ] {
        let refused = assam(&[&["convert", "-", "--to", "svg"], options].concat(), &both);
        assert_eq!((refused.status.code(), out(&refused).as_str()), (Some(1), ""));
        assert_eq!(err(&refused), format!("assam: <stdin>: {told}\n"));
    }
}

#[test]
fn names_stand_beside_the_seats_unless_they_are_not_wanted() {
    for options in [&[][..], &["--names"], &["--no-names", "--names"]] {
        let picture = svg(options, NAMED);
        let document = Document::parse(&picture).unwrap();
        let row = |seat: &str| {
            let row = document.descendants().find(|node| node.attribute("data-seat-row") == Some(seat));
            row.unwrap().descendants().filter_map(|node| node.text()).collect::<String>()
        };
        assert!(row("1").contains("Ali & Söhne") && row("3").contains("Zoë"), "{picture}");
    }
    let picture = svg(&["--names", "--no-names"], NAMED);
    assert!(!picture.contains("Ali") && !picture.contains("Zoë"), "{picture}");
    // Broad letters take more room than narrow ones, as do the two rugs of a seat.
    let drawn =
        |record: &str, name: &str| svg(&[], &record.replace("Zoë", name)).contains(&format!(">{name}<"));
    let two = "MKN/1 marrakech/1 seats=2\nseat2: Zoë\n\n+r\n*\n";
    for (name, of_three, of_two) in [("W", 17, 15), ("i", 34, 30), ("漢", 17, 15)] {
        assert!(drawn(NAMED, &name.repeat(of_three)) && !drawn(NAMED, &name.repeat(of_three + 1)), "{name}");
        assert!(drawn(two, &name.repeat(of_two)) && !drawn(two, &name.repeat(of_two + 1)), "{name}");
    }
    let long = NAMED.replace("Zoë", &"Zoë-".repeat(40));
    assert!(svg(&[], &long).contains("Zoë-Zoë") && !svg(&[], &long).contains(&"Zoë-".repeat(20)));
}

#[test]
fn a_board_alone_has_its_labels_and_no_panel() {
    for (record, square) in [(NAMED, "data-square"), (MATCH, "data-point")] {
        let (whole, board) = (svg(&[], record), svg(&["--board-only"], record));
        assert_eq!(values(&whole, square), values(&board, square));
        assert_eq!(values(&board, "data-seat-row"), Vec::<String>::new());
        assert!(!board.contains("class=\"card\"") && board.contains("<title>") && board.contains("<desc>"));
        let width = |svg: &str| values(svg, "width")[0].parse::<u32>().unwrap();
        assert!(width(&board) + 300 < width(&whole), "{board}");
    }
}

#[test]
fn a_picture_has_the_width_and_the_theme_that_are_wanted() {
    let own = svg(&["--board-only"], NAMED);
    let wide = svg(&["--board-only", "--width", "676"], NAMED);
    assert_eq!(values(&own, "viewBox"), values(&wide, "viewBox"));
    let [width, height] = ["width", "height"].map(|name| values(&own, name)[0].parse::<u32>().unwrap());
    assert_eq!(values(&wide, "width")[0], "676");
    assert_eq!(values(&wide, "height")[0], (676 * height / width).to_string());
    for (options, classes) in
        [(&[][..], "assam"), (&["--theme", "auto"], "assam"), (&["--theme", "light"], "assam light")]
    {
        assert_eq!(values(&svg(options, NAMED), "class")[0], classes);
    }
    assert_eq!(values(&svg(&["--theme", "dark"], MATCH), "class")[0], "assam dark");
    // On a page it has no background. Its colours are readable only on their backgrounds.
    assert!(!own.contains("class=\"card\""));
    for theme in ["light", "dark"] {
        assert!(svg(&["--theme", theme, "--board-only"], MATCH).contains("class=\"card\""));
    }
}

#[test]
fn what_may_be_decided_is_marked_where_that_is_wanted() {
    assert_eq!(values(&svg(&["--legal"], OTHER), "data-legal"), ["N", "E", "W"]);
    for (record, says) in [
        (NAMED, "Green bar: a rug may be laid over both squares."),
        (OTHER, "Green arrow: Assam may face there."),
    ] {
        assert!(svg(&["--legal"], record).contains(says) && !svg(&[], record).contains("Green"));
    }
    // Assam is on e7, and d6e6 may not be covered whole.
    let rugs = values(&svg(&["--legal"], NAMED), "data-legal");
    assert_eq!(rugs, ["f7g7", "f6f7", "e6f6", "e5e6", "d6d7", "c7d7"]);
    // A ring lies around a piece.
    let points = svg(&["--legal"], MATCH);
    assert!(!values(&points, "data-legal").is_empty() && points.contains("Green ring:"), "{points}");
    let document = Document::parse(&points).unwrap();
    let number = |ring: &roxmltree::Node<'_, '_>, name| ring.attribute(name).unwrap().parse::<i32>().unwrap();
    let rings =
        document.descendants().filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "circle")));
    for ring in rings.filter(|node| node.has_attribute("data-legal")) {
        let (x, y) = (number(&ring, "cx") - 14, number(&ring, "cy") - 14);
        assert!(values(&points, "transform").contains(&format!("translate({x} {y}) scale(.70)")), "{points}");
    }
    // Hidden cards are not marked, without a notice.
    for hidden in [HIDDEN, HIDDEN_LEAD] {
        let hidden = svg(&["--legal"], hidden);
        assert!(values(&hidden, "data-legal").is_empty() && !hidden.contains("Green"), "{hidden}");
    }
    let cards = svg(&["--legal", "--ply", "0"], MATCH);
    assert!(cards.contains("Green frame: the card may be played."), "{cards}");
    assert_eq!(values(&cards, "data-legal"), ["6s", "4s", "2s", "5h", "5c", "5c"], "{cards}");
    for record in [NAMED, OTHER, MATCH] {
        assert_eq!(values(&svg(&[], record), "data-legal"), Vec::<String>::new());
    }
}

#[test]
fn rugs_of_a_seat_that_is_out_have_stripes_and_a_win_by_dirhams_is_explained() {
    let [middle, end] = [svg(&["--ply", "20"], EQUAL), svg(&[], EQUAL)];
    for (picture, is_out) in [(&middle, false), (&end, true)] {
        assert!(values(picture, "data-colour").contains(&"Y".to_owned()));
        let document = Document::parse(picture).unwrap();
        for symbol in ["r", "rr", "y", "yy", "b", "bb"] {
            let name = format!("assam-rug-{symbol}");
            let rug = document.descendants().find(|node| node.attribute("id") == Some(&name)).unwrap();
            let has_stripes = rug.children().any(|node| node.attribute("class") == Some("tile"));
            assert_eq!(has_stripes, is_out && symbol.starts_with('y'), "{picture}");
        }
        assert_eq!(picture.contains("Striped: rugs that earn no payment."), is_out);
        assert_eq!(picture.contains("Of equal scores, the one with more dirhams wins."), is_out);
    }
}

#[test]
fn in_a_narrow_picture_the_panel_stands_below_the_board_and_its_text_is_as_large_as_in_a_wide_one() {
    for record in [NAMED, MATCH] {
        let own = svg(&[], record);
        let [wide, narrow] = ["560", "360"].map(|width| svg(&["--width", width], record));
        assert_eq!(values(&own, "viewBox"), values(&wide, "viewBox"));
        let sizes = |picture: &str| -> Vec<f64> {
            values(picture, "viewBox")[0].split(' ').skip(2).map(|size| size.parse().unwrap()).collect()
        };
        let (own, size) = (sizes(&own), sizes(&narrow));
        assert!(size[0] + 200.0 < own[0] && size[1] > own[1] + 150.0, "{narrow}");
        let document = Document::parse(&narrow).unwrap();
        let panel = document.descendants().find(|node| node.attribute("class") == Some("panel")).unwrap();
        let transform = panel.attribute("transform").unwrap();
        let scale: f64 = transform.split("scale(").nth(1).unwrap().trim_end_matches(')').parse().unwrap();
        assert!(scale * 360.0 / size[0] >= 1.0, "{narrow}");
        let board_only = ["--width", "360", "--board-only"];
        assert_eq!(
            values(&svg(&board_only, record), "viewBox"),
            values(&svg(&["--board-only"], record), "viewBox")
        );
    }
}

#[test]
fn options_of_pictures_are_refused_for_other_forms() {
    for options in [
        &["--record", "1"][..],
        &["--ply", "1"],
        &["--board-only"],
        &["--width", "10"],
        &["--theme", "dark"],
        &["--legal"],
        &["--names"],
        &["--no-names"],
    ] {
        let refused = assam(&[&["convert", "-", "--to", "json"], options].concat(), NAMED);
        assert_eq!((refused.status.code(), out(&refused).as_str()), (Some(2), ""), "{options:?}");
        let told = format!("assam: {} requires `--to svg` or another picture\n", options[0]);
        assert_eq!(err(&refused), told);
    }
    let refused = assam(&["convert", "-", "--to", "svg", "--width", "0"], NAMED);
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn the_service_draws_forms_as_the_program_does_but_never_names() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let stranger = service.stranger();
    let id = stranger.post_text("/v1/imports", &ended()).json()["id"].as_str().unwrap().to_owned();
    for (query, options) in [
        ("", &[][..]),
        ("?board_only=true", &["--board-only"]),
        ("?theme=dark", &["--theme", "dark"]),
        ("?theme=light&board_only=true", &["--theme", "light", "--board-only"]),
        ("?theme=auto&board_only=false", &[]),
        ("", &[]),
    ] {
        let picture = stranger.get(&format!("/v1/games/{id}/states/2.svg{query}"));
        let drawn = svg(&[&["--ply", "2", "--no-names"], options].concat(), &ended());
        assert_eq!(picture.text, drawn, "{query}");
    }
}

/// Returns a finished game with names.
fn ended() -> String {
    NAMED.replace("E+1\n*", "!abort\n= -")
}

#[cfg(feature = "png")]
mod png {
    use std::fs;

    use resvg::tiny_skia::Pixmap;

    use super::*;

    #[test]
    fn a_png_has_the_pixels_that_are_wanted_and_the_colours_of_its_theme() {
        let folder = tempfile::tempdir().unwrap();
        let pixels = |options: &[&str], record: &str| -> Pixmap {
            let path = folder.path().join("a.png");
            let to = ["convert", "-", "--to", "png", "--output", path.to_str().unwrap()];
            let drawn = assam(&[&to, options].concat(), record);
            assert_eq!((drawn.status.code(), err(&drawn).as_str()), (Some(0), ""), "{options:?}");
            Pixmap::decode_png(&fs::read(&path).unwrap()).unwrap()
        };
        for record in [NAMED, MATCH] {
            let own = pixels(&[], record);
            assert_eq!(own.width().to_string(), values(&svg(&[], record), "width")[0]);
            let [auto, light, dark] =
                ["auto", "light", "dark"].map(|theme| pixels(&["--theme", theme], record));
            assert!(auto == light && light == own && light != dark);
            let small = pixels(&["--width", "200", "--board-only"], record);
            assert_eq!(small.width(), 200);
            assert!(small.height() < own.height());
            // Its labels are readable on any background.
            assert_eq!(small.pixel(2, 2).map(|corner| corner.alpha()), Some(255));
        }
        // The text is drawn, as the picture differs without names.
        assert!(pixels(&["--width", "674"], NAMED) != pixels(&["--width", "674", "--no-names"], NAMED));
        let [one, other] = ["1", "2"].map(|ply| pixels(&["--ply", ply, "--board-only"], NAMED));
        assert!(one != other);
    }
}
