//! Runs the service under faults for some seconds on each database. `scripts/faults` does the same for
//! longer.

#![allow(clippy::unwrap_used)]

use std::env;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use assam_faults::field::cluster::OwnCluster;
use assam_faults::judge::Wrong;
use assam_faults::plant::Plant;
use assam_faults::report::Report;
use assam_faults::run::{Goals, Options, Store, run};

/// How long clients play.
const SECONDS: u64 = 15;
/// How long they play with a planted fault.
const PLANTED: u64 = 4;

fn said(line: &str) {
    // Straight to the stream: libtest does not hold this back.
    let mut stream = io::stderr();
    writeln!(stream, "{line}").unwrap();
}

/// Returns a PostgreSQL server that may be killed, or `None` with a notice if it is left out on purpose.
fn cluster() -> Option<OwnCluster> {
    let is = |name, value: &str| env::var(name).is_ok_and(|set| set == value);
    if is("ASSAM_TEST_WITHOUT_POSTGRES", "1") && !is("CI", "true") {
        let test = thread::current();
        said(&format!(
            "SKIPPED on Postgres (ASSAM_TEST_WITHOUT_POSTGRES): {}",
            test.name().unwrap_or_default()
        ));
        return None;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("scripts/postgres.sh");
    Some(OwnCluster::create(&script).unwrap())
}

fn report(store: &Store, goals: Goals, plant: Option<Plant>) -> Report {
    let folder = tempfile::tempdir().unwrap();
    run(&options(goals, plant, folder.path()), store).unwrap()
}

fn options(goals: Goals, plant: Option<Plant>, folder: &Path) -> Options {
    Options {
        program: PathBuf::from(env!("CARGO_BIN_EXE_assam")),
        goals,
        seed: 1,
        processes: 2,
        tables: 8,
        is_calm: false,
        is_rolling: false,
        plant,
        history: folder.join("history"),
    }
}

fn during(seconds: u64) -> Goals {
    Goals { during: Duration::from_secs(seconds), ..Goals::default() }
}

/// Plays under faults and checks that nothing went wrong.
fn play(store: &Store) -> Report {
    let report = report(store, during(SECONDS), None);
    report.notes.iter().for_each(|note| said(note));
    assert!(report.wrong.is_empty(), "{report}{:#?}", report.log);
    assert!(report.words > 500 && report.contested > 10 && report.resumed > 0, "{report}");
    assert!(report.linear.operations > 500 && report.answers.contains_key("cut"), "{report}");
    assert!(report.faults.len() > 2 && report.faults["service killed"].count > 0, "{report}");
    report
}

#[test]
fn nothing_is_lost_in_a_file_while_the_service_is_killed_frozen_and_cut_off() {
    play(&Store::Sqlite);
}

#[test]
fn nothing_is_lost_in_postgres_while_it_and_the_service_are_killed_frozen_and_cut_off() {
    let Some(cluster) = cluster() else { return };
    let report = play(&Store::Postgres(cluster.0.clone()));
    assert!(report.faults.keys().any(|fault| fault.contains("PostgreSQL")), "{report}");
}

#[test]
fn what_is_planted_is_found_by_the_judge_and_by_the_linearizability_tester() {
    let cluster = cluster();
    let stores = [Some(Store::Sqlite), cluster.as_ref().map(|own| Store::Postgres(own.0.clone()))];
    for store in stores.iter().flatten() {
        for plant in Plant::ALL {
            // Killing PostgreSQL early may find nothing to lose.
            let kills = matches!((store, plant), (Store::Postgres(_), Plant::EarlyAnswer));
            let goals = Goals { database_kills: if kills { 3 } else { 0 }, ..during(PLANTED) };
            let report = report(store, goals, Some(plant));
            assert!(report.is_as_it_should_be(), "{report}");
            assert!(
                report.wrong.contains_key(&plant.is()) && report.wrong.contains_key(&Wrong::NotLinearizable)
            );
        }
    }
}

#[test]
fn of_all_who_try_a_ply_at_once_through_several_processes_one_wins_and_nobody_is_shown_less_after_that() {
    let report = report(&Store::Sqlite, Goals { contested: 200, ..Goals::default() }, None);
    assert!(report.wrong.is_empty() && report.contested >= 200, "{report}");
    assert!(report.answers["409 ply_taken"] > 100, "{report}");
}

#[test]
fn while_four_processes_behind_a_balancer_are_deployed_one_after_another_nobody_is_refused_and_no_stream_leaves_out_a_word()
 {
    let Some(cluster) = cluster() else { return };
    let folder = tempfile::tempdir().unwrap();
    let goals = Goals { deploys: 4, ..Goals::default() };
    let options = Options { is_rolling: true, ..options(goals, None, folder.path()) };
    let report = run(&options, &Store::Postgres(cluster.0.clone())).unwrap();
    assert!(report.wrong.is_empty() && report.words > 100 && report.resumed > 0, "{report}{:#?}", report.log);
    let answers: Vec<&String> = report.answers.keys().collect();
    assert_eq!(answers, ["200", "201", "409 ply_taken"], "{report}");
    // Holds on slow machines too: a balancer that holds back single messages delays them for far longer than
    // writing takes.
    assert!(report.lags.p50 < 2.0 * report.waits.p50, "{report}");
}
