-- The same as on PostgreSQL (see there).
CREATE TABLE earlier (games INTEGER NOT NULL) STRICT;
CREATE TRIGGER earlier BEFORE INSERT ON earlier WHEN NEW.games > 0
BEGIN
    SELECT RAISE(ABORT, 'games: there are games whose chance is of an earlier form: export what is to be kept with the version that made them, and import it into a new database');
END;
INSERT INTO earlier SELECT count(*) FROM games WHERE seed IS NOT NULL;
DROP TABLE earlier;

ALTER TABLE games ADD COLUMN commitment BLOB;
CREATE TRIGGER games_guard_commitment BEFORE UPDATE OF commitment ON games WHEN NEW.commitment IS NOT OLD.commitment
BEGIN
    SELECT RAISE(ABORT, 'games: refused to change what is fixed at creation (commitment)');
END;
