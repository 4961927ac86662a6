//! The media types that a client accepts.

use actix_web::HttpRequest;
use actix_web::http::header::ACCEPT;

use super::list;
use crate::problem::{Code, Problem};

/// Returns the offered media type that `Accept` prefers, or the first of several with the same weight.
///
/// # Errors
/// `not_acceptable`.
pub fn accepted(req: &HttpRequest, offered: &[&'static str]) -> Result<&'static str, Problem> {
    let none = || {
        Problem::new(Code::NotAcceptable, format!("this resource is available as {}", offered.join(" or ")))
    };
    let ranges: Vec<(String, f32)> = list(req, &ACCEPT).map(weighted_range).collect();
    if ranges.is_empty() {
        return offered.first().copied().ok_or_else(none);
    }
    // The most specific matching range decides the weight of a media type (RFC 9110, section 12.5.1).
    let weight = |media: &str| {
        let group = media.split('/').next().unwrap_or_default();
        let of = |wanted: &str| ranges.iter().find(|(range, _)| *range == wanted).map(|(_, weight)| *weight);
        of(media).or_else(|| of(&format!("{group}/*"))).or_else(|| of("*/*")).unwrap_or(0.0)
    };
    offered
        .iter()
        .rev()
        .map(|media| (*media, weight(media)))
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .filter(|(_, weight)| *weight > 0.0)
        .map(|(media, _)| media)
        .ok_or_else(none)
}

fn weighted_range(range: &str) -> (String, f32) {
    let range = range.to_ascii_lowercase();
    let mut parts = range.split(';').map(str::trim);
    let media = parts.next().unwrap_or_default().to_owned();
    let weight = parts.find_map(|part| part.strip_prefix("q=")).and_then(|q| q.parse().ok());
    (media, weight.unwrap_or(1.0))
}
