//! Decisions are legal under every option, and the same on every machine.

use std::thread;

use assam_notation::OptionKind;
use assam_players::Player;
use assam_referee::{Ruleset, Shown, Visitor};

use super::play;
use crate::dice::Dice;
use crate::laws::every_game::random_setup;

/// The decisions of every player of a game, in a number: FNV-1a of their notation.
struct Decisions {
    most: usize,
}

impl Visitor for Decisions {
    type Output = Vec<(&'static str, u64, usize)>;

    fn visit<G: Shown>(self, _: Ruleset) -> Self::Output {
        thread::scope(|scope| {
            let each = G::PLAYERS.iter().map(|&player| scope.spawn(move || hash::<G>(player, self.most)));
            let each: Vec<_> = each.collect();
            each.into_iter().map(|one| one.join().unwrap()).collect()
        })
    }
}

fn hash<G: Shown>(player: Player, most: usize) -> (&'static str, u64, usize) {
    let (mut hash, mut count) = (0xCBF2_9CE4_8422_2325_u64, 0);
    for seed in 0.. {
        let mut dice = Dice::new(seed);
        let setup = random_setup::<G>(&mut dice);
        play::<G>(&setup, &[player], &mut dice, |_, _, action| {
            let mut text = String::new();
            G::write_action(action, &mut text);
            for byte in text.bytes().chain([b' ']) {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3);
            }
            count += 1;
            count < most
        });
        if count >= most {
            break;
        }
    }
    (player.name(), hash, count)
}

#[test]
fn ten_thousand_decisions_of_players_are_the_same_on_every_machine() {
    let found: Vec<String> = Ruleset::ALL
        .iter()
        .flat_map(|ruleset| {
            let all = ruleset.visit(Decisions { most: 700 });
            all.into_iter().map(move |(name, hash, _)| format!("{ruleset} {name} {hash:016x}"))
        })
        .collect();
    let known: Vec<&str> = include_str!("decisions.txt").lines().collect();
    assert_eq!(found, known, "the decisions of a released player never change\n{}", found.join("\n"));
}

/// Plays games with each value of each option. The other players are drawn, and so are the other options' values.
struct Options {
    /// The games of each player under each value.
    games: u64,
    /// The decisions of each game.
    decisions: usize,
}

impl Visitor for Options {
    type Output = u64;

    fn visit<G: Shown>(self, _: Ruleset) -> u64 {
        let values: Vec<(&str, String)> = G::OPTIONS
            .iter()
            .flat_map(|option| {
                let values: Vec<String> = match option.kind {
                    OptionKind::Choice(values) => {
                        values.iter().map(|(value, _)| (*value).to_owned()).collect()
                    }
                    OptionKind::Number { min, max } => {
                        vec![min.to_string(), (min + 1).to_string(), max.to_string()]
                    }
                };
                values.into_iter().map(|value| (option.name, value))
            })
            .collect();
        let (most, values) = (self.decisions, &values);
        let play_some = |games: Vec<(u64, Player)>| {
            for (game, player) in games {
                for (option, value) in values {
                    let mut dice = Dice::new(game);
                    let setup = (0..100).find_map(|_| setup_with::<G>(&mut dice, option, value)).unwrap();
                    let drawn = (1..*G::SEATS.end()).map(|_| dice.pick(G::PLAYERS));
                    let mut players: Vec<Player> = [player].into_iter().chain(drawn).collect();
                    let first = dice.below(u64::from(G::seats(&setup))) as usize;
                    players.swap(0, first);
                    let mut left = most;
                    play::<G>(&setup, &players, &mut dice, |_, _, _| {
                        left -= 1;
                        left > 0
                    });
                }
            }
        };
        let games = |half| {
            let all = (0..self.games).flat_map(|game| G::PLAYERS.iter().map(move |&player| (game, player)));
            all.skip(half).step_by(2).collect::<Vec<_>>()
        };
        thread::scope(|scope| {
            scope.spawn(|| play_some(games(0)));
            play_some(games(1));
        });
        self.games * (G::PLAYERS.len() * values.len()) as u64
    }
}

/// Draws a setup in which an option has this value. Returns `None` if the drawn number of seats does not allow it.
fn setup_with<G: Shown>(dice: &mut Dice, option: &str, value: &str) -> Option<G::Setup> {
    let setup = random_setup::<G>(dice);
    let mut options = G::options(&setup);
    options.retain(|other| other.name != option);
    let mut options: Vec<(&str, &str)> =
        options.iter().map(|other| (other.name, other.value.as_str())).collect();
    options.push((option, value));
    G::read_setup(G::seats(&setup), &options).ok()
}

#[test]
fn players_decide_legally_under_every_value_of_every_option() {
    let whole_games = std::env::var("ASSAM_OPTION_GAMES").ok().map(|games| games.parse().unwrap());
    let decisions = if whole_games.is_some() { usize::MAX } else { 30 };
    let games = whole_games.unwrap_or(1);
    let played: u64 = Ruleset::ALL.iter().map(|ruleset| ruleset.visit(Options { games, decisions })).sum();
    assert!(played > 200 * games, "{played}");
}

#[test]
fn a_name_means_one_player_and_a_name_without_a_version_means_the_newest() {
    for &player in Player::ALL {
        assert_eq!(Player::named(player.name()), Some(player));
        assert_eq!(Player::newest(player.name()), Some(player));
        if let Some((family, version)) = player.name().split_once('/') {
            assert!(version.parse::<u16>().is_ok());
            assert_eq!(Player::newest(family), Some(player));
            assert_eq!(Player::named(family), None);
        }
    }
    assert_eq!(Player::newest("merchant-9"), None);
    assert_eq!(Player::newest("merchant"), None);
    assert_eq!(Player::newest("random/1"), None);
}
