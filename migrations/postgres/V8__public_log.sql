-- The public log of games (docs/chance.md): a Merkle tree of every start and every end.

-- What of which game is in it, and where; what is not yet, waits. part: 0 the start, 1 the end.
CREATE TABLE log_entries (
    game_id  uuid     NOT NULL,
    part     smallint NOT NULL,
    entry    bytea,    -- while it waits, if it is known
    position bigint,
    PRIMARY KEY (game_id, part)
);
CREATE INDEX log_entries_waiting ON log_entries (game_id, part) WHERE position IS NULL;

-- The tree: on level 0 the entries, on level n the hash of each 256^n entries.
CREATE TABLE log_nodes (
    level    smallint NOT NULL,
    position bigint   NOT NULL,
    bytes    bytea    NOT NULL,
    PRIMARY KEY (level, position)
);

-- How many entries it has, and their root: one row, or none while there are none.
CREATE TABLE log_head (
    one  boolean NOT NULL PRIMARY KEY DEFAULT true CHECK (one),
    size bigint  NOT NULL,
    root bytea   NOT NULL
);

-- The guard: whatever writes here, the log can only be extended.
CREATE FUNCTION log_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '%: refused an %: the log can only be extended', TG_TABLE_NAME, TG_OP;
END
$$;
CREATE TRIGGER log_nodes_guard BEFORE UPDATE OR DELETE OR TRUNCATE ON log_nodes
    FOR EACH STATEMENT EXECUTE FUNCTION log_guard();
CREATE TRIGGER log_head_guard_removal BEFORE DELETE OR TRUNCATE ON log_head
    FOR EACH STATEMENT EXECUTE FUNCTION log_guard();
CREATE TRIGGER log_head_guard BEFORE UPDATE ON log_head FOR EACH ROW
WHEN (NEW.size <= OLD.size) EXECUTE FUNCTION log_guard();
CREATE TRIGGER log_entries_guard_removal BEFORE DELETE OR TRUNCATE ON log_entries
    FOR EACH STATEMENT EXECUTE FUNCTION log_guard();
CREATE TRIGGER log_entries_guard BEFORE UPDATE ON log_entries FOR EACH ROW
WHEN (OLD.position IS NOT NULL) EXECUTE FUNCTION log_guard();

-- What was played before there was a log.
INSERT INTO log_entries (game_id, part) SELECT id, 0 FROM games WHERE commitment IS NOT NULL AND ply IS NOT NULL;
INSERT INTO log_entries (game_id, part) SELECT id, 1 FROM games WHERE commitment IS NOT NULL AND finished_at IS NOT NULL;

-- The newest checkpoint that each witness cosigned, with its signatures.
CREATE TABLE log_cosignatures (
    witness text   NOT NULL PRIMARY KEY,
    size    bigint NOT NULL,
    note    text   NOT NULL
);
