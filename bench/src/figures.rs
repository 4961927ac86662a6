//! The figures of a bench.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Error, Result, Write as _};
use std::path::Path;
use std::thread;
use std::time::Duration;

use serde::Serialize;
use tokio::task::LocalSet;

use crate::Args;
use crate::connection::Place;
use crate::load::{Load, Measured, drive};
use crate::service::Service;

/// The wanted moves a second next to clients that make trouble.
pub const RATE_BESIDE: f64 = 1000.0;

/// The figures under one name, from all repeats.
#[derive(Default, Serialize)]
struct Figures {
    rates: Vec<f64>,
    p50_micros: Vec<u32>,
    p99_micros: Vec<u32>,
    /// The processor time of the service for a request, in microseconds.
    processor_micros: Vec<f64>,
}

/// The selection of measurements, and their figures.
pub struct Bench<'a> {
    pub args: &'a Args,
    /// The texts of `--only` that match some name.
    found: RefCell<BTreeSet<&'a str>>,
    names: Vec<String>,
    figures: BTreeMap<String, Figures>,
}

impl<'a> Bench<'a> {
    /// Prepares the measurements that the arguments select.
    ///
    /// # Errors
    /// If the file for the figures cannot be created.
    pub fn new(args: &'a Args) -> Result<Self> {
        if let Some(file) = &args.json {
            File::create(file).map_err(|error| named(file, &error))?;
        }
        let found = RefCell::default();
        Ok(Self { args, found, names: Vec::new(), figures: BTreeMap::new() })
    }

    /// Returns whether something of this name is selected.
    pub fn wants(&self, name: &str) -> bool {
        self.args.only.is_empty() || self.finds(|part| name.contains(part))
    }

    /// Returns whether something is selected by exactly this name.
    pub fn wants_just(&self, name: &str) -> bool {
        self.finds(|part| part == name)
    }

    fn finds(&self, is_it: impl Fn(&str) -> bool) -> bool {
        let parts = self.args.only.iter().map(String::as_str).filter(|part| is_it(part));
        let mut found = self.found.borrow_mut();
        parts.map(|part| found.insert(part)).count() > 0
    }

    /// Checks that each text of `--only` has matched something.
    ///
    /// # Errors
    /// If one has not.
    pub fn check_names(&self) -> Result<()> {
        let found = self.found.borrow();
        match self.args.only.iter().find(|part| !found.contains(part.as_str())) {
            None => Ok(()),
            Some(part) => Err(Error::other(format!(
                "no measurement of this run has `{part}` in its name: some need 64 connections, PostgreSQL or --games"
            ))),
        }
    }

    /// Returns whether names with this beginning may be selected.
    pub fn wants_any(&self, beginning: &str) -> bool {
        self.args.only.is_empty() || self.args.only.iter().any(|part| part.starts_with(beginning))
    }

    pub fn during(&self) -> Duration {
        Duration::from_secs_f64(self.args.seconds)
    }

    pub fn keep(&mut self, name: &str, measured: &Measured, processor: Option<f64>) {
        if !self.figures.contains_key(name) {
            self.names.push(name.to_owned());
        }
        let figures = self.figures.entry(name.to_owned()).or_default();
        figures.rates.push(measured.rate);
        figures.p50_micros.push(measured.quantile(0.5));
        figures.p99_micros.push(measured.quantile(0.99));
        figures.processor_micros.extend(processor);
        say(&format!("{name}: {:.0} a second", measured.rate));
    }

    /// Measures clients at [`RATE_BESIDE`] while others run on a separate thread. The measured clients never
    /// wait until this program has read the responses of the others.
    pub async fn beside<L: Load, O: Load>(
        &mut self,
        name: &str,
        service: &Service,
        clients: Vec<L>,
        others: impl FnOnce() -> Vec<O> + Send + 'static,
    ) -> Result<()> {
        let (address, during) = (service.address, self.during().mul_f64(1.1));
        let others = thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            LocalSet::new().block_on(&runtime, drive(address, others(), during, None))
        });
        self.load(name, service, clients, Some(RATE_BESIDE)).await?;
        others.join().map_err(|_| Error::other("the others have stopped"))??;
        Ok(())
    }

    pub async fn load<L: Load>(
        &mut self,
        name: &str,
        service: &Service,
        clients: Vec<L>,
        rate: Option<f64>,
    ) -> Result<f64> {
        self.load_at(service.address.into(), name, service, clients, rate).await
    }

    /// Measures clients at one of the places where the service listens.
    pub async fn load_at<L: Load>(
        &mut self,
        place: Place,
        name: &str,
        service: &Service,
        clients: Vec<L>,
        rate: Option<f64>,
    ) -> Result<f64> {
        let before = service.processor_time()?;
        let during = self.during();
        let measured = drive(place, clients, during, rate).await;
        let measured = measured.map_err(|error| Error::other(format!("{name}: {error}")))?;
        // A fifth more of the time was not counted.
        let all = measured.rate * during.as_secs_f64() * 1.2;
        let took = service.processor_time()?.saturating_sub(before).as_secs_f64() * 1e6 / all.max(1.0);
        self.keep(name, &measured, Some(took));
        Ok(measured.rate)
    }
}

fn median<T: Copy + PartialOrd>(values: &[T]) -> Option<T> {
    let mut values = values.to_vec();
    values.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    values.get(values.len().saturating_sub(1) / 2).copied()
}

impl Bench<'_> {
    /// Prints a table of all figures, and writes them to a file if requested.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn report(&self) -> Result<()> {
        if !self.names.is_empty() {
            self.print();
        }
        match &self.args.json {
            Some(file) => fs::write(file, serde_json::to_string_pretty(&self.figures)?)
                .map_err(|error| named(file, &error)),
            None => Ok(()),
        }
    }

    fn print(&self) {
        println!(
            "| measured | a second, median | least | most | p50, us | p99, us | processor a request, us |"
        );
        println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
        for name in &self.names {
            let Figures { rates, p50_micros, p99_micros, processor_micros } = &self.figures[name];
            let least = rates.iter().copied().fold(f64::INFINITY, f64::min);
            let most = rates.iter().copied().fold(0.0, f64::max);
            let processor =
                median(processor_micros).map_or_else(String::new, |micros| format!("{micros:.1}"));
            println!(
                "| {name} | {:.0} | {least:.0} | {most:.0} | {} | {} | {processor} |",
                median(rates).unwrap_or_default(),
                median(p50_micros).unwrap_or_default(),
                median(p99_micros).unwrap_or_default(),
            );
        }
    }
}

/// Prints a text on standard error.
pub fn say(text: &str) {
    // If standard error is closed, the error cannot be reported anywhere.
    let _ = writeln!(io::stderr(), "{text}");
}

/// Returns an error with the name of its file.
pub fn named(file: &Path, error: &Error) -> Error {
    Error::new(error.kind(), format!("{}: {error}", file.display()))
}
