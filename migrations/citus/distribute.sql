-- What `assam migrate --citus` runs on the coordinator after the files of ../postgres. The number of shards is set before.
--
-- The log, the seats and everything else of a game are one row, which is stored by the game's id. What lists, the feed, the public log and ratings need
-- stays on the coordinator, a few short rows for each game.
--
-- The guard stays: its triggers look at nothing but the row itself, which is what Citus asks of triggers before it makes them on each shard. Two others look at
-- `spent_ids`; statements of the service note and ask themselves which ids are spent.
SET citus.enable_unsafe_triggers = on;
DROP TRIGGER IF EXISTS games_spend_id ON games;
DROP TRIGGER IF EXISTS games_refuse_spent_id ON games;
SELECT create_distributed_table('games', 'id')
WHERE NOT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = 'games'::regclass);
