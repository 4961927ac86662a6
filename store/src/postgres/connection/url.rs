//! What the URL of a PostgreSQL database says.

use std::error::Error as _;
use std::time::Duration;

use tokio_postgres::Config;
use tokio_postgres::config::SslMode;

use crate::StoreError;

/// How long a connection may be idle before it shows that it is there: what is between may forget it after minutes.
const KEEPALIVE: Duration = Duration::from_secs(60);
/// What a URL has that names no such time.
const KEEPALIVE_UNNAMED: Duration = Duration::from_secs(2 * 3600);
/// How long the network may be silent before a connection counts as broken.
const SILENCE: Duration = Duration::from_secs(10);
/// How the parser begins to tell of an option whose value it does not know, before the name, which is one of its own.
const INVALID: &str = "invalid value for option `";

/// Reads a URL.
///
/// # Errors
/// [`StoreError::Backend`] where it is malformed, names no server, or requires TLS, which is not supported. Nothing of it is repeated, as any piece of it
/// may be one of the password.
pub(in crate::postgres) fn read(url: &str) -> Result<Config, StoreError> {
    let refused = |why: &str| StoreError::Backend(format!("the Postgres URL {why}"));
    let mut config: Config = url.parse().map_err(|error: tokio_postgres::Error| {
        let cause = error.source().map(ToString::to_string).unwrap_or_default();
        match cause.strip_prefix(INVALID).and_then(|rest| rest.split_once('`')) {
            Some((option, _)) => refused(&format!("has a value for `{option}` that it cannot have")),
            None => refused(
                "is malformed: it is postgres://USER:PASSWORD@HOST:PORT/DATABASE?OPTION=VALUE, with `%40` for `@` in a password, `%2F` for `/` and `%3F` for `?`",
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
