//! `assam migrate`: brings a database up to date.

use assam_store::Admin as _;
use clap::Args;

use crate::database::{self, DatabaseArgs};
use crate::process::output::{Failure, print};

#[derive(Args)]
pub struct MigrateArgs {
    #[command(flatten)]
    database: DatabaseArgs,
    /// Distribute the games over the servers of a Citus cluster. `--database` must name its coordinator.
    ///
    /// Existing games are moved, and nothing can be written until that is done. Games that are already
    /// distributed stay where they are.
    #[arg(long)]
    citus: bool,
    /// The number of shards into which to divide the games, 1 to 64000: a few for each server that stores
    /// them.
    ///
    /// Each statement of the service goes to the parts with its games. Citus can move parts to other servers
    /// later.
    #[arg(long, value_name = "N", default_value_t = 8, requires = "citus", value_parser = clap::value_parser!(u16).range(1..=64_000))]
    shards: u16,
}

/// Brings the database up to date.
pub fn run(args: &MigrateArgs) -> Result<(), Failure> {
    actix_web::rt::System::new().block_on(async {
        if !args.citus {
            database::open_for(&args.database, &[])?.admin.migrate().await?;
            return print("the database is up to date\n");
        }
        let store = database::open_postgres(&args.database)?;
        store.migrate().await?;
        store.distribute(args.shards).await?;
        print("the database is up to date, and its games are distributed\n")
    })
}
