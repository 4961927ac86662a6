//! The scores of a round: offence, defence, pips.

use assam_rules::marrakesh::{BySide, Defence, Offence, Points, RoundScore, Side};

use super::script::{ovals, points};

/// Returns every way to fill three ovals with all six pieces off, as at the end of a round.
fn all_off() -> Vec<String> {
    let mut patterns = vec!["6XX".to_owned(), "06X".to_owned()];
    patterns.extend((1..6).map(|first| format!("{first}{}X", 6 - first)));
    for first in 0..=6_u8 {
        for second in 0..=6 - first {
            let third = 6 - first - second;
            if third > 0 {
                patterns.push(format!("{first}{second}{third}"));
            }
        }
    }
    patterns
}

#[test]
fn each_pattern_with_all_six_pieces_off_is_one_line_of_the_offence_and_patterns_are_ordered() {
    let mut games = 0;
    for pattern in all_off() {
        let (expected, points) = match pattern.as_str() {
            "6XX" | "06X" | "006" => (Offence::Backgammon, 12),
            "42X" => (Offence::Tangier, 9),
            "33X" => (Offence::Gibraltar, 9),
            "51X" | "24X" | "15X" => (Offence::Gammon, 6),
            "141" => (Offence::ElAyun, 12),
            "114" => (Offence::Bogart, 9),
            "222" => (Offence::Casablanca, 6),
            "312" => (Offence::Rabat, 6),
            _ => {
                games += 1;
                (Offence::Game, 3)
            }
        };
        assert_eq!(Offence::of(ovals(&pattern)), Some(expected), "{pattern}");
        assert_eq!(expected.points(), points, "{pattern}");
    }
    // 21 ways to share six pieces with at least one in the third oval. 0-0-6 and four named ones are more
    // than a game.
    assert_eq!(games, 21 - 5);
}

#[test]
fn nothing_is_scored_for_offence_while_a_piece_is_on_the_board() {
    for pattern in ["500", "311", "000", "32.", "5..", "..."] {
        assert_eq!(Offence::of(ovals(pattern)), None, "{pattern}");
    }
}

#[test]
fn null_chips_between_make_a_game_and_no_gammon() {
    for pattern in ["042", "402", "033", "303", "105"] {
        assert_eq!(Offence::of(ovals(pattern)), Some(Offence::Game), "{pattern}");
    }
}

#[test]
fn each_fez_counts_in_any_order_of_the_ovals() {
    for (patterns, fez, points) in [
        (vec!["111"], Defence::LittleFez, 4),
        (vec!["110", "101", "011"], Defence::CommonFez, 6),
        (vec!["100", "010", "001"], Defence::RoyalFez, 9),
        (vec!["000"], Defence::GrandFez, 18),
    ] {
        for pattern in patterns {
            assert_eq!(Defence::of(ovals(pattern)), Some(fez), "{pattern}");
        }
        assert_eq!(fez.points(), points);
    }
}

#[test]
fn one_null_chip_is_1_and_two_are_4_where_there_is_no_fez() {
    for pattern in ["120", "201", "021", "033", "402", "240"] {
        assert_eq!(Defence::of(ovals(pattern)), Some(Defence::OneChip), "{pattern}");
    }
    for pattern in ["200", "030", "005"] {
        assert_eq!(Defence::of(ovals(pattern)), Some(Defence::TwoChips), "{pattern}");
    }
    assert_eq!((Defence::OneChip.points(), Defence::TwoChips.points()), (1, 4));
    for pattern in ["121", "222", "42X", "311"] {
        assert_eq!(Defence::of(ovals(pattern)), None, "{pattern}");
    }
}

#[test]
fn the_null_chips_of_a_backgammon_are_ignored() {
    for pattern in ["6XX", "06X", "006"] {
        assert_eq!(Defence::of(ovals(pattern)), None, "{pattern}");
    }
}

/// Returns the points of Blue and Red in a round that ended like this.
fn round(blue: &str, blue_ovals: &str, red: &str, red_ovals: &str) -> [u8; 2] {
    let score =
        RoundScore::of(BySide([points(blue), points(red)]), BySide([ovals(blue_ovals), ovals(red_ovals)]));
    Side::BOTH.map(|side| score[side].points())
}

#[test]
fn an_opponent_who_made_game_with_a_null_chip_still_gives_chips() {
    assert_eq!(round("", "033", "1", "212"), [3, 1]);
    assert_eq!(round("", "033", "", "402"), [3 + 1, 3 + 1]);
}

#[test]
fn the_lower_pips_score_1_if_neither_player_has_all_six_pieces_off_and_equal_ones_nobody() {
    assert_eq!(round("16", "121", "26", "121"), [1, 0]);
    assert_eq!(round("66", "121", "55", "121"), [0, 1]);
    assert_eq!(round("6", "221", "123", "111"), [4, 0]);
    assert_eq!(round("6", "221", "1", "221"), [0, 1]);
    assert_eq!(round("", "213", "11", "121"), [3, 0]);
    assert_eq!(points("112446").pips(), 18);
    assert_eq!(Points::default().pips(), 0);
}

#[test]
fn a_round_brings_30_points_at_most() {
    assert_eq!(round("", "141", "666666", "000"), [30, 0]);
    assert_eq!(round("", "6XX", "111111", "000"), [30, 0]);
    let best = |of: fn(Offence) -> u8| Offence::ALL.map(of).into_iter().max();
    assert_eq!(best(Offence::points), Some(12));
    assert_eq!(Defence::ALL.map(Defence::points).into_iter().max(), Some(18));
}
