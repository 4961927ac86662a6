//! `assam perft`: counts the lines that the rules allow, the usual check of a move generator.

use assam_referee::Setup;
use clap::Args;

use crate::process::output::{Failure, print, say};
use crate::records::setup::SetupArgs;

#[derive(Args)]
pub struct PerftArgs {
    /// The maximum number of decisions in a line, 1 to 64. Each further decision takes about ten times as
    /// long
    #[arg(value_name = "DECISIONS", value_parser = clap::value_parser!(u32).range(1..=64))]
    decisions: u32,
    #[command(flatten)]
    setup: SetupArgs,
    /// Start from this position (a position line) instead of the start of a game. The line contains the rule
    /// set, seats and options
    #[arg(long, value_name = "LINE", conflicts_with_all = ["ruleset", "seats", "options"])]
    position: Option<String>,
    /// Show how much each first decision, or first outcome of chance, contributes to the last count
    #[arg(long)]
    divide: bool,
}

/// Counts the lines, and prints one row per number of decisions.
///
/// # Errors
/// If the rule set refuses the settings, or the position line is refused.
pub fn run(args: &PerftArgs) -> Result<(), Failure> {
    let setup = match &args.position {
        Some(line) if line.starts_with("MKN/") => return Err("this is a record, not a position line".into()),
        Some(line) => Setup::read_position_line(line)?,
        None => args.setup.read()?,
    };
    let count = setup.count();
    for decisions in 1..=args.decisions {
        let lines = count.perft(decisions);
        print(&format!("{decisions:>3} {lines:>20}\n"))?;
        if lines == 0 && decisions == 1 {
            say(&why_none(&setup));
        }
    }
    if args.divide {
        print("\n")?;
        for (decision, lines) in count.divide(args.decisions) {
            print(&format!("{decision:<8} {lines:>15}\n"))?;
        }
    }
    Ok(())
}

/// Returns why there is no line of one decision.
fn why_none(setup: &Setup) -> String {
    if setup.table().turn().is_end() {
        return "assam: there is no line: the game is over in this position".to_owned();
    }
    let ruleset = setup.ruleset();
    format!(
        "\
assam: no line was counted: the draw before the first decision, such as a deal, has too many outcomes to list.
Count from a position after it, such as the first of a random game:
  assam random --ruleset {ruleset} | assam convert - --to positions -o positions
  assam perft 2 --position \"$(head -1 positions)\""
    )
}
