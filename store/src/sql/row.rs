//! A stored game as columns, and their conversion to and from a [`StoredGame`].

use assam_proofs::signed::PublishedKey;
use assam_record::beacon::{DueRound, GameBeacon};
use assam_record::game::{Access, Bytes32, GameId, Head, Holder, Info, StoredGame, Visibility};
use assam_record::game_clock::{GameClock, RunningClock};
use assam_referee::Setup;
use jiff::Timestamp;

use super::value::{FromColumn, NamedRow, Value};
use crate::{ListedGame, SortBy, StoreError, UnreadableColumn, Version};

impl SortBy {
    /// The column of the time of this order.
    pub(crate) const fn column(self) -> &'static str {
        match self {
            Self::Created => "created_at",
            Self::Finished => "finished_at",
        }
    }
}

/// The columns of a stored game. The first [`INFO`] of them belong to its [`Info`].
pub(crate) const COLUMNS: [&str; 33] = [
    "id",
    "created_at",
    "setup",
    "visibility",
    "imported",
    "rated",
    "patience_hours",
    "clock",
    "clock_left",
    "clock_since",
    "clock_until",
    "rematch_of",
    "rematch",
    "revision",
    "seats",
    "status",
    "started_at",
    "ply",
    "head",
    "finished_at",
    "removed",
    "owner",
    "heir",
    "join_code",
    "request",
    "seed",
    "commitment",
    "beacon",
    "beacon_round",
    "beacon_at",
    "beacon_signature",
    "tags",
    "log",
];

/// The number of columns of an [`Info`].
pub(crate) const INFO: usize = 21;

/// The column of the rule set, which only conditions of lists read. The setup line also names the rule set.
pub(crate) const RULESET: &str = "ruleset";

pub(crate) fn columns(game: &StoredGame) -> NamedRow {
    let (info, beacon) = (&game.info, game.beacon.as_ref());
    let due = beacon.and_then(|beacon| beacon.due);
    let mut columns = vec![
        (RULESET, info.ruleset().into()),
        ("id", info.id.into()),
        ("created_at", info.created_at.into()),
        ("setup", info.setup.line().into()),
        ("visibility", info.visibility.into()),
        ("imported", info.imported.into()),
        ("rated", info.rated.into()),
        ("patience_hours", info.patience_hours.into()),
        ("clock", info.clock.as_ref().map(|clock| clock.rule.to_string()).as_deref().into()),
        ("rematch_of", info.rematch_of.into()),
        ("rematch", info.rematch.into()),
        ("revision", info.revision.into()),
        ("seats", info.seats.as_slice().into()),
        ("status", info.status.into()),
        ("started_at", info.started_at.into()),
        ("ply", info.head.map(|head| head.ply).into()),
        ("head", info.head.map(|head| head.hash).into()),
        ("finished_at", info.finished_at.into()),
        ("removed", info.removed.as_deref().into()),
        ("owner", game.owner.into()),
        ("heir", game.heir.into()),
        ("join_code", game.join_code.into()),
        ("request", game.request.into()),
        ("seed", game.seed.into()),
        ("commitment", game.commitment.into()),
        ("beacon", beacon.map(|beacon| beacon.chain).into()),
        ("beacon_round", due.map(|due| due.number).into()),
        ("beacon_at", due.map(|due| due.at).into()),
        ("beacon_signature", beacon.and_then(|beacon| beacon.signature).into()),
        ("tags", game.tags.as_str().into()),
        ("log", game.log.as_str().into()),
    ];
    columns.extend(clock_columns(info.clock.as_ref()));
    columns
}

