-- The outside beacon of a game (docs/chance.md): its name, from the creation; the round that the game waits for and when that is
-- out, from the moment when the last seat is taken; the signature of that round, with the start.
ALTER TABLE games ADD COLUMN beacon text;
ALTER TABLE games ADD COLUMN beacon_round bigint;
ALTER TABLE games ADD COLUMN beacon_at bigint; -- unix milliseconds
ALTER TABLE games ADD COLUMN beacon_signature bytea; -- 48 bytes

-- The guard: the beacon is fixed like the commitment, its round once, and nothing starts without it.
CREATE FUNCTION games_guard_beacon() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.beacon IS DISTINCT FROM OLD.beacon THEN
        RAISE EXCEPTION 'games: refused to change what is fixed at creation (beacon)';
    END IF;
    IF (NEW.beacon_round, NEW.beacon_at) IS DISTINCT FROM (OLD.beacon_round, OLD.beacon_at)
        AND (OLD.beacon IS NULL OR OLD.beacon_round IS NOT NULL OR NEW.beacon_round IS NULL OR NEW.beacon_at IS NULL)
    THEN
        RAISE EXCEPTION 'games: refused to change the round of a beacon';
    END IF;
    RAISE EXCEPTION 'games: refused a start without the beacon, or a beacon without the start';
END
$$;
CREATE TRIGGER games_guard_beacon AFTER UPDATE OF ply, beacon, beacon_round, beacon_at, beacon_signature ON games FOR EACH ROW
WHEN (
    NEW.beacon IS DISTINCT FROM OLD.beacon
    OR (NEW.beacon_round, NEW.beacon_at) IS DISTINCT FROM (OLD.beacon_round, OLD.beacon_at)
        AND (OLD.beacon IS NULL OR OLD.beacon_round IS NOT NULL OR NEW.beacon_round IS NULL OR NEW.beacon_at IS NULL)
    OR NEW.beacon_signature IS DISTINCT FROM OLD.beacon_signature
        AND (OLD.ply IS NOT NULL OR NEW.ply IS NULL OR OLD.beacon_round IS NULL)
    OR OLD.ply IS NULL AND NEW.ply IS NOT NULL AND NEW.beacon IS NOT NULL AND NEW.beacon_signature IS NULL
)
EXECUTE FUNCTION games_guard_beacon();
