-- As in V2, in fewer words, because PostgreSQL reads the condition anew with each statement and asks it of each move: a log is extended
-- where it is some text, a space, and what it was.
DROP TRIGGER games_guard_update ON games;
CREATE TRIGGER games_guard_update AFTER UPDATE OF ply, head, log ON games FOR EACH ROW
WHEN ((
    NEW.ply > OLD.ply AND NEW.head <> OLD.head
    AND octet_length(NEW.log) > octet_length(OLD.log) + 1
    AND (OLD.log = '' OR NEW.log = left(NEW.log, octet_length(NEW.log) - octet_length(OLD.log) - 1) || ' ' || OLD.log)
) IS NOT TRUE)
EXECUTE FUNCTION games_guard_update();
