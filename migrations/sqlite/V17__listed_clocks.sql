-- The same as on PostgreSQL (see V19 there).
INSERT OR IGNORE INTO own_games (player, ruleset, status, created_at, game_id)
SELECT x'63', ruleset, status, created_at, id FROM games WHERE clock IS NOT NULL AND status = 1 AND removed IS NULL;
