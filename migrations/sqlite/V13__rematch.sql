-- The same as on PostgreSQL (see there).
ALTER TABLE games ADD COLUMN rematch_of BLOB;
ALTER TABLE games ADD COLUMN rematch BLOB;

CREATE TRIGGER games_guard_rematch BEFORE UPDATE OF rematch_of ON games WHEN NEW.rematch_of IS NOT OLD.rematch_of
BEGIN
    SELECT RAISE(ABORT, 'games: refused to change what is fixed at creation (rematch_of)');
END;
