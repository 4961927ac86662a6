//! Examples of each command, as its help shows them.
//!
//! A test runs every one of them that needs no service: an example is a line with four spaces before it, and the line before
//! says what it does.

/// Of `assam serve`.
pub const SERVE: &str = "\
Examples:
  Serve on port 9000, with the games in games.db:
    assam serve --listen 127.0.0.1:9000 --database sqlite:games.db

  Serve the games in PostgreSQL, to whoever reaches this machine:
    assam serve --listen 0.0.0.0:8080 --database postgres://assam@localhost/assam";

/// Of `assam migrate`.
pub const MIGRATE: &str = "\
Examples:
  Create an SQLite file, or bring it up to date:
    assam migrate --database sqlite:assam.db

  Distribute the games over the servers of a Citus cluster:
    assam migrate --citus --database postgres://assam@coordinator.example.org/assam";

/// Of `assam backup`.
pub const BACKUP: &str = "\
Examples:
  Write all games of assam.db into a file, and verify them:
    assam backup assam.backup

  Send the backup of a PostgreSQL database through a pipe:
    assam backup - --database postgres://assam@localhost/assam | zstd > assam.backup.zst";

/// Of `assam restore`.
pub const RESTORE: &str = "\
Examples:
  Verify a backup, and restore nothing:
    assam restore assam.backup --check

  Put it into a new SQLite file:
    assam restore assam.backup --database sqlite:new.db";

/// Of `assam ratings`.
pub const RATINGS: &str = "\
Examples:
  Compare those of assam.db with its games:
    assam ratings

  Make those of a PostgreSQL database anew:
    assam ratings --again --database postgres://assam@localhost/assam";

/// Of `assam doctor`.
pub const DOCTOR: &str = "\
Examples:
  What is found in assam.db:
    assam doctor

  The same of a PostgreSQL database, for a program that watches over it:
    assam doctor --json --database postgres://assam@db.example.org/assam";

/// Of `assam abort`.
pub const ABORT: &str = "\
Examples:
  End every running game but one:
    assam abort --running --keep 0f8fad5bd9cb469fa165708f67d64b2a

  After a restore that lost plies, also remove the games that have not started:
    assam abort --running --open";

/// Of `assam remove`.
pub const REMOVE: &str = "\
Examples:
  Hide a game of assam.db:
    assam remove 0f8fad5bd9cb469fa165708f67d64b2a --reason 'it names somebody'";

/// Of `assam key`.
pub const KEY: &str = "\
Examples:
  Print a new key:
    assam key new --name games.example.org/assam

  Sign with another key soon, where games are in assam.db:
    assam key rotate

  The same with PostgreSQL, and a file of keys:
    assam key rotate --database postgres://assam@localhost/assam --key-file /etc/assam/keys";

/// Of `assam import`.
pub const IMPORT: &str = "\
Examples:
  Add the records of all *.mkn files in a folder to an SQLite file:
    assam import games --database sqlite:assam.db

  Add them to a service, as the holder of a secret:
    ASSAM_SECRET=$(cat secret) assam import games --url http://127.0.0.1:8080";

/// Of `assam export`.
pub const EXPORT: &str = "\
Examples:
  Write all games of an SQLite file that are over:
    assam export --database sqlite:assam.db -o games.mkn

  Write the matches of Marrakesh since some day, a line of JSON for each:
    assam export --form ndjson --ruleset marrakesh/1 --since 2026-11-01T00:00:00Z

  Write the newest games of a service:
    assam export --url http://127.0.0.1:8080 --since 2026-11-20T00:00:00Z -o new.mkn";

/// Of `assam validate`.
pub const VALIDATE: &str = "\
Examples:
  Validate all *.mkn files in a folder and below it:
    assam validate games

  Validate what another program writes, with a line of JSON for each record:
    assam random 100 --vary | assam validate --json -";

/// Of `assam verify`.
pub const VERIFY: &str = "\
Examples:
  Verify the proof of a game, as GET /v1/games/{id}/proof returns it:
    assam verify proof.json

  Verify that it has the words of the record that you kept:
    assam verify proof.json --against kept.mkn";

/// Of `assam witness`.
pub const WITNESS: &str = "\
Examples:
  Make a key, and print the one that verifies, for the operator of the service (`assam serve --witness KEY`):
    assam witness --key-file witness.key --name example.org/witness

  Watch a log, every minute by a timer for example:
    assam witness --key-file witness.key --url http://localhost:8080 --log-key KEY --state last";
/// Of `assam audit`.
pub const AUDIT: &str = "\
Examples:
  Audit all games of assam.db, while it is served:
    assam audit --database sqlite:assam.db

  Audit what a service shows to everybody; stopped by Ctrl-C, it goes on where it was:
    assam audit --url http://127.0.0.1:8080 --state audit.json

  Keep all proofs of a database, and audit them anywhere:
    assam export --form ndjson --proofs --database sqlite:assam.db -o proofs.ndjson
    assam audit proofs.ndjson";

/// Of `assam show`.
pub const SHOW: &str = "\
Examples:
  Show the last position of a record:
    assam show game.mkn

  Show the position after ply 12 of the second record in a file:
    assam show games.mkn --record 2 --ply 12

  Show each new position while somebody writes the record:
    assam show --follow game.mkn";

/// Of `assam convert`.
pub const CONVERT: &str = "\
Examples:
  Make a table of all games in a folder, with a row for each:
    assam convert games --to games.csv -o games.csv

  Draw the position after ply 12:
    assam convert game.mkn --to svg --ply 12 -o position.svg

  Draw the board of the second record in a file, with what may be decided there, 600 pixels wide:
    assam convert games.mkn --to png --record 2 --board-only --legal --width 600 -o board.png

  Write records with the state after every ply, a line of JSON for each:
    assam convert games.mkn --to json -o games.ndjson";

/// Of `assam stats`.
pub const STATS: &str = "\
Examples:
  Count what stands in all records of a folder:
    assam stats games

  Draw it, too, as plots in the folder `plots`:
    assam stats games --svg plots";

/// Of `assam random`.
pub const RANDOM: &str = "\
Examples:
  Play a hundred matches of Marrakesh, of six rounds each:
    assam random 100 --ruleset marrakesh/1 --option rounds=6 --seed 7 > matches.mkn

  Play a thousand games with all numbers of seats and all options, and validate them:
    assam random 1000 --vary | assam validate -";

/// Of `assam perft`.
pub const PERFT: &str = "\
Examples:
  Count lines of up to four decisions at a table of three:
    assam perft 4 --seats 3

  Show what each first decision contributes:
    assam perft 3 --seats 3 --divide

  Count from a position of Marrakesh, here the first one of a random match:
    assam random --ruleset marrakesh/1 | assam convert - --to positions -o positions
    assam perft 2 --position \"$(head -1 positions)\"";

/// Of `assam openapi`.
pub const OPENAPI: &str = "\
Examples:
  Write the document into a file:
    assam openapi > openapi.json";

/// Of `assam completions`.
pub const COMPLETIONS: &str = "\
Examples:
  Use them in this bash:
    eval \"$(assam completions bash)\"

  Install them for bash, for every new shell:
    mkdir -p ~/.local/share/bash-completion/completions
    assam completions bash > ~/.local/share/bash-completion/completions/assam";

/// Of `assam man`.
pub const MAN: &str = "\
Examples:
  Install the pages for yourself, so that `man assam-validate` shows one:
    assam man --out ~/.local/share/man/man1";
