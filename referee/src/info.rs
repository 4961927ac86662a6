//! Descriptions of the games.

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::LazyLock;

use assam_notation::{Error, ErrorKind, OptionSpec, SetupLine};
use assam_players::Player;
use assam_rules::Rule as _;

use crate::{Column, Faces, Ruleset, Shown, Visitor, likeliest};

/// The description of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameInfo {
    /// The name and version of the rule set, such as `marrakech/1`.
    pub name: &'static str,
    /// The name of the game for people.
    pub title: &'static str,
    /// The possible numbers of seats.
    pub seats: RangeInclusive<u8>,
    /// Every option, in alphabetical order.
    pub options: &'static [OptionSpec],
    /// Every rule that a move can break.
    pub rules: Vec<RuleInfo>,
    /// The built-in players.
    pub players: &'static [Player],
    /// How many sides of a die have each face from 1 to 6.
    pub die: Faces,
    /// The names of score parts.
    pub score_parts: &'static [&'static str],
    /// The game's columns in a table of plies.
    pub ply_columns: &'static [Column],
    /// The game's columns in that table for programs that learn from positions.
    pub board_columns: &'static [Column],
    /// Whether the game hides anything from anyone while it is played.
    pub has_secrets: bool,
}

/// A rule that a move can break.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RuleInfo {
    /// The stable identifier.
    pub id: &'static str,
    /// The rule as a sentence.
    pub text: &'static str,
}

static INFOS: LazyLock<Vec<GameInfo>> =
    LazyLock::new(|| Ruleset::ALL.iter().map(|ruleset| ruleset.visit(Inform)).collect());

struct Inform;

impl Visitor for Inform {
    type Output = GameInfo;

    fn visit<G: Shown>(self, _: Ruleset) -> GameInfo {
        GameInfo {
            name: G::RULESET,
            title: G::TITLE,
            seats: G::SEATS,
            options: G::OPTIONS,
            rules: G::Rule::ALL.iter().map(|rule| RuleInfo { id: rule.id(), text: rule.text() }).collect(),
            players: G::PLAYERS,
            die: G::DIE,
            score_parts: G::SCORE_PARTS,
            ply_columns: G::PLY_COLUMNS,
            board_columns: G::BOARD_COLUMNS,
            has_secrets: G::HAS_SECRETS,
        }
    }
}

struct NodesOf(Player);

impl Visitor for NodesOf {
    type Output = Option<u64>;

    fn visit<G: Shown>(self, _: Ruleset) -> Option<u64> {
        G::nodes_of(self.0)
    }
}

impl Ruleset {
    /// Returns the number of positions with which a judge searches as deep as a merchant decides. Returns `None` if
    /// the game does not have the player, or if the player is not a merchant.
    pub fn nodes_of(self, player: Player) -> Option<u64> {
        self.visit(NodesOf(player))
    }

    /// Returns the description of the rule set's game.
    pub fn info(self) -> &'static GameInfo {
        // ALL has every rule set, so the search succeeds.
        let index = Self::ALL.iter().position(|ruleset| *ruleset == self).unwrap_or_default();
        &INFOS[index]
    }

    /// Returns the name and version, such as `marrakech/1`.
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// Returns the rule set with this name and version.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|ruleset| ruleset.name() == name)
    }

    /// Returns the names of all rule sets for people: `marrakech/1, marrakesh/1`.
    pub fn names() -> String {
        Self::ALL.iter().map(|ruleset| ruleset.name()).collect::<Vec<_>>().join(", ")
    }
}

impl fmt::Display for Ruleset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Ruleset {
    /// Returns the rule set that a first line names. Without one, any rule set will do, because every game
    /// refuses the line in the same words.
    pub(crate) fn of_line(line: Option<&SetupLine<'_>>) -> Self {
        line.and_then(|line| Self::named(line.ruleset)).unwrap_or(Self::ALL[0])
    }

    /// Names the known rule sets in an error about the rule set of a first line, and the one that was
    /// probably meant.
    pub(crate) fn name_known(mut error: Error, text: &[u8]) -> Error {
        let is_unknown = error.kind == ErrorKind::UnknownRuleset;
        if is_unknown {
            error.expected = Some(Self::names().into());
        }
        if is_unknown || error.rule == "notation.setup.ruleset" {
            let first_line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
            let written = String::from_utf8_lossy(first_line);
            let until = written
                .char_indices()
                .nth(error.place.column as usize - 1)
                .map_or(written.len(), |(at, _)| at);
            let start = written[..until].rfind(' ').map_or(0, |space| space + 1);
            let name = written[start..].split_whitespace().next().unwrap_or_default();
            error.detail.push_str(&Self::meant(name));
        }
        error
    }

    /// Returns a sentence about an unknown rule set name, with the one that was probably meant.
    pub fn unknown(name: &str) -> String {
        format!("unknown rule set {name:?}{}", Self::meant(name))
    }

    fn meant(name: &str) -> String {
        let likely = likeliest(&name.to_lowercase(), Self::ALL.iter().map(|ruleset| ruleset.name()));
        likely.map_or_else(String::new, |likely| format!("; did you mean {likely}?"))
    }
}
