-- Lists by when games ended and of imported games, everybody's own games, and games that may go: those that never
-- started. The same tables as on PostgreSQL (see there).
ALTER TABLE games ADD COLUMN finished_at INTEGER; -- of an imported game: when it was imported
ALTER TABLE player_games ADD COLUMN finished_at INTEGER;
UPDATE games SET finished_at = created_at WHERE status >= 2;
-- Entries end with the milliseconds since the one before, in base 36: eleven digits are 4 million years.
WITH RECURSIVE
    digits (n, worth) AS (SELECT 1, 1 UNION ALL SELECT n + 1, worth * 36 FROM digits WHERE n < 11),
    waits (id, base36) AS (
        SELECT games.id, substr(value, instr(value, '~') + 1)
        FROM games, json_each('["' || replace(log, ' ', '","') || '"]')
        WHERE status >= 2 AND imported = 0 AND started_at IS NOT NULL AND log <> ''
    ),
    lasted (id, ms) AS (
        SELECT id, sum((instr('0123456789abcdefghijklmnopqrstuvwxyz', substr(base36, -n, 1)) - 1) * worth)
        FROM waits, digits WHERE n <= length(base36) GROUP BY id
    )
UPDATE games SET finished_at = MIN(started_at + lasted.ms, 253402207200000) FROM lasted WHERE lasted.id = games.id;
UPDATE player_games SET finished_at = games.finished_at FROM games
WHERE player_games.status >= 2 AND games.id = player_games.game_id;

DROP INDEX games_listed;
CREATE INDEX games_listed ON games (ruleset, status, imported, created_at, id) WHERE visibility = 0;
CREATE INDEX games_finished ON games (ruleset, status, imported, finished_at, id)
    WHERE visibility = 0 AND finished_at IS NOT NULL;
CREATE INDEX player_games_finished ON player_games (player, ruleset, status, finished_at, game_id)
    WHERE finished_at IS NOT NULL;

CREATE TABLE own_games (
    player      BLOB    NOT NULL,
    ruleset     INTEGER NOT NULL,
    status      INTEGER NOT NULL,
    created_at  INTEGER NOT NULL,
    game_id     BLOB    NOT NULL,
    finished_at INTEGER,
    PRIMARY KEY (player, ruleset, status, created_at, game_id)
) STRICT, WITHOUT ROWID;
-- Ids of players stand in `seats` as base64 without padding, 14 digits, or as they did once, 20 hex digits.
WITH RECURSIVE
    bytes (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM bytes WHERE n < 9),
    held (id, player) AS (
        SELECT DISTINCT games.id, seat.value ->> 'player' FROM games, json_each(seats) AS seat
        WHERE visibility <> 0 AND seat.value ->> 'player' IS NOT NULL
    ),
    digits (id, player, n, first, second) AS (
        SELECT id, player, n,
            instr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', substr(player, n * 8 / 6 + 1, 1)) - 1,
            instr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', substr(player, n * 8 / 6 + 2, 1)) - 1
        FROM held, bytes WHERE length(player) = 14
    ),
    players (id, player, hex) AS (
        SELECT id, player, group_concat(printf('%02x', ((first << 6 | second) >> (4 - n * 8 % 6)) & 255), '' ORDER BY n)
        FROM digits GROUP BY id, player
        UNION ALL SELECT id, player, player FROM held WHERE length(player) = 20
    )
INSERT INTO own_games
SELECT DISTINCT unhex(hex), ruleset, status, created_at, games.id, finished_at
FROM players JOIN games USING (id);
CREATE INDEX own_games_finished ON own_games (player, ruleset, status, finished_at, game_id)
    WHERE finished_at IS NOT NULL;

-- The guard lets a game go only if it never started.
CREATE INDEX games_open ON games (created_at, id) WHERE status = 0;
DROP TRIGGER games_guard_delete;
CREATE TRIGGER games_guard_delete
BEFORE DELETE ON games
WHEN OLD.ply IS NOT NULL
BEGIN
    SELECT RAISE(ABORT, 'games: refused a DELETE');
END;
