-- Nothing here: what the guards cost each move on PostgreSQL (see there), they do not cost SQLite.
SELECT 1;
