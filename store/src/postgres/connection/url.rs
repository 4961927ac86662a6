//! Parses the URL of a PostgreSQL database.

use std::error::Error as _;
use std::time::Duration;

use tokio_postgres::Config;
use tokio_postgres::config::SslMode;

use crate::StoreError;

/// How long a connection may be idle before it sends a keepalive. Network devices may forget idle connections
/// after minutes.
const KEEPALIVE: Duration = Duration::from_secs(60);
/// The value in a URL that sets no such time.
const KEEPALIVE_UNNAMED: Duration = Duration::from_secs(2 * 3600);
/// How long the network may be silent before a connection counts as broken.
const SILENCE: Duration = Duration::from_secs(10);
/// The beginning of the parser's message about an option with an unknown value. The name that follows is a
/// known one.
const INVALID: &str = "invalid value for option `";

/// Parses a URL.
///
/// # Errors
/// [`StoreError::Backend`] if it is malformed, names no server, or requires TLS, which is not supported.
/// Messages repeat nothing of it, since any part may belong to the password.
pub(in crate::postgres) fn read(url: &str) -> Result<Config, StoreError> {
    let refused = |why: &str| StoreError::Backend(format!("the Postgres URL {why}"));
    let mut config: Config = url.parse().map_err(|error: tokio_postgres::Error| {
        let cause = error.source().map(ToString::to_string).unwrap_or_default();
        match cause.strip_prefix(INVALID).and_then(|rest| rest.split_once('`')) {
            Some((option, _)) => refused(&format!("has an invalid value for `{option}`")),
            None => refused(
                "is malformed: it must be postgres://USER:PASSWORD@HOST:PORT/DATABASE?OPTION=VALUE, with `%40` for `@` in a password, `%2F` for `/` and `%3F` for `?`",
            ),
        }
    })?;
    if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
        return Err(refused("names no host"));
    }
    if config.get_ssl_mode() == SslMode::Require {
        return Err(refused("requires TLS, which this program does not support"));
    }
    if config.get_keepalives_idle() == KEEPALIVE_UNNAMED {
        config.keepalives_idle(KEEPALIVE);
    }
    if config.get_tcp_user_timeout().is_none() {
        config.tcp_user_timeout(SILENCE);
    }
    Ok(config)
}
