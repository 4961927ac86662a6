-- The dice of each player in each rule set, from the same games as ratings and tallies. '' has the dice of all players. Everything is counted again.
CREATE TABLE dice (
    competitor   text     NOT NULL COLLATE "C",
    ruleset      smallint NOT NULL,
    games        bigint   NOT NULL,
    ones         bigint   NOT NULL,
    twos         bigint   NOT NULL,
    threes       bigint   NOT NULL,
    fours        bigint   NOT NULL,
    fives        bigint   NOT NULL,
    sixes        bigint   NOT NULL,
    luck         bigint   NOT NULL, -- 10,000ths of the win
    luck_squares bigint   NOT NULL, -- the sum of the squares of the luck of each roll
    luck_points  bigint   NOT NULL, -- 1,000ths
    PRIMARY KEY (competitor, ruleset)
);
DELETE FROM counted_ends;
DELETE FROM ratings;
DELETE FROM tallies;
