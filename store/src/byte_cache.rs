//! What is kept in memory: copies of what exists elsewhere or can be made anew, as many as there is room for.

use std::hash::Hash;
use std::sync::Arc;

use quick_cache::sync::Cache;
use quick_cache::{OptionsBuilder, Weighter};

/// Something that may be kept.
pub trait Weighted {
    /// What each takes at least, in bytes.
    const SMALLEST: u64;
    /// Which part of the room is for those that were wanted again. The rest is for new ones.
    const OFTEN: f64 = 0.97;

    /// Returns the memory that it takes, in bytes, about.
    fn bytes(&self) -> u64;
}

/// How much is kept, and how often it was of use.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    /// The values.
    pub count: u64,
    /// The memory that they take, about.
    pub bytes: u64,
    /// How often a value was wanted that was kept.
    pub hits: u64,
    /// How often one was wanted that was not.
    pub misses: u64,
}

/// Values that were used lately, each under a key. Nothing is kept here alone.
pub struct ByteCache<K, V>(Cache<K, Arc<V>, ByBytes>);

impl<K: Hash + Eq + Clone, V: Weighted> ByteCache<K, V> {
    /// Keeps values up to about so many bytes.
    pub fn with_room(bytes: u64) -> Self {
        let values = (bytes / V::SMALLEST) as usize;
        let mut room = OptionsBuilder::new();
        room.estimated_items_capacity(values).weight_capacity(bytes).hot_allocation(V::OFTEN);
        Self(match room.build() {
            Ok(room) => Cache::with_options(room, ByBytes, Default::default(), Default::default()),
            // Only where a number is missing.
            Err(_) => Cache::with_weighter(values, bytes, ByBytes),
        })
    }

    /// Returns the value that is kept under a key.
    pub fn get(&self, key: &K) -> Option<Arc<V>> {
        self.0.get(key)
    }

    /// Keeps a value, for as long as there is room.
    pub fn keep(&self, key: K, value: &Arc<V>) {
        self.0.insert(key, Arc::clone(value));
    }

    /// Keeps a value, unless what is kept under the key by then is to stay.
    pub fn keep_unless(&self, key: K, value: &Arc<V>, stays: impl FnOnce(&V) -> bool) {
        if !self.0.peek(&key).is_some_and(|kept| stays(&kept)) {
            self.keep(key, value);
        }
    }

    /// Returns how much is kept, and how often it was of use.
    pub fn usage(&self) -> Usage {
        let Self(kept) = self;
        Usage { count: kept.len() as u64, bytes: kept.weight(), hits: kept.hits(), misses: kept.misses() }
    }

    /// Keeps nothing under a key any longer.
    pub fn forget(&self, key: &K) {
        self.0.remove(key);
    }
}

/// Weighs a value by the memory that it takes.
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
