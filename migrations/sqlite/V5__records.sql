-- The same as on PostgreSQL (see there).
CREATE TABLE records (
    record  BLOB NOT NULL, -- the id that an import of the record would have
    game_id BLOB NOT NULL,
    PRIMARY KEY (record, game_id)
) STRICT, WITHOUT ROWID;
ALTER TABLE games ADD COLUMN removed TEXT; -- why; null unless it was taken down
ALTER TABLE games ADD COLUMN heir BLOB; -- hash of the secret that owns the game, where the owner replaced theirs
