//! `assam perft`: how many lines the rules allow, the field's check of a move generator.

use clap::Args;

use super::setup::SetupArgs;
use super::{Failure, print};
use crate::judge;

/// What to count from.
#[derive(Args)]
pub struct PerftArgs {
    /// Count up to so many decisions
    #[arg(value_name = "DECISIONS", value_parser = clap::value_parser!(u32).range(1..=64))]
    decisions: u32,
    #[command(flatten)]
    setup: SetupArgs,
    /// Begin in this position line instead of at the start
    #[arg(long, value_name = "LINE", conflicts_with_all = ["ruleset", "seats", "options"])]
    position: Option<String>,
    /// Show what each first decision contributes to the last count
    #[arg(long)]
    divide: bool,
}

/// Counts the lines, and prints a row a number of decisions.
///
/// # Errors
/// Settings that the rule set refuses; a position line that is refused.
pub fn run(args: &PerftArgs) -> Result<(), Failure> {
    let table = match &args.position {
        Some(line) => {
            let judgement = judge::judge(line.as_bytes());
            judgement.verdict?;
            judgement
                .table
                .filter(|_| !line.starts_with("MKN/"))
                .ok_or("this is a record, not a position line")?
        }
        None => {
            let line = args.setup.line()?;
            args.setup.ruleset.referee().table(&line).map_err(|refusal| refusal.text)?
        }
    };
    for decisions in 1..=args.decisions {
        print(&format!("{decisions:>3} {:>20}\n", table.perft(decisions)))?;
    }
    if args.divide {
        print("\n")?;
        for (decision, lines) in table.divide(args.decisions) {
            print(&format!("{decision:<8} {lines:>15}\n"))?;
        }
    }
    Ok(())
}
