-- Which public games have which record, so that importing an exported record finds the game that it came from; and games
-- that the operator took down: hidden from everybody, with the reason, and not deleted;
-- and who owns a game now.
CREATE TABLE records (
    record  uuid NOT NULL, -- the id that an import of the record would have
    game_id uuid NOT NULL,
    PRIMARY KEY (record, game_id)
);
ALTER TABLE games ADD COLUMN removed text; -- why; null unless it was taken down
ALTER TABLE games ADD COLUMN heir bytea; -- hash of the secret that owns the game, where the owner replaced theirs
