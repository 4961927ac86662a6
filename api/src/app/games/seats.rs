//! Taking and renaming seats. The last seat taken starts the game.

use std::sync::Arc;

use assam_record::beacon::NoBeacon;
use assam_record::chance;
use assam_record::clock::now;
use assam_record::game::{Forced, Head, Holder, SeatKind, SeatsPin, Status, StoredGame};
use assam_record::hex::Hex;
use assam_record::log::{NotExtended, start};
use assam_record::secret::Secret;
use assam_rules::Seat;
use assam_store::{StoreError, Update};

use super::access::seat_of;
use super::receipts::ReceiptError;
use super::tags::{seat_tag, without_tag};
use crate::app::write::plan::Plan;
use crate::app::{App, CachedGame, Caller};

/// How a seat is taken.
#[derive(Clone)]
pub struct Taking {
    /// A label for the seat.
    pub name: Option<String>,
    /// The entropy that the player adds to the chance of the game.
    pub entropy: Option<Hex<32>>,
    /// The commitment shown to the player, which must match the game's.
    pub commitment: Option<Hex<32>>,
    /// The seats digest shown to the player. It must match if they send entropy.
    pub seats_digest: Option<Hex<32>>,
    /// Whether the player or the service makes decisions without a choice.
    pub forced: Forced,
}

