//! An independent view of logs: a witness (c2sp.org/tlog-witness) that reads, verifies and signs with
//! Cloudflare's crates, and can lie.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;

use assam_proofs::signed::SigningKey;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use signed_note::{Note, Signature, Signer as _, StandardSigner, StandardVerifier, VerifierList};
use tlog_tiles::{Checkpoint, Hash, check_tree};

use super::KEY;

/// The behaviour of a witness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Manner {
    Honest,
    /// It responds, but is out of order.
    Fails,
    /// It refuses with this status.
    Refuses(u16),
    /// It signs another size.
    AnotherCheckpoint,
    /// It signs with an unknown key.
    OtherKey,
    /// It signs with another key under its name.
    OtherKeyOfItsName,
    /// It names another size each time.
    SizesInALoop,
    /// It names the size that was sent.
    SameSize,
    /// It names more entries than there are.
    TooManyEntries,
    /// It sends malformed answers.
    Nonsense,
    /// It answers with another witness's line.
    CopyOf(Box<ForeignWitness>),
}

/// A listening witness.
#[derive(Clone)]
pub(super) struct ForeignWitness {
    pub(super) url: String,
    /// The key that verifies its cosignatures.
    pub(super) key: String,
    state: Arc<Mutex<WitnessState>>,
}

struct WitnessState {
    signer: StandardSigner,
    manner: Manner,
    /// The last checkpoint that it cosigned.
    last: Option<(u64, Hash)>,
    /// The old sizes sent to it, with the statuses of its answers.
    sent: Vec<(u64, u16)>,
    line: String,
}

impl PartialEq for ForeignWitness {
    fn eq(&self, other: &Self) -> bool {
        self.url == other.url
    }
}

impl Eq for ForeignWitness {}

impl std::fmt::Debug for ForeignWitness {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.url)
    }
}

/// Returns a key for Ed25519 signatures, and the one of the same bytes for cosignatures.
fn keys(name: &str, seed: u8) -> (StandardSigner, String, u32) {
    let key = SigningKey::new(name, &[seed; 32]).unwrap();
    let written = key.verifying_key().to_string();
    let mut bytes = BASE64.decode(written.splitn(3, '+').nth(2).unwrap()).unwrap();
    bytes[0] = 4;
    let id = signed_note::key_id(name, &bytes);
    let signer = StandardSigner::new(&key.secret_text()).unwrap();
    (signer, format!("{name}+{id:08x}+{}", BASE64.encode(&bytes)), id)
}

/// Returns a key's cosignature line for a text (c2sp.org/tlog-cosignature, `cosignature/v1`).
fn cosign(signer: &StandardSigner, id: u32, text: &[u8]) -> String {
    let seconds = u64::try_from(assam_record::clock::now().as_second()).unwrap();
    let message = [format!("cosignature/v1\ntime {seconds}\n").as_bytes(), text].concat();
    let bytes = [&seconds.to_be_bytes()[..], &signer.sign(&message).unwrap()].concat();
    String::from_utf8(Signature::new(signer.name().to_owned(), id, bytes).unwrap().to_bytes()).unwrap()
}

/// Returns the checkpoint in a note signed by the log.
pub(super) fn checkpoint(note: &[u8]) -> Option<(Note, Checkpoint)> {
    let note = Note::from_bytes(note).ok()?;
    note.verify(&VerifierList::new(vec![Box::new(StandardVerifier::new(KEY).unwrap())])).ok()?;
    let checkpoint = Checkpoint::from_bytes(note.text()).ok()?;
    Some((note, checkpoint))
}

