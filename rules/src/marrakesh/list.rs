//! Short lists as plain data, so that copying a position takes a few wide moves.

/// Up to `N` items in order.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct List<T, const N: usize>(
    /// The items, then only `None`.
    [Option<T>; N],
);

impl<T: Copy, const N: usize> List<T, N> {
    /// Returns an empty list.
    pub const fn new() -> Self {
        Self([None; N])
    }

    /// Returns a list of these items in order, or `None` if they are more than `N`.
    pub fn of(things: impl IntoIterator<Item = T>) -> Option<Self> {
        let mut list = Self::new();
        things.into_iter().all(|thing| list.push(thing)).then_some(list)
    }

    /// Appends an item. Returns false and adds nothing if the list is full.
    pub fn push(&mut self, thing: T) -> bool {
        let room = self.0.iter_mut().find(|place| place.is_none());
        room.map(|place| *place = Some(thing)).is_some()
    }

    /// Returns the items in order.
    pub fn iter(&self) -> impl Iterator<Item = &T> + Clone {
        self.0.iter().map_while(Option::as_ref)
    }

    /// Returns the number of items, 0..=`N`.
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// Returns whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the last item.
    pub fn last(&self) -> Option<&T> {
        self.iter().last()
    }
}

impl<T: Copy, const N: usize> Default for List<T, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: core::fmt::Debug + Copy, const N: usize> core::fmt::Debug for List<T, N> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
