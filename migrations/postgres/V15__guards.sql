-- PostgreSQL reads the condition of a trigger anew with each statement, so that each costs each move. One is left there: whether a game
-- may start without its beacon is asked by the function that a start calls anyway.
DROP TRIGGER games_guard_beacon ON games;
CREATE TRIGGER games_guard_beacon AFTER UPDATE OF beacon, beacon_round, beacon_at, beacon_signature ON games FOR EACH ROW
WHEN (
    NEW.beacon IS DISTINCT FROM OLD.beacon
    OR (NEW.beacon_round, NEW.beacon_at) IS DISTINCT FROM (OLD.beacon_round, OLD.beacon_at)
        AND (OLD.beacon IS NULL OR OLD.beacon_round IS NOT NULL OR NEW.beacon_round IS NULL OR NEW.beacon_at IS NULL)
    OR NEW.beacon_signature IS DISTINCT FROM OLD.beacon_signature
        AND (OLD.ply IS NOT NULL OR NEW.ply IS NULL OR OLD.beacon_round IS NULL)
)
EXECUTE FUNCTION games_guard_beacon();

-- As in V1, with the beacon at the start.
CREATE OR REPLACE FUNCTION games_guard_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.id, NEW.created_at, NEW.ruleset, NEW.setup, NEW.imported, NEW.seed, NEW.owner, NEW.request)
        IS DISTINCT FROM
       (OLD.id, OLD.created_at, OLD.ruleset, OLD.setup, OLD.imported, OLD.seed, OLD.owner, OLD.request)
    THEN
        RAISE EXCEPTION 'games: refused to change what is fixed at creation (id, created_at, ruleset, setup, imported, seed, owner, request)';
    END IF;
    IF (NEW.ply, NEW.head, NEW.log) IS NOT DISTINCT FROM (OLD.ply, OLD.head, OLD.log) THEN
        RETURN NEW;
    END IF;
    IF OLD.ply IS NULL THEN
        -- The start: ply 0 may write no word; the first words of built-in players may come with it.
        IF NEW.ply IS NULL OR NEW.head IS NULL OR (NEW.ply > 0 AND NEW.log = '') THEN
            RAISE EXCEPTION 'games: refused a start that does not set ply, head and log together';
        END IF;
        IF NEW.beacon IS NOT NULL AND NEW.beacon_signature IS NULL THEN
            RAISE EXCEPTION 'games: refused a start without the beacon, or a beacon without the start';
        END IF;
        RETURN NEW;
    END IF;
    IF NEW.ply IS NULL OR NEW.ply <= OLD.ply THEN
        RAISE EXCEPTION 'games: refused to change head or log without a larger ply';
    END IF;
    IF NEW.head IS NULL OR NEW.head = OLD.head OR NEW.log = OLD.log THEN
        RAISE EXCEPTION 'games: refused to change ply, head and log other than together';
    END IF;
    IF OLD.log <> '' AND NOT (
        length(NEW.log) > length(OLD.log) + 1
        AND right(NEW.log, length(OLD.log) + 1) = ' ' || OLD.log
    ) THEN
        RAISE EXCEPTION 'games: refused to change the log other than by extension';
    END IF;
    RETURN NEW;
END
$$;
