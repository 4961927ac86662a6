//! Where first pages of lists ended.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use crate::ListQuery;
use crate::byte_cache::{ByteCache, Weighted};
use crate::sql::list::Listed;

/// How much memory they may take, in bytes.
const ROOM: u64 = 1 << 20;
/// In what times are stored.
const MILLISECOND: SignedDuration = SignedDuration::from_millis(1);

/// The time of the last game that the first page of a list had when it was last read, for lists that games seldom leave: where a seat is given up,
/// and where they are removed or taken down. As long as none does, no game beyond has to be looked at. For of each range of an index PostgreSQL compares
/// whatever is on the same page as the first game, up to a hundred games where one is taken.
pub(super) struct PageEnds(ByteCache<ListQuery, PageEnd>);

/// The end of a page.
#[derive(PartialEq, Eq)]
struct PageEnd(Timestamp);

impl PageEnds {
    pub(super) fn new() -> Self {
        Self(ByteCache::with_room(ROOM))
    }

    /// Returns a query for the games up to the end of the page that was read before. It finds the page, or fewer games where some have gone.
    pub(super) fn bound(&self, query: &ListQuery) -> Option<ListQuery> {
        let PageEnd(end) = *self.0.get(query)?;
        Some(if query.is_ascending {
            ListQuery { until: end.checked_add(MILLISECOND).ok(), ..query.clone() }
        } else {
            ListQuery { since: Some(end), ..query.clone() }
        })
    }

    /// Notes where a page ended, if it is such a page.
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
