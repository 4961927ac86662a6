//! Payments, and players who are out by one.

use super::{ONE_COLOUR, after, assam, dirhams, out, payment, payments, refused, rugs_left, turn};

#[test]
fn who_stops_on_a_rug_of_another_player_pays_its_owner_a_dirham_a_square_of_the_field() {
    assert_eq!(payment("seats=3", "N+1 d6d7 N+1"), Some((2, 1, 2, 2, false)));
    assert_eq!(dirhams(&after("seats=3", "N+1 d6d7 N+1")), [32, 28, 30]);
    assert_eq!(turn(&after("seats=3", "N+1 d6d7 N+1")), "2 rug");
}

#[test]
fn nobody_pays_on_a_bare_square() {
    assert_eq!(payment("seats=3", "N+1"), None);
    assert_eq!(payment("seats=3", "N+1 d6d7 E+1"), None);
}

#[test]
fn nobody_pays_for_passing_over_a_rug() {
    assert_eq!(payment("seats=3", "N+1 d6e6 N+2"), None);
}

#[test]
fn nobody_pays_on_his_own_rug() {
    let words = "N+1 d6d7 N+1 c6c7 N+1";
    assert_eq!(assam(&after(ONE_COLOUR, words)), "d7N");
    assert_eq!(payment(ONE_COLOUR, words), None);
    assert_eq!(payment("seats=3", words), Some((3, 1, 2, 2, false)), "the third of three does");
}

#[test]
fn nobody_pays_on_either_of_his_own_two_colours() {
    // Seat 1 has a yellow rug in hand and stops on his red one.
    for region in ["colour", "owner"] {
        let settings = format!("seats=2 region={region}");
        assert_eq!(payment(&settings, "+r N+1 d6d7+b N+1 c6c7+y N+1"), None);
    }
}

/// Red lies on d6d7 and on `rug`. The last word brings seat 3 to one of them.
fn field_with(rug: &str, last: &str) -> Option<(u8, u8, u16, u16, bool)> {
    payment("seats=3", &format!("N+1 d6d7 E+2 g5g6 S+1 f2f3 W+1 {rug} W+1 d2d3 {last}"))
}

#[test]
fn a_field_grows_over_sides_and_not_over_corners() {
    assert_eq!(field_with("e5f5", "N+2"), Some((3, 1, 2, 2, false)));
    assert_eq!(field_with("d5e5", "N+2"), Some((3, 1, 4, 4, false)));
    assert_eq!(field_with("d5e5", "N+1"), Some((3, 1, 4, 4, false)));
}

#[test]
fn a_field_grows_over_none_of_the_four_corners() {
    // Red lies on d6d7 and south-east or south-west of it. The last word stops on one of them.
    let east = "N+1 d6d7 E+2 g5g6 S+1 f2f3 W+1 e5f5";
    let west = "N+1 d6d7 W+2 a5a6 S+1 b2b3 E+1 b5c5";
    for (words, on) in [(format!("{east} W+1 d2d3 N+2"), "d6N"), (format!("{west} E+1 d2d3 N+2"), "d6N")] {
        assert_eq!(assam(&after("seats=3", &words)), on);
        assert_eq!(payment("seats=3", &words), Some((3, 1, 2, 2, false)), "{words}");
    }
    for (words, on) in [(format!("{east} N+1"), "e5N"), (format!("{west} N+1"), "c5N")] {
        assert_eq!(assam(&after("seats=3", &words)), on);
        assert_eq!(payment("seats=3", &words), Some((2, 1, 2, 2, false)), "{words}");
    }
}

#[test]
fn a_field_does_not_grow_round_the_border() {
    // Red lies at both ends of the market: a3b3 and g2g3.
    let words = "W+3 a3b3 N+1 b5b6 E+4 e6f6 S+3 d1d2 E+1 g2g3 E+1";
    assert_eq!(payment(ONE_COLOUR, words), Some((2, 1, 2, 2, false)));
}

#[test]
fn only_what_is_visible_joins_a_field() {
    // Half of the red rug is covered by a blue one: one square is left to pay for.
    let words = "N+1 d6d7 N+1 d7e7 W+1 b5b6 N+1 a7b7 E+1 b7c7 S+1";
    assert_eq!(payment(ONE_COLOUR, words), Some((2, 1, 1, 1, false)));
}

#[test]
fn with_two_colours_the_colours_do_not_join_unless_the_region_is_the_owners() {
    let words = "+r N+1 d6d7+b E+1 f5g5+y N+1 e7f7+b W+1";
    assert_eq!(payment("seats=2", words), Some((2, 1, 2, 2, false)));
    assert_eq!(payment("seats=2 region=colour", words), Some((2, 1, 2, 2, false)));
    assert_eq!(payment("seats=2 region=owner", words), Some((2, 1, 4, 4, false)));
}

#[test]
fn the_rugs_of_another_owner_never_join_a_field() {
    for region in ["colour", "owner"] {
        let settings = format!("seats=3 region={region}");
        assert_eq!(payment(&settings, "N+1 d6d7 W+1 c6c7 N+1"), Some((3, 2, 2, 2, false)));
    }
}

