-- The same as on PostgreSQL (see there).
CREATE TABLE feed_entries (
    game_id  BLOB    NOT NULL,
    revision INTEGER NOT NULL,
    kind     INTEGER NOT NULL,
    ruleset  INTEGER NOT NULL,
    at       INTEGER NOT NULL,
    position INTEGER,
    mark     BLOB,
    PRIMARY KEY (game_id, revision, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX feed_entries_waiting ON feed_entries (at, game_id, revision, kind) WHERE position IS NULL;
CREATE INDEX feed_entries_position ON feed_entries (position) WHERE position IS NOT NULL;

CREATE TABLE feed_head (
    one      INTEGER NOT NULL PRIMARY KEY DEFAULT 1 CHECK (one = 1),
    position INTEGER NOT NULL,
    mark     BLOB    NOT NULL
) STRICT;
