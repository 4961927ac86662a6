//! The metrics page, in the OpenMetrics text format.

use std::fmt;

use actix_web::web::Data;
use assam_record::clock::now;
use assam_store::byte_cache::Usage;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::DescriptorEncoder;
use prometheus_client::encoding::text::encode;
use prometheus_client::registry::Registry;

use super::Watch;
use super::process::Process;
use super::text::{MICROSECONDS, Text};
use crate::app::App;
use crate::http::limits::Limiter;
use crate::http::response::finished::FinishedResponses;
use crate::problem::Code;

/// The sources of all metrics.
pub struct Watched {
    /// The application.
    pub app: Data<App>,
    /// The response cache.
    pub finished: Data<FinishedResponses>,
    /// The limits for clients.
    pub limiter: Data<Limiter>,
    /// Requests.
    pub watch: Data<Watch>,
}

impl fmt::Debug for Watched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watched")
    }
}

impl Watched {
    /// Returns the registry that writes the page.
    pub fn registry(self) -> Registry {
        let mut registry = Registry::default();
        registry.register_collector(Box::new(self));
        registry
    }
}

/// Writes the page.
///
/// # Errors
/// If something cannot be written as text.
pub fn page(registry: &Registry) -> Result<String, fmt::Error> {
    let mut text = String::new();
    encode(&mut text, registry)?;
    Ok(text)
}

impl Collector for Watched {
    fn encode(&self, to: DescriptorEncoder) -> fmt::Result {
        let to = &mut Text(to);
        let version = [([("version", env!("CARGO_PKG_VERSION"))], 1)];
        to.levels("assam_build_info", "The running version", version)?;
        self.requests(to)?;
        self.changes(to)?;
        self.caches(to)?;
        self.records(to)?;
        self.streams(to)?;
        self.witnesses(to)?;
        let database = self.app.database();
        to.level(
            "assam_database_up",
            "Whether the database is responding (1) or not (0)",
            database.answers().into(),
        )?;
        let writable = database.can_write().into();
        to.level(
            "assam_database_writable",
            "Whether the last change could be written (1) or not (0)",
            writable,
        )?;
        let help = "Database attempts that failed or timed out";
        to.count("assam_database_failures", help, database.failures())?;
        self.process(to)
    }
}

impl Watched {
    fn requests(&self, to: &mut Text) -> fmt::Result {
        let Watch { requests, problems, connections, .. } = &**self.watch;
        let answered = requests.answered().flat_map(|(route, method, answered)| {
            let labels = move |status| {
                [("method", method.to_owned()), ("route", route.to_owned()), ("status", status)]
            };
            answered.by_status().map(move |(status, count)| (labels(status), count))
        });
        to.counts("assam_http_requests", "Requests by route template", answered)?;
        let times = requests.answered().filter(|(.., answered)| answered.by_status().next().is_some());
        let times =
            times.map(|(route, method, answered)| ([("method", method), ("route", route)], &answered.times));
        let help = "Time from request to the start of the response";
        to.histograms("assam_http_request_duration_seconds", help, MICROSECONDS, times)?;
        let problems =
            Code::ALL.iter().map(|code| ([("code", code.as_str())], problems[*code as usize].get()));
        to.counts("assam_http_problems", "Refused or failed requests, by problem code", problems)?;
        to.level("assam_http_connections", "Open connections", connections.get())?;
        let limited = self.limiter.refused().map(|(limit, count)| ([("limit", limit)], count));
        to.counts("assam_limited", "Requests refused because the client exceeded a limit, by limit", limited)
    }

    fn changes(&self, to: &mut Text) -> fmt::Result {
        let counts = self.app.counts();
        to.count("assam_words_written", "Words appended to logs", counts.words.get())?;
        to.count("assam_games_written", "Games stored", counts.games.get())?;
        to.count("assam_seatings_written", "Seat changes written", counts.seatings.get())?;
        to.count("assam_removals_written", "Games removed or taken down", counts.removals.get())?;
        let help = "Changes recomputed because another writer changed the game first";
        to.count("assam_conflicts", help, counts.conflicts.get())?;
        to.histogram("assam_batch_size", "Changes written in one batch", 1.0, &counts.batches)?;
        let help = "Time to write a batch of changes";
        to.histogram("assam_batch_duration_seconds", help, MICROSECONDS, &counts.writing)?;
        to.level("assam_queue_length", "Changes waiting to be written", self.app.queued() as u64)?;
        to.level(
            "assam_queue_capacity",
            "Maximum number of waiting changes",
            self.app.queue_capacity() as u64,
        )?;
        let waiting = self.app.lists_waiting() as u64;
        to.level(
            "assam_lists_waiting",
            "Lists waiting or being read (at most 256, and at most the queue capacity)",
            waiting,
        )?;
        let help = "Changes waiting because another writer has locked their games";
        to.level("assam_held_changes", help, counts.held.get())
    }

