//! Ratings, tallies and dice of players. They depend only on the public games played here, in the order in which
//! they ended.

mod competitor;
mod dice;
mod outcome;
pub mod period;
mod rating;
mod reckoning;
mod tally;

pub use competitor::{Competitor, NotACompetitor};
pub use dice::{ChiSquare, DiceTally, Fairness};
pub use outcome::{Finish, GameOutcome, counts, rolls};
pub use period::{NotAPeriod, Period};
pub use rating::Rating;
pub use reckoning::{DiceKey, Reckoning, TallyKey};
pub use tally::{BestScore, PlayerTally};
