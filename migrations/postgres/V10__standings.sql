-- Whether a game is rated, fixed when it is created.
ALTER TABLE games ADD COLUMN rated boolean NOT NULL DEFAULT true;
CREATE FUNCTION games_guard_rated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'games: refused to change what is fixed at creation (rated)';
END
$$;
CREATE TRIGGER games_guard_rated BEFORE UPDATE OF rated ON games FOR EACH ROW
WHEN (NEW.rated IS DISTINCT FROM OLD.rated) EXECUTE FUNCTION games_guard_rated();

-- Ratings and tallies of who played (docs/interface.md), as far as games were counted. All of it follows from the games, and can be
-- made anew.
CREATE TABLE counted_ends ( -- those among so many first entries of the public log
    one     boolean NOT NULL PRIMARY KEY DEFAULT true CHECK (one),
    entries bigint  NOT NULL
);
CREATE INDEX log_entries_ends ON log_entries (position) WHERE part = 1;

CREATE TABLE ratings (
    competitor  text     NOT NULL COLLATE "C", -- a public id, or the name of a built-in player
    ruleset     smallint NOT NULL,
    rating      bigint   NOT NULL, -- billionths
    uncertainty bigint   NOT NULL, -- billionths
    at_least    bigint   NOT NULL, -- rating - 3 * uncertainty
    games       bigint   NOT NULL,
    PRIMARY KEY (competitor, ruleset)
);
CREATE INDEX ratings_leaders ON ratings (ruleset, at_least, competitor);

CREATE TABLE tallies (
    competitor text     NOT NULL COLLATE "C",
    period     text     NOT NULL COLLATE "C", -- '', '2026', '2026-11', '2026-11-23'
    ruleset    smallint NOT NULL,
    seats      smallint NOT NULL,
    games      bigint   NOT NULL,
    firsts     bigint   NOT NULL,
    score_sum  bigint   NOT NULL,
    best_score bigint   NOT NULL,
    best_game  uuid     NOT NULL,
    PRIMARY KEY (competitor, period, ruleset, seats)
);
CREATE INDEX tallies_scores ON tallies (ruleset, seats, period, best_score, competitor);
CREATE INDEX tallies_firsts ON tallies (ruleset, seats, period, firsts, competitor);
