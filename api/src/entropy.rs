//! The one place where the operating system is asked for random bytes: seeds and ids.

use rand::TryRng;
use rand::rngs::SysRng;

use crate::game::Bytes32;

/// The operating system gave no random bytes.
#[derive(Debug, thiserror::Error)]
#[error("the operating system gave no random bytes")]
pub struct NoEntropy;

/// 32 bytes for the chance of one game. Secret until the game is over.
///
/// # Errors
/// Where the operating system gives none.
pub fn seed() -> Result<Bytes32, NoEntropy> {
    let mut seed = [0; 32];
    SysRng.try_fill_bytes(&mut seed).map_err(|_| NoEntropy)?;
    Ok(seed)
}

/// A new id of a game: 128 random bits as 32 hex digits.
///
/// # Errors
/// Where the operating system gives none.
pub fn game_id() -> Result<String, NoEntropy> {
    let mut id = [0; 16];
    SysRng.try_fill_bytes(&mut id).map_err(|_| NoEntropy)?;
    Ok(hex::encode(id))
}
