//! Drand chains that the user names.

use std::fs;
use std::path::PathBuf;

use assam_record::beacon::{DrandChain, KnownBeacons};
use assam_store::file_access::explained;
use clap::{Args, ValueHint};

use crate::process::input::printable;

/// Arguments for the known beacon chains.
#[derive(Args, Clone)]
pub struct BeaconArgs {
    /// A file with the /info response of a drand chain whose beacons to accept. Quicknet is always accepted.
    /// May be repeated
    #[arg(long, env = "ASSAM_BEACON", value_name = "FILE", value_hint = ValueHint::FilePath)]
    beacon: Vec<PathBuf>,
}

impl BeaconArgs {
    pub fn files(&self) -> &[PathBuf] {
        &self.beacon
    }

    /// Returns quicknet, and the chains that these files describe.
    ///
    /// # Errors
    /// Why a file does not describe a chain.
    pub fn known(&self) -> Result<KnownBeacons, String> {
        let read = |file: &PathBuf| {
            let json = fs::read_to_string(file).map_err(|error| explained(file, error).to_string());
            let chain = json.and_then(|json| DrandChain::read(&json).map_err(|error| error.to_string()));
            chain.map_err(|error| format!("{}: {error}", printable(file)))
        };
        let chains: Vec<DrandChain> = self.beacon.iter().map(read).collect::<Result<_, _>>()?;
        Ok(KnownBeacons::default().with(chains))
    }
}
