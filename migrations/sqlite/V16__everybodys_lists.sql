-- The same as on PostgreSQL (see V17 there).
INSERT OR IGNORE INTO player_games (player, ruleset, status, created_at, game_id, finished_at)
SELECT CASE WHEN imported THEN x'69' ELSE x'' END, ruleset, status, created_at, id, finished_at FROM games WHERE visibility = 0;
INSERT OR IGNORE INTO own_games (player, ruleset, status, created_at, game_id, finished_at)
SELECT x'', ruleset, status, created_at, id, finished_at FROM games WHERE visibility <> 0 AND status = 0;
DROP INDEX IF EXISTS games_listed;
DROP INDEX IF EXISTS games_finished;
DROP INDEX IF EXISTS games_open;
