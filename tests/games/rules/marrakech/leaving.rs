//! Leaving the table, on turn and off turn, in every phase.

use assam_rules::Game;

use super::{ONE_COLOUR, after, assam, dirhams, out, ranking, refused, rugs_left, turn};

#[test]
fn who_resigns_takes_his_dirhams_and_his_pile_out_of_the_game_and_leaves_his_rugs() {
    let position = after("seats=3", "N+1 d6d7 N+1 c6c7 !resign1");
    assert_eq!(dirhams(&position), [0, 28, 30]);
    assert_eq!(rugs_left(&position), [0, 14, 15]);
    assert_eq!(out(&position), [1]);
    assert_eq!(*position.scores(), [0, 30, 30]);
    assert_eq!(position.board().whole_rugs().count(), 2);
}

#[test]
fn a_timeout_does_what_a_resignation_does() {
    for words in ["N+1 d6d7 !resign2", "N+1 !resign1", "N+1 d6d7 !resign1", "!resign3"] {
        let timeout = words.replace("resign", "timeout");
        assert_eq!(after("seats=3", words), after("seats=3", &timeout));
    }
}

#[test]
fn who_resigns_before_he_turns_assam_leaves_him_as_he_stands() {
    let position = after("seats=3", "N+1 d6d7 !resign2");
    assert_eq!((turn(&position).as_str(), assam(&position).as_str()), ("3 orient", "d5N"));
}

#[test]
fn who_resigns_before_he_lays_leaves_assam_where_he_went() {
    let position = after("seats=3", "N+1 d6d7 E+2 !resign2");
    assert_eq!((turn(&position).as_str(), assam(&position).as_str()), ("3 orient", "f5E"));
    assert_eq!(position.board().whole_rugs().count(), 1);
}

#[test]
fn with_orientation_end_the_next_player_rolls_in_the_word_of_who_resigns() {
    let settings = "seats=3 orientation=end";
    assert_eq!(refused(settings, "+1 !resign1"), "notation.word.lacks-chance");
    // Before his rug, and after it, when he would have turned Assam.
    let before = after(settings, "+1 !resign1+2");
    assert_eq!((turn(&before).as_str(), assam(&before).as_str()), ("2 rug", "d7N"));
    let behind = after(settings, "+1 d6e6 !resign1+2");
    assert_eq!((turn(&behind).as_str(), assam(&behind).as_str()), ("2 rug", "d7N"));
    assert_eq!(behind.board().whole_rugs().count(), 1);
}

#[test]
fn with_two_colours_the_next_rug_is_turned_up_in_the_word_of_who_resigns() {
    let settings = "seats=2 last_standing=no";
    assert_eq!(turn(&after(settings, "+r N+1 !resign1+b")), "2 orient");
    let end = "seats=2 last_standing=no orientation=end";
    assert_eq!(turn(&after(end, "+r+1 !resign1+b+3")), "2 rug");
}

#[test]
fn who_resigns_off_turn_does_not_disturb_the_turn() {
    for (settings, words) in [
        ("seats=3", "N+1 d6d7"),
        ("seats=3", "N+1 d6d7 E+2"),
        ("seats=3 orientation=end", "+1 d6d7 E+2"),
        ("seats=3 orientation=end", "+1 d6d7 E+2 g5g6"),
    ] {
        let before = after(settings, words);
        assert_eq!(before.seat().number(), 2);
        for leaver in [1, 3] {
            let position = after(settings, &format!("{words} !resign{leaver}"));
            assert_eq!(turn(&position), turn(&before));
            assert_eq!(assam(&position), assam(&before));
            assert_eq!(position.phase(), before.phase());
        }
    }
}

#[test]
fn the_turn_passes_over_who_is_out() {
    assert_eq!(turn(&after("seats=4", "!resign2 !resign3 N+1 d6d7")), "4 orient");
    assert_eq!(turn(&after("seats=4", "!resign1 !resign2")), "3 orient");
}

#[test]
fn the_last_but_one_to_resign_ends_the_game() {
    let position = after(ONE_COLOUR, "N+1 !resign2");
    assert_eq!((turn(&position).as_str(), position.scores().to_vec()), ("over", vec![30, 0]));
    assert_eq!(turn(&after(ONE_COLOUR, "!resign1")), "over");
    assert_eq!(turn(&after("seats=3", "N+1 d6d7 !resign3")), "2 orient");
    assert_eq!(turn(&after("seats=3", "N+1 d6d7 !resign3 !resign2")), "over");
}

#[test]
fn with_last_standing_no_even_the_last_may_resign() {
    let settings = "seats=3 last_standing=no";
    assert_eq!(turn(&after(settings, "!resign1 !resign3")), "2 orient");
    let position = after(settings, "!resign1 !resign3 !resign2");
    assert_eq!(turn(&position), "over");
    assert_eq!(ranking(&position), [[2], [3], [1]]);
}

#[test]
fn the_game_ends_when_who_resigns_held_the_last_rugs() {
    // Seat 1 has laid his only rug and would turn Assam for seat 2, who goes.
    let settings = "seats=2 last_standing=no orientation=end rugs_per_player=1 two_player=one-colour";
    assert_eq!(turn(&after(settings, "+1 d6d7")), "1 orient");
    assert_eq!(turn(&after(settings, "+1 d6d7 !resign2")), "over");
    let settings = "seats=3 rugs_per_player=1";
    assert_eq!(turn(&after(settings, "N+1 d6d7 E+1 f5g5 !timeout3")), "over");
}

#[test]
fn resigning_puts_out_whatever_insolvency_says() {
    let position = after("seats=3 insolvency=pay-what-you-can", "!resign2");
    assert_eq!(out(&position), [2]);
}

#[test]
fn nobody_leaves_twice_or_from_a_seat_that_is_not_there() {
    assert_eq!(refused("seats=3", "!resign2 !resign2"), "marrakech.seat.out");
    assert_eq!(refused("seats=3", "!resign2 !timeout2"), "marrakech.seat.out");
    assert_eq!(refused("seats=3 start_dirhams=1", "N+1 d6d7 N+1 !resign2"), "marrakech.seat.out");
    assert_eq!(refused("seats=3", "!resign4"), "marrakech.seat.no-such-seat");
    assert_eq!(refused(ONE_COLOUR, "N+1 !resign2 !resign1"), "marrakech.game.over");
}

#[test]
fn an_aborted_game_has_no_ranking_and_takes_no_more_moves() {
    for words in ["!abort", "N+1 !abort", "N+1 d6d7 !resign2 !abort"] {
        let position = after("seats=3", words);
        assert_eq!(position.turn(), assam_rules::Turn::Aborted);
        assert_eq!(position.ranking(), None);
        for more in ["N+1", "!resign1", "!abort"] {
            assert_eq!(refused("seats=3", &format!("{words} {more}")), "marrakech.game.over");
        }
    }
}
