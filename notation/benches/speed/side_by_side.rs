//! Tasks measured in turns, so that whatever else the machine does meets all of them alike.

use std::hint::black_box;
use std::time::Instant;

const ROUNDS: usize = 101;

/// Something to measure.
pub struct Task<'a> {
    name: &'static str,
    run: Box<dyn Fn() + 'a>,
}

impl<'a> Task<'a> {
    /// Does the same with each of these things.
    pub fn each<T, R>(name: &'static str, things: &'a [T], work: impl Fn(&'a T) -> R + 'a) -> Self {
        let run = move || {
            for thing in things {
                black_box(work(black_box(thing)));
            }
        };
        Self { name, run: Box::new(run) }
    }
}

/// Prints the median speed of every task, and the median of its time divided by that of the first one in the same
/// round. `work` is what each does in a round: so many units, in a text of so many bytes.
pub fn compare((unit, units, bytes): (&str, usize, usize), tasks: &[Task<'_>]) {
    let mut rounds = vec![Vec::new(); tasks.len()];
    for _ in 0..ROUNDS {
        for (task, seconds) in tasks.iter().zip(&mut rounds) {
            let start = Instant::now();
            (task.run)();
            seconds.push(start.elapsed().as_secs_f64());
        }
    }
    println!("| {units} {unit}, {bytes} bytes | million {unit}/s | ns each | MB/s | times the first |");
    println!("| --- | ---: | ---: | ---: | ---: |");
    for (task, seconds) in tasks.iter().zip(&rounds) {
        let times = median(seconds.iter().zip(&rounds[0]).map(|(own, first)| own / first));
        let second = median(seconds.iter().copied());
        let (units, bytes) = (units as f64 / second, bytes as f64 / second);
        println!(
            "| {} | {:.1} | {:.1} | {:.0} | {times:.1} |",
            task.name,
            units / 1e6,
            1e9 / units,
            bytes / 1e6
        );
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
