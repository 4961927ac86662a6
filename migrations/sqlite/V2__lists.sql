-- Lists: every combination of filters is a range of one index, or a few of them, in the order of the list.
DROP INDEX games_newest;
DROP INDEX games_newest_by_status;
DROP INDEX games_newest_by_ruleset;
CREATE INDEX games_listed ON games (ruleset, status, created_at, id) WHERE visibility = 'public';

-- The public games of each player, where lists find them: a copy of what `games` says, in the same transaction.
CREATE TABLE player_games (
    player     TEXT    NOT NULL,
    ruleset    TEXT    NOT NULL,
    status     TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    game_id    TEXT    NOT NULL,
    PRIMARY KEY (player, ruleset, status, created_at, game_id)
) STRICT, WITHOUT ROWID;
INSERT INTO player_games
SELECT DISTINCT s.player, g.ruleset, g.status, g.created_at, g.id
FROM seat_players AS s JOIN games AS g ON g.id = s.game_id
WHERE g.visibility = 'public';
DROP TABLE seat_players;
