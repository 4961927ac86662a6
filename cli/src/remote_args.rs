//! Arguments about services that are reached over HTTP.

use clap::Args;

/// Arguments about services that are reached over HTTP.
#[derive(Args, Clone, Copy)]
pub struct RemoteArgs {
    /// With `--url`: the number of seconds for which the service may send nothing, and take nothing, 1 to 86400
    #[arg(long, default_value_t = 30, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86400))]
    pub idle_timeout: u64,
}