    fn caches(&self, to: &mut Text) -> fmt::Result {
        let caches = [("games", self.app.warm_games()), ("responses", self.finished.usage())];
        let of = |read: fn(&Usage) -> u64| {
            caches.each_ref().map(|(cache, usage)| ([("cache", *cache)], read(usage)))
        };
        to.levels("assam_cache_entries", "Games and responses cached in memory", of(|usage| usage.count))?;
        to.levels("assam_cache_bytes", "Approximate memory that the cache uses", of(|usage| usage.bytes))?;
        to.counts("assam_cache_hits", "Lookups found in the cache", of(|usage| usage.hits))?;
        to.counts("assam_cache_misses", "Lookups not found in the cache", of(|usage| usage.misses))
    }

    fn records(&self, to: &mut Text) -> fmt::Result {
        let counts = self.app.counts();
        to.count("assam_records_validated", "Records validated", counts.validated.get())?;
        to.count("assam_records_imported", "Records imported as new games", counts.imported.get())?;
        let help = "Imported records that already existed as games";
        to.count("assam_records_known", help, counts.known.get())?;
        let under_way = self.app.bulk_under_way() as u64;
        to.level("assam_bulk_requests", "Bulk requests in progress", under_way)
    }

    fn streams(&self, to: &mut Text) -> fmt::Result {
        let streams = &self.app.counts().streams;
        to.level("assam_streams", "Open event streams", streams.open.get())?;
        let ended = streams.ended().map(|(why, count)| ([("reason", why)], count));
        to.counts("assam_streams_ended", "Streams ended, by reason", ended)?;
        let help = "Plies sent at once on a stream that had caught up";
        to.histogram("assam_stream_lag_plies", help, 1.0, &streams.lag)?;
        let help = "Games that streams and waiting requests are following";
        to.level("assam_followed_games", help, self.app.followed_games() as u64)
    }

    fn witnesses(&self, to: &mut Text) -> fmt::Result {
        let lags = self.app.witness_lags();
        let of_each = lags.witnesses.iter().map(|(witness, lag)| ([("witness", witness.label())], *lag));
        let help = "Entries of the public log that a witness has not cosigned";
        to.levels("assam_witness_lag_entries", help, of_each)?;
        let help = "Entries of the public log without a quorum of cosignatures";
        to.level("assam_witness_quorum_lag_entries", help, lags.quorum.unwrap_or_default())?;
        let submitted = self.app.witness_addresses().iter().flat_map(|address| {
            let labels = |outcome| [("outcome", outcome), ("url", &*address.url)];
            address.submitted().map(move |(outcome, count)| (labels(outcome), count))
        });
        let help = "Checkpoints sent to a witness, by outcome";
        to.counts("assam_witness_submissions", help, submitted)
    }

    fn process(&self, to: &mut Text) -> fmt::Result {
        let process = Process::now();
        if let Some(seconds) = process.cpu_seconds {
            to.count_seconds("process_cpu_seconds", "Processor time used, in seconds", seconds)?;
        }
        let age = self.app.counts().since.elapsed().as_secs().cast_signed();
        let started = u64::try_from(now().as_second() - age).ok();
        for (name, help, level) in [
            ("process_start_time_seconds", "Start time of the service, in seconds since 1970", started),
            ("process_resident_memory_bytes", "Resident memory", process.resident_bytes),
            ("process_virtual_memory_bytes", "Virtual memory", process.virtual_bytes),
            ("process_open_fds", "Open files and connections", process.open_files),
            ("process_max_fds", "Maximum number of open files and connections", process.most_files),
            ("process_threads", "Threads", process.threads),
        ] {
            level.map_or(Ok(()), |level| to.level(name, help, level))?;
        }
        Ok(())
    }
}
