//! What can refuse a request, with the codes that it has.

use super::Code;

/// Something that can refuse a request; a tuple combines several.
pub trait Refuses {
    /// Returns the codes that it can answer with.
    fn codes() -> Vec<Code>;
}

impl<A: Refuses, B: Refuses> Refuses for (A, B) {
    fn codes() -> Vec<Code> {
        [A::codes(), B::codes()].concat()
    }
}

impl<A: Refuses, B: Refuses, C: Refuses> Refuses for (A, B, C) {
    fn codes() -> Vec<Code> {
        [A::codes(), B::codes(), C::codes()].concat()
    }
}

impl<A: Refuses, B: Refuses, C: Refuses, D: Refuses> Refuses for (A, B, C, D) {
    fn codes() -> Vec<Code> {
        [A::codes(), B::codes(), C::codes(), D::codes()].concat()
    }
}
