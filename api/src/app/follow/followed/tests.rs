use assam_record::clock::now;
use assam_record::game::{Head, Info, Status, StoredGame, Visibility};
use assam_record::hex::Hex;
use assam_referee::{Ruleset, Setup};

use super::*;

const GAME: GameId = Hex([7; 16]);

/// The state of the game at a ply.
fn at(ply: u32) -> NewestGame {
    let setup = Setup::new(Ruleset::Marrakech, 2, &[]).unwrap_or_else(|refusal| panic!("{}", refusal.detail));
    let info = Info {
        id: GAME,
        created_at: now(),
        setup,
        visibility: Visibility::Public,
        imported: false,
        rated: true,
        patience_hours: None,
        clock: None,
        rematch_of: None,
        rematch: None,
        revision: 2,
        seats: Vec::new(),
        status: Status::Running,
        started_at: Some(now()),
        finished_at: None,
        head: Some(Head { ply, hash: [0; 32] }),
        removed: None,
    };
    let (tags, log) = (String::new(), String::new());
    let (owner, heir, join_code, request) = (None, None, None, None);
    let (seed, commitment, beacon) = (None, None, None);
    let game = StoredGame { info, owner, heir, join_code, request, seed, commitment, beacon, tags, log };
    NewestGame::Stands(Arc::new(game.into()))
}

/// Returns the ply that a follower knows.
fn known(follower: &mut FollowedGame) -> Option<u32> {
    match follower.newest()? {
        NewestGame::Stands(game) => game.info.head.map(|head| head.ply),
        NewestGame::Gone(_) => None,
    }
}

fn mark(hub: &Hub) -> ReadingMark {
    hub.mark(GAME).unwrap_or_else(|| panic!("the game has a follower"))
}

#[test]
fn a_reading_that_was_overtaken_is_told_to_nobody_who_follows_the_game_later() {
    let hub = Arc::new(Hub::default());
    let first = hub.follow(GAME);
    mark(&hub).tell(at(1));
    let overtaken = mark(&hub);
    drop(first);
    let mut later = hub.follow(GAME);
    mark(&hub).tell(at(2));
    overtaken.tell(at(1));
    assert_eq!(known(&mut later), Some(2));
}

#[test]
fn a_reading_that_was_not_overtaken_is_told_though_it_seems_to_be_older() {
    let hub = Arc::new(Hub::default());
    let mut follower = hub.follow(GAME);
    mark(&hub).tell(at(2));
    let (restored, overtaken) = (mark(&hub), mark(&hub));
    restored.tell(at(1));
    assert_eq!(known(&mut follower), Some(1));
    overtaken.tell(at(0));
    assert_eq!(known(&mut follower), Some(1));
}
