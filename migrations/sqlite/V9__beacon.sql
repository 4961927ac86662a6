-- The same as on PostgreSQL (see there).
ALTER TABLE games ADD COLUMN beacon TEXT;
ALTER TABLE games ADD COLUMN beacon_round INTEGER;
ALTER TABLE games ADD COLUMN beacon_at INTEGER;
ALTER TABLE games ADD COLUMN beacon_signature BLOB;

CREATE TRIGGER games_guard_beacon
BEFORE UPDATE OF ply, beacon, beacon_round, beacon_at, beacon_signature ON games
WHEN OLD.beacon IS NOT NULL OR NEW.beacon IS NOT NULL OR NEW.beacon_round IS NOT NULL OR NEW.beacon_at IS NOT NULL
    OR NEW.beacon_signature IS NOT NULL
BEGIN
    SELECT CASE
        WHEN NEW.beacon IS NOT OLD.beacon
        THEN RAISE(ABORT, 'games: refused to change what is fixed at creation (beacon)')
        WHEN (NEW.beacon_round, NEW.beacon_at) IS NOT (OLD.beacon_round, OLD.beacon_at)
            AND (OLD.beacon IS NULL OR OLD.beacon_round IS NOT NULL OR NEW.beacon_round IS NULL OR NEW.beacon_at IS NULL)
        THEN RAISE(ABORT, 'games: refused to change the round of a beacon')
        WHEN NEW.beacon_signature IS NOT OLD.beacon_signature
            AND (OLD.ply IS NOT NULL OR NEW.ply IS NULL OR OLD.beacon_round IS NULL)
            OR OLD.ply IS NULL AND NEW.ply IS NOT NULL AND NEW.beacon IS NOT NULL AND NEW.beacon_signature IS NULL
        THEN RAISE(ABORT, 'games: refused a start without the beacon, or a beacon without the start')
    END;
END;
