-- The statements of the service note and ask themselves which ids are spent (V7): a trigger that looks at another table cannot be on a
-- distributed one, and costs each new game more.
DROP TRIGGER IF EXISTS games_spend_id ON games;
DROP TRIGGER IF EXISTS games_refuse_spent_id ON games;
DROP FUNCTION IF EXISTS games_spend_id();
DROP FUNCTION IF EXISTS games_refuse_spent_id();
