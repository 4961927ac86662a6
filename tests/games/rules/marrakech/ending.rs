//! The end of a game: when it comes, the scores, and the ranking.

use assam_rules::Game;

use super::{ONE_COLOUR, after, assam, dirhams, out, ranking, refused, turn};

const ONE_RUG: &str = "seats=2 rugs_per_player=1 two_player=one-colour";

#[test]
fn the_game_ends_when_the_last_rug_is_laid() {
    assert_eq!(turn(&after(ONE_RUG, "N+1 d6d7")), "2 orient");
    assert_eq!(turn(&after(ONE_RUG, "N+1 d6d7 E+1 f5g5")), "over");
    assert_eq!(refused(ONE_RUG, "N+1 d6d7 E+1 f5g5 N+1"), "marrakech.game.over");
    assert_eq!(
        turn(&after("seats=2 rugs_per_player=2", "+r N+1 d6d7+b E+1 f5g5+y N+1 e7f7+g N+1 f6f7")),
        "over"
    );
}

#[test]
fn a_score_is_dirhams_and_visible_halves() {
    let position = after(ONE_RUG, "N+1 d6d7 N+1 d7e7");
    assert_eq!(turn(&position), "over");
    assert_eq!(dirhams(&position), [32, 28]);
    assert_eq!(*position.scores(), [33, 30], "half of the red rug is covered");
    assert_eq!(ranking(&position), [[1], [2]]);
}

#[test]
fn halves_of_both_colours_count() {
    let position = after("seats=2 rugs_per_player=2", "+r N+1 d6d7+b E+1 f5g5+y N+1 e7f7+g N+1 f6f7");
    assert_eq!(*position.scores(), [35, 32]);
}

#[test]
fn nobody_turns_assam_after_the_last_rug() {
    let settings = format!("{ONE_RUG} orientation=end");
    assert_eq!(turn(&after(&settings, "+1 d6d7 E+1 f5g5")), "over");
    assert_eq!(refused(&settings, "+1 d6d7 E+1 f5g5 N"), "marrakech.game.over");
}

#[test]
fn who_laid_his_own_last_rug_still_turns_assam_for_the_next() {
    let settings = format!("{ONE_RUG} orientation=end");
    assert_eq!(turn(&after(&settings, "+1 d6d7")), "1 orient");
    assert_eq!(assam(&after(&settings, "+1 d6d7 W+1")), "c5W");
}

#[test]
fn the_last_one_standing_wins_at_once_or_plays_on_alone() {
    let words = "N+1 d6d7 N+1";
    let position = after(&format!("{ONE_COLOUR} start_dirhams=1"), words);
    assert_eq!((turn(&position).as_str(), out(&position)), ("over", vec![2]));
    assert_eq!(*position.scores(), [2 + 2, 0]);
    assert_eq!(ranking(&position), [[1], [2]]);

    let alone = "seats=2 last_standing=no rugs_per_player=2 start_dirhams=1 two_player=one-colour";
    assert_eq!(turn(&after(alone, words)), "1 orient");
    assert_eq!(turn(&after(alone, "N+1 d6d7 N+1 N+1 c6c7")), "over");
}

#[test]
fn with_last_standing_no_he_turns_assam_between_his_own_turns() {
    let settings =
        "seats=2 last_standing=no orientation=end rugs_per_player=3 start_dirhams=1 two_player=one-colour";
    let position = after(settings, "+1 d6d7 N+1+1 c6c7");
    assert_eq!(turn(&position), "1 orient");
    assert_eq!(turn(&after(settings, "+1 d6d7 N+1+1 c6c7 W+1")), "1 rug");
    assert_eq!(turn(&after(settings, "+1 d6d7 N+1+1 c6c7 W+1 b6b7")), "over");
}

#[test]
fn who_is_out_scores_0_and_is_last_and_the_later_out_the_better() {
    let position = after("seats=4", "N+1 !resign3 !timeout1 !resign4");
    assert_eq!(turn(&position), "over");
    assert_eq!(*position.scores(), [0, 30, 0, 0]);
    assert_eq!(ranking(&position), [[2], [4], [1], [3]]);
}

#[test]
fn who_is_out_is_behind_a_player_who_is_in_with_nothing() {
    // Both halves of red's rug are covered, and he has no dirham.
    let settings = "seats=4 insolvency=pay-what-you-can rugs_per_player=1 start_dirhams=0";
    let position = after(settings, "N+1 d6d7 N+1 d7e7 W+1 d5d6 !resign4");
    assert_eq!(turn(&position), "over");
    assert_eq!(*position.scores(), [0, 2, 2, 0]);
    assert_eq!(ranking(&position), [vec![2, 3], vec![1], vec![4]]);
}

#[test]
fn equal_scores_are_decided_as_tie_break_says() {
    // 33 each: 31 dirhams and 2 halves, 29 dirhams and 4 halves.
    let words = "N+2 e6f6 N+4 d5e5 E+2 f5f6 E+4 d6e6";
    let settings =
        |tie_break| format!("seats=2 rugs_per_player=2 tie_break={tie_break} two_player=one-colour");
    let position = after(&settings("dirhams"), words);
    assert_eq!((dirhams(&position), position.scores().to_vec()), (vec![31, 29], vec![33, 33]));
    assert_eq!(ranking(&position), [[1], [2]]);
    assert_eq!(ranking(&after(&settings("rugs"), words)), [[2], [1]]);
    assert_eq!(ranking(&after(&settings("none"), words)), [[1, 2]]);
}

#[test]
fn what_the_tie_break_leaves_equal_shares_the_place() {
    for tie_break in ["dirhams", "rugs", "none"] {
        let position = after(&format!("{ONE_RUG} tie_break={tie_break}"), "N+1 d6d7 E+1 f5g5");
        assert_eq!(*position.scores(), [32, 32]);
        assert_eq!(ranking(&position), [[1, 2]]);
        assert_eq!(position.ranking().unwrap().winners().len(), 2);
    }
}

#[test]
fn a_place_below_the_first_is_shared_too() {
    let position = after("seats=4 rugs_per_player=1", "N+1 d6d7 E+1 f5g5 N+1 d7e7 E+1 f4f5");
    assert_eq!(*position.scores(), [31, 31, 32, 32]);
    assert_eq!(ranking(&position), [[3, 4], [1, 2]]);
}
