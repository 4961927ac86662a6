//! Schedules depend only on their seed.

use assam_faults::fault::{Fault, Targets, schedule};

const TARGETS: Targets = Targets { processes: 3, has_postgres: true, has_clock: true, only_kills: false };

#[test]
fn a_seed_repeats_its_faults_and_another_one_has_others() {
    let first = |seed| schedule(seed, TARGETS).take(200).collect::<Vec<_>>();
    assert_eq!(first(7), first(7));
    assert_ne!(first(7), first(8));
}

#[test]
fn every_fault_comes_about_and_none_that_cannot_be_struck() {
    let names = |targets| {
        let mut names: Vec<&str> = schedule(1, targets).take(1000).map(|(_, fault)| fault.name()).collect();
        names.sort_unstable();
        names.dedup();
        names
    };
    assert_eq!(names(TARGETS).len(), 12);
    let alone = names(Targets { has_postgres: false, has_clock: false, ..TARGETS });
    assert!(alone.iter().all(|name| !name.contains("PostgreSQL") && !name.contains("clock")), "{alone:?}");
    assert!(
        schedule(1, TARGETS).take(1000).all(|(_, fault)| fault.process().is_none_or(|process| process < 3))
    );
    let kills = schedule(1, Targets { only_kills: true, ..TARGETS }).take(100);
    assert!(kills.into_iter().all(|(_, fault)| matches!(fault, Fault::KillDatabase | Fault::StopDatabase)));
}
