//! Ratings and tallies of players. They depend only on the public games played here, in the order in which
//! they ended.

mod competitor;
mod outcome;
pub mod period;
mod rating;
mod reckoning;
mod tally;

pub use competitor::{Competitor, NotACompetitor};
pub use outcome::{Finish, GameOutcome};
pub use period::{NotAPeriod, Period};
pub use rating::Rating;
pub use reckoning::{Reckoning, TallyKey};
pub use tally::{BestScore, PlayerTally};
