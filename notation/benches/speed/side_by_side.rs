//! Tasks measured in turns, so that other load on the machine affects all of them alike.

use std::hint::black_box;
use std::ops::Range;
use std::time::Instant;

/// The number of shares. Nearly every share takes less than a millisecond, so most are measured without an
/// interruption by another process.
const SHARES: usize = 100;
const REPEATS: usize = 21;

/// A task to measure.
pub struct Task<'a> {
    name: &'static str,
    things: usize,
    run: Box<dyn Fn(Range<usize>) + 'a>,
}

impl<'a> Task<'a> {
    /// Returns a task that does the same work with each of these things.
    pub fn each<T, R>(name: &'static str, things: &'a [T], work: impl Fn(&'a T) -> R + 'a) -> Self {
        let run = move |share: Range<usize>| {
            for thing in &things[share] {
                black_box(work(black_box(thing)));
            }
        };
        Self { name, things: things.len(), run: Box::new(run) }
    }

    /// Returns the seconds that one share takes.
    fn time(&self, share: usize) -> f64 {
        let share = self.things * share / SHARES..self.things * (share + 1) / SHARES;
        let start = Instant::now();
        (self.run)(share);
        start.elapsed().as_secs_f64()
    }
}

/// Prints the speed of every task, and its time as a multiple of the first task's. Both are medians of
/// measurements in which the tasks take turns, share after share.
///
/// The first argument describes all things together: their unit, their number of units, and the bytes of
/// their text.
pub fn compare((unit, units, bytes): (&str, usize, usize), tasks: &[Task<'_>]) {
    let mut times = vec![vec![Vec::new(); SHARES]; tasks.len()];
    for _ in 0..REPEATS {
        // One share after another: the processor would learn the branches of a share that is repeated at
        // once.
        for share in 0..SHARES {
            for (task, times) in tasks.iter().zip(&mut times) {
                times[share].push(task.time(share));
            }
        }
    }
    println!("| {units} {unit}, {bytes} bytes | million {unit}/s | ns each | MB/s | times the first |");
    println!("| --- | ---: | ---: | ---: | ---: |");
    for (task, own) in tasks.iter().zip(&times) {
        let seconds: f64 = own.iter().map(|share| median(share.clone())).sum();
        let (million, megabytes) = (units as f64 / seconds / 1e6, bytes as f64 / seconds / 1e6);
        let pairs = own.iter().flatten().zip(times[0].iter().flatten());
        let ratio = median(pairs.map(|(own, first)| own / first).collect());
        println!("| {} | {million:.1} | {:.1} | {megabytes:.0} | {ratio:.1} |", task.name, 1e3 / million);
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
