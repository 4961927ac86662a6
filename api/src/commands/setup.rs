//! Seats and options of a game, as they are given on the command line.

use clap::Args;

use super::Failure;
use crate::ruleset::Ruleset;

/// Seats and options of a game.
#[derive(Args, Clone)]
pub struct SetupArgs {
    /// Rule set and version
    #[arg(long, default_value = "marrakech/1", value_name = "NAME", value_parser = ruleset)]
    pub ruleset: Ruleset,
    /// Number of seats; the smallest where none is given
    #[arg(long, value_name = "N")]
    pub seats: Option<u8>,
    /// An option of the rule set, such as cover=any; may stand several times
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = setting)]
    pub options: Vec<(String, String)>,
}

impl SetupArgs {
    /// The setup line.
    ///
    /// # Errors
    /// A setting that the rule set refuses.
    pub fn line(&self) -> Result<String, Failure> {
        let referee = self.ruleset.referee();
        let seats = self.seats.unwrap_or(*referee.seats().start());
        let settings: Vec<(&str, &str)> =
            self.options.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        referee.setup_line(seats, &settings).map_err(|error| Failure::from(error.detail))
    }
}

/// A rule set by its name.
fn ruleset(name: &str) -> Result<Ruleset, String> {
    Ruleset::named(name).ok_or_else(|| {
        let known: Vec<&str> = Ruleset::ALL.iter().map(|ruleset| ruleset.name()).collect();
        format!("known are {}", known.join(", "))
    })
}

/// A setting as a setup line has it.
fn setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("a setting is written NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}
