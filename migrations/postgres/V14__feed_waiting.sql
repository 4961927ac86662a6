-- What waits for a position in the feed has a table of its own: a few rows, which come and go. An index would cost each change more than
-- it saves whoever gives positions.
CREATE TABLE feed_waiting (
    game_id  uuid     NOT NULL,
    revision integer  NOT NULL,
    kind     smallint NOT NULL,
    ruleset  smallint NOT NULL,
    at       bigint   NOT NULL
) WITH (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);
INSERT INTO feed_waiting SELECT game_id, revision, kind, ruleset, at FROM feed_entries WHERE position IS NULL;
DELETE FROM feed_entries WHERE position IS NULL;

-- Entries are read by their positions alone.
ALTER TABLE feed_entries DROP CONSTRAINT feed_entries_pkey;
DROP INDEX feed_entries_waiting;
DROP INDEX feed_entries_position;
ALTER TABLE feed_entries ALTER COLUMN mark SET NOT NULL, ADD PRIMARY KEY (position);

-- With a trigger BEFORE an UPDATE, whether it fires or not, PostgreSQL locks the row of each move first, which it writes to its log.
DROP TRIGGER games_guard_rated ON games;
CREATE TRIGGER games_guard_rated AFTER UPDATE OF rated ON games FOR EACH ROW
WHEN (NEW.rated IS DISTINCT FROM OLD.rated) EXECUTE FUNCTION games_guard_rated();
