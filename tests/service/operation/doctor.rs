//! Findings of `assam doctor` about databases.

use std::process::Output;
use std::{fs, iter};

use serde_json::Value;

use crate::harness::{Backend, KEY, Proxy, Service, assam, backends, err, out, postgres, sqlite};

fn doctor(backend: &Backend) -> Output {
    assam(&["doctor", "--json", "--database", &backend.url()], "")
}

/// Returns the findings: subject, grade and text.
fn found(output: &Output) -> Vec<(String, String, String)> {
    let found: Vec<Value> = serde_json::from_str(&out(output)).unwrap_or_else(|_| panic!("{}", err(output)));
    let text = |found: &Value, name| found[name].as_str().unwrap().to_owned();
    found.iter().map(|found| (text(found, "subject"), text(found, "grade"), text(found, "text"))).collect()
}

/// Returns the grade and the text on a subject.
fn on(output: &Output, subject: &str) -> (String, String) {
    let found = found(output).into_iter().find(|found| found.0 == subject);
    found.map(|(_, grade, text)| (grade, text)).unwrap_or_else(|| panic!("{subject}: {}", out(output)))
}

#[test]
fn a_database_that_the_service_made_has_its_migrations_and_every_trigger() {
    for backend in backends() {
        drop(Service::start(&backend));
        let told = doctor(&backend);
        assert_eq!(on(&told, "migrations"), ("good".to_owned(), "all are applied".to_owned()));
        let (grade, guard) = on(&told, "guard");
        let count = match &backend {
            Backend::Sqlite(_) => "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'",
            Backend::Postgres(_) => {
                "SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal AND pg_table_is_visible(tgrelid)"
            }
        };
        assert_eq!(grade, "good", "{guard}");
        assert!(guard.contains(&format!("all {} triggers", backend.count(count))), "{guard}");
        // The test server may be tuned for speed rather than safety, which is a finding.
        let is_bad =
            |(subject, grade, _): &(String, String, String)| grade == "bad" && subject != "durability";
        assert!(!found(&told).iter().any(is_bad), "{}", out(&told));
        let lines = out(&assam(&["doctor", "--database", &backend.url()], ""));
        assert_eq!(lines.lines().count(), found(&told).len());
        assert!(lines.contains("good  migrations    all are applied\n"), "{lines}");
    }
}

#[test]
fn keys_that_a_database_knows_and_nobody_has_are_bad() {
    for backend in backends() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("moved.keys").display().to_string();
        let doctor = |more: &[&str]| {
            let url = backend.url();
            let told = assam(&[&["doctor", "--json", "--database", &url], more].concat(), "");
            on(&told, "keys")
        };
        assert!(assam(&["migrate", "--database", &backend.url()], "").status.success());
        let (grade, text) = doctor(&["--key-file", &file]);
        assert!(grade == "good" && text.contains(&file), "no service has made one yet: {grade}, {text}");
        let service = Service::start(&backend);
        let key = service.stranger().get("/v1/keys").json()["keys"][0]["key"].as_str().unwrap().to_owned();
        drop(service);
        let (grade, text) = doctor(&["--key-file", &file]);
        assert!(grade == "bad" && text.contains(&file) && text.contains(&key), "{grade}, {text}");
        let (grade, _) = doctor(&[]);
        assert_eq!(grade, "notable", "the service may have them in its environment");
        fs::write(&file, KEY).unwrap();
        let at_hand = ("good".to_owned(), "the newest key that the database knows is available".to_owned());
        assert_eq!(doctor(&["--key-file", &file]), at_hand);
        // Another service's keys.
        fs::write(&file, out(&assam(&["key", "new"], ""))).unwrap();
        let (grade, text) = doctor(&["--key-file", &file]);
        assert!(grade == "bad" && text.contains("`assam key rotate` makes one known"), "{grade}, {text}");
        // They are secrets.
        assert!(!text.contains(fs::read_to_string(&file).unwrap().trim()), "{text}");
    }
}

#[test]
fn a_trigger_that_is_missing_is_named_and_a_migration_that_is_missing_is_bad() {
    for backend in backends() {
        if let Backend::Postgres(_) = backend {
            let (grade, text) = on(&doctor(&backend), "migrations");
            assert!(grade == "bad" && text.contains("run `assam migrate`"), "{text}");
        }
        drop(Service::start(&backend));
        let is_bad = doctor(&backend).status.code();
        backend.script(match backend {
            Backend::Sqlite(_) => "DROP TRIGGER games_guard_clock",
            Backend::Postgres(_) => "ALTER TABLE games DISABLE TRIGGER games_guard_clock",
        });
        let told = doctor(&backend);
        let (grade, text) = on(&told, "guard");
        assert_eq!(grade, "notable");
        assert!(text.starts_with("these triggers are missing: games_guard_clock. "), "{text}");
        assert_eq!(told.status.code(), is_bad, "that alone is not bad");
        backend.script("DELETE FROM refinery_schema_history WHERE version = (SELECT max(version) FROM refinery_schema_history)");
        let told = doctor(&backend);
        let (grade, text) = on(&told, "migrations");
        assert_eq!((grade.as_str(), told.status.code()), ("bad", Some(1)));
        assert!(text.contains("run `assam migrate`"), "{text}");
    }
}

