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

/// Plays a game with each value of each option. The other options vary, too.
struct Options;

impl Visitor for Options {
    type Output = usize;

    fn visit<G: Shown>(self, _: Ruleset) -> usize {
        let mut games = 0;
        for option in G::OPTIONS {
            let values: Vec<String> = match option.kind {
                OptionKind::Choice(values) => values.iter().map(|(value, _)| (*value).to_owned()).collect(),
                OptionKind::Number { min, max } => {
                    vec![min.to_string(), (min + 1).to_string(), max.to_string()]
                }
            };
            for value in values {
                for seats in G::SEATS {
                    let mut dice = Dice::new(games as u64);
                    let Ok(setup) = G::read_setup(seats, &[(option.name, &value)]) else { continue };
                    // Every player meets every value at some seat, and the strongest at most seats.
                    let mut players: Vec<Player> = (0..seats).map(|_| dice.pick(G::PLAYERS)).collect();
                    players[0] = G::PLAYERS[games % G::PLAYERS.len()];
                    let mut left = 60;
                    play::<G>(&setup, &players, &mut dice, |_, _, _| {
                        left -= 1;
                        left > 0
                    });
                    games += 1;
                }
            }
        }
        games
    }
}

#[test]
fn players_decide_legally_under_every_value_of_every_option() {
    let games: usize = Ruleset::ALL.iter().map(|ruleset| ruleset.visit(Options)).sum();
    assert!(games > 60, "{games}");
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