/// Returns the changing columns of a clock.
pub(crate) fn clock_columns(clock: Option<&GameClock>) -> [(&'static str, Value); 3] {
    let running = clock.and_then(|clock| clock.running);
    [
        ("clock_left", clock.map(GameClock::left_text).as_deref().into()),
        ("clock_since", running.map(|running| running.since).into()),
        ("clock_until", running.map(|running| running.until).into()),
    ]
}

/// The columns of one row: [`COLUMNS`], or the first [`INFO`] of them.
pub(crate) struct SqlRow(Vec<Value>);

impl SqlRow {
    pub(crate) const fn new(values: Vec<Value>) -> Self {
        Self(values)
    }

    pub(crate) fn into_values(self) -> Vec<Value> {
        self.0
    }

    fn read<T: FromColumn>(&self, column: &'static str) -> Result<T, UnreadableColumn> {
        let value = COLUMNS.iter().position(|name| *name == column).and_then(|index| self.0.get(index));
        value.and_then(T::read).ok_or(UnreadableColumn(column))
    }

    /// Takes the text of the last remaining column, because texts may be long.
    fn take_last(&mut self, column: &'static str) -> Result<String, UnreadableColumn> {
        let Some(Value::Text(text)) = self.0.pop() else { return Err(UnreadableColumn(column)) };
        Ok(text)
    }

    pub(crate) fn values(&self) -> &[Value] {
        &self.0
    }

    /// Reads the first column.
    pub(crate) fn first<T: FromColumn>(&self) -> Option<T> {
        self.0.first().and_then(T::read)
    }

    /// Reads the first two columns.
    pub(crate) fn pair<A: FromColumn, B: FromColumn>(&self) -> Option<(A, B)> {
        A::read(self.0.first()?).zip(B::read(self.0.get(1)?))
    }

    /// Reads the third column.
    pub(crate) fn third<T: FromColumn>(&self) -> Option<T> {
        self.0.get(2).and_then(T::read)
    }

    /// Reads the first column, an id.
    pub(crate) fn id(&self) -> Option<GameId> {
        self.first()
    }

    /// Reads the only column, a count.
    pub(crate) fn count(&self) -> Option<u64> {
        self.first()
    }

    /// Reads the second column, the game with the record of the first column.
    pub(crate) fn game_with_record(self) -> Result<GameId, StoreError> {
        let game = self.0.get(1).and_then(GameId::read);
        game.ok_or_else(|| StoreError::Backend("the game of a record cannot be read".to_owned()))
    }

    /// Reads a signing key, and when it begins to sign.
    pub(crate) fn signing_key(&self) -> Result<PublishedKey, StoreError> {
        let key = match &self.0[..] {
            [key, since] => String::read(key).and_then(|key| key.parse().ok()).zip(Timestamp::read(since)),
            _ => None,
        };
        let (key, since) =
            key.ok_or_else(|| StoreError::Backend("a key of the service cannot be read".to_owned()))?;
        Ok(PublishedKey { key, since })
    }

    pub(crate) fn version(self) -> Result<Version, StoreError> {
        let version = match &self.0[..] {
            [_, revision, ply, head] => {
                i64::read(revision).zip(Option::<u32>::read(ply)).zip(Option::<Bytes32>::read(head))
            }
            _ => None,
        };
        let unreadable = || StoreError::Backend("the version of a stored game cannot be read".to_owned());
        let ((revision, ply), hash) = version.ok_or_else(unreadable)?;
        Ok(Version { revision, head: ply.zip(hash).map(|(ply, hash)| Head { ply, hash }) })
    }

    /// Reads its place in lists of this order.
    pub(crate) fn place(&self, order: SortBy) -> Result<(Timestamp, GameId), UnreadableColumn> {
        Ok((self.read(order.column())?, self.read("id")?))
    }

    /// Reads a game of a list, with its log if it is running.
    pub(crate) fn listed(mut self) -> Result<ListedGame, UnreadableColumn> {
        let log = match self.0.pop() {
            Some(Value::Text(log)) => Some(log),
            _ => None,
        };
        Ok(ListedGame { info: self.info()?, log })
    }

    pub(crate) fn info(&self) -> Result<Info, UnreadableColumn> {
        let (setup, seats): (Setup, Vec<Holder>) = (self.read("setup")?, self.read("seats")?);
        // Every seat of the setup is looked up among the holders.
        if seats.len() != usize::from(setup.seats()) {
            return Err(UnreadableColumn("seats"));
        }
        Ok(Info {
            id: self.read("id")?,
            created_at: self.read("created_at")?,
            visibility: self.read("visibility")?,
            imported: self.read("imported")?,
            rated: self.read("rated")?,
            patience_hours: self.read("patience_hours")?,
            clock: self.clock(usize::from(setup.seats()))?,
            rematch_of: self.read("rematch_of")?,
            rematch: self.read("rematch")?,
            revision: self.read("revision")?,
            seats,
            status: self.read("status")?,
            started_at: self.read("started_at")?,
            finished_at: self.read("finished_at")?,
            removed: self.read("removed")?,
            head: match (self.read("ply")?, self.read("head")?) {
                (None, None) => None,
                (Some(ply), Some(hash)) => Some(Head { ply, hash }),
                (None, Some(_)) | (Some(_), None) => return Err(UnreadableColumn("head")),
            },
            setup,
        })
    }

    pub(crate) fn game(mut self) -> Result<StoredGame, StoreError> {
        self.take_game().map_err(|column| StoreError::Unreadable { column, access: Box::new(self.access()) })
    }

    fn take_game(&mut self) -> Result<StoredGame, UnreadableColumn> {
        Ok(StoredGame {
            info: self.info()?,
            owner: self.read("owner")?,
            heir: self.read("heir")?,
            join_code: self.read("join_code")?,
            request: self.read("request")?,
            seed: self.read("seed")?,
            commitment: self.read("commitment")?,
            beacon: self.beacon()?,
            log: self.take_last("log")?,
            tags: self.take_last("tags")?,
        })
    }

    /// Reads the clock of a game with this number of seats, if it has one.
    fn clock(&self, seats: usize) -> Result<Option<GameClock>, UnreadableColumn> {
        let Some(rule) = self.read::<Option<String>>("clock")? else { return Ok(None) };
        let rule = rule.parse().map_err(|_| UnreadableColumn("clock"))?;
        let left = GameClock::read_left(&self.read::<String>("clock_left")?);
        let left = left.filter(|left| left.len() == seats).ok_or(UnreadableColumn("clock_left"))?;
        let running = match (self.read("clock_since")?, self.read("clock_until")?) {
            (None, None) => None,
            (Some(since), Some(until)) => Some(RunningClock { since, until }),
            (None, Some(_)) | (Some(_), None) => return Err(UnreadableColumn("clock_since")),
        };
        Ok(Some(GameClock { rule, left, running }))
    }

    /// Reads the beacon of a game, if it has one.
    fn beacon(&self) -> Result<Option<GameBeacon>, UnreadableColumn> {
        let Some(chain) = self.read("beacon")? else { return Ok(None) };
        let due = match (self.read("beacon_round")?, self.read("beacon_at")?) {
            (None, None) => None,
            (Some(number), Some(at)) => Some(DueRound { number, at }),
            (None, Some(_)) | (Some(_), None) => return Err(UnreadableColumn("beacon_round")),
        };
        Ok(Some(GameBeacon { chain, due, signature: self.read("beacon_signature")? }))
    }

    /// Returns who may know of an unreadable game, as far as possible. Without a readable visibility, it
    /// counts as private.
    fn access(&self) -> Access {
        let visibility = self.read("visibility").unwrap_or(Visibility::Private);
        let hash = |column| self.read::<Option<Bytes32>>(column).ok().flatten();
        let seats: Vec<Holder> = self.read("seats").unwrap_or_default();
        Access::new(visibility, hash("heir").or(hash("owner")), hash("join_code"), &seats)
    }
}
