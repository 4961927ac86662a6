-- Of which game a game is the rematch, from the creation; and which game is its own.
ALTER TABLE games ADD COLUMN rematch_of uuid;
ALTER TABLE games ADD COLUMN rematch uuid;

CREATE FUNCTION games_guard_rematch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'games: refused to change what is fixed at creation (rematch_of)';
END
$$;
CREATE TRIGGER games_guard_rematch AFTER UPDATE OF rematch_of ON games FOR EACH ROW
WHEN (NEW.rematch_of IS DISTINCT FROM OLD.rematch_of) EXECUTE FUNCTION games_guard_rematch();
