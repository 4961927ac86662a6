//! Metrics as text, in the format of OpenMetrics.

use std::fmt;

use assam_store::counted::Histogram;
use prometheus_client::encoding::{DescriptorEncoder, EncodeLabelSet, NoLabelSet};
use prometheus_client::metrics::MetricType;

/// How many microseconds a second has.
pub const MICROSECONDS: f64 = 1e6;

/// What writes metrics.
pub struct Text<'a>(pub DescriptorEncoder<'a>);

impl Text<'_> {
    /// Writes a number that only grows. Its name ends in `_total` then.
    pub fn count(&mut self, name: &str, help: &str, count: u64) -> fmt::Result {
        let mut to = self.0.encode_descriptor(name, help, None, MetricType::Counter)?;
        to.encode_counter::<NoLabelSet, _, f64>(&count, None)
    }

    /// As [`Self::count`], of seconds.
    pub fn count_seconds(&mut self, name: &str, help: &str, seconds: f64) -> fmt::Result {
        let mut to = self.0.encode_descriptor(name, help, None, MetricType::Counter)?;
        to.encode_counter::<NoLabelSet, _, f64>(&seconds, None)
    }

    /// Writes a number that goes up and down.
    pub fn level(&mut self, name: &str, help: &str, level: u64) -> fmt::Result {
        self.0.encode_descriptor(name, help, None, MetricType::Gauge)?.encode_gauge(&level)
    }

    /// Writes a number that only grows for each set of labels.
    pub fn counts<L: EncodeLabelSet>(
        &mut self,
        name: &str,
        help: &str,
        counts: impl IntoIterator<Item = (L, u64)>,
    ) -> fmt::Result {
        let mut to = self.0.encode_descriptor(name, help, None, MetricType::Counter)?;
        for (labels, count) in counts {
            to.encode_family(&labels)?.encode_counter::<NoLabelSet, _, f64>(&count, None)?;
        }
        Ok(())
    }

    /// Writes a number that goes up and down for each set of labels.
    pub fn levels<L: EncodeLabelSet>(
        &mut self,
        name: &str,
        help: &str,
        levels: impl IntoIterator<Item = (L, u64)>,
    ) -> fmt::Result {
        let mut to = self.0.encode_descriptor(name, help, None, MetricType::Gauge)?;
        for (labels, level) in levels {
            to.encode_family(&labels)?.encode_gauge(&level)?;
        }
        Ok(())
    }

    /// Writes a histogram, of which so many make a unit.
    pub fn histogram(&mut self, name: &str, help: &str, unit: f64, counted: &Histogram) -> fmt::Result {
        let (sum, count, buckets) = read(counted, unit);
        let mut to = self.0.encode_descriptor(name, help, None, MetricType::Histogram)?;
        to.encode_histogram::<NoLabelSet>(sum, count, &buckets, None)
    }

    /// As [`Self::histogram`], for each set of labels.
    pub fn histograms<'h, L: EncodeLabelSet>(
        &mut self,
        name: &str,
        help: &str,
        unit: f64,
        histograms: impl IntoIterator<Item = (L, &'h Histogram)>,
    ) -> fmt::Result {
        let mut to = self.0.encode_descriptor(name, help, None, MetricType::Histogram)?;
        for (labels, counted) in histograms {
            let (sum, count, buckets) = read(counted, unit);
            to.encode_family(&labels)?.encode_histogram::<NoLabelSet>(sum, count, &buckets, None)?;
        }
        Ok(())
    }
}

/// Returns the sum of the values, how many there are, and how many up to each bound from the one before.
fn read(counted: &Histogram, unit: f64) -> (f64, u64, Vec<(f64, u64)>) {
    let (sum, buckets) = counted.read();
    let bound = |bound: Option<u64>| bound.map_or(f64::INFINITY, |bound| bound as f64 / unit);
    let buckets: Vec<_> = buckets.map(|(most, count)| (bound(most), count)).collect();
    (sum as f64 / unit, buckets.iter().map(|(_, count)| count).sum(), buckets)
}
