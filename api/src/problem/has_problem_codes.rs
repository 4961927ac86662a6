//! What can refuse a request, with the codes that it has.

use super::Code;

/// Something that can refuse a request; a tuple combines several.
pub trait HasProblemCodes {
    /// Returns the codes that it can answer with.
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
