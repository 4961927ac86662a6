-- Less on the disk: ids and hashes as bytes, numbers for the few values that some columns have. The same tables as on
-- PostgreSQL (see there), so that both stores share their statements.
CREATE TABLE games_2 (
    id             BLOB    NOT NULL PRIMARY KEY,
    created_at     INTEGER NOT NULL, -- unix milliseconds, like every time here
    started_at     INTEGER,
    ruleset        INTEGER NOT NULL, -- 1: marrakech/1, 2: marrakesh/1
    visibility     INTEGER NOT NULL, -- 0: public, 1: unlisted, 2: private
    patience_hours INTEGER,
    imported       INTEGER NOT NULL CHECK (imported IN (0, 1)),
    setup          TEXT    NOT NULL,
    owner          BLOB,
    join_code      BLOB,
    request        BLOB,
    seed           BLOB,
    tags           TEXT    NOT NULL,
    revision       INTEGER NOT NULL,
    seats          TEXT    NOT NULL, -- JSON
    status         INTEGER NOT NULL, -- 0: open, 1: running, 2: finished, 3: aborted
    ply            INTEGER,
    head           BLOB,
    log            TEXT    NOT NULL,
    CHECK (ply >= 0),
    CHECK ((ply IS NULL) = (head IS NULL)),
    CHECK (ply IS NOT NULL OR log = '')
) STRICT;
INSERT INTO games_2
SELECT unhex(id), created_at, started_at,
       CASE ruleset WHEN 'marrakech/1' THEN 1 WHEN 'marrakesh/1' THEN 2 END,
       CASE visibility WHEN 'public' THEN 0 WHEN 'unlisted' THEN 1 WHEN 'private' THEN 2 END,
       patience_hours, imported, setup, owner, join_code, request, seed, tags, revision, seats,
       CASE status WHEN 'open' THEN 0 WHEN 'running' THEN 1 WHEN 'finished' THEN 2 WHEN 'aborted' THEN 3 END,
       ply, head, log
FROM games;

CREATE TABLE player_games_2 (
    player     BLOB    NOT NULL,
    ruleset    INTEGER NOT NULL,
    status     INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    game_id    BLOB    NOT NULL,
    PRIMARY KEY (player, ruleset, status, created_at, game_id)
) STRICT, WITHOUT ROWID;
INSERT INTO player_games_2
SELECT unhex(p.player), g.ruleset, g.status, g.created_at, g.id
FROM player_games AS p JOIN games_2 AS g ON g.id = unhex(p.game_id);

-- This drops what belonged to them, too: indexes and triggers.
DROP TABLE player_games;
DROP TABLE games;
ALTER TABLE games_2 RENAME TO games;
ALTER TABLE player_games_2 RENAME TO player_games;
CREATE INDEX games_listed ON games (ruleset, status, created_at, id) WHERE visibility = 0; -- as in V2

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
