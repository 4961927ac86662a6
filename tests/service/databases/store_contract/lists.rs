//! Lists of games.

use std::cmp::Reverse;

use assam_record::log::Start;
use assam_referee::Ruleset;
use assam_store::SortBy;

use super::*;

/// Returns sixty games that differ in everything that lists sort and filter by, four at each time.
fn many_games() -> Vec<StoredGame> {
    let statuses = [Status::Open, Status::Running, Status::Finished, Status::Aborted];
    let visibilities = [
        Visibility::Public,
        Visibility::Public,
        Visibility::Public,
        Visibility::Unlisted,
        Visibility::Private,
    ];
    let mut games = Vec::new();
    for n in 0..60 {
        let mut game = open_game(n * 7919 % 1000);
        let at = n as usize;
        game.info.created_at = time((n / 4).into());
        game.info.status = statuses[at % 4];
        game.info.finished_at = game.info.status.is_over().then(|| time(i64::from(n * 31 % 17)));
        game.info.imported = game.info.status.is_over() && n % 3 == 2;
        game.info.visibility = visibilities[at % 5];
        let line = ["MKN/1 marrakech/1 seats=2", "MKN/1 marrakesh/1 seats=2"][at % 2];
        game.info.setup = Setup::read(line).unwrap();
        game.info.seats = match n % 3 {
            0 => vec![seat_of("ann"), seat_of("bob")],
            1 => vec![seat_of("bob"), seat_of("bob")],
            _ if game.info.imported => vec![Holder::new(SeatKind::Human), Holder::new(SeatKind::Human)],
            _ => vec![open_seat(), seat_of("ann")],
        };
        games.push(game);
    }
    games
}

/// Computes the expected list in a simple way.
fn expected(games: &[StoredGame], query: &ListQuery) -> Vec<GameId> {
    let mut found: Vec<&Info> = games
        .iter()
        .map(|game| &game.info)
        .filter(|info| {
            info.visibility == Visibility::Public || matches!(query.scope, ListScope::AllOf { .. })
        })
        .filter(|info| query.statuses.is_empty() || query.statuses.contains(&info.status))
        .filter(|info| query.imported.is_none_or(|imported| imported == info.imported))
        .filter(|info| {
            let open = info.seats.iter().filter(|seat| seat.kind == SeatKind::Open).count();
            query.open_seats.is_empty() || query.open_seats.contains(&(open as u8))
        })
        .filter(|info| placed(info, query.order).is_some())
        .filter(|info| query.since.is_none_or(|since| placed(info, query.order) >= Some(since)))
        .filter(|info| query.until.is_none_or(|until| placed(info, query.order) < Some(until)))
        .filter(|info| query.ruleset.is_none_or(|it| it == info.ruleset()))
        .filter(|info| {
            let (ListScope::PublicOf(player) | ListScope::AllOf { player, .. }) = query.scope else {
                return true;
            };
            info.seats.iter().any(|seat| seat.player == Some(player))
        })
        .collect();
    found.sort_by_key(|info| Reverse((placed(info, query.order), info.id)));
    if query.is_ascending {
        found.reverse();
    }
    found.iter().map(|info| info.id).collect()
}

/// Returns the time of a game in an order.
fn placed(info: &Info, order: SortBy) -> Option<Timestamp> {
    match order {
        SortBy::Created => Some(info.created_at),
        SortBy::Finished => info.finished_at,
    }
}

/// Returns all scopes of lists.
fn everything() -> Vec<ListScope> {
    let mut all = vec![ListScope::Public];
    for player in ["ann", "bob", "eve"].map(player_id) {
        all.extend([ListScope::PublicOf(player), ListScope::AllOf { player, secret: [0x5e; 32] }]);
    }
    all
}

