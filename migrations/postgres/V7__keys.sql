-- The keys with which the service signs, and from when each does: receipts of a time are signed by the key of that time.
CREATE TABLE signing_keys (
    key   text   NOT NULL PRIMARY KEY, -- as signed notes write keys that verify
    since bigint NOT NULL UNIQUE       -- unix milliseconds
);

CREATE FUNCTION signing_keys_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'signing_keys: refused an %: what a key signed stays signed', TG_OP;
END
$$;
CREATE TRIGGER signing_keys_guard BEFORE UPDATE ON signing_keys
    FOR EACH STATEMENT EXECUTE FUNCTION signing_keys_guard();

-- Ids of games that were removed before their start, where a client's key can lead to them again: an id is never that of another
-- game, so two statements about one id are about one game.
CREATE TABLE spent_ids (
    id uuid NOT NULL PRIMARY KEY
);
CREATE FUNCTION games_spend_id() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO spent_ids VALUES (OLD.id) ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
CREATE TRIGGER games_spend_id AFTER DELETE ON games FOR EACH ROW
WHEN (OLD.request IS NOT NULL) EXECUTE FUNCTION games_spend_id();
-- Not an error: a second creation of one id is none either.
CREATE FUNCTION games_refuse_spent_id() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM spent_ids WHERE id = NEW.id) THEN
        RETURN NULL;
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER games_refuse_spent_id BEFORE INSERT ON games FOR EACH ROW
WHEN (NEW.request IS NOT NULL) EXECUTE FUNCTION games_refuse_spent_id();
