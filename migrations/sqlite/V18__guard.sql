-- As in V3, and as on PostgreSQL (see V16 there): a log is extended where it is some text, a space, and what it was. SQLite counts the characters of a text
-- one by one, to find out how long it is and what it ends with, which took a third of the time of an update. SQLite of before 3.43 cannot count bytes: it
-- refuses to change a log.
DROP TRIGGER games_guard_update;
CREATE TRIGGER games_guard_update
BEFORE UPDATE OF ply, head, log ON games
WHEN (NEW.ply, NEW.head, NEW.log) IS NOT (OLD.ply, OLD.head, OLD.log)
BEGIN
    SELECT CASE
        -- The start: ply 0 may write no word; the first words of built-in players may come with it.
        WHEN OLD.ply IS NULL THEN CASE
            WHEN NEW.ply IS NULL OR NEW.head IS NULL OR (NEW.ply > 0 AND NEW.log = '')
            THEN RAISE(ABORT, 'games: refused a start that does not set ply, head and log together')
        END
        WHEN NEW.ply IS NULL OR NEW.ply <= OLD.ply
        THEN RAISE(ABORT, 'games: refused to change head or log without a larger ply')
        WHEN NEW.head IS NULL OR NEW.head = OLD.head OR NEW.log = OLD.log
        THEN RAISE(ABORT, 'games: refused to change ply, head and log other than together')
        WHEN OLD.log <> '' AND NOT (
            octet_length(NEW.log) > octet_length(OLD.log) + octet_length(' ')
            AND NEW.log = substr(NEW.log, 1, (octet_length(NEW.log) - octet_length(OLD.log)) / octet_length(' ') - 1) || ' ' || OLD.log
        )
        THEN RAISE(ABORT, 'games: refused to change the log other than by extension')
    END;
END;
