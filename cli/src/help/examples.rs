//! Examples of each command, shown by its help.
//!
//! An example is a line with four spaces before it, and the line before it describes it. A test runs every
//! example that needs no service.

pub const SERVE: &str = "\
Examples:
  Serve on port 9000, with the games in games.db:
    assam serve --listen 127.0.0.1:9000 --database sqlite:games.db

  Serve the games in PostgreSQL, on every address of this machine:
    assam serve --listen 0.0.0.0:8080 --database postgres://assam@localhost/assam";

pub const MIGRATE: &str = "\
Examples:
  Create an SQLite file, or bring it up to date:
    assam migrate --database sqlite:assam.db

  Distribute the games over the servers of a Citus cluster:
    assam migrate --citus --database postgres://assam@coordinator.example.org/assam";

pub const BACKUP: &str = "\
Examples:
  Write all games of assam.db into a file, and verify them:
    assam backup assam.backup

  Send the backup of a PostgreSQL database through a pipe:
    assam backup - --database postgres://assam@localhost/assam | zstd > assam.backup.zst";

pub const RESTORE: &str = "\
Examples:
  Verify a backup without restoring it:
    assam restore assam.backup --check

  Restore it into a new SQLite file:
    assam restore assam.backup --database sqlite:new.db";

pub const RATINGS: &str = "\
Examples:
  Compare the ratings in assam.db with its games:
    assam ratings

  Replace the ratings of a PostgreSQL database:
    assam ratings --again --database postgres://assam@localhost/assam";

pub const DOCTOR: &str = "\
Examples:
  Check assam.db:
    assam doctor

  Check a PostgreSQL database, and print JSON for a monitoring program:
    assam doctor --json --database postgres://assam@db.example.org/assam";

pub const ABORT: &str = "\
Examples:
  End every running game except one:
    assam abort --running --keep 0f8fad5bd9cb469fa165708f67d64b2a

  After a restore that lost plies, also remove the games that have not started:
    assam abort --running --open";

pub const REMOVE: &str = "\
Examples:
  Hide a game of assam.db:
    assam remove 0f8fad5bd9cb469fa165708f67d64b2a --reason 'it names a real person'";

pub const KEY: &str = "\
Examples:
  Print a new key:
    assam key new --name games.example.org/assam

  Rotate to a new key, with the games in assam.db:
    assam key rotate

  Rotate with a PostgreSQL database and a key file:
    assam key rotate --database postgres://assam@localhost/assam --key-file /etc/assam/keys";

pub const IMPORT: &str = "\
Examples:
  Add the records of all *.mkn files in a folder to an SQLite file:
    assam import games --database sqlite:assam.db

  Send them to a service, with a secret:
    ASSAM_SECRET=$(cat secret) assam import games --url http://127.0.0.1:8080";

pub const EXPORT: &str = "\
Examples:
  Export all games in an SQLite file that are over:
    assam export --database sqlite:assam.db -o games.mkn

  Export all Marrakesh matches since a given day, one line of JSON each:
    assam export --form ndjson --ruleset marrakesh/1 --since 2026-11-01T00:00:00Z

  Export the newest games of a service:
    assam export --url http://127.0.0.1:8080 --since 2026-11-20T00:00:00Z -o new.mkn";

pub const VALIDATE: &str = "\
Examples:
  Validate all *.mkn files in a folder and its subfolders:
    assam validate games

  Validate the output of another program, and print a line of JSON for each record:
    assam random 100 --vary | assam validate --json -";

pub const VERIFY: &str = "\
Examples:
  Verify a game's proof, as returned by GET /v1/games/{id}/proof:
    assam verify proof.json

  Also compare it with the record that you kept:
    assam verify proof.json --against kept.mkn";

pub const WITNESS: &str = "\
Examples:
  Create a key, and print its public key, which the operator passes to `--witness`:
    assam witness --key-file witness.key --name example.org/witness

  Watch a log, for example every minute from a timer:
    assam witness --key-file witness.key --url http://localhost:8080 --log-key KEY --state last";
