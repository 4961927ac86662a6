//! Valid combinations of seats and options.

use assam_rules::marrakech::{Colour, Options, Position, Setup, SetupError, TwoPlayer};
use assam_rules::{Game, Seat};

use super::{after, dirhams, rugs_left};

fn refused(seats: u8, options: Options) -> SetupError {
    Setup::new(seats, &options).unwrap_err()
}

#[test]
fn two_three_or_four_play() {
    for seats in [0, 1, 5, 255] {
        assert_eq!(refused(seats, Options::default()), SetupError::Seats);
    }
    for seats in 2..=4 {
        assert_eq!(Setup::new(seats, &Options::default()).unwrap().seats(), seats);
    }
}

#[test]
fn two_players_have_24_rugs_of_two_colours_or_15_of_one_three_have_15_and_four_12() {
    assert_eq!(rugs_left(&after("seats=2", "")), [24, 24]);
    assert_eq!(rugs_left(&after("seats=2 two_player=one-colour", "")), [15, 15]);
    assert_eq!(rugs_left(&after("seats=3", "")), [15, 15, 15]);
    assert_eq!(rugs_left(&after("seats=4", "")), [12, 12, 12, 12]);
    let position = after("seats=2", "");
    assert_eq!(Colour::ALL.map(|colour| position.rugs_left(colour)), [12; 4]);
}

#[test]
fn seats_own_their_colours_in_order() {
    use Colour::{Blue, Green, Red, Yellow};
    let colours = |settings: &str| -> Vec<&[Colour]> {
        let setup = *after(settings, "").setup();
        Seat::all(setup.seats()).map(|seat| setup.colours(seat)).collect()
    };
    assert_eq!(colours("seats=2"), [[Red, Yellow], [Blue, Green]]);
    assert_eq!(colours("seats=2 two_player=one-colour"), [[Red], [Blue]]);
    assert_eq!(colours("seats=4"), [[Red], [Blue], [Yellow], [Green]]);
}

#[test]
fn two_player_is_refused_with_three_or_four() {
    for two_player in [TwoPlayer::TwoColours, TwoPlayer::OneColour] {
        for seats in [3, 4] {
            let options = Options { two_player: Some(two_player), ..Options::default() };
            assert_eq!(refused(seats, options), SetupError::TwoPlayer);
        }
    }
}

#[test]
fn a_player_has_1_to_60_rugs_and_an_even_number_with_two_colours() {
    let with = |rugs| Options { rugs_per_player: Some(rugs), ..Options::default() };
    for rugs in [0, 61, 255] {
        assert_eq!(refused(3, with(rugs)), SetupError::RugsPerPlayer);
    }
    for rugs in [1, 2, 59, 60] {
        let position = Position::new(&Setup::new(3, &with(rugs)).unwrap());
        assert_eq!(rugs_left(&position), [rugs; 3]);
    }
    for rugs in [1, 3, 59] {
        assert_eq!(refused(2, with(rugs)), SetupError::OddRugs);
    }
    for rugs in [2, 60] {
        let position = Position::new(&Setup::new(2, &with(rugs)).unwrap());
        assert_eq!(Colour::ALL.map(|colour| position.rugs_left(colour)), [rugs / 2; 4]);
    }
}

#[test]
fn a_player_starts_with_0_to_999_dirhams_and_30_where_nobody_says_otherwise() {
    let with = |start_dirhams| Options { start_dirhams, ..Options::default() };
    assert_eq!(dirhams(&after("seats=3", "")), [30; 3]);
    for start in [0, 999] {
        assert_eq!(dirhams(&Position::new(&Setup::new(4, &with(start)).unwrap())), [start; 4]);
    }
    assert_eq!(refused(4, with(1000)), SetupError::StartDirhams);
}

#[test]
fn every_option_is_allowed_at_every_table_also_where_it_changes_nothing() {
    for seats in 2..=4 {
        let settings = format!(
            "seats={seats} bankrupt_rugs=open cover=any insolvency=pay-what-you-can last_standing=no \
             orientation=start region=owner rugs_per_player=2 start_dirhams=0 start_facing=W tie_break=none \
             track=nw-se"
        );
        assert_eq!(after(&settings, "").setup().seats(), seats);
    }
}
