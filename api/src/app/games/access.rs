//! The caller of an operation, and what they may see.

use assam_record::game::{Access, GameId, Info, StoredGame, Visibility};
use assam_record::hex::Hex;
use assam_record::secret::{Secret, join_code_hash};
use assam_rules::{Seat, Viewer};

/// A caller: the holder of a secret, or anyone.
#[derive(Clone)]
pub struct Caller(Option<Secret>);

impl Caller {
    /// Returns the holder of this secret, or anyone without one.
    pub const fn new(secret: Option<Secret>) -> Self {
        Self(secret)
    }

    /// Returns the secret.
    pub const fn secret(&self) -> Option<&Secret> {
        self.0.as_ref()
    }

    /// Returns the seat that the secret holds.
    pub fn seat(&self, game: &StoredGame) -> Option<Seat> {
        self.seat_in(&game.info)
    }

    /// Returns the seat that the secret holds.
    pub fn seat_in(&self, info: &Info) -> Option<Seat> {
        self.secret().and_then(|secret| seat_of(info, secret))
    }

    /// Returns whether the secret owns the game: it created it, or replaced the one that did.
    pub fn is_owner(&self, game: &StoredGame) -> bool {
        let owner = game.owner_now();
        owner.is_some() && self.secret().map(Secret::hash) == owner
    }

    /// Returns the viewer that the game is shown to. Once the game is over, it hides nothing from those who
    /// may see it.
    pub fn viewer(&self, game: &StoredGame) -> Viewer {
        if game.info.is_over() {
            return Viewer::Arbiter;
        }
        self.seat(game).map_or(Viewer::Spectator, Viewer::Seat)
    }

    /// Returns whether the caller may see a game.
    pub fn may_see(&self, access: &Access) -> bool {
        match access.visibility {
            Visibility::Public | Visibility::Unlisted => true,
            Visibility::Private => {
                self.secret().is_some_and(|secret| access.secrets.contains(&secret.hash()))
            }
        }
    }
}

/// Returns the seat that a secret holds.
pub(super) fn seat_of(info: &Info, secret: &Secret) -> Option<Seat> {
    let hash = Some(Hex(secret.hash()));
    info.seated().find(|(_, holder)| holder.secret == hash).map(|(seat, _)| seat)
}

/// Returns whether this join code admits its sender to a private game.
pub(super) fn opens(id: GameId, access: &Access, join_code: Option<&str>) -> bool {
    let hash = join_code.map(|code| join_code_hash(id, code));
    access.join_code.is_some() && hash == access.join_code
}
