//! The problem codes of each type that can refuse a request.

use super::Code;

/// A type that can refuse a request. A tuple combines several.
pub trait HasProblemCodes {
    /// Returns the codes with which it can refuse.
    fn codes() -> Vec<Code>;
}

impl<A: HasProblemCodes, B: HasProblemCodes> HasProblemCodes for (A, B) {
    fn codes() -> Vec<Code> {
        [A::codes(), B::codes()].concat()
    }
}

impl<A: HasProblemCodes, B: HasProblemCodes, C: HasProblemCodes> HasProblemCodes for (A, B, C) {
    fn codes() -> Vec<Code> {
        [A::codes(), B::codes(), C::codes()].concat()
    }
}

impl<A: HasProblemCodes, B: HasProblemCodes, C: HasProblemCodes, D: HasProblemCodes> HasProblemCodes
    for (A, B, C, D)
{
    fn codes() -> Vec<Code> {
        [A::codes(), B::codes(), C::codes(), D::codes()].concat()
    }
}
