-- Less on the disk: ids and hashes as bytes, numbers for the few values that some columns have.
CREATE TABLE games_2 (
    id             uuid     NOT NULL, -- 128 random bits: ordered by bytes, as SQLite does
    created_at     bigint   NOT NULL, -- unix milliseconds, like every time here
    started_at     bigint,
    ruleset        smallint NOT NULL, -- 1: marrakech/1, 2: marrakesh/1
    visibility     smallint NOT NULL, -- 0: public, 1: unlisted, 2: private
    patience_hours integer,
    imported       boolean  NOT NULL,
    setup          text     NOT NULL,
    owner          bytea,
    join_code      bytea,
    request        bytea,
    seed           bytea,
    tags           text     NOT NULL,
    revision       integer  NOT NULL,
    seats          text     NOT NULL, -- JSON
    status         smallint NOT NULL, -- 0: open, 1: running, 2: finished, 3: aborted
    ply            integer,
    head           bytea,
    log            text     NOT NULL,
    CONSTRAINT games_ply CHECK (ply >= 0),
    CONSTRAINT games_head CHECK ((ply IS NULL) = (head IS NULL)),
    CONSTRAINT games_log CHECK (ply IS NOT NULL OR log = '')
)
-- As in V1. Rows are smaller now: of 50, 70 and 85, games of 90 plies take the least room on the disk with 70, and nearly
-- all of their updates stay HOT.
WITH (fillfactor = 70, toast_tuple_target = 8160);
INSERT INTO games_2
SELECT id::uuid, created_at, started_at, array_position(ARRAY['marrakech/1', 'marrakesh/1'], ruleset),
       array_position(ARRAY['public', 'unlisted', 'private'], visibility) - 1, patience_hours, imported, setup, owner,
       join_code, request, seed, tags, revision, seats,
       array_position(ARRAY['open', 'running', 'finished', 'aborted'], status) - 1, ply, head, log
FROM games;
ALTER TABLE games_2 ADD CONSTRAINT games_2_pkey PRIMARY KEY (id);

CREATE TABLE player_games_2 (
    game_id    uuid     NOT NULL,
    created_at bigint   NOT NULL,
    ruleset    smallint NOT NULL,
    status     smallint NOT NULL,
    player     bytea    NOT NULL
);
INSERT INTO player_games_2
SELECT g.id, g.created_at, g.ruleset, g.status, decode(p.player, 'hex')
FROM player_games AS p JOIN games_2 AS g ON g.id = p.game_id::uuid;
ALTER TABLE player_games_2 ADD CONSTRAINT player_games_2_pkey PRIMARY KEY (player, ruleset, status, created_at, game_id);

DROP TABLE player_games, games;
ALTER TABLE games_2 RENAME TO games;
ALTER INDEX games_2_pkey RENAME TO games_pkey;
ALTER TABLE player_games_2 RENAME TO player_games;
ALTER INDEX player_games_2_pkey RENAME TO player_games_pkey;
CREATE INDEX games_listed ON games (ruleset, status, created_at, id) WHERE visibility = 0; -- as in V2

CREATE TRIGGER games_guard_removal BEFORE DELETE OR TRUNCATE ON games
    FOR EACH STATEMENT EXECUTE FUNCTION games_guard_removal();

-- As in V2, but after the fact: for triggers that come before it, PostgreSQL locks each row, with a record in its WAL.
CREATE TRIGGER games_guard_fixed
AFTER UPDATE OF id, created_at, ruleset, setup, imported, seed, owner, request ON games
FOR EACH ROW EXECUTE FUNCTION games_guard_update();
CREATE TRIGGER games_guard_update AFTER UPDATE OF ply, head, log ON games FOR EACH ROW
WHEN ((
    NEW.ply > OLD.ply AND NEW.head <> OLD.head
    AND octet_length(NEW.log) > octet_length(OLD.log) + 1
    AND (OLD.log = '' OR substring(convert_to(NEW.log, 'UTF8') FROM octet_length(NEW.log) - octet_length(OLD.log))
        = convert_to(' ' || OLD.log, 'UTF8'))
) IS NOT TRUE)
EXECUTE FUNCTION games_guard_update();
