//! The one place that takes random bytes from the operating system. They make seeds, numbers of processes,
//! and game ids that are not derived from an `Idempotency-Key` or an imported record.

use jiff::Timestamp;
use rand::TryRng;
use rand::rngs::SysRng;

use crate::game::{Bytes32, GameId};
use crate::hex::Hex;

/// The operating system gave no random bytes.
#[derive(Debug, thiserror::Error)]
#[error("the operating system gave no random bytes")]
pub struct NoEntropy;

/// Draws 32 secret bytes: a key, or the seed of a game, which determines all its chance and stays secret
/// until the game is over.
///
/// # Errors
/// The operating system gives no random bytes.
pub fn seed() -> Result<Bytes32, NoEntropy> {
    let mut seed = [0; 32];
    SysRng.try_fill_bytes(&mut seed).map_err(|_| NoEntropy)?;
    Ok(seed)
}

/// Draws the id of a game created at a time: its milliseconds since 1970 in 48 bits, then 80 random bits.
/// Indexes of ids therefore grow at their end, and new games touch few of their pages.
///
/// # Errors
/// The operating system gives no random bytes.
pub fn game_id(created_at: Timestamp) -> Result<GameId, NoEntropy> {
    let mut id = [0; 16];
    let millis = created_at.as_millisecond().to_be_bytes();
    id[..6].copy_from_slice(&millis[2..]);
    SysRng.try_fill_bytes(&mut id[6..]).map_err(|_| NoEntropy)?;
    Ok(Hex(id))
}

/// Draws a number that distinguishes this process's requests from other processes' requests. Nothing secret
/// depends on it.
pub fn process_id() -> [u8; 6] {
    let mut id = [0; 6];
    // Without it, requests of two processes may share an id.
    let _ = SysRng.try_fill_bytes(&mut id);
    id
}
