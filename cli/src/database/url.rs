//! The URL of a database.

use std::path::PathBuf;

/// What a URL names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DatabaseUrl {
    /// An SQLite file.
    Sqlite(PathBuf),
    /// A PostgreSQL database, with the whole URL. It may have a password.
    Postgres(String),
}

/// Why a URL names no database. The URL is not repeated: it may hold a password.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadDatabaseUrl {
    /// It has another scheme, or none.
    #[error("must be `sqlite:FILE` or `postgres://user:password@host/name`")]
    Scheme,
    /// Nothing is behind the scheme.
    #[error("names no file: it must be `sqlite:FILE`")]
    NoFile,
    /// A database in memory.
    #[error(
        "names a database in memory, which is lost when the command ends: name a file, as in `sqlite:assam.db`"
    )]
    Memory,
    /// It has parameters.
    #[error(
        "has parameters behind `?`, which `sqlite:FILE` does not take: leave them out (`assam serve --read-only` only reads a file)"
    )]
    Parameters,
    /// It has a host, or an empty one.
    #[error(
        "has `//` behind `sqlite:`, which programs read in different ways: write `sqlite:FILE` or `sqlite:/FOLDER/FILE`"
    )]
    Slashes,
    /// It is a URI of SQLite.
    #[error("is a URI of SQLite: write the path of the file, as in `sqlite:assam.db`")]
    FileUri,
    /// It begins with the home folder in the notation of shells.
    #[error(
        "begins with `~`, which the shell replaces only at the start of a word: write `sqlite:$HOME/FILE`"
    )]
    Home,
    /// It has an escaped character.
    #[error("has a `%` with two hex digits: write the character itself")]
    Escape,
}

impl DatabaseUrl {
    /// Reads a URL.
    ///
    /// # Errors
    /// Where it names nothing that can be used, and what would be taken for a strange file name.
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
