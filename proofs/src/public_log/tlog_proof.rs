//! Inclusion proofs as files that standard transparency log tools can verify (<https://c2sp.org/tlog-proof>).

use std::fmt;
use std::str::FromStr;

use assam_record::game::Bytes32;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

use super::add_checkpoint::{PROOF_LINES, decimal};

/// The first line.
const HEADER: &str = "c2sp.org/tlog-proof@v1\n";

/// A proof that an entry is in a log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TlogProof {
    /// The opening of the entry. The proof does not cover it.
    pub extra: Option<Vec<u8>>,
    /// The position of the entry.
    pub index: u64,
    /// The hashes that lead from the entry to the root.
    pub path: Vec<Bytes32>,
    /// The checkpoint, with its signatures.
    pub checkpoint: String,
}

/// The error of a text that is not such a proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "a .tlog-proof is `c2sp.org/tlog-proof@v1`, `extra BASE64` if there is any, `index NUMBER`, at most 63 hashes in base64, a blank line, and a checkpoint"
)]
pub struct NotATlogProof;

impl TlogProof {
    /// Returns whether a file begins like such a proof.
    pub fn is_begun_by(file: &[u8]) -> bool {
        file.starts_with(HEADER.trim_end().as_bytes())
    }
}

impl fmt::Display for TlogProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HEADER)?;
        if let Some(extra) = &self.extra {
            writeln!(f, "extra {}", BASE64.encode(extra))?;
        }
        writeln!(f, "index {}", self.index)?;
        for hash in &self.path {
            writeln!(f, "{}", BASE64.encode(hash))?;
        }
        write!(f, "\n{}", self.checkpoint)
    }
}

impl FromStr for TlogProof {
    type Err = NotATlogProof;

    fn from_str(text: &str) -> Result<Self, NotATlogProof> {
        let (head, checkpoint) = text.split_once("\n\n").ok_or(NotATlogProof)?;
        let mut lines = head.strip_prefix(HEADER).ok_or(NotATlogProof)?.split('\n').peekable();
        let extra = lines.next_if(|line| line.starts_with("extra "));
        let extra = extra.map(|line| BASE64.decode(&line["extra ".len()..]));
        let index = lines.next().and_then(|line| decimal(line.strip_prefix("index ")?));
        let hash = |line: &str| BASE64.decode(line).ok()?.try_into().ok();
        let path: Vec<Bytes32> = lines.map(hash).collect::<Option<_>>().ok_or(NotATlogProof)?;
        if path.len() > PROOF_LINES {
            return Err(NotATlogProof);
        }
        Ok(Self {
            extra: extra.transpose().map_err(|_| NotATlogProof)?,
            index: index.ok_or(NotATlogProof)?,
            path,
            checkpoint: checkpoint.to_owned(),
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_is_read_as_it_is_written_and_nothing_else_is_one() {
        let proof = TlogProof {
            extra: Some(vec![7; 40]),
            index: 73_894,
            path: vec![[1; 32]; 2],
            checkpoint: "log\n9\n\n\u{2014} x y\n".to_owned(),
        };
        let text = proof.to_string();
        assert!(
            text.starts_with("c2sp.org/tlog-proof@v1\nextra BwcH") && text.contains("\nindex 73894\nAQEB")
        );
        assert_eq!(text.parse(), Ok(proof.clone()));
        let plain = TlogProof { extra: None, path: Vec::new(), index: 0, ..proof.clone() };
        assert_eq!(plain.to_string(), "c2sp.org/tlog-proof@v1\nindex 0\n\nlog\n9\n\n\u{2014} x y\n");
        assert_eq!(plain.to_string().parse(), Ok(plain));
        let long = TlogProof { path: vec![[1; 32]; 64], ..proof };
        for wrong in [
            long.to_string(),
            text.replace("@v1", "@v2"),
            text.replace("index 7", "index 07"),
            text.replace("index 7", "index +7"),
            text.replace("index ", "at "),
            text.replace("extra B", "extra !"),
            text.replace("AQEB", "AQE"),
            text.replace("\n\n", "\n"),
            text.replace('\n', "\r\n"),
            String::new(),
        ] {
            assert_eq!(wrong.parse::<TlogProof>(), Err(NotATlogProof), "{wrong}");
        }
    }
}
