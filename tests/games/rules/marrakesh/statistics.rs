//! Random matches look as those of another implementation of the same rules do.

#[allow(dead_code, reason = "its main function prints what is tested here")]
#[path = "../../../../players/examples/statistics.rs"]
mod example;

use assam_players::Player;
use example::{figures, solitaire_wins};

#[test]
fn random_and_solitaire_matches_are_within_four_standard_errors_of_another_implementations() {
    for (player, known) in [(Player::Random, 18), (Player::SolitaireAi, 14)] {
        let figures = figures(player, 400);
        assert_eq!(figures.iter().filter(|figure| figure.reference.is_some()).count(), known);
        for figure in figures {
            assert!(figure.errors_apart <= 4.0, "{player:?}: {figure:?}");
        }
    }
}

#[test]
fn the_solitaire_player_beats_the_random_one_as_often_as_elsewhere() {
    let wins = solitaire_wins(200);
    assert!(wins.errors_apart <= 4.0, "{wins:?}");
}
