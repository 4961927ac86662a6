//! The source of an audit: its place and its name.

use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use assam_api::backup::Backup;
use assam_proofs::signed::{PublishedKey, VerifyingKey};
use jiff::Timestamp;
use serde_json::Value;

use super::not_audited::NotAudited;
use super::signers::Signers;
use super::source_id::{SourceId, SourceKind};
use super::whole_log::AuditedLog;
use crate::database::{self, DatabaseArgs};
use crate::process::input::{Source, printable};
use crate::process::output_file::temporary;
use crate::remote::Remote;
use crate::remote::args::RemoteArgs;

/// The first bytes of every SQLite file.
const SQLITE: &[u8] = b"SQLite format 3\0";

/// A source with its name. Only its first bytes have been read.
pub struct AuditSource {
    pub id: SourceId,
    place: AuditPlace,
}

enum AuditPlace {
    Database(DatabaseArgs),
    File(PathBuf),
    Stream(Box<dyn Read + Send>),
    Service(Remote),
}

/// Games that can be read one after another.
pub enum Supply {
    /// The games of a copy of a database.
    Games(Backup),
    /// Lines with a proof each.
    Lines(Box<dyn Read + Send>),
    Records(Box<dyn Read + Send>),
    /// The games that a service exports.
    Service(Remote),
}

pub struct OpenSource {
    pub supply: Supply,
    /// The keys that a database knows.
    pub history: Vec<PublishedKey>,
    /// The required signers of the ends of games.
    pub signers: Signers,
    pub log: Option<AuditedLog>,
}

impl AuditSource {
    pub fn database(args: &DatabaseArgs) -> Self {
        let id = SourceId::new(SourceKind::Database, without_password(args.url()), &[]);
        Self { id, place: AuditPlace::Database(args.clone()) }
    }

    /// Returns a service.
    ///
    /// # Errors
    /// If the URL is not usable.
    pub fn service(url: &str, args: RemoteArgs, keys: &[VerifyingKey]) -> Result<Self, NotAudited> {
        let id = SourceId::new(SourceKind::Service, url.trim_end_matches('/').to_owned(), keys);
        Ok(Self { id, place: AuditPlace::Service(Remote::at(url, args)?) })
    }

    /// Returns a file, or standard input (`-`), with its kind.
    ///
    /// # Errors
    /// If it cannot be read, or its kind cannot be audited.
    pub fn file(path: &Path, keys: &[VerifyingKey]) -> Result<Self, NotAudited> {
        let source = Source::one(path);
        let unread = |error: io::Error| NotAudited::Unread(format!("{}: {error}", source.name()));
        let mut input = source.open().map_err(unread)?;
        let mut begin = Vec::new();
        input.by_ref().take(1024).read_to_end(&mut begin).map_err(unread)?;
        let kind = kind_of(&begin).ok_or_else(|| NotAudited::Foreign(source.name()))?;
        let mut id = SourceId::new(kind, source.name(), keys);
        if let Source::File(path) = &source {
            let data = path.metadata().map_err(unread)?;
            id.name = printable(&path.canonicalize().map_err(unread)?);
            id.length = Some(data.len());
            let since = data.modified().map_err(unread)?.duration_since(UNIX_EPOCH).unwrap_or_default();
            id.changed = since.as_millis().try_into().ok();
        }
        let place = match (kind, source) {
            (SourceKind::Backup, Source::File(path)) => AuditPlace::File(path),
            (_, _) => AuditPlace::Stream(Box::new(Cursor::new(begin).chain(input))),
        };
        Ok(Self { id, place })
    }

    /// Opens it.
    ///
    /// # Errors
    /// If it cannot be read.
    pub async fn open(self, keys: &[VerifyingKey]) -> Result<OpenSource, NotAudited> {
        let said = || match keys {
            [] => Signers::Unknown,
            keys => Signers::AnyOf(keys.to_vec()),
        };
        let backup = match self.place {
            AuditPlace::Stream(stream) if self.id.kind == SourceKind::Records => {
                return Ok(OpenSource::new(Supply::Records(stream), Signers::Unknown));
            }
            AuditPlace::Stream(stream) if self.id.kind == SourceKind::Proofs => {
                return Ok(OpenSource::new(Supply::Lines(stream), said()));
            }
            AuditPlace::Service(remote) => {
                let signers = if keys.is_empty() { believed(&remote)? } else { said() };
                let log = AuditedLog::fetched(&remote, &signers.keys())?;
                return Ok(OpenSource {
                    log: Some(log),
                    ..OpenSource::new(Supply::Service(remote), signers)
                });
            }
            AuditPlace::Stream(mut stream) => {
                let mut file = temporary()?;
                io::copy(&mut stream, &mut file)?;
                Backup::open(file.path()).await
            }
            AuditPlace::File(path) => Backup::open(&path).await,
            AuditPlace::Database(args) => Ok(Backup::new(&*database::open_existing(&args)?).await?),
        };
        let backup = backup.map_err(|error| NotAudited::Unread(format!("{}: {error}", self.id.name)))?;
        let history = backup.signing_keys().await?;
        let log = Some(AuditedLog::stored(backup.public_log()?));
        Ok(OpenSource { history, log, ..OpenSource::new(Supply::Games(backup), Signers::Unknown) })
    }
}

impl OpenSource {
    fn new(supply: Supply, signers: Signers) -> Self {
        Self { supply, history: Vec::new(), signers, log: None }
    }
}

/// Returns the kind of a file with these first bytes. An empty file is an export without games.
fn kind_of(begin: &[u8]) -> Option<SourceKind> {
    if begin.starts_with(SQLITE) {
        return Some(SourceKind::Backup);
    }
    let text = begin.trim_ascii_start();
    match text.first() {
        None | Some(b'{') => Some(SourceKind::Proofs),
        Some(_) => text.starts_with(b"MKN/").then_some(SourceKind::Records),
    }
}

/// Returns the keys that a service lists, each in its time.
fn believed(remote: &Remote) -> Result<Signers, NotAudited> {
    let listed = remote.get_small("/v1/keys", "application/json", 1024 * 1024)?;
    let listed: Value = serde_json::from_slice(&listed)
        .map_err(|error| NotAudited::Unread(format!("the keys of the service: {error}")))?;
    let read = |view: &Value| {
        let key = view["key"].as_str()?.parse().ok()?;
        let since: Timestamp = view["since"].as_str()?.parse().ok()?;
        Some(PublishedKey { key, since })
    };
    let keys: Option<Vec<PublishedKey>> = listed["keys"].as_array().into_iter().flatten().map(read).collect();
    match keys {
        None => Err(NotAudited::Unread("the keys of the service cannot be read".to_owned())),
        Some(keys) if keys.is_empty() => Err(NotAudited::Unread("the service lists no key".to_owned())),
        Some(keys) => Ok(Signers::InTheirTime(keys)),
    }
}

/// Returns the URL of a database without its password.
fn without_password(url: &str) -> String {
    let (base, query) = url.split_once('?').map_or((url, None), |(base, query)| (base, Some(query)));
    let base = match base.split_once("://").and_then(|(scheme, rest)| Some((scheme, rest.rsplit_once('@')?)))
    {
        Some((scheme, (user, host))) => {
            format!("{scheme}://{}@{host}", user.split(':').next().unwrap_or_default())
        }
        None => base.to_owned(),
    };
    let pairs = query.into_iter().flat_map(|query| query.split('&'));
    let pairs: Vec<&str> = pairs.filter(|pair| !pair.contains("password")).collect();
    if pairs.is_empty() { base } else { format!("{base}?{}", pairs.join("&")) }
}
