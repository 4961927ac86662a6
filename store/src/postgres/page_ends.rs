//! The ends of first pages of lists.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use crate::ListQuery;
use crate::byte_cache::{ByteCache, Weighted};
use crate::sql::list::Listed;

/// The largest size in memory, in bytes.
const ROOM: u64 = 1 << 20;
/// The precision of stored times.
const MILLISECOND: SignedDuration = SignedDuration::from_millis(1);

/// The time of the last game on the first page of a list at its last read, for lists that games seldom leave.
/// A game leaves only if a seat is given up, or the game is removed or hidden. Until then, no later game has
/// to be read. Without this bound, PostgreSQL compares everything on the same page as the first game in each
/// index range, up to a hundred games for each one taken.
pub(super) struct PageEnds(ByteCache<ListQuery, PageEnd>);

#[derive(PartialEq, Eq)]
struct PageEnd(Timestamp);

impl PageEnds {
    pub(super) fn new() -> Self {
        Self(ByteCache::with_room(ROOM))
    }

    /// Returns a query for the games up to the end of the page at its last read. It finds the whole page, or
    /// fewer games if some have left.
    pub(super) fn bound(&self, query: &ListQuery) -> Option<ListQuery> {
        let PageEnd(end) = *self.0.get(query)?;
        Some(if query.is_ascending {
            ListQuery { until: end.checked_add(MILLISECOND).ok(), ..query.clone() }
        } else {
            ListQuery { since: Some(end), ..query.clone() }
        })
    }

    /// Notes the end of a page, if it is such a page.
    pub(super) fn note(&self, query: ListQuery, page: &[Listed]) {
        let is_first = query.statuses.is_empty() && query.after.is_none();
        if let Some(last) = page.last().filter(|_| is_first && page.len() == query.limit as usize) {
            let end = Arc::new(PageEnd(last.at()));
            self.0.keep_unless(query, &end, |kept| *kept == *end);
        }
    }
}

impl Weighted for PageEnd {
    const SMALLEST: u64 = 256;

    fn bytes(&self) -> u64 {
        Self::SMALLEST
    }
}
