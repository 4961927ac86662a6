//! `assam ratings`: recomputes ratings and dice from the logs.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use assam_api::app::{App, Limits};
use assam_proofs::signed::Keyring;
use assam_record::standings::{Competitor, DiceKey, DiceTally, PlayerTally, Rating, TallyKey};
use clap::Args;

use crate::database::{self, DatabaseArgs};
use crate::process::output::{Failure, print};

#[derive(Args)]
pub struct RatingsArgs {
    /// Replace the stored ratings with the computed ones
    #[arg(long)]
    again: bool,
    #[command(flatten)]
    database: DatabaseArgs,
}

/// The largest number of differences that are listed.
const LISTED: usize = 20;

/// Computes ratings, tallies and dice from the logs of all games, and compares them with the stored ones or
/// replaces those.
pub fn run(args: &RatingsArgs) -> Result<(), Failure> {
    actix_web::rt::System::new().block_on(async {
        let store = database::open_existing(&args.database)?;
        store.admin.migrate().await?;
        let app = App::new(store.clone(), Limits { queue: 1, kept_bytes: 0 }, Keyring::empty())?;
        if args.again {
            app.forget_standings().await?;
            while app.count_ends().await? {}
        }
        let (kept, computed) = app.recount().await?;
        let ratings = differences(&kept.ratings, &computed.ratings, |((ruleset, player), rating)| {
            let Rating { games, .. } = rating;
            format!("{player} in {}: {:.3}, of {games} games", ruleset.name(), rating.rating())
        });
        let tallies = differences(&kept.tallies, &computed.tallies, |(key, tally)| {
            let TallyKey { competitor, ruleset, seats, period } = key;
            let PlayerTally { games, firsts, score_sum, best } = tally;
            format!(
                "{competitor} in {} with {seats} seats, {period}: {games} games, {firsts} won, total score {score_sum}, best {}",
                ruleset.name(),
                best.score
            )
        });
        let dice = differences(&kept.dice, &computed.dice, |(key, tally)| {
            let DiceKey { ruleset, competitor } = key;
            let DiceTally { games, faces, luck, .. } = tally;
            let player = competitor.as_ref().map_or_else(|| "all players".to_owned(), Competitor::to_string);
            let faces = faces.map(|count| count.to_string()).join(" ");
            format!(
                "dice of {player} in {}: {games} games, {faces} of each face, luck {luck} 10,000ths of a win",
                ruleset.name()
            )
        });
        let differing = ratings.len() + tallies.len() + dice.len();
        let mut told = format!(
            "computed from the logs: {} ratings, {} tallies, {} tallies of dice\n",
            computed.ratings.len(),
            computed.tallies.len(),
            computed.dice.len()
        );
        if differing == 0 {
            told.push_str(if args.again {
                "they replace the stored ones\n"
            } else {
                "the stored ones are the same\n"
            });
            return print(&told);
        }
        for line in ratings.iter().chain(&tallies).chain(&dice).take(LISTED) {
            writeln!(told, "{line}")?;
        }
        print(&told)?;
        Err(format!(
            "{differing} stored values differ: games were hidden, lost or changed since, and --again replaces the values"
        )
        .into())
    })
}

/// Returns a line for each value that differs.
fn differences<K: Ord, V: PartialEq>(
    kept: &BTreeMap<K, V>,
    computed: &BTreeMap<K, V>,
    told: impl Fn((&K, &V)) -> String,
) -> Vec<String> {
    let gone = kept.iter().filter(|(key, value)| computed.get(key) != Some(value));
    let new = computed.iter().filter(|(key, value)| kept.get(key) != Some(value));
    gone.map(|pair| format!("- {}", told(pair))).chain(new.map(|pair| format!("+ {}", told(pair)))).collect()
}
