//! The beginning of a game: its rule set, seats and options, and its position if that is not the start.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use assam_notation::{Error, Opening, OptionValue, SetupError, SetupLine};

use crate::count::CountOf;
use crate::table_of::TableOf;
use crate::walk::walk;
use crate::{Broken, Count, Roll, Ruleset, Shown, Table, Visitor, Walk};

/// The beginning of a game.
#[derive(Clone)]
pub struct Setup {
    ruleset: Ruleset,
    seats: u8,
    line: Arc<str>,
    opening: Arc<dyn AnyOpening>,
}

/// The opening of any game.
trait AnyOpening: Send + Sync {
    fn table(&self) -> Box<dyn Table>;
    fn count(&self) -> Box<dyn Count>;
    fn options(&self) -> Vec<OptionValue>;
    fn most_plies(&self) -> u32;
    fn walk(&self, walk: Walk<'_, '_>) -> Result<Box<dyn Table>, Broken>;
}

impl<G: Shown> AnyOpening for Opening<G> {
    fn table(&self) -> Box<dyn Table> {
        Box::new(TableOf::new(self.replay()))
    }

    fn count(&self) -> Box<dyn Count> {
        Box::new(CountOf(self.replay().position().clone()))
    }

    fn options(&self) -> Vec<OptionValue> {
        G::options(self.setup())
    }

    fn most_plies(&self) -> u32 {
        G::most_plies(self.setup())
    }

    fn walk(&self, way: Walk<'_, '_>) -> Result<Box<dyn Table>, Broken> {
        walk(self, way)
    }
}

impl Setup {
    /// Returns the start of a game with these seats and options. Options that are not named keep their
    /// defaults.
    ///
    /// # Errors
    /// The setting that the rule set refuses.
    pub fn new(ruleset: Ruleset, seats: u8, options: &[(&str, &str)]) -> Result<Self, SetupError> {
        ruleset.visit(FromOptions { seats, options })
    }

    /// Reads a setup line: the first line of a record.
    ///
    /// # Errors
    /// The fault in the line.
    pub fn read(line: &str) -> Result<Self, Error> {
        Self::understand(line, SetupLine::read(line))
    }

    /// Reads a position line.
    ///
    /// # Errors
    /// The fault in the line.
    pub fn read_position_line(line: &str) -> Result<Self, Error> {
        Self::understand(line, SetupLine::read_position_line(line))
    }

    fn understand(text: &str, line: Result<SetupLine<'_>, Error>) -> Result<Self, Error> {
        let understood = line.and_then(|line| Ruleset::of_line(Some(&line)).visit(FromLine(&line)));
        understood.map_err(|error| Ruleset::name_known(error, text.as_bytes()))
    }

    pub(crate) fn of<G: Shown>(ruleset: Ruleset, opening: Opening<G>) -> Self {
        let seats = G::seats(opening.setup());
        Self { ruleset, seats, line: opening.line().into(), opening: Arc::new(opening) }
    }

    /// Returns the rule set.
    pub const fn ruleset(&self) -> Ruleset {
        self.ruleset
    }

    /// Returns the number of seats.
    pub const fn seats(&self) -> u8 {
        self.seats
    }

    /// Returns the first line of a record that begins here, in canonical form.
    pub fn line(&self) -> &str {
        &self.line
    }

    /// Returns every option that applies here, with its value.
    pub fn options(&self) -> Vec<OptionValue> {
        self.opening.options()
    }

    /// Returns an upper bound on the words that a game can have here, including words for leaving. No ply has
    /// a greater number.
    pub fn most_plies(&self) -> u32 {
        self.opening.most_plies()
    }

    /// Returns whether the game begins at the start instead of another position.
    pub fn is_at_start(&self) -> bool {
        !self.line.split(' ').any(|part| part.starts_with("position="))
    }

    /// Opens the game as a table.
    pub fn table(&self) -> Box<dyn Table> {
        self.opening.table()
    }

    /// Returns a counter of the lines of play from here.
    pub fn count(&self) -> Box<dyn Count> {
        self.opening.count()
    }

    /// Replays a log and returns the game after its words, and the dice that were thrown, in order.
    ///
    /// # Errors
    /// The first refused word.
    pub fn rolls<'a>(
        &self,
        words: impl IntoIterator<Item = &'a str>,
    ) -> Result<(Box<dyn Table>, Vec<Roll>), Broken> {
        let mut table = self.table();
        let mut rolls = Vec::new();
        for word in words {
            let ply = table.next_ply();
            let broken = |refusal| Broken { ply, refusal };
            rolls.extend(table.rolls(word).map_err(broken)?);
            table.replay(word).map_err(broken)?;
        }
        Ok((table, rolls))
    }

    /// Replays a log once and returns the game after its words as the viewer may see it. Passes on every word
    /// on the way, in full and as the viewer may read it.
    ///
    /// # Errors
    /// The first refused word.
    pub fn walk(&self, walk: Walk<'_, '_>) -> Result<Box<dyn Table>, Broken> {
        self.opening.walk(walk)
    }
}

impl fmt::Display for Setup {
    /// Writes the first line of a record that begins here, in canonical form.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.line)
    }
}

impl FromStr for Setup {
    type Err = Error;

    fn from_str(line: &str) -> Result<Self, Error> {
        Self::read(line)
    }
}

impl PartialEq for Setup {
    fn eq(&self, other: &Self) -> bool {
        self.line == other.line
    }
}

impl Eq for Setup {}

impl fmt::Debug for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Setup").field(&self.line).finish()
    }
}

struct FromOptions<'a> {
    seats: u8,
    options: &'a [(&'a str, &'a str)],
}

impl Visitor for FromOptions<'_> {
    type Output = Result<Setup, SetupError>;

    fn visit<G: Shown>(self, ruleset: Ruleset) -> Self::Output {
        G::read_setup(self.seats, self.options).map(|setup| Setup::of(ruleset, Opening::<G>::start(setup)))
    }
}

struct FromLine<'a, 'l>(&'a SetupLine<'l>);

impl Visitor for FromLine<'_, '_> {
    type Output = Result<Setup, Error>;

    fn visit<G: Shown>(self, ruleset: Ruleset) -> Self::Output {
        Opening::<G>::read(self.0).map(|opening| Setup::of(ruleset, opening))
    }
}
