//! The one place that takes random bytes from the operating system: for seeds, for the ids of games that are not derived
//! from an `Idempotency-Key` or an imported record, and for telling processes apart.

use jiff::Timestamp;
use rand::TryRng;
use rand::rngs::SysRng;

use crate::game::{Bytes32, GameId};
use crate::hex::Hex;

/// The operating system gave no random bytes.
#[derive(Debug, thiserror::Error)]
#[error("the operating system gave no random bytes")]
pub struct NoEntropy;

/// Draws 32 secret bytes: the seed of a game, which determines all its chance and is secret until the game is over, or a key.
///
/// # Errors
/// Where the operating system gives no random bytes.
pub fn seed() -> Result<Bytes32, NoEntropy> {
    let mut seed = [0; 32];
    SysRng.try_fill_bytes(&mut seed).map_err(|_| NoEntropy)?;
    Ok(seed)
}

/// Draws the id of a game that is created at a time: its milliseconds since 1970 in 48 bits, then 80 random bits. So an index of ids grows at its end, and new
/// games touch few of its pages.
///
/// # Errors
/// Where the operating system gives no random bytes.
pub fn game_id(created_at: Timestamp) -> Result<GameId, NoEntropy> {
    let mut id = [0; 16];
    let millis = created_at.as_millisecond().to_be_bytes();
    id[..6].copy_from_slice(&millis[2..]);
    SysRng.try_fill_bytes(&mut id[6..]).map_err(|_| NoEntropy)?;
    Ok(Hex(id))
}

/// Draws a number for this process, by which its requests are told from those of others. Nothing secret hangs on it.
pub fn process_id() -> [u8; 6] {
    let mut id = [0; 6];
    // Without it, requests of two processes may have the same id.
    let _ = SysRng.try_fill_bytes(&mut id);
    id
}
