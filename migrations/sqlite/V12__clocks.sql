-- The same as on PostgreSQL (see there).
ALTER TABLE games ADD COLUMN clock TEXT;
ALTER TABLE games ADD COLUMN clock_left TEXT;
ALTER TABLE games ADD COLUMN clock_since INTEGER;
ALTER TABLE games ADD COLUMN clock_until INTEGER;
CREATE INDEX games_clocks ON games (id) WHERE clock IS NOT NULL AND status = 1;

CREATE TRIGGER games_guard_clock BEFORE UPDATE OF clock ON games WHEN NEW.clock IS NOT OLD.clock
BEGIN
    SELECT RAISE(ABORT, 'games: refused to change what is fixed at creation (clock)');
END;

CREATE TABLE heartbeat (
    one INTEGER NOT NULL PRIMARY KEY DEFAULT 1 CHECK (one = 1),
    at  INTEGER NOT NULL
) STRICT;
