//! `assam ratings`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use assam_api::app::{App, Limits};
use assam_proofs::signed::Keyring;
use assam_record::standings::{PlayerTally, Rating, TallyKey};
use clap::Args;

use crate::database::{self, DatabaseArgs};
use crate::process::output::{Failure, print};

/// Arguments of `assam ratings`.
#[derive(Args)]
pub struct RatingsArgs {
    /// Make all of it anew, in place of what is kept
    #[arg(long)]
    again: bool,
    #[command(flatten)]
    database: DatabaseArgs,
}

/// How many differences are listed, at most.
const LISTED: usize = 20;

/// Computes ratings and tallies from the logs of all games, and compares them with those that are kept, or puts them in their place.
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
                "{competitor} in {} with {seats} seats, {period}: {games} games, {firsts} won, scores of {score_sum}, {} at best",
                ruleset.name(),
                best.score
            )
        });
        let differing = ratings.len() + tallies.len();
        let mut told = format!(
            "computed from the logs: {} ratings, {} tallies\n",
            computed.ratings.len(),
            computed.tallies.len()
        );
        if differing == 0 {
            told.push_str(if args.again {
                "these are kept now\n"
            } else {
                "those that are kept are the same\n"
            });
            return print(&told);
        }
        for line in ratings.iter().chain(&tallies).take(LISTED) {
            writeln!(told, "{line}")?;
        }
        print(&told)?;
        Err(format!(
            "{differing} of those that are kept are others: games were taken down, lost or changed since; --again makes them anew"
        )
        .into())
    })
}

/// Returns a line for each value that is not the same in both.
fn differences<K: Ord, V: PartialEq>(
    kept: &BTreeMap<K, V>,
    computed: &BTreeMap<K, V>,
    told: impl Fn((&K, &V)) -> String,
) -> Vec<String> {
    let gone = kept.iter().filter(|(key, value)| computed.get(key) != Some(value));
    let new = computed.iter().filter(|(key, value)| kept.get(key) != Some(value));
    gone.map(|pair| format!("- {}", told(pair))).chain(new.map(|pair| format!("+ {}", told(pair)))).collect()
}