/// Seat 2 owes 2 dirhams.
const OWES_TWO: &str = "N+1 d6d7 N+1";

#[test]
fn who_cannot_pay_in_full_pays_all_he_has_and_is_out_at_once() {
    let settings = "seats=3 start_dirhams=1";
    assert_eq!(payment(settings, OWES_TWO), Some((2, 1, 2, 1, true)));
    let position = after(settings, OWES_TWO);
    assert_eq!(dirhams(&position), [2, 0, 1]);
    assert_eq!(out(&position), [2]);
    assert_eq!(rugs_left(&position), [14, 0, 15]);
    assert_eq!(turn(&position), "3 orient", "he lays no rug this turn");
}

#[test]
fn who_pays_exactly_his_last_dirham_stays_in() {
    let settings = "seats=3 start_dirhams=2";
    assert_eq!(payment(settings, OWES_TWO), Some((2, 1, 2, 2, false)));
    let position = after(settings, OWES_TWO);
    assert_eq!((dirhams(&position), out(&position)), (vec![4, 0, 2], vec![]));
    assert_eq!(turn(&position), "2 rug");
}

#[test]
fn with_eliminate_at_zero_who_pays_exactly_his_last_dirham_is_out() {
    let settings = "seats=3 insolvency=eliminate-at-zero start_dirhams=2";
    assert_eq!(payment(settings, OWES_TWO), Some((2, 1, 2, 2, true)));
    let position = after(settings, OWES_TWO);
    assert_eq!((dirhams(&position), out(&position)), (vec![4, 0, 2], vec![2]));
    assert_eq!(turn(&position), "3 orient");
}

#[test]
fn with_eliminate_at_zero_who_cannot_pay_is_out_and_who_keeps_a_dirham_stays() {
    let settings = |dirhams| format!("seats=3 insolvency=eliminate-at-zero start_dirhams={dirhams}");
    assert_eq!(payment(&settings(1), OWES_TWO), Some((2, 1, 2, 1, true)));
    assert_eq!(payment(&settings(3), OWES_TWO), Some((2, 1, 2, 2, false)));
}

#[test]
fn with_pay_what_you_can_nobody_is_out_and_he_lays_his_rug() {
    for (start, paid) in [(0, 0), (1, 1), (2, 2), (3, 2)] {
        let settings = format!("seats=3 insolvency=pay-what-you-can start_dirhams={start}");
        assert_eq!(payment(&settings, OWES_TWO), Some((2, 1, 2, paid, false)));
        assert_eq!(turn(&after(&settings, OWES_TWO)), "2 rug");
    }
}

#[test]
fn without_a_dirham_one_stays_in_until_one_owes() {
    for insolvency in ["eliminate", "eliminate-at-zero"] {
        let settings = format!("seats=3 insolvency={insolvency} start_dirhams=0");
        assert_eq!(turn(&after(&settings, "N+1 d6d7 E+1")), "2 rug");
        assert_eq!(payment(&settings, OWES_TWO), Some((2, 1, 2, 0, true)));
    }
}

#[test]
fn nobody_pays_on_the_rugs_of_a_player_who_is_out() {
    for bankrupt_rugs in ["inert", "open"] {
        let settings = format!("seats=3 bankrupt_rugs={bankrupt_rugs}");
        assert_eq!(payment(&settings, "N+1 d6d7 !resign1 N+1"), None);
        assert_eq!(turn(&after(&settings, "N+1 d6d7 !resign1 N+1")), "2 rug");
    }
}

#[test]
fn a_player_who_is_out_does_not_turn_assam_and_his_successor_rolls_in_the_same_word() {
    // Seat 2 is out on d6. Assam still faces North, and seat 3 rolls.
    let settings = "seats=3 last_standing=no orientation=end start_dirhams=1";
    let chained = "+1 d6d7 N+1+1";
    assert_eq!(refused(settings, "+1 d6d7 N+1"), "notation.word.lacks-chance");
    let both = payments("seats=4 last_standing=no orientation=end start_dirhams=1", "+1 d6d7 N+1+1+3");
    assert_eq!(
        both.iter().map(|p| (p.payer.number(), p.due, p.paid)).collect::<Vec<_>>(),
        [(2, 2, 1), (3, 2, 1)]
    );
    assert_eq!(refused(settings, chained), "notation.word.lacks-chance");
    let position = after(settings, "+1 d6d7 N+1+1+2");
    assert_eq!(
        (turn(&position).as_str(), out(&position), dirhams(&position)),
        ("1 rug", vec![2, 3], vec![3, 0, 0])
    );
}

#[test]
fn the_turn_after_an_elimination_begins_with_its_colour_in_the_same_word() {
    let settings = "seats=2 last_standing=no start_dirhams=1";
    assert_eq!(refused(settings, "+r N+1 d6d7+b N+1"), "notation.word.lacks-chance");
    assert_eq!(turn(&after(settings, "+r N+1 d6d7+b N+1+y")), "1 orient");
    let settings = "seats=2 last_standing=no orientation=end start_dirhams=1";
    assert_eq!(turn(&after(settings, "+r+1 d6d7 N+b+1+y+2")), "1 rug");
}