impl ForeignWitness {
    pub(super) fn new(name: &str, seed: u8, manner: Manner) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (signer, key, _) = keys(name, seed);
        let state = WitnessState { signer, manner, last: None, sent: Vec::new(), line: String::new() };
        let url = format!("http://{}/of/{name}", listener.local_addr().unwrap());
        let witness = Self { url, key, state: Arc::new(Mutex::new(state)) };
        let (path, answering) = (format!("/of/{name}/add-checkpoint"), witness.clone());
        thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(stream) = stream else { return };
                // A killed service hangs up.
                let _ = answering.answer(stream, &path);
            }
        });
        witness
    }

    fn state(&self) -> MutexGuard<'_, WitnessState> {
        self.state.lock().unwrap()
    }

    pub(super) fn behave(&self, manner: Manner) {
        self.state().manner = manner;
    }

    /// Forgets everything but its key.
    pub(super) fn forget(&self) {
        self.state().last = None;
    }

    /// Returns how many entries it has cosigned.
    pub(super) fn size(&self) -> u64 {
        self.state().last.map_or(0, |(size, _)| size)
    }

    /// Returns the old sizes sent to it, with the statuses of its answers.
    pub(super) fn sent(&self) -> Vec<(u64, u16)> {
        self.state().sent.clone()
    }

    fn answer(&self, mut stream: TcpStream, path: &str) -> std::io::Result<()> {
        let mut reader = BufReader::new(stream.try_clone()?);
        let (mut head, mut length) = (Vec::new(), 0);
        loop {
            let mut line = String::new();
            reader.read_line(&mut line)?;
            if line.trim_end().is_empty() {
                break;
            }
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
            head.push(line);
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        assert_eq!(head[0].trim_end(), format!("POST {path} HTTP/1.1"));
        let (status, media, body) = self.answered(std::str::from_utf8(&body).unwrap());
        write!(
            stream,
            "HTTP/1.1 {status} Status\r\nContent-Type: {media}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        )
    }

    fn answered(&self, body: &str) -> (u16, &'static str, String) {
        let (text, size) = ("text/plain", "text/x.tlog.size");
        let state = &mut *self.state();
        let (head, note) = body.split_once("\n\n").unwrap();
        let mut lines = head.split('\n');
        let old: u64 = lines.next().unwrap().strip_prefix("old ").unwrap().parse().unwrap();
        let proof: Vec<Hash> = lines.map(|line| Hash::parse_hash(line).unwrap()).collect();
        let rounds = state.sent.len() as u64;
        let (note, checkpoint) = checkpoint(note.as_bytes()).unwrap();
        let own = self.key.split('+').nth(1).map(|id| u32::from_str_radix(id, 16).unwrap()).unwrap();
        let answer = match &state.manner {
            Manner::Fails => (503, text, "out of order".to_owned()),
            Manner::Refuses(status) => (*status, text, "no".to_owned()),
            Manner::AnotherCheckpoint => {
                let other = String::from_utf8(note.text().to_vec()).unwrap();
                let other = other.replacen(&format!("\n{}\n", checkpoint.size()), "\n1000000\n", 1);
                (200, text, cosign(&state.signer, own, other.as_bytes()))
            }
            Manner::OtherKey => {
                let (signer, _, id) = keys("stranger.example", 99);
                (200, text, cosign(&signer, id, note.text()))
            }
            Manner::OtherKeyOfItsName => {
                let (signer, _, _) = keys(state.signer.name(), 98);
                (200, text, cosign(&signer, own, note.text()))
            }
            Manner::SizesInALoop => {
                (409, size, format!("{}\n", (old + 1 + rounds % 2) % (checkpoint.size() + 1)))
            }
            Manner::SameSize => (409, size, format!("{old}\n")),
            Manner::TooManyEntries => (409, size, "1000000\n".to_owned()),
            Manner::Nonsense => (200, text, "\n\nno cosignature".to_owned()),
            Manner::CopyOf(other) => (200, text, other.state().line.clone()),
            Manner::Honest => {
                let last = state.last.map_or(0, |(size, _)| size);
                let grows = || match state.last {
                    None => proof.is_empty(),
                    Some((before, root)) => {
                        check_tree(&proof, checkpoint.size(), *checkpoint.hash(), before, root).is_ok()
                    }
                };
                if old > checkpoint.size() {
                    (400, text, String::new())
                } else if old != last {
                    (409, size, format!("{last}\n"))
                } else if !grows() {
                    (422, text, String::new())
                } else {
                    state.last = Some((checkpoint.size(), *checkpoint.hash()));
                    state.line = cosign(&state.signer, own, note.text());
                    (200, text, state.line.clone())
                }
            }
        };
        state.sent.push((old, answer.0));
        answer
    }
}
