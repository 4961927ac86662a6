//! `assam migrate`.

use crate::database::{self, DatabaseArgs};
use crate::output::{Failure, print};

/// Brings the database up to date.
pub fn run(args: &DatabaseArgs) -> Result<(), Failure> {
    actix_web::rt::System::new().block_on(async {
        database::open(args)?.migrate().await?;
        print("the database is up to date\n")
    })
}
