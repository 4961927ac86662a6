//! `assam perft`: counts the lines that the rules allow, the customary check of a move generator.

use assam_referee::Setup;
use clap::Args;

use crate::output::{Failure, print};
use crate::setup::SetupArgs;

/// Arguments of `assam perft`.
#[derive(Args)]
pub struct PerftArgs {
    /// Count lines of up to this many decisions
    #[arg(value_name = "DECISIONS", value_parser = clap::value_parser!(u32).range(1..=64))]
    decisions: u32,
    #[command(flatten)]
    setup: SetupArgs,
    /// Begin in the position of this position line instead of at the start
    #[arg(long, value_name = "LINE", conflicts_with_all = ["ruleset", "seats", "options"])]
    position: Option<String>,
    /// Show how much each first decision, or first outcome of chance, contributes to the last count
    #[arg(long)]
    divide: bool,
}

/// Counts the lines, and prints one row per number of decisions.
///
/// # Errors
/// Where the rule set refuses the settings, or the position line is refused.
pub fn run(args: &PerftArgs) -> Result<(), Failure> {
    let setup = match &args.position {
        Some(line) if line.starts_with("MKN/") => return Err("this is a record, not a position line".into()),
        Some(line) => Setup::read_position_line(line)?,
        None => args.setup.read()?,
    };
    let count = setup.count();
    for decisions in 1..=args.decisions {
        print(&format!("{decisions:>3} {:>20}\n", count.perft(decisions)))?;
    }
    if args.divide {
        print("\n")?;
        for (decision, lines) in count.divide(args.decisions) {
            print(&format!("{decision:<8} {lines:>15}\n"))?;
        }
    }
    Ok(())
}
