//! Metrics in the OpenMetrics text format.

use std::fmt;

use assam_store::counted::Histogram;
use prometheus_client::encoding::{DescriptorEncoder, EncodeLabelSet, NoLabelSet};
use prometheus_client::metrics::MetricType;

/// The microseconds in a second.
pub const MICROSECONDS: f64 = 1e6;

/// A writer of metrics.
pub struct Text<'a>(pub DescriptorEncoder<'a>);

impl Text<'_> {
    /// Writes a counter. Its name gets the suffix `_total`.
    pub fn count(&mut self, name: &str, help: &str, count: u64) -> fmt::Result {
        let mut to = self.0.encode_descriptor(name, help, None, MetricType::Counter)?;
        to.encode_counter::<NoLabelSet, _, f64>(&count, None)
    }

    /// Writes a counter of seconds, as [`Self::count`].
    pub fn count_seconds(&mut self, name: &str, help: &str, seconds: f64) -> fmt::Result {
        let mut to = self.0.encode_descriptor(name, help, None, MetricType::Counter)?;
        to.encode_counter::<NoLabelSet, _, f64>(&seconds, None)
    }

    /// Writes a gauge.
    pub fn level(&mut self, name: &str, help: &str, level: u64) -> fmt::Result {
        self.0.encode_descriptor(name, help, None, MetricType::Gauge)?.encode_gauge(&level)
    }

    /// Writes a counter for each set of labels.
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

    /// Writes a gauge for each set of labels.
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

    /// Writes a histogram of values divided by `unit`.
    pub fn histogram(&mut self, name: &str, help: &str, unit: f64, counted: &Histogram) -> fmt::Result {
        let (sum, count, buckets) = read(counted, unit);
        let mut to = self.0.encode_descriptor(name, help, None, MetricType::Histogram)?;
        to.encode_histogram::<NoLabelSet>(sum, count, &buckets, None)
    }

    /// Writes a histogram for each set of labels, as [`Self::histogram`].
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

/// Returns the sum of the values, their number, and the number between each bound and the one before.
fn read(counted: &Histogram, unit: f64) -> (f64, u64, Vec<(f64, u64)>) {
    let (sum, buckets) = counted.read();
    let bound = |bound: Option<u64>| bound.map_or(f64::INFINITY, |bound| bound as f64 / unit);
    let buckets: Vec<_> = buckets.map(|(most, count)| (bound(most), count)).collect();
    (sum as f64 / unit, buckets.iter().map(|(_, count)| count).sum(), buckets)
}
