//! Counters of a running service. Counting is an atomic addition, and nothing here knows who reads the
//! counters.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A number that only grows.
#[derive(Default, Debug)]
pub struct Total(AtomicU64);

impl Total {
    /// Adds to it.
    pub fn add(&self, more: u64) {
        self.0.fetch_add(more, Ordering::Relaxed);
    }

    /// Returns it.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// A number that goes up and down.
#[derive(Default, Debug)]
pub struct Gauge(AtomicU64);

impl Gauge {
    /// Sets it.
    pub fn set(&self, level: usize) {
        self.0.store(level as u64, Ordering::Relaxed);
    }

    /// Adds one.
    pub fn up(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    /// Subtracts one.
    pub fn down(&self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }

    /// Adds one until the guard is dropped.
    pub fn enter(&self) -> Entered<'_> {
        Entered { level: self, before: self.0.fetch_add(1, Ordering::Relaxed) }
    }

    /// Returns it.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// A guard that holds a level one higher.
#[derive(Debug)]
pub struct Entered<'a> {
    level: &'a Gauge,
    /// The level before.
    pub before: u64,
}

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        self.level.down();
    }
}

/// Counts of values between bounds.
#[derive(Debug)]
pub struct Histogram {
    bounds: &'static [u64],
    /// For each bound, the values up to it and above the previous one. Values above all bounds are last.
    counts: Box<[AtomicU64]>,
    sum: AtomicU64,
}

impl Histogram {
    /// Counts between these ascending bounds.
    pub fn new(bounds: &'static [u64]) -> Self {
        let counts = (0..=bounds.len()).map(|_| AtomicU64::new(0)).collect();
        Self { bounds, counts, sum: AtomicU64::new(0) }
    }

    /// Counts a value.
    pub fn count(&self, value: u64) {
        let place = self.bounds.partition_point(|bound| *bound < value);
        if let Some(counted) = self.counts.get(place) {
            counted.fetch_add(1, Ordering::Relaxed);
            self.sum.fetch_add(value, Ordering::Relaxed);
        }
    }

    /// Counts a time, in microseconds.
    pub fn count_time(&self, time: Duration) {
        self.count(u64::try_from(time.as_micros()).unwrap_or(u64::MAX));
    }

    /// Returns the sum of all values, and for each bound the count since the previous one. The last count has
    /// no bound.
    pub fn read(&self) -> (u64, impl Iterator<Item = (Option<u64>, u64)>) {
        let bounds = self.bounds.iter().copied().map(Some).chain([None]);
        let counts = self.counts.iter().map(|count| count.load(Ordering::Relaxed));
        (self.sum.load(Ordering::Relaxed), bounds.zip(counts))
    }
}

/// The bounds of times, in microseconds: 100 us to 10 s.
pub const TIMES: &[u64] = &[
    100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000,
    2_500_000, 5_000_000, 10_000_000,
];
