//! What whoever follows the feed is told.

use std::time::Duration;

use assam_api::app::{App, FeedCursor, FeedFollower, FeedPart, Limits};
use assam_api::signed::Keyring;
use tokio::time::timeout;

use super::*;
use crate::harness::place_what_waits;

/// How many games fill what is told at once.
const PART: u32 = 100;

/// Returns how many entries a follower is told next, and whether that is everything.
async fn told(app: &App, follower: &mut FeedFollower) -> (usize, bool) {
    match app.feed_after(follower).await.unwrap() {
        FeedPart::Entries(entries, is_all) => (entries.len(), is_all),
        FeedPart::Reset => panic!("nothing was lost"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_is_told_of_much_is_told_of_what_came_meanwhile_with_no_new_reason() {
    on_both(async |_, store| {
        for n in 0..PART {
            store.alone(create(&open_game(n))).await.unwrap();
        }
        place_what_waits(&*store).await;
        let app = App::on(Arc::clone(&store), Limits { queue: 1, kept_bytes: 0 }, Keyring::empty()).unwrap();
        let app = Arc::new(app);
        let feed = tokio::spawn(Arc::clone(&app).keep_feed());
        let beginning = FeedCursor { position: 0, mark: None };
        let mut slow = app.follow_feed(Some(beginning)).await.unwrap();
        assert_eq!(told(&app, &mut slow).await, (PART as usize, false));
        // While that is sent, one more comes, and whoever is quick is told.
        let mut quick = app.follow_feed(None).await.unwrap();
        assert_eq!(told(&app, &mut quick).await, (0, true));
        store.alone(create(&open_game(PART))).await.unwrap();
        while quick.at().position <= PART.into() {
            timeout(Duration::from_secs(20), quick.changed()).await.expect("something came");
            told(&app, &mut quick).await;
        }
        assert_eq!(told(&app, &mut slow).await, (0, false), "there is more");
        assert_eq!(told(&app, &mut slow).await, (1, true));
        feed.abort();
    })
    .await;
}

#[tokio::test]
async fn postgresql_uses_the_place_of_what_waited_for_the_feed_again_before_it_cleans_up_by_itself() {
    on_both(async |backend, store| {
        let Backend::Postgres(_) = backend else { return };
        let size = || backend.count("SELECT pg_relation_size('feed_waiting')");
        let mut sizes = vec![size()];
        // It is cleared away beside the next that comes, and not as long as another test has a transaction open.
        while sizes.len() < 300 && (sizes.len() < 3 || sizes[sizes.len() - 2] < sizes[sizes.len() - 1]) {
            backend.script(
                "INSERT INTO feed_waiting SELECT gen_random_uuid(), 1, 0, 1, 0 FROM generate_series(1, 12000)",
            );
            place_what_waits(&*store).await;
            sizes.push(size());
        }
        assert!(sizes.len() < 300, "{sizes:?}");
    })
    .await;
}
