-- One hot row a game. What is fixed at creation stands in front; what an append changes stands at
-- the end, `log` last and newest word first. Postgres writes an UPDATE to its WAL as common prefix,
-- changed bytes, common suffix: prepending to the last column keeps that small however long the log is.
CREATE TABLE games (
    -- "C": ordered by bytes, as SQLite does, whatever the locale of the server.
    id             text COLLATE "C" PRIMARY KEY,
    created_at     bigint  NOT NULL, -- unix milliseconds, like every time here
    ruleset        text    NOT NULL,
    setup          text    NOT NULL,
    visibility     text    NOT NULL,
    imported       boolean NOT NULL,
    patience_hours bigint,
    owner          bytea,
    join_code      bytea,
    request        bytea,
    seed           bytea,
    tags           text    NOT NULL,
    revision       bigint  NOT NULL,
    seats          text    NOT NULL, -- JSON
    status         text    NOT NULL,
    started_at     bigint,
    ply            bigint,
    head           bytea,
    log            text    NOT NULL,
    CHECK (ply >= 0),
    CHECK ((ply IS NULL) = (head IS NULL)),
    CHECK (ply IS NOT NULL OR log = '')
)
-- Room in the page for the next version of a row, and no log moved to TOAST while the row still
-- fits a page: so appends stay heap-only (HOT) updates.
WITH (fillfactor = 50, toast_tuple_target = 8160);

-- For lists. None names a column that an ordinary append changes, which would end the HOT updates;
-- `status` changes at the start and at the end of a game only.
CREATE INDEX games_newest ON games (created_at DESC, id DESC) WHERE visibility = 'public';
CREATE INDEX games_newest_by_status ON games (status, created_at DESC, id DESC) WHERE visibility = 'public';
CREATE INDEX games_newest_by_ruleset ON games (ruleset, created_at DESC, id DESC) WHERE visibility = 'public';

-- Who sits where, kept beside `seats` in the same transaction, for the games of a player.
-- Led by the game's id, so that it can be distributed with `games`; no foreign key, because Citus has
-- none between tables that are not (or not yet) colocated, and rows here are only an index.
CREATE TABLE seat_players (
    game_id    text COLLATE "C" NOT NULL,
    seat       bigint           NOT NULL,
    player     text COLLATE "C" NOT NULL,
    created_at bigint           NOT NULL, -- of the game
    PRIMARY KEY (game_id, seat)
);
CREATE INDEX seat_players_newest ON seat_players (player, created_at DESC, game_id DESC);

-- The guard: whatever writes here, a log can only be extended. No code relies on it, and it is left
-- out where triggers do not exist (distributed tables).
CREATE FUNCTION games_guard_update() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER games_guard_update BEFORE UPDATE ON games
    FOR EACH ROW EXECUTE FUNCTION games_guard_update();

CREATE FUNCTION games_guard_removal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'games: refused a %', TG_OP;
END
$$;
CREATE TRIGGER games_guard_removal BEFORE DELETE OR TRUNCATE ON games
    FOR EACH STATEMENT EXECUTE FUNCTION games_guard_removal();
