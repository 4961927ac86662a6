//! The URL of a database.

use std::path::PathBuf;

/// The database that a URL names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DatabaseUrl {
    Sqlite(PathBuf),
    /// A PostgreSQL database, with the whole URL, which may contain a password.
    Postgres(String),
}

/// Why a URL names no database. Messages do not repeat the URL, which may contain a password.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadDatabaseUrl {
    #[error("must be `sqlite:FILE` or `postgres://user:password@host/name`")]
    Scheme,
    #[error("names no file: it must be `sqlite:FILE`")]
    NoFile,
    #[error(
        "names a database in memory, which is lost when the command ends: name a file, as in `sqlite:assam.db`"
    )]
    Memory,
    #[error(
        "has parameters after `?`, which `sqlite:FILE` does not take: leave them out (`assam serve --read-only` opens a file read-only)"
    )]
    Parameters,
    #[error("has `//` after `sqlite:`, which is ambiguous: write `sqlite:FILE` or `sqlite:/FOLDER/FILE`")]
    Slashes,
    #[error("is an SQLite URI: write the path of the file, as in `sqlite:assam.db`")]
    FileUri,
    #[error(
        "begins with `~`, which the shell expands only at the start of a word: write `sqlite:$HOME/FILE`"
    )]
    Home,
    #[error("has a `%` with two hex digits: write the character itself")]
    Escape,
}

impl DatabaseUrl {
    /// Parses a URL.
    ///
    /// # Errors
    /// If it names nothing usable, or something that would become a strange file name.
    pub fn read(url: &str) -> Result<Self, BadDatabaseUrl> {
        let file = match url.split_once(':') {
            Some(("sqlite", file)) => file,
            Some(("postgres" | "postgresql", _)) => return Ok(Self::Postgres(url.to_owned())),
            Some(("file", _)) => return Err(BadDatabaseUrl::FileUri),
            _ => return Err(BadDatabaseUrl::Scheme),
        };
        let is_escaped = |at: usize| {
            let digits = file.as_bytes().get(at + 1..at + 3);
            digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
        };
        Err(match file {
            "" => BadDatabaseUrl::NoFile,
            _ if file.starts_with(':') || file.starts_with("//:memory:") => BadDatabaseUrl::Memory,
            _ if file.starts_with("file:") => BadDatabaseUrl::FileUri,
            _ if file.contains('?') => BadDatabaseUrl::Parameters,
            _ if file.starts_with("//") => BadDatabaseUrl::Slashes,
            _ if file.starts_with('~') => BadDatabaseUrl::Home,
            _ if file.match_indices('%').any(|(at, _)| is_escaped(at)) => BadDatabaseUrl::Escape,
            _ => return Ok(Self::Sqlite(PathBuf::from(file))),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_other_programs_are_refused_and_never_taken_for_file_names() {
        for (url, refused) in [
            ("", BadDatabaseUrl::Scheme),
            ("assam.db", BadDatabaseUrl::Scheme),
            ("SQLITE:assam.db", BadDatabaseUrl::Scheme),
            ("sqlite3:assam.db", BadDatabaseUrl::Scheme),
            ("sqlite:", BadDatabaseUrl::NoFile),
            ("sqlite::memory:", BadDatabaseUrl::Memory),
            ("sqlite::memory:?cache=shared", BadDatabaseUrl::Memory),
            ("sqlite://:memory:", BadDatabaseUrl::Memory),
            ("sqlite:assam.db?mode=ro", BadDatabaseUrl::Parameters),
            ("sqlite:assam.db?cache=shared", BadDatabaseUrl::Parameters),
            ("sqlite:/srv/assam.db?", BadDatabaseUrl::Parameters),
            ("sqlite://assam.db", BadDatabaseUrl::Slashes),
            ("sqlite:///srv/assam.db", BadDatabaseUrl::Slashes),
            ("sqlite:////srv/assam.db", BadDatabaseUrl::Slashes),
            ("sqlite:~/assam.db", BadDatabaseUrl::Home),
            ("sqlite:~lea/assam.db", BadDatabaseUrl::Home),
            ("sqlite:file:assam.db", BadDatabaseUrl::FileUri),
            ("file:assam.db?mode=ro", BadDatabaseUrl::FileUri),
            ("sqlite:my%20games.db", BadDatabaseUrl::Escape),
        ] {
            assert_eq!(DatabaseUrl::read(url), Err(refused), "{url}");
        }
    }

    #[test]
    fn paths_of_files_are_taken_as_they_are() {
        for file in ["assam.db", "/srv/my games/100% sure#1.db", "./:memory:", "./~/assam.db", "C:\\assam.db"]
        {
            assert_eq!(
                DatabaseUrl::read(&format!("sqlite:{file}")),
                Ok(DatabaseUrl::Sqlite(file.into())),
                "{file}"
            );
        }
    }
}
