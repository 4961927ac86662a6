//! A cache in memory for values that exist elsewhere or can be recomputed, limited by size.

use std::hash::Hash;
use std::sync::Arc;

use quick_cache::sync::Cache;
use quick_cache::{OptionsBuilder, Weighter};

/// A value that can be cached.
pub trait Weighted {
    /// The smallest size of a value, in bytes.
    const SMALLEST: u64;
    /// The share of the space for values that were requested again. The rest is for new ones.
    const OFTEN: f64 = 0.97;

    /// Returns its approximate size in memory, in bytes.
    fn bytes(&self) -> u64;
}

/// The size and the hits of a cache.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    /// Cached values.
    pub count: u64,
    /// Their approximate size in memory.
    pub bytes: u64,
    /// Requests for a cached value.
    pub hits: u64,
    /// Requests for a value that was not cached.
    pub misses: u64,
}

/// Recently used values by key. The cache never has the only copy.
pub struct ByteCache<K, V>(Cache<K, Arc<V>, ByBytes>);

impl<K: Hash + Eq + Clone, V: Weighted> ByteCache<K, V> {
    /// Caches values up to about this many bytes.
    pub fn with_room(bytes: u64) -> Self {
        let values = (bytes / V::SMALLEST) as usize;
        let mut room = OptionsBuilder::new();
        room.estimated_items_capacity(values).weight_capacity(bytes).hot_allocation(V::OFTEN);
        Self(match room.build() {
            Ok(room) => Cache::with_options(room, ByBytes, Default::default(), Default::default()),
            // Happens only if a number is missing.
            Err(_) => Cache::with_weighter(values, bytes, ByBytes),
        })
    }

    /// Returns the cached value of a key.
    pub fn get(&self, key: &K) -> Option<Arc<V>> {
        self.0.get(key)
    }

    /// Caches a value as long as there is space.
    pub fn keep(&self, key: K, value: &Arc<V>) {
        self.0.insert(key, Arc::clone(value));
    }

    /// Caches a value, unless `stays` accepts the one cached under the key by then.
    pub fn keep_unless(&self, key: K, value: &Arc<V>, stays: impl FnOnce(&V) -> bool) {
        if !self.0.peek(&key).is_some_and(|kept| stays(&kept)) {
            self.keep(key, value);
        }
    }

    /// Returns the size and the hits.
    pub fn usage(&self) -> Usage {
        let Self(kept) = self;
        Usage { count: kept.len() as u64, bytes: kept.weight(), hits: kept.hits(), misses: kept.misses() }
    }

    /// Removes the value of a key.
    pub fn forget(&self, key: &K) {
        self.0.remove(key);
    }
}

/// Weighs a value by its size in memory.
#[derive(Clone)]
struct ByBytes;

impl<K, V: Weighted> Weighter<K, Arc<V>> for ByBytes {
    fn weight(&self, _: &K, value: &Arc<V>) -> u64 {
        value.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Weighted for u32 {
        const SMALLEST: u64 = 1;

        fn bytes(&self) -> u64 {
            1
        }
    }

    #[test]
    fn a_value_that_is_to_stay_is_not_replaced_and_any_other_is() {
        let kept = ByteCache::with_room(100);
        for (value, then) in [(5, 5), (3, 5), (7, 7)] {
            kept.keep_unless("game", &Arc::new(value), |kept| *kept > value);
            assert_eq!(kept.get(&"game").as_deref(), Some(&then));
        }
    }
}
