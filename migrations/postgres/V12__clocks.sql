-- The clock of a game: what each seat has at the start and for each ply, in seconds (`600+5`), from the creation; what each has left,
-- in milliseconds (`598000 600000`); since when the clock of the seat on turn runs, and when none of its time is left.
ALTER TABLE games ADD COLUMN clock text;
ALTER TABLE games ADD COLUMN clock_left text;
ALTER TABLE games ADD COLUMN clock_since bigint; -- unix milliseconds
ALTER TABLE games ADD COLUMN clock_until bigint; -- unix milliseconds

-- The games whose clocks run. It has no column that a move changes.
CREATE INDEX games_clocks ON games (id) WHERE clock IS NOT NULL AND status = 1;

CREATE FUNCTION games_guard_clock() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'games: refused to change what is fixed at creation (clock)';
END
$$;
CREATE TRIGGER games_guard_clock AFTER UPDATE OF clock ON games FOR EACH ROW
WHEN (NEW.clock IS DISTINCT FROM OLD.clock) EXECUTE FUNCTION games_guard_clock();

-- When a process that served noted that it does, as long as clocks run.
CREATE TABLE heartbeat (
    one smallint NOT NULL PRIMARY KEY DEFAULT 1 CHECK (one = 1),
    at  bigint   NOT NULL -- unix milliseconds
);
