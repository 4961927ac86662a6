-- Public games are found where those of players are: one table has all lists of public games, so that games can be distributed over servers
-- without their lists. Under no bytes in place of a player it has the games that were played here, and under `i` those that were imported.
-- `own_games` has open games that are not public under no bytes: those, too, are removed after a while.
INSERT INTO player_games (player, ruleset, status, created_at, game_id, finished_at)
SELECT CASE WHEN imported THEN 'i' ELSE '' END::bytea, ruleset, status, created_at, id, finished_at FROM games WHERE visibility = 0
ON CONFLICT DO NOTHING;
INSERT INTO own_games (player, ruleset, status, created_at, game_id, finished_at)
SELECT ''::bytea, ruleset, status, created_at, id, finished_at FROM games WHERE visibility <> 0 AND status = 0
ON CONFLICT DO NOTHING;
DROP INDEX IF EXISTS games_listed, games_finished, games_open;
