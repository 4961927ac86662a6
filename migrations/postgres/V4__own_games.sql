-- Lists by when games ended and of imported games, everybody's own games, and games that may go: those that never
-- started.

-- Null until the game is over: at the end of a row, a null takes no room, and an append still changes one piece of it.
ALTER TABLE games ADD COLUMN finished_at bigint; -- of an imported game: when it was imported
ALTER TABLE player_games ADD COLUMN finished_at bigint;
CREATE FUNCTION pg_temp.milliseconds(base36 text) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
    SELECT COALESCE(sum((strpos('0123456789abcdefghijklmnopqrstuvwxyz', substr(base36, n, 1)) - 1)
        * 36::numeric ^ (length(base36) - n)), 0)
    FROM generate_series(1, length(base36)) AS n
$$;
UPDATE games SET finished_at = CASE
    WHEN imported OR started_at IS NULL THEN created_at
    ELSE LEAST(started_at + (
        SELECT sum(pg_temp.milliseconds(split_part(entry, '~', 2))) FROM regexp_split_to_table(log, ' ') AS entry
    ), 253402207200000) -- the end of the year 9999
END
WHERE status >= 2;
UPDATE player_games AS p SET finished_at = g.finished_at FROM games AS g WHERE p.status >= 2 AND g.id = p.game_id;

-- As in V2, with whether a game was imported; and the same in the order in which games ended. Both change when a game
-- starts and when it ends, and not with an ordinary append.
DROP INDEX games_listed;
CREATE INDEX games_listed ON games (ruleset, status, imported, created_at, id) WHERE visibility = 0;
CREATE INDEX games_finished ON games (ruleset, status, imported, finished_at, id)
    WHERE visibility = 0 AND finished_at IS NOT NULL;
CREATE INDEX player_games_finished ON player_games (player, ruleset, status, finished_at, game_id)
    WHERE finished_at IS NOT NULL;

-- What `player_games` has for public games, for all others: found by those alone who hold a seat. A table of its own, so
-- that no process of an earlier version lists them.
CREATE TABLE own_games (
    game_id     uuid     NOT NULL,
    created_at  bigint   NOT NULL,
    ruleset     smallint NOT NULL,
    status      smallint NOT NULL,
    player      bytea    NOT NULL,
    finished_at bigint,
    PRIMARY KEY (player, ruleset, status, created_at, game_id)
);
-- Ids of players stand in `seats` as base64 without padding, 14 digits, or as they did once, 20 hex digits.
INSERT INTO own_games
SELECT DISTINCT g.id, g.created_at, g.ruleset, g.status, CASE length(seat ->> 'player')
    WHEN 20 THEN decode(seat ->> 'player', 'hex') ELSE decode((seat ->> 'player') || '==', 'base64') END, g.finished_at
FROM games AS g, json_array_elements(g.seats::json) AS seat
WHERE g.visibility <> 0 AND seat ->> 'player' IS NOT NULL;
CREATE INDEX own_games_finished ON own_games (player, ruleset, status, finished_at, game_id)
    WHERE finished_at IS NOT NULL;

-- The guard lets a game go only if it never started. The oldest open games are the first to go.
CREATE INDEX games_open ON games (created_at, id) WHERE status = 0;
DROP TRIGGER games_guard_removal ON games;
CREATE TRIGGER games_guard_truncate BEFORE TRUNCATE ON games
    FOR EACH STATEMENT EXECUTE FUNCTION games_guard_removal();
CREATE TRIGGER games_guard_removal BEFORE DELETE ON games
    FOR EACH ROW WHEN (OLD.ply IS NOT NULL) EXECUTE FUNCTION games_guard_removal();