#[test]
fn a_user_who_may_only_read_is_told_how_the_database_can_be_shown() {
    let Some(backend) = postgres() else { return };
    drop(Service::start(&backend));
    assert_eq!(on(&doctor(&backend), "role"), ("good".to_owned(), "it accepts changes".to_owned()));
    let url = backend.url() + "%20-c%20role%3Dpg_read_all_data";
    let (grade, text) = on(&assam(&["doctor", "--json", "--database", &url], ""), "role");
    assert!(grade == "notable" && text.contains("use `assam serve --read-only`"), "{grade}, {text}");
}

#[cfg(unix)]
#[test]
fn a_file_that_others_can_read_or_that_is_damaged_is_bad() {
    use std::os::unix::fs::PermissionsExt as _;
    let backend = sqlite();
    let service = Service::start(&backend);
    iter::repeat_with(|| {
        service
            .player()
            .post("/v1/games", serde_json::json!({"ruleset": "marrakech/1", "seats": ["open", "open"]}))
    })
    .take(20)
    .for_each(|made| assert_eq!(made.status, 201));
    drop(service);
    let url = backend.url();
    let file = url.strip_prefix("sqlite:").unwrap();
    let told = doctor(&backend);
    assert_eq!(
        (on(&told, "secrets").0.as_str(), on(&told, "pages").0.as_str(), told.status.code()),
        ("good", "good", Some(0))
    );

    fs::set_permissions(file, fs::Permissions::from_mode(0o644)).unwrap();
    let told = doctor(&backend);
    assert_eq!((on(&told, "secrets").0.as_str(), told.status.code()), ("bad", Some(1)));
    assert!(on(&told, "secrets").1.starts_with("others may read FILE (mode 644),"), "{}", out(&told));
    fs::set_permissions(file, fs::Permissions::from_mode(0o600)).unwrap();
    let keys = format!("{file}.keys");
    fs::write(&keys, "").unwrap();
    fs::set_permissions(&keys, fs::Permissions::from_mode(0o640)).unwrap();
    assert!(on(&doctor(&backend), "secrets").1.starts_with("others may read FILE.keys (mode 640),"));
    fs::set_permissions(&keys, fs::Permissions::from_mode(0o600)).unwrap();

    fs::set_permissions(file, fs::Permissions::from_mode(0o600)).unwrap();
    let page: usize =
        backend.count("SELECT rootpage FROM sqlite_schema WHERE name = 'games'").try_into().unwrap();
    let mut bytes = fs::read(file).unwrap();
    bytes[(page - 1) * 4096..page * 4096].fill(0xA5);
    fs::write(file, bytes).unwrap();
    let told = doctor(&backend);
    assert_eq!((on(&told, "pages").0.as_str(), told.status.code()), ("bad", Some(1)), "{}", out(&told));
}

#[test]
fn a_database_that_cannot_be_read_has_no_checkup() {
    for database in ["sqlite:/nowhere/assam.db", "postgres://assam@127.0.0.1:1/assam"] {
        let told = assam(&["doctor", "--database", database], "");
        assert_eq!((told.status.code(), out(&told).as_str()), (Some(2), ""));
        assert!(err(&told).starts_with("assam: "), "{}", err(&told));
    }
}

#[test]
fn the_url_of_two_servers_that_asks_for_the_one_that_takes_changes_is_good_for_a_checkup() {
    let Some(backend) = postgres() else { return };
    drop(Service::start(&backend));
    let [silent, good] = [(); 2].map(|()| Proxy::to(&backend.url()));
    silent.freeze();
    let hosts = format!("{},{}", silent.address(), good.address());
    let url =
        good.url(&backend.url()).replacen(&good.address(), &hosts, 1) + "&target_session_attrs=read-write";
    let told = assam(&["doctor", "--json", "--database", &url], "");
    assert_eq!((on(&told, "migrations").0, on(&told, "role").0), ("good".to_owned(), "good".to_owned()));
}

#[test]
fn a_server_without_citus_is_not_distributed_and_nothing_happens_to_its_games() {
    let Some(backend) = postgres() else { return };
    let told = assam(&["migrate", "--citus", "--database", &backend.url()], "");
    assert_eq!(told.status.code(), Some(1));
    assert!(err(&told).contains("the database has no extension `citus`"), "{}", err(&told));
    let told = assam(&["migrate", "--citus", "--database", "sqlite:x.db"], "");
    assert!(err(&told).contains("this needs a PostgreSQL database"), "{}", err(&told));
    assert_eq!(on(&doctor(&backend), "migrations").0, "good");
}
