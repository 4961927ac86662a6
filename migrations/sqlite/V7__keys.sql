-- The same as on PostgreSQL (see there).
CREATE TABLE signing_keys (
    key   TEXT    NOT NULL PRIMARY KEY,
    since INTEGER NOT NULL UNIQUE
) STRICT;
CREATE TRIGGER signing_keys_guard BEFORE UPDATE ON signing_keys
BEGIN
    SELECT RAISE(ABORT, 'signing_keys: refused an UPDATE: what a key signed stays signed');
END;

CREATE TABLE spent_ids (
    id BLOB NOT NULL PRIMARY KEY
) STRICT, WITHOUT ROWID;
CREATE TRIGGER games_spend_id AFTER DELETE ON games WHEN OLD.request IS NOT NULL
BEGIN
    INSERT OR IGNORE INTO spent_ids VALUES (OLD.id);
END;
CREATE TRIGGER games_refuse_spent_id BEFORE INSERT ON games
WHEN NEW.request IS NOT NULL AND EXISTS (SELECT 1 FROM spent_ids WHERE id = NEW.id)
BEGIN
    SELECT RAISE(IGNORE);
END;
