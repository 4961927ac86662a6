-- The feed for lobbies (docs/interface.md): what happened to public games, but for their moves. A position is given after the commit of
-- the change, so none ever appears below one that somebody has read.
CREATE TABLE feed_entries (
    game_id  uuid     NOT NULL,
    revision integer  NOT NULL, -- of its seats
    kind     smallint NOT NULL, -- 0 created, 1 seats, 2 started, 3 finished, 4 aborted, 5 removed
    ruleset  smallint NOT NULL,
    at       bigint   NOT NULL, -- milliseconds since 1970
    position bigint,            -- from 1, without gaps; none while it waits
    mark     bytea,             -- a hash of this entry and all before it, with the position
    PRIMARY KEY (game_id, revision, kind)
);
CREATE INDEX feed_entries_waiting ON feed_entries (at, game_id, revision, kind) WHERE position IS NULL;
CREATE INDEX feed_entries_position ON feed_entries (position) WHERE position IS NOT NULL;

-- The last position that was given, and its mark: one row, or none while there are none.
CREATE TABLE feed_head (
    one      boolean NOT NULL PRIMARY KEY DEFAULT true CHECK (one),
    position bigint  NOT NULL,
    mark     bytea   NOT NULL
);
