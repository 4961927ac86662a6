//! What games say of those who play: ratings, and tallies of results and scores. It follows from the public games that were
//! played here, in the order in which they ended, and from nothing else.

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
