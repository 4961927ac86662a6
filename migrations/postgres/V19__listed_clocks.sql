-- `own_games` has the games whose clocks run under `c` in place of a player: where games are distributed over servers, those alone are asked which have one.
INSERT INTO own_games (player, ruleset, status, created_at, game_id)
SELECT 'c'::bytea, ruleset, status, created_at, id FROM games WHERE clock IS NOT NULL AND status = 1 AND removed IS NULL
ON CONFLICT DO NOTHING;
