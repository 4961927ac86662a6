//! Conditional requests (RFC 9110, section 13).

use actix_web::HttpRequest;
use actix_web::http::header::{HeaderName, IF_MATCH};
use assam_record::hex::Hex;

use super::list;
use crate::app::HeadCondition;

/// An `If-Match` or `If-None-Match`.
pub enum Condition<'a> {
    /// `*`, for any tag.
    Any,
    /// One of these entity tags, weak or strong, without quotes.
    Tags(Vec<&'a str>),
}

impl<'a> Condition<'a> {
    /// Returns the condition of a request, if it has one.
    pub fn from_request(req: &'a HttpRequest, name: &HeaderName) -> Option<Self> {
        req.headers().get(name)?;
        let elements: Vec<&str> = list(req, name).collect();
        Some(if elements == ["*"] {
            Self::Any
        } else {
            Self::Tags(elements.into_iter().map(opaque).collect())
        })
    }

    /// Returns which of a response's possible tags (without quotes) the condition names, or the first for
    /// `*`. If one is a prefix of another, the longer is compared first.
    pub fn names<'t>(&self, tags: &[&'t str]) -> Option<&'t str> {
        match self {
            Self::Any => tags.first().copied(),
            Self::Tags(named) => {
                let of = |named: &&str| {
                    let fitting = tags.iter().copied().filter(|tag| is_form_of(named, tag));
                    fitting.max_by_key(|tag| tag.len())
                };
                named.iter().find_map(of)
            }
        }
    }
}

/// Returns a tag without weakness mark and quotes. A head hash may come without either.
fn opaque(tag: &str) -> &str {
    let tag = tag.strip_prefix("W/").unwrap_or(tag);
    tag.strip_prefix('"').and_then(|tag| tag.split('"').next()).unwrap_or(tag)
}

/// Returns whether a client names one of our tags, possibly changed by a compressing proxy. nginx, Varnish,
/// HAProxy and Cloudflare make it weak. Others append `-gzip` and `-br` (Apache, Caddy), `--gzip` (Jetty), or
/// `;gz` and `;br` (LiteSpeed). Our tags never continue with such a sign.
fn is_form_of(named: &str, tag: &str) -> bool {
    let added = named.strip_prefix(tag);
    added.is_some_and(|added| !added.starts_with(|c: char| c.is_alphanumeric()))
}

/// Reads the heads that `If-Match` names, by entity tag or by hash alone.
///
/// RFC 9110, section 13.1.1, demands strong tags there, because a weak one does not promise the same bytes.
/// The head in it promises more: it hashes every word of the game, so a move is written only after the words
/// that it was chosen for.
pub fn head_condition(req: &HttpRequest) -> Option<HeadCondition> {
    let head = |tag: &str| {
        let digits = tag.split(|c: char| !c.is_alphanumeric()).next()?;
        digits.parse().ok().map(|Hex(hash)| hash)
    };
    Some(match Condition::from_request(req, &IF_MATCH)? {
        Condition::Any => HeadCondition::Any,
        Condition::Tags(tags) => HeadCondition::OneOf(tags.into_iter().filter_map(head).collect()),
    })
}
