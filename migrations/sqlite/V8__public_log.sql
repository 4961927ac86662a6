-- The same as on PostgreSQL (see there).
CREATE TABLE log_entries (
    game_id  BLOB    NOT NULL,
    part     INTEGER NOT NULL,
    entry    BLOB,
    position INTEGER,
    PRIMARY KEY (game_id, part)
) STRICT, WITHOUT ROWID;
CREATE INDEX log_entries_waiting ON log_entries (game_id, part) WHERE position IS NULL;

CREATE TABLE log_nodes (
    level    INTEGER NOT NULL,
    position INTEGER NOT NULL,
    bytes    BLOB    NOT NULL,
    PRIMARY KEY (level, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE log_head (
    one  INTEGER NOT NULL PRIMARY KEY DEFAULT 1 CHECK (one = 1),
    size INTEGER NOT NULL,
    root BLOB    NOT NULL
) STRICT;

CREATE TRIGGER log_nodes_guard_update BEFORE UPDATE ON log_nodes
BEGIN
    SELECT RAISE(ABORT, 'log_nodes: refused an UPDATE: the log can only be extended');
END;
CREATE TRIGGER log_nodes_guard_removal BEFORE DELETE ON log_nodes
BEGIN
    SELECT RAISE(ABORT, 'log_nodes: refused a DELETE: the log can only be extended');
END;
CREATE TRIGGER log_head_guard BEFORE UPDATE ON log_head WHEN NEW.size <= OLD.size
BEGIN
    SELECT RAISE(ABORT, 'log_head: refused an UPDATE: the log can only be extended');
END;
CREATE TRIGGER log_head_guard_removal BEFORE DELETE ON log_head
BEGIN
    SELECT RAISE(ABORT, 'log_head: refused a DELETE: the log can only be extended');
END;
CREATE TRIGGER log_entries_guard BEFORE UPDATE ON log_entries WHEN OLD.position IS NOT NULL
BEGIN
    SELECT RAISE(ABORT, 'log_entries: refused an UPDATE: the log can only be extended');
END;
CREATE TRIGGER log_entries_guard_removal BEFORE DELETE ON log_entries
BEGIN
    SELECT RAISE(ABORT, 'log_entries: refused a DELETE: the log can only be extended');
END;

INSERT INTO log_entries (game_id, part) SELECT id, 0 FROM games WHERE commitment IS NOT NULL AND ply IS NOT NULL;
INSERT INTO log_entries (game_id, part) SELECT id, 1 FROM games WHERE commitment IS NOT NULL AND finished_at IS NOT NULL;

CREATE TABLE log_cosignatures (
    witness TEXT    NOT NULL PRIMARY KEY,
    size    INTEGER NOT NULL,
    note    TEXT    NOT NULL
) STRICT;
