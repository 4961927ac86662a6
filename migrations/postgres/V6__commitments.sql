-- What was published of a game's chance when it was created: it binds the keys of all plies, and the seed. Chance of games of
-- earlier versions hangs on the seed alone: none of them can be carried on or verified, so they are not taken for what they
-- are not.
DO $$
BEGIN
    IF EXISTS (SELECT FROM games WHERE seed IS NOT NULL) THEN
        RAISE EXCEPTION 'games: there are games whose chance is of an earlier form: export what is to be kept with the version that made them, and import it into a new database';
    END IF;
END
$$;
-- At the end of a row, behind the log: an append still changes one piece of it.
ALTER TABLE games ADD COLUMN commitment bytea; -- 32 bytes; null where the game was imported

-- The guard: it is fixed like the seed.
CREATE FUNCTION games_guard_commitment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'games: refused to change what is fixed at creation (commitment)';
END
$$;
CREATE TRIGGER games_guard_commitment AFTER UPDATE OF commitment ON games FOR EACH ROW
WHEN (NEW.commitment IS DISTINCT FROM OLD.commitment) EXECUTE FUNCTION games_guard_commitment();
