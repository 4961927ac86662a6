-- The same as on PostgreSQL (see there).
ALTER TABLE games ADD COLUMN rated INTEGER NOT NULL DEFAULT 1;
CREATE TRIGGER games_guard_rated BEFORE UPDATE OF rated ON games WHEN NEW.rated IS NOT OLD.rated
BEGIN
    SELECT RAISE(ABORT, 'games: refused to change what is fixed at creation (rated)');
END;

CREATE TABLE counted_ends (
    one     INTEGER NOT NULL PRIMARY KEY DEFAULT 1 CHECK (one = 1),
    entries INTEGER NOT NULL
) STRICT;
CREATE INDEX log_entries_ends ON log_entries (position) WHERE part = 1;

CREATE TABLE ratings (
    competitor  TEXT    NOT NULL,
    ruleset     INTEGER NOT NULL,
    rating      INTEGER NOT NULL,
    uncertainty INTEGER NOT NULL,
    at_least    INTEGER NOT NULL,
    games       INTEGER NOT NULL,
    PRIMARY KEY (competitor, ruleset)
) STRICT, WITHOUT ROWID;
CREATE INDEX ratings_leaders ON ratings (ruleset, at_least, competitor);

CREATE TABLE tallies (
    competitor TEXT    NOT NULL,
    period     TEXT    NOT NULL,
    ruleset    INTEGER NOT NULL,
    seats      INTEGER NOT NULL,
    games      INTEGER NOT NULL,
    firsts     INTEGER NOT NULL,
    score_sum  INTEGER NOT NULL,
    best_score INTEGER NOT NULL,
    best_game  BLOB    NOT NULL,
    PRIMARY KEY (competitor, period, ruleset, seats)
) STRICT, WITHOUT ROWID;
CREATE INDEX tallies_scores ON tallies (ruleset, seats, period, best_score, competitor);
CREATE INDEX tallies_firsts ON tallies (ruleset, seats, period, firsts, competitor);
