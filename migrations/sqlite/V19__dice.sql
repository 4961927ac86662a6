-- The same as on PostgreSQL (see V20 there).
CREATE TABLE dice (
    competitor   TEXT    NOT NULL,
    ruleset      INTEGER NOT NULL,
    games        INTEGER NOT NULL,
    ones         INTEGER NOT NULL,
    twos         INTEGER NOT NULL,
    threes       INTEGER NOT NULL,
    fours        INTEGER NOT NULL,
    fives        INTEGER NOT NULL,
    sixes        INTEGER NOT NULL,
    luck         INTEGER NOT NULL,
    luck_squares INTEGER NOT NULL,
    luck_points  INTEGER NOT NULL,
    PRIMARY KEY (competitor, ruleset)
) STRICT, WITHOUT ROWID;
DELETE FROM counted_ends;
DELETE FROM ratings;
DELETE FROM tallies;
