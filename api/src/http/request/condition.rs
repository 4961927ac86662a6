//! Conditional requests (RFC 9110, section 13).

use actix_web::HttpRequest;
use actix_web::http::header::{HeaderName, IF_MATCH};

use super::list;
use crate::app::HeadCondition;
use crate::hex::Hex;

/// What stands before a tag that is good for caches, and for no condition on a change.
const WEAK: &str = "W/";

/// An `If-Match` or `If-None-Match`.
pub enum Condition<'a> {
    /// `*`: whatever the tag is.
    Any,
    /// One of these entity tags, as they were sent.
    Tags(Vec<&'a str>),
}

impl<'a> Condition<'a> {
    /// Returns the condition of a request, if it has one.
    pub fn of(req: &'a HttpRequest, name: &HeaderName) -> Option<Self> {
        req.headers().get(name)?;
        let elements: Vec<&str> = list(req, name).collect();
        Some(if elements == ["*"] { Self::Any } else { Self::Tags(elements) })
    }

    /// Returns the tag that the condition names, of those that a response can have (without their quotes), by the weak
    /// comparison of `If-None-Match` (RFC 9110, section 13.1.2); the first for `*`.
    pub fn names<'t>(&self, tags: &[&'t str]) -> Option<&'t str> {
        match self {
            Self::Any => tags.first().copied(),
            Self::Tags(named) => {
                let named = named.iter().map(|tag| bare(tag.strip_prefix(WEAK).unwrap_or(tag)));
                named.filter_map(|named| tags.iter().copied().find(|tag| *tag == named)).next()
            }
        }
    }

    /// Returns the tags that may be compared strongly, as `If-Match` demands (RFC 9110, section 13.1.1): all but the weak
    /// ones, without their quotes. None for `*`.
    pub fn strong(&self) -> Option<impl Iterator<Item = &'a str>> {
        match self {
            Self::Any => None,
            Self::Tags(tags) => Some(tags.iter().filter(|tag| !tag.starts_with(WEAK)).map(|tag| bare(tag))),
        }
    }
}

/// Returns a tag without its quotes; a head hash may come without.
fn bare(tag: &str) -> &str {
    tag.strip_prefix('"').and_then(|tag| tag.strip_suffix('"')).unwrap_or(tag)
}

/// Reads the heads that `If-Match` names, by entity tag or by hash alone.
pub fn head_condition(req: &HttpRequest) -> Option<HeadCondition> {
    Some(match Condition::of(req, &IF_MATCH)?.strong() {
        None => HeadCondition::Any,
        Some(tags) => {
            let hash = |tag: &str| tag.split('.').next()?.parse().ok().map(|Hex(hash)| hash);
            HeadCondition::OneOf(tags.filter_map(hash).collect())
        }
    })
}
