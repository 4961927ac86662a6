-- Lists: every combination of filters is a range of one index, or a few of them, in the order of the list. An ordinary
-- append changes none of these columns, so updates stay HOT.
DROP INDEX games_newest, games_newest_by_status, games_newest_by_ruleset;
CREATE INDEX games_listed ON games (ruleset, status, created_at, id) WHERE visibility = 'public';

-- The public games of each player, where lists find them: a copy of what `games` says, in the same transaction. It has
-- the game's id, so that it can be distributed with `games`; no foreign key, because Citus has none between tables that
-- are not (or not yet) colocated.
CREATE TABLE player_games (
    player     text COLLATE "C" NOT NULL,
    ruleset    text             NOT NULL,
    status     text             NOT NULL,
    created_at bigint           NOT NULL,
    game_id    text COLLATE "C" NOT NULL,
    PRIMARY KEY (player, ruleset, status, created_at, game_id)
);
INSERT INTO player_games
SELECT DISTINCT s.player, g.ruleset, g.status, g.created_at, g.id
FROM seat_players AS s JOIN games AS g ON g.id = s.game_id
WHERE g.visibility = 'public';
DROP TABLE seat_players;

-- The guard looks closer only at what is no ordinary extension of a log, so that an append costs little. Logs are ASCII;
-- bytes are compared, because PostgreSQL counts characters one by one.
DROP TRIGGER games_guard_update ON games;
CREATE TRIGGER games_guard_fixed
BEFORE UPDATE OF id, created_at, ruleset, setup, imported, seed, owner, request ON games
FOR EACH ROW EXECUTE FUNCTION games_guard_update();
CREATE TRIGGER games_guard_update BEFORE UPDATE OF ply, head, log ON games FOR EACH ROW
WHEN ((
    NEW.ply > OLD.ply AND NEW.head <> OLD.head
    AND octet_length(NEW.log) > octet_length(OLD.log) + 1
    AND (OLD.log = '' OR substring(convert_to(NEW.log, 'UTF8') FROM octet_length(NEW.log) - octet_length(OLD.log))
        = convert_to(' ' || OLD.log, 'UTF8'))
) IS NOT TRUE)
EXECUTE FUNCTION games_guard_update();