pub const AUDIT: &str = "\
Examples:
  Audit all games in assam.db, even while a service is using it:
    assam audit --database sqlite:assam.db

  Audit the public games of a service, and resume after Ctrl-C:
    assam audit --url http://127.0.0.1:8080 --state audit.json

  Export all proofs of a database, and audit them anywhere:
    assam export --form ndjson --proofs --database sqlite:assam.db -o proofs.ndjson
    assam audit proofs.ndjson";

pub const SHOW: &str = "\
Examples:
  Show the last position of a record:
    assam show game.mkn

  Show the position after ply 12 of the second record in a file:
    assam show games.mkn --record 2 --ply 12

  Show each new position while the record is being written:
    assam show --follow game.mkn";

pub const CONVERT: &str = "\
Examples:
  Write a table with a row for each game in a folder:
    assam convert games --to games.csv -o games.csv

  Draw the position after ply 12:
    assam convert game.mkn --to svg --ply 12 -o position.svg

  Draw the board of the second record in a file, with the legal decisions, 600 pixels wide:
    assam convert games.mkn --to png --record 2 --board-only --legal --width 600 -o board.png

  Write records with the state after every ply, one line of JSON each:
    assam convert games.mkn --to json -o games.ndjson";

pub const STATS: &str = "\
Examples:
  Show statistics of all records in a folder:
    assam stats games

  Also draw them, as plots in the folder `plots`:
    assam stats games --svg plots";

pub const ANALYSE: &str = "\
Examples:
  Show who was lucky in a game, who made the errors, and where:
    assam analyse game.mkn

  Judge the games in a folder as deep as `merchant-7` decides, and keep the accounts as JSON:
    assam analyse games --judge merchant-7 --json > accounts.jsonl";

pub const RANDOM: &str = "\
Examples:
  Play a hundred Marrakesh matches of six rounds each:
    assam random 100 --ruleset marrakesh/1 --option rounds=6 --seed 7 > matches.mkn

  Play a thousand games with all numbers of seats and all options, and validate them:
    assam random 1000 --vary | assam validate -";

pub const MATCH: &str = "\
Examples:
  Play two hundred games between two built-in players:
    assam match hand random --games 200

  Write the records of a match at three seats, in which `hand` has one seat and `random` two:
    assam match hand random --seats 3 --games 30 --records matched.mkn

  Test whether a program is stronger, here Assam itself as an engine:
    assam match \"mine=assam engine\" random --games 20 --elo0 0 --elo1 100";

pub const LADDER: &str = "\
Examples:
  Measure all players of Marrakesh in short matches, and keep the results:
    assam ladder --ruleset marrakesh/1 --option rounds=6 --games 2 --out ladder.json

  Print the table of these results again:
    assam ladder --from ladder.json";

pub const BOT: &str = "\
Examples:
  Play every game in which the secret has a seat, until Ctrl-C:
    assam bot --level merchant-5 --secret-file secret --url http://127.0.0.1:8080

  Take an open seat of a game with a program, and play that game:
    assam bot --engine ./engine.py --secret-file secret --url http://127.0.0.1:8080 --game $GAME

  Create a game against a built-in player, and play it:
    assam bot --level hand --secret-file secret --url http://127.0.0.1:8080 --create --against hand";

pub const ENGINE: &str = "\
Examples:
  Ask for a decision:
    assam engine <<< $'newgame MKN/1 marrakech/1 seats=3\\ngo'";

pub const PERFT: &str = "\
Examples:
  Count lines of up to four decisions in a three-player game:
    assam perft 4 --seats 3

  Show what each first decision contributes:
    assam perft 3 --seats 3 --divide

  Count from a Marrakesh position, here the first of a random match:
    assam random --ruleset marrakesh/1 | assam convert - --to positions -o positions
    assam perft 2 --position \"$(head -1 positions)\"";

pub const OPENAPI: &str = "\
Examples:
  Write the document to a file:
    assam openapi > openapi.json";

pub const COMPLETIONS: &str = "\
Examples:
  Load completions into the current bash:
    eval \"$(assam completions bash)\"

  Install completions for every new bash:
    mkdir -p ~/.local/share/bash-completion/completions
    assam completions bash > ~/.local/share/bash-completion/completions/assam";

pub const MAN: &str = "\
Examples:
  Install the pages for your user, so that `man assam-validate` works:
    assam man --out ~/.local/share/man/man1";
