//! The public log of a service, fetched over HTTP.

use assam_proofs::public_log::{Checkpoint, Missing, Tile, Tree};
use assam_proofs::signed::{Note, VerifyingKey};
use assam_record::game::Bytes32;

use crate::archive::transfer::NotTransferred;
use crate::remote::Remote;

/// A fetched checkpoint, with its signatures.
pub struct Fetched {
    pub checkpoint: Checkpoint,
    /// The note with the signatures.
    pub note: String,
}

impl Fetched {
    /// Reads a note with a checkpoint. If there are keys, one of them must have signed it.
    ///
    /// # Errors
    /// If it is not a checkpoint, or none of the keys signed it.
    pub fn read(note: String, keys: &[VerifyingKey]) -> Result<Self, String> {
        let read = Note::read(&note).map_err(|error| error.to_string())?;
        if !keys.is_empty() && !keys.iter().any(|key| key.verify(&read).is_ok()) {
            return Err("none of the keys has signed the checkpoint".to_owned());
        }
        let checkpoint = read.text.parse().map_err(|error| format!("{error}"))?;
        Ok(Self { checkpoint, note })
    }
}

/// The limit for a checkpoint, in bytes. No checkpoint comes near it.
const LIMIT: u64 = 64 * 1024;

/// Fetches the checkpoint of a log.
///
/// # Errors
/// If the service cannot be reached, or sends something other than a checkpoint that one of the keys signed.
pub fn checkpoint(remote: &Remote, keys: &[VerifyingKey]) -> Result<Fetched, NotTransferred> {
    let note = String::from_utf8(remote.get_small("/log/checkpoint", "text/plain", LIMIT)?);
    let note = note.map_err(|_| NotTransferred::Refused("the checkpoint is not UTF-8".to_owned()))?;
    Fetched::read(note, keys).map_err(NotTransferred::Refused)
}

/// Queries a tree, and fetches the tiles that it lacks.
///
/// # Errors
/// If the service cannot be reached, or has no such tile.
pub fn ask<T>(
    remote: &Remote,
    tree: &mut Tree,
    ask: impl Fn(&Tree) -> Result<T, Missing>,
) -> Result<T, NotTransferred> {
    loop {
        match ask(tree) {
            Ok(answer) => return Ok(answer),
            Err(Missing(tile)) => tree.put(tile, hashes(remote, tile)?),
        }
    }
}

/// Fetches the entries of a tile of level 0.
///
/// # Errors
/// If the service cannot be reached, or has no such tile.
pub fn entries(remote: &Remote, tile: Tile) -> Result<Vec<Bytes32>, NotTransferred> {
    let path = format!("/log/{}", tile.entries_path());
    let bytes = remote.get_small(&path, "application/octet-stream", LIMIT)?;
    let read = |entry: &[u8]| entry.strip_prefix(&[0, 32])?.try_into().ok();
    let entries: Option<Vec<Bytes32>> = bytes.chunks(34).map(read).collect();
    let entries = entries.filter(|entries| entries.len() == usize::from(tile.width));
    entries.ok_or_else(|| NotTransferred::Refused(format!("{path} is not a tile of {} entries", tile.width)))
}

fn hashes(remote: &Remote, tile: Tile) -> Result<Vec<Bytes32>, NotTransferred> {
    let path = format!("/log/{}", tile.path());
    let bytes = remote.get_small(&path, "application/octet-stream", LIMIT)?;
    let hashes: Vec<Bytes32> = bytes.chunks(32).filter_map(|hash| hash.try_into().ok()).collect();
    match hashes.len() == usize::from(tile.width) && bytes.len() == hashes.len() * 32 {
        true => Ok(hashes),
        false => Err(NotTransferred::Refused(format!("{path} is not a tile of {} hashes", tile.width))),
    }
}