#[tokio::test]
async fn a_list_gives_public_games_newest_first_under_every_filter() {
    on_all(async |_, store| {
        let games = many_games();
        for game in &games {
            store.alone(create(game)).await.unwrap();
        }
        for statuses in [vec![], vec![Status::Open], vec![Status::Finished, Status::Open]] {
            for ruleset in [None, Some(Ruleset::Marrakech), Some(Ruleset::Marrakesh)] {
                for scope in everything() {
                    for (since, until) in [(None, None), (Some(4), None), (None, Some(9)), (Some(4), Some(9))]
                    {
                        for (imported, order) in [
                            (None, SortBy::Created),
                            (Some(false), SortBy::Created),
                            (Some(true), SortBy::Finished),
                            (None, SortBy::Finished),
                        ] {
                            // Imported games have no players.
                            let imported = imported.filter(|_| scope == ListScope::Public);
                            let query = ListQuery {
                                scope,
                                order,
                                statuses: statuses.clone(),
                                ruleset,
                                imported,
                                open_seats: Vec::new(),
                                since: since.map(time),
                                until: until.map(time),
                                is_ascending: false,
                                after: None,
                                limit: 1000,
                            };
                            let newest_first = expected(&games, &query);
                            assert_eq!(ids(&store, &query).await, newest_first, "{query:?}");
                            let oldest_first = ListQuery { is_ascending: true, ..query.clone() };
                            assert_eq!(ids(&store, &oldest_first).await, expected(&games, &oldest_first));
                            if matches!(scope, ListScope::Public | ListScope::PublicOf(_)) {
                                let count =
                                    store.reads.count(&ListQuery { limit: 1, ..query }).await.unwrap();
                                assert_eq!(count, newest_first.len() as u64);
                            }
                        }
                    }
                }
            }
        }
        let first = store.reads.list(&of_player("ann")).await.unwrap().games.remove(0);
        let stored = games.iter().find(|game| game.info.id == first.info.id).unwrap();
        assert!(first.info == stored.info);
        let running = ListQuery { statuses: vec![Status::Running], ..of_player("ann") };
        let logs = store.reads.list(&running).await.unwrap().games.into_iter().map(|game| game.log.unwrap());
        assert!(logs.len() > 0);
        for (open_seats, order) in
            [(vec![1], SortBy::Created), (vec![2, 3], SortBy::Created), (vec![1], SortBy::Finished)]
        {
            let query = ListQuery { open_seats, order, limit: 1000, ..ListQuery::default() };
            assert_eq!(ids(&store, &query).await, expected(&games, &query), "{query:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn paging_meets_every_game_once_also_among_equal_times() {
    on_all(async |_, store| {
        let games = many_games();
        for game in &games {
            store.alone(create(game)).await.unwrap();
        }
        let orders = [SortBy::Created, SortBy::Finished];
        for (scope, order) in
            everything().into_iter().take(3).flat_map(|scope| orders.map(|order| (scope, order)))
        {
            for (limit, is_ascending) in [(1, false), (1, true), (3, false), (3, true), (7, false)] {
                let mut query = ListQuery { scope, order, limit, is_ascending, ..ListQuery::default() };
                let mut met = Vec::new();
                let mut pages = 0;
                loop {
                    let page = store.reads.list(&query).await.unwrap();
                    assert!(page.games.len() == limit as usize || page.next.is_none());
                    met.extend(page.games.into_iter().map(|game| game.info.id));
                    pages += 1;
                    query.after = page.next;
                    if page.next.is_none() {
                        break;
                    }
                }
                assert!(pages > 1 || limit == 7);
                assert_eq!(met, expected(&games, &ListQuery { after: None, ..query }));
            }
        }
    })
    .await;
}

#[tokio::test]
async fn first_pages_are_right_however_often_they_are_read_while_games_come_and_go() {
    on_all(async |_, store| {
        let games = many_games();
        let mut present: Vec<StoredGame> = Vec::new();
        let orders = [SortBy::Created, SortBy::Finished];
        for n in 0..games.len() {
            // Not in the order of time: some come before the end of a page already read, some after it.
            let game = games[n * 7 % games.len()].clone();
            store.alone(create(&game)).await.unwrap();
            present.push(game);
            if n % 4 == 3 {
                let open = |game: &StoredGame| game.info.status == Status::Open;
                let newest = (0..present.len()).filter(|at| open(&present[*at]));
                let gone = present.remove(newest.max_by_key(|at| present[*at].info.created_at).unwrap()).info;
                store.alone(remove(&gone)).await.unwrap();
            }
            for (scope, order) in
                everything().into_iter().flat_map(|scope| orders.map(|order| (scope, order)))
            {
                for (limit, is_ascending) in [(2, false), (2, true), (5, false)] {
                    let query = ListQuery { scope, order, limit, is_ascending, ..ListQuery::default() };
                    let all = expected(&present, &query);
                    let page = store.reads.list(&query).await.unwrap();
                    let first: Vec<GameId> = page.games.iter().map(|game| game.info.id).collect();
                    assert_eq!(first, all[..all.len().min(limit as usize)], "{query:?}");
                    assert_eq!(page.next.is_some(), all.len() > first.len(), "{query:?}");
                }
            }
        }
    })
    .await;
}

/// Returns the ids of a whole list, page by page.
async fn paged(store: &Database, limit: u32) -> Vec<GameId> {
    let mut query = ListQuery { limit, ..ListQuery::default() };
    let mut met = Vec::new();
    loop {
        let page = store.reads.list(&query).await.unwrap();
        met.extend(page.games.into_iter().map(|game| game.info.id));
        query.after = page.next;
        if page.next.is_none() {
            return met;
        }
    }
}

#[tokio::test]
async fn a_game_of_a_rule_set_that_this_process_does_not_know_is_in_no_list() {
    on_all(async |backend, store| {
        for n in 1..=7 {
            let mut game = open_game(n);
            game.info.seats = vec![seat_of("ann"), open_seat()];
            store.alone(create(&game)).await.unwrap();
        }
        // Written by another version of the program, as the guard allows no such change here.
        let unguard = match backend {
            Backend::Postgres(_) => "ALTER TABLE games DISABLE TRIGGER USER",
            Backend::Sqlite(_) => "DROP TRIGGER games_guard_fixed",
        };
        backend.sabotage(unguard).unwrap();
        for n in [1, 4, 7] {
            let sql = format!(
                "UPDATE games SET ruleset = 99, setup = 'MKN/1 chess/1 seats=2' WHERE id = {}",
                backend.id(id(n))
            );
            assert_eq!(backend.sabotage(&sql), Ok(1));
        }
        let others = [6, 5, 3, 2].map(id);
        for query in [ListQuery { limit: 1000, ..ListQuery::default() }, of_player("ann")] {
            assert_eq!(ids(&store, &query).await, others);
        }
        // Pages are full, whatever lies between their games.
        for limit in 1..5 {
            assert_eq!(paged(&store, limit).await, others, "pages of {limit}");
            let first = ListQuery { limit, ..ListQuery::default() };
            assert_eq!(ids(&store, &first).await.len(), limit as usize);
        }
    })
    .await;
}

#[tokio::test]
async fn the_games_of_a_player_follow_the_seats() {
    on_all(async |_, store| {
        store.alone(create(&open_game(1))).await.unwrap();
        let open = load(&store, 1).await.info;
        let seats = [seat_of("ann"), open_seat()];
        store.alone(listed_as(&open, reseat(id(1), 0, &seats, None))).await.unwrap();
        assert_eq!(ids(&store, &of_player("ann")).await, [id(1)]);
        let with_ann = load(&store, 1).await.info;
        // Refused changes move nothing.
        let late = [open_seat(), seat_of("eve")];
        assert!(is_conflict(store.alone(listed_as(&with_ann, reseat(id(1), 0, &late, None))).await));
        assert_eq!(ids(&store, &of_player("ann")).await, [id(1)]);
        assert!(ids(&store, &of_player("eve")).await.is_empty());
        let seats = [open_seat(), seat_of("bob")];
        store.alone(listed_as(&with_ann, reseat(id(1), 1, &seats, None))).await.unwrap();
        assert!(ids(&store, &of_player("ann")).await.is_empty());
        assert_eq!(ids(&store, &of_player("bob")).await, [id(1)]);
    })
    .await;
}

#[tokio::test]
async fn a_game_that_is_in_a_list_already_can_still_be_entered_there() {
    on_all(async |backend, store| {
        let mut game = open_game(1);
        game.info.seats = vec![open_seat(), open_seat()];
        store.alone(create(&game)).await.unwrap();
        let open = load(&store, 1).await.info;
        game.info.seats = vec![seat_of("ann"), open_seat()];
        store.alone(listed_as(&open, reseat(id(1), 0, &game.info.seats, None))).await.unwrap();
        let entered = "UPDATE player_games SET status = 1";
        // In the player's list and in the public one.
        assert_eq!(backend.sabotage(entered), Ok(2));
        let start = Start { at: time(9), extension: word("a~0", head(1, 1)) };
        let seats = [seat_of("ann"), seat_of("bob")];
        let with_ann = load(&store, 1).await.info;
        store.alone(listed_as(&with_ann, reseat(id(1), 1, &seats, Some(&start)))).await.unwrap();
        assert_eq!(ids(&store, &of_player("ann")).await, [id(1)]);
        assert_eq!(ids(&store, &of_player("bob")).await, [id(1)]);
    })
    .await;
}

#[tokio::test]
async fn the_games_of_a_player_follow_the_status() {
    on_all(async |_, store| {
        let with_status = async |status| {
            let query = ListQuery { statuses: vec![status], ..of_player("ann") };
            ids(&store, &query).await == [id(1)]
        };
        let mut game = open_game(1);
        game.info.seats = vec![seat_of("ann"), open_seat()];
        store.alone(create(&game)).await.unwrap();
        assert!(with_status(Status::Open).await);
        let open = load(&store, 1).await.info;
        let start = Start { at: time(9), extension: word("a~0", head(1, 1)) };
        // A player on both seats has it listed once.
        let seats = [seat_of("ann"), seat_of("ann")];
        store.alone(listed_as(&open, reseat(id(1), 0, &seats, Some(&start)))).await.unwrap();
        assert!(with_status(Status::Running).await && !with_status(Status::Open).await);
        let running = load(&store, 1).await.info;
        let last = Extension {
            entries: "b~0".into(),
            head: head(2, 2),
            status: Status::Finished,
            finished_at: Some(time(9)),
            clock: None,
        };
        store.alone(listed_as(&running, append(id(1), &head(1, 1), &last))).await.unwrap();
        assert!(with_status(Status::Finished).await && !with_status(Status::Running).await);
        assert_eq!(ids(&store, &of_player("ann")).await, [id(1)]);
        // It has the same revision as while it ran, so changes prepared then would leave it in its old lists.
        let others = [seat_of("ann"), seat_of("bob")];
        assert!(is_conflict(store.alone(listed_as(&running, reseat(id(1), 1, &others, None))).await));
        assert!(is_conflict(store.alone(take_down(&running)).await));
        store.alone(take_down(&load(&store, 1).await.info)).await.unwrap();
        assert!(ids(&store, &of_player("ann")).await.is_empty());
    })
    .await;
}

#[tokio::test]
async fn open_games_are_found_in_the_order_in_which_they_may_go_also_those_that_nobody_lists() {
    on_all(async |_, store| {
        let games = many_games();
        for game in &games {
            store.alone(create(game)).await.unwrap();
        }
        // One of them started, one was removed, and one was taken down, which leaves it listed there.
        let open: Vec<&StoredGame> = games.iter().filter(|game| game.info.status == Status::Open).collect();
        let public: Vec<_> = open.iter().filter(|game| game.info.visibility == Visibility::Public).collect();
        let (started, hidden, removed) = (public[0], public[1], public[2]);
        let start = Start { at: time(9), extension: word("a~0", head(1, 1)) };
        let seats = &started.info.seats;
        store.alone(listed_as(&started.info, reseat(started.info.id, 0, seats, Some(&start)))).await.unwrap();
        store.alone(take_down(&hidden.info)).await.unwrap();
        store.alone(remove(&removed.info)).await.unwrap();
        let mut expected: Vec<_> = open.iter().map(|game| (game.info.created_at, game.info.id)).collect();
        expected.retain(|(at, id)| *at < time(13) && ![started.info.id, removed.info.id].contains(id));
        expected.sort_unstable();
        let all = store.reads.open_before(time(13), (Timestamp::MIN, Hex([0; 16]))).await.unwrap();
        assert!(all == expected && all.len() > 5 && all.iter().any(|(_, id)| *id == hidden.info.id));
        assert!(store.reads.open_before(time(13), all[2]).await.unwrap() == expected[3..]);
        let of_everybody = ListQuery { statuses: vec![Status::Open], limit: 1000, ..ListQuery::default() };
        assert!(!ids(&store, &of_everybody).await.contains(&hidden.info.id));
    })
    .await;
}