/// Why a seat was not taken.
#[derive(Debug, thiserror::Error)]
pub enum TakeSeatError {
    /// The secret holds another seat of this game.
    #[error("your secret already holds seat {} of this game", held.number())]
    HoldsAnother {
        /// The seat that was wanted.
        wanted: Seat,
        /// The seat that is held.
        held: Seat,
    },
    /// Another player holds the seat.
    #[error("seat {} is taken", .0.number())]
    Taken(Seat),
    /// The seat is reserved for its former holder.
    #[error("seat {} is reserved for a player of the previous game", .0.number())]
    Reserved(Seat),
    /// The commitment does not match, or entropy was sent without one.
    #[error("the commitment differs from this game's, or entropy was sent without a commitment")]
    OtherCommitment {
        /// The game's commitment, or none for imported games.
        commitment: Option<Hex<32>>,
    },
    /// The seats do not match the digest, or entropy was sent without one.
    #[error("the seats have changed since they were shown, or entropy was sent without `seats_digest`")]
    SeatsChanged {
        /// The current digest of the seats.
        digest: Option<Hex<32>>,
        /// The signed receipt for it.
        receipt: Result<String, ReceiptError>,
    },
    /// The operator has removed the chain of the game's beacon.
    #[error(transparent)]
    NoBeacon(#[from] NoBeacon),
    /// The game could not start.
    #[error(transparent)]
    NotStarted(#[from] NotExtended),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a seat was not renamed.
#[derive(Debug, thiserror::Error)]
pub enum RenameError {
    /// The secret does not hold the seat.
    #[error("your secret does not hold seat {}", .0.number())]
    NotYours(Seat),
    /// The game is not as shown.
    #[error("the game has changed since it was shown")]
    NotAsShown(Option<Head>),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl App {
    /// Takes a seat for the holder of a secret. The last seat taken starts the game, or fixes the round of
    /// its beacon, which the game then waits for. Repeating it for a held seat adds missing entropy while
    /// seats are open, and changes nothing else.
    ///
    /// Returns the game, and whether the seat was taken now.
    ///
    /// # Errors
    /// If the seat is not taken.
    pub async fn take_seat(
        self: &Arc<Self>,
        game: &Arc<CachedGame>,
        secret: &Secret,
        seat: Seat,
        taking: &Taking,
    ) -> Result<(Arc<CachedGame>, bool), TakeSeatError> {
        let (current, secret, taking) = (Arc::clone(game), secret.clone(), taking.clone());
        self.think(&game.info, false, async move |app| app.take(&current, &secret, seat, &taking).await).await
    }

    async fn take(
        &self,
        game: &Arc<CachedGame>,
        secret: &Secret,
        seat: Seat,
        taking: &Taking,
    ) -> Result<(Arc<CachedGame>, bool), TakeSeatError> {
        let is_other = |game: &CachedGame| match taking.commitment {
            Some(shown) => Some(shown.0) != game.commitment,
            None => taking.entropy.is_some(),
        };
        let plan = |game: &CachedGame| match seat_of(&game.info, secret) {
            // A service that knows the entropy first can choose what to commit to.
            _ if is_other(game) => {
                Err(TakeSeatError::OtherCommitment { commitment: game.commitment.map(Hex) })
            }
            Some(held) if held == seat => match (taking.entropy, game.info.holder(seat)) {
                // A creator who took the seat at once did not know the commitment then.
                (Some(entropy), Some(Holder { entropy: None, .. })) if waits_for_players(game) => {
                    let pin = self.pinned(game, seat, taking)?;
                    let seats = with_entropy_added(game, seat, entropy, pin);
                    Ok(Plan::update(Update { seats, ..Update::new(&game.info) }, false))
                }
                _ => Ok(Plan::Stands(false)),
            },
            Some(held) => Err(TakeSeatError::HoldsAnother { wanted: seat, held }),
            None => Ok(Plan::update(self.with_seat_taken(game, seat, secret, taking)?, true)),
        };
        self.game_writer.change(game, plan).await
    }

    /// Changes or erases the label of a seat. With `is_as_shown`, only if that confirms that the game is as
    /// shown.
    ///
    /// # Errors
    /// If the game is not as shown, or the caller does not hold the seat.
    pub async fn rename_seat(
        &self,
        game: &Arc<CachedGame>,
        caller: &Caller,
        seat: Seat,
        name: Option<&str>,
        is_as_shown: Option<impl Fn(&CachedGame) -> bool>,
    ) -> Result<Arc<CachedGame>, RenameError> {
        let plan = |game: &CachedGame| {
            if is_as_shown.as_ref().is_some_and(|is_as_shown| !is_as_shown(game)) {
                return Err(RenameError::NotAsShown(game.info.head));
            }
            // Names of an imported game are its tags, which its importer may remove.
            let is_importer = game.info.imported && name.is_none() && caller.is_owner(game);
            if caller.seat(game) != Some(seat) && !is_importer {
                return Err(RenameError::NotYours(seat));
            }
            let mut seats = game.info.seats.clone();
            seats[seat.index()].name = name.map(str::to_owned);
            let tags = is_importer.then(|| without_tag(&game.tags, &seat_tag(seat)));
            let at = game.info.head.filter(|_| is_as_shown.is_some());
            Ok(Plan::update(Update { at, seats, tags, ..Update::new(&game.info) }, ()))
        };
        let (renamed, ()) = self.game_writer.change(game, plan).await?;
        Ok(renamed)
    }

    /// Returns the seats that a player saw before they sent entropy, or none if they send none.
    ///
    /// # Errors
    /// [`TakeSeatError::SeatsChanged`] if the seats have changed: a service that knows the entropy could have
    /// chosen them.
    fn pinned(
        &self,
        game: &CachedGame,
        seat: Seat,
        taking: &Taking,
    ) -> Result<Option<Box<SeatsPin>>, TakeSeatError> {
        let digest = chance::seats_digest_of(game);
        let is_asked = taking.entropy.is_some() || taking.seats_digest.is_some();
        if is_asked && digest != taking.seats_digest && waits_for_players(game) {
            return Err(TakeSeatError::SeatsChanged { digest, receipt: self.seats_receipt(game) });
        }
        let held = game.info.holder(seat).and_then(|holder| holder.revision);
        Ok(taking.entropy.map(|_| Box::new(SeatsPin { digest, held })))
    }

    /// Returns the seats with one more taken. For the last one, also the start of the game, or the round that
    /// it waits for.
    fn with_seat_taken(
        &self,
        game: &CachedGame,
        seat: Seat,
        secret: &Secret,
        taking: &Taking,
    ) -> Result<Update, TakeSeatError> {
        let pin = self.pinned(game, seat, taking)?;
        let mut seats = game.info.seats.clone();
        if seats[seat.index()].kind != SeatKind::Open {
            return Err(TakeSeatError::Taken(seat));
        }
        let reserved = seats[seat.index()].reserved.take();
        if reserved.as_ref().is_some_and(|reserved| reserved.secret != Some(Hex(secret.hash()))) {
            return Err(TakeSeatError::Reserved(seat));
        }
        seats[seat.index()] = Holder { reserved, pin, ..taken(secret, taking.clone()) };
        came(game, seat, &mut seats[seat.index()]);
        if seats.iter().any(|holder| holder.kind == SeatKind::Open) {
            return Ok(Update { seats, ..Update::new(&game.info) });
        }
        let now = now();
        if let Some(beacon) = &game.beacon {
            let beacon = Some(self.beacons.fixed(beacon, now)?);
            return Ok(Update { seats, beacon, ..Update::new(&game.info) });
        }
        let mut full = StoredGame::clone(game);
        full.info.seats.clone_from(&seats);
        let start = Some(start(&full, now)?);
        Ok(Update { seats, start, ..Update::new(&game.info) })
    }
}

/// Returns a seat that the holder of a secret takes when the game is created.
pub(in crate::app) fn taken(secret: &Secret, taking: Taking) -> Holder {
    let Taking { name, entropy, forced, .. } = taking;
    let (player, secret) = (Some(secret.player()), Some(Hex(secret.hash())));
    Holder { player, secret, name, entropy, revision: Some(0), forced, ..Holder::new(SeatKind::Human) }
}

/// Gives the holder of a seat the next revision, after those who already have seats.
fn came(game: &StoredGame, seat: Seat, holder: &mut Holder) {
    let others =
        game.info.seated().filter(|(other, holder)| *other != seat && holder.kind == SeatKind::Human);
    holder.after = others.map(|(other, _)| other.number()).collect();
    (holder.revision, holder.since) = (Some(game.info.revision + 1), Some(now()));
}

/// Returns the seats with entropy for one that was taken without.
fn with_entropy_added(
    game: &StoredGame,
    seat: Seat,
    entropy: Hex<32>,
    pin: Option<Box<SeatsPin>>,
) -> Vec<Holder> {
    let mut seats = game.info.seats.clone();
    let holder = &mut seats[seat.index()];
    (holder.entropy, holder.pin) = (Some(entropy), pin);
    came(game, seat, holder);
    seats
}

/// Returns whether a game has not started, and waits for no beacon.
fn waits_for_players(game: &StoredGame) -> bool {
    game.info.status == Status::Open && game.waiting().is_none()
}
