-- The same tables as on Postgres (see there for the order of the columns), so that both stores
-- share their statements. STRICT: a column holds the type it names.
CREATE TABLE games (
    id             TEXT    NOT NULL PRIMARY KEY,
    created_at     INTEGER NOT NULL, -- unix milliseconds, like every time here
    ruleset        TEXT    NOT NULL,
    setup          TEXT    NOT NULL,
    visibility     TEXT    NOT NULL,
    imported       INTEGER NOT NULL CHECK (imported IN (0, 1)),
    patience_hours INTEGER,
    owner          BLOB,
    join_code      BLOB,
    request        BLOB,
    seed           BLOB,
    tags           TEXT    NOT NULL,
    revision       INTEGER NOT NULL,
    seats          TEXT    NOT NULL, -- JSON
    status         TEXT    NOT NULL,
    started_at     INTEGER,
    ply            INTEGER,
    head           BLOB,
    log            TEXT    NOT NULL,
    CHECK (ply >= 0),
    CHECK ((ply IS NULL) = (head IS NULL)),
    CHECK (ply IS NOT NULL OR log = '')
) STRICT;

-- For lists: none names a column that an ordinary append changes, so an append writes no index.
CREATE INDEX games_newest ON games (created_at DESC, id DESC) WHERE visibility = 'public';
CREATE INDEX games_newest_by_status ON games (status, created_at DESC, id DESC) WHERE visibility = 'public';
CREATE INDEX games_newest_by_ruleset ON games (ruleset, created_at DESC, id DESC) WHERE visibility = 'public';

-- Who sits where, kept beside `seats` in the same transaction, for the games of a player.
CREATE TABLE seat_players (
    game_id    TEXT    NOT NULL,
    seat       INTEGER NOT NULL,
    player     TEXT    NOT NULL,
    created_at INTEGER NOT NULL, -- of the game
    PRIMARY KEY (game_id, seat)
) STRICT, WITHOUT ROWID;
CREATE INDEX seat_players_newest ON seat_players (player, created_at DESC, game_id DESC);

-- The guard: whatever writes here, a log can only be extended. No code relies on it.
CREATE TRIGGER games_guard_fixed
BEFORE UPDATE OF id, created_at, ruleset, setup, imported, seed, owner, request ON games
WHEN (NEW.id, NEW.created_at, NEW.ruleset, NEW.setup, NEW.imported, NEW.seed, NEW.owner, NEW.request)
    IS NOT
     (OLD.id, OLD.created_at, OLD.ruleset, OLD.setup, OLD.imported, OLD.seed, OLD.owner, OLD.request)
BEGIN
    SELECT RAISE(ABORT, 'games: refused to change what is fixed at creation (id, created_at, ruleset, setup, imported, seed, owner, request)');
END;

-- One trigger with an order of its own: SQLite fires several in no defined order.
CREATE TRIGGER games_guard_update
BEFORE UPDATE OF ply, head, log ON games
WHEN (NEW.ply, NEW.head, NEW.log) IS NOT (OLD.ply, OLD.head, OLD.log)
BEGIN
    SELECT CASE
        -- The start: ply 0 may write no word; the first words of built-in players may come with it.
        WHEN OLD.ply IS NULL THEN CASE
            WHEN NEW.ply IS NULL OR NEW.head IS NULL OR (NEW.ply > 0 AND NEW.log = '')
            THEN RAISE(ABORT, 'games: refused a start that does not set ply, head and log together')
        END
        WHEN NEW.ply IS NULL OR NEW.ply <= OLD.ply
        THEN RAISE(ABORT, 'games: refused to change head or log without a larger ply')
        WHEN NEW.head IS NULL OR NEW.head = OLD.head OR NEW.log = OLD.log
        THEN RAISE(ABORT, 'games: refused to change ply, head and log other than together')
        WHEN OLD.log <> '' AND NOT (
            length(NEW.log) > length(OLD.log) + 1
            AND substr(NEW.log, -(length(OLD.log) + 1)) = ' ' || OLD.log
        )
        THEN RAISE(ABORT, 'games: refused to change the log other than by extension')
    END;
END;

CREATE TRIGGER games_guard_delete
BEFORE DELETE ON games
BEGIN
    SELECT RAISE(ABORT, 'games: refused a DELETE');
END;

-- INSERT OR REPLACE removes the old row without a DELETE trigger (recursive_triggers is off by
-- default). IGNORE and not ABORT: a second creation of one id is no error, it finds the first.
CREATE TRIGGER games_guard_replace
BEFORE INSERT ON games
WHEN EXISTS (SELECT 1 FROM games WHERE id = NEW.id OR rowid = NEW.rowid)
BEGIN
    SELECT RAISE(IGNORE);
END;

-- Else UPDATE OR REPLACE of a rowid would remove the game that had it.
CREATE TRIGGER games_guard_rowid
BEFORE UPDATE ON games
WHEN NEW.rowid IS NOT OLD.rowid
BEGIN
    SELECT RAISE(ABORT, 'games: refused to change a rowid');
END;
