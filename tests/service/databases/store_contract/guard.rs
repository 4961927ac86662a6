//! The database refuses what no store would request.

use super::*;

#[tokio::test]
async fn the_database_itself_refuses_what_is_not_an_extension() {
    const LARGER: &str = "refused to change head or log without a larger ply";
    const TOGETHER: &str = "refused to change ply, head and log other than together";
    const EXTENSION: &str = "refused to change the log other than by extension";
    const START: &str = "refused a start that does not set ply, head and log together";
    const FIXED: &str = "refused to change what is fixed at creation";
    const ROUND: &str = "refused to change the round of a beacon";
    const BEACON: &str = "refused a start without the beacon, or a beacon without the start";
    // `seed` is an available hash that is written the same on both.
    let refusals = [
        (1, "log = 'c~1a b~0 x~zz'", LARGER),
        (1, "log = 'd~0 ' || log", LARGER),
        (1, "head = seed", LARGER),
        (1, "ply = 2, head = seed, log = 'd~0 ' || log", LARGER),
        (1, "ply = NULL, head = NULL, log = ''", LARGER),
        (1, "ply = 4", TOGETHER),
        (1, "ply = 4, head = seed", TOGETHER),
        (1, "ply = 4, log = 'd~0 ' || log", TOGETHER),
        (1, "ply = 4, head = NULL, log = 'd~0 ' || log", TOGETHER),
        (1, "ply = 4, head = seed, log = 'd~0 c~1a b~0 x~zz'", EXTENSION),
        (1, "ply = 4, head = seed, log = log || ' d~0'", EXTENSION),
        (1, "ply = 4, head = seed, log = 'd' || log", EXTENSION),
        (1, "ply = 4, head = seed, log = ' ' || log", EXTENSION),
        (1, "ply = 4, head = seed, log = 'a~zz'", EXTENSION),
        (2, "log = 'a~0'", START),
        (2, "ply = 0", START),
        (2, "head = seed", START),
        (2, "ply = 1, head = seed", START),
        (1, "seed = head", FIXED),
        (1, "seed = NULL", FIXED),
        (1, "commitment = seed", FIXED),
        (1, "owner = NULL", FIXED),
        (1, "request = NULL", FIXED),
        (1, "id = OTHER", FIXED),
        (1, "created_at = created_at + 1", FIXED),
        (1, "ruleset = 99", FIXED),
        (1, "setup = 'chess/1'", FIXED),
        (1, "imported = NOT imported", FIXED),
        (1, "beacon = NULL", FIXED),
        (2, "beacon = 'drand:x'", FIXED),
        (1, "clock = '1+1'", FIXED),
        (2, "clock = '60+5'", FIXED),
        (1, "rematch_of = id", FIXED),
        (1, "beacon_round = beacon_round + 1", ROUND),
        (1, "beacon_round = NULL, beacon_at = NULL", ROUND),
        (1, "beacon_at = beacon_at + 1", ROUND),
        (2, "beacon_round = 1, beacon_at = 1", ROUND),
        (3, "beacon_round = 1", ROUND),
        (4, "beacon_at = beacon_at + 1", ROUND),
        (1, "beacon_signature = seed", BEACON),
        (1, "beacon_signature = NULL", BEACON),
        (2, "beacon_signature = seed", BEACON),
        (4, "beacon_signature = seed", BEACON),
        (3, "ply = 0, head = seed", BEACON),
        (3, "ply = 0, head = seed, beacon_signature = seed", BEACON),
        (4, "ply = 0, head = seed", BEACON),
    ];
    on_both(async |backend, store| {
        let with_beacon = |n, beacon| StoredGame { beacon: Some(beacon), ..open_game(n) };
        let unfixed = with_beacon(3, GameBeacon { due: None, ..beacon(None) });
        let games = [running_game(1), open_game(2), unfixed, with_beacon(4, beacon(None))];
        for game in &games {
            store.alone(create(game)).await.unwrap();
        }
        for (n, change, refusal) in refusals {
            let change = change.replace("OTHER", &backend.id(id(9)));
            let sql = format!("UPDATE games SET {change} WHERE id = {}", backend.id(id(n)));
            let said = backend.sabotage(&sql).unwrap_err();
            // PostgreSQL checks its constraints before the guard.
            let is_checked = said.contains("violates check constraint");
            assert!(said.contains(refusal) || is_checked, "{change}: {said}");
        }
        let said = backend.sabotage("DELETE FROM games").unwrap_err();
        assert!(said.contains("refused a DELETE"), "{said}");
        match backend {
            Backend::Postgres(_) => {
                let said = backend.sabotage("TRUNCATE games").unwrap_err();
                assert!(said.contains("refused a TRUNCATE"), "{said}");
            }
            Backend::Sqlite(_) => {
                let sql = "INSERT OR REPLACE INTO games SELECT * FROM games";
                assert_eq!(backend.sabotage(sql), Ok(0));
                // A game cannot be replaced by row number either.
                let columns = "id, created_at, ruleset, setup, visibility, imported, tags, revision, seats, status, log";
                let replacement = format!(
                    "INSERT OR REPLACE INTO games (rowid, {columns}) \
                     SELECT rowid, x'00', created_at, ruleset, setup, visibility, imported, tags, revision, seats, 0, '' FROM games"
                );
                assert_eq!(backend.sabotage(&replacement), Ok(0));
                let said = backend.sabotage("UPDATE OR REPLACE games SET rowid = rowid % 2 + 1").unwrap_err();
                assert!(said.contains("refused to change a rowid"), "{said}");
            }
        }
        for (n, game) in (1..).zip(&games) {
            assert!(load(&store, n).await == *game);
        }
        // An extension by hand is valid.
        for (n, change) in [
            (1, "ply = 4, head = seed, log = 'd~0 ' || log"),
            (2, "ply = 0, head = seed"),
            (3, "beacon_round = 7, beacon_at = 7"),
            (3, "ply = 0, head = seed, beacon_signature = seed"),
        ] {
            let sql = format!("UPDATE games SET {change} WHERE id = {}", backend.id(id(n)));
            assert_eq!(backend.sabotage(&sql), Ok(1));
        }
    })
    .await;
}

#[test]
fn no_guard_of_postgresql_comes_before_the_change_of_a_game_for_which_it_would_lock_each_row() {
    let Some(backend) = crate::harness::postgres() else { return };
    let _ = Runtime::new().unwrap().block_on(backend.open());
    // Bits of `tgtype`: for each row, before, update.
    backend.script(
        "DO $$ BEGIN IF EXISTS (SELECT 1 FROM pg_trigger WHERE tgrelid = 'games'::regclass AND tgtype & 19 = 19) \
         THEN RAISE EXCEPTION 'a trigger comes before'; END IF; END $$",
    );
}
