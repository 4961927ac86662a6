-- What waits for a position in the feed is taken in this order, a part at a time. Without an index, each part reads and sorts all that waits:
-- the more there is, the slower it becomes.
CREATE INDEX feed_waiting_in_order ON feed_waiting (at, game_id, revision, kind);
