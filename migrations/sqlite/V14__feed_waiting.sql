-- As on PostgreSQL (see there). Nothing waits for longer than a transaction, but what came with a copy.
CREATE TABLE feed_waiting (
    game_id  BLOB    NOT NULL,
    revision INTEGER NOT NULL,
    kind     INTEGER NOT NULL,
    ruleset  INTEGER NOT NULL,
    at       INTEGER NOT NULL
) STRICT;
INSERT INTO feed_waiting SELECT game_id, revision, kind, ruleset, at FROM feed_entries WHERE position IS NULL;

CREATE TABLE feed_placed (
    position INTEGER NOT NULL PRIMARY KEY,
    mark     BLOB    NOT NULL,
    game_id  BLOB    NOT NULL,
    revision INTEGER NOT NULL,
    kind     INTEGER NOT NULL,
    ruleset  INTEGER NOT NULL,
    at       INTEGER NOT NULL
) STRICT;
INSERT INTO feed_placed SELECT position, mark, game_id, revision, kind, ruleset, at FROM feed_entries WHERE position IS NOT NULL;
DROP TABLE feed_entries;
ALTER TABLE feed_placed RENAME TO feed_entries;
