//! The seats and options of a game on the command line.

use assam_referee::{Ruleset, Setup};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::process::output::Failure;

/// The rule set, seats and options of a game.
#[derive(Args, Clone)]
pub struct SetupArgs {
    /// The rule set and its version
    #[arg(long, default_value = "marrakech/1", value_name = "NAME", value_parser = rulesets())]
    pub ruleset: Ruleset,
    /// The number of seats, by default the smallest that the rule set allows
    #[arg(long, value_name = "N")]
    pub seats: Option<u8>,
    /// An option of the rule set, such as cover=any. May be repeated
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = setting)]
    pub options: Vec<(String, String)>,
}

impl SetupArgs {
    /// Reads the setup.
    ///
    /// # Errors
    /// A setting that the rule set refuses.
    pub fn read(&self) -> Result<Setup, Failure> {
        let seats = self.seats.unwrap_or(*self.ruleset.info().seats.start());
        let settings: Vec<(&str, &str)> =
            self.options.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        Setup::new(self.ruleset, seats, &settings).map_err(|error| Failure::from(error.detail))
    }
}

/// Reads the name of a rule set.
fn rulesets() -> impl TypedValueParser<Value = Ruleset> {
    PossibleValuesParser::new(ruleset_names())
        .try_map(|name| Ruleset::named(&name).ok_or_else(|| Ruleset::unknown(&name)))
}

/// Returns the name of every rule set.
pub fn ruleset_names() -> Vec<&'static str> {
    Ruleset::ALL.iter().map(|ruleset| ruleset.name()).collect()
}

/// Reads a setting, written as in a setup line.
fn setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("an option must be written NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}
