//! Checkpoints sent to witnesses (<https://c2sp.org/tlog-witness>, `add-checkpoint`).

use assam_record::game::Bytes32;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

/// The maximum number of hashes in a proof.
pub(super) const PROOF_LINES: usize = 63;

/// The media type of the size in a witness's answer.
const SIZE: &str = "text/x.tlog.size";

/// The answer of a witness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WitnessAnswer {
    /// The status.
    pub status: u16,
    /// The media type, without parameters.
    pub media_type: String,
    /// The body.
    pub body: String,
}

/// Returns the body of a request to cosign a checkpoint. It proves growth from the size that the witness last
/// cosigned.
pub fn add_checkpoint(old: u64, proof: &[Bytes32], checkpoint: &str) -> String {
    let proof: String = proof.iter().map(|hash| BASE64.encode(hash) + "\n").collect();
    format!("old {old}\n{proof}\n{checkpoint}")
}

impl WitnessAnswer {
    /// Returns the size that the witness last cosigned, as stated in its 409.
    pub fn size(&self) -> Option<u64> {
        decimal(self.body.strip_suffix('\n')?).filter(|_| self.media_type == SIZE)
    }
}

/// Reads a number without a sign or leading zeros.
pub(super) fn decimal(text: &str) -> Option<u64> {
    text.parse().ok().filter(|number: &u64| number.to_string() == text)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_request_has_the_form_of_the_specification() {
        let body =
            add_checkpoint(20_852_014, &[[0; 32], [255; 32]], "example.com/log\n9\nx\n\n\u{2014} a b\n");
        let hash = |letter: &str, last: &str| letter.repeat(42) + last + "=\n";
        let expected = format!(
            "old 20852014\n{}{}\nexample.com/log\n9\nx\n\n\u{2014} a b\n",
            hash("A", "A"),
            hash("/", "8")
        );
        assert_eq!(body, expected);
        assert_eq!(add_checkpoint(0, &[], "c\n"), "old 0\n\nc\n");
    }

    #[test]
    fn only_a_number_in_its_one_form_and_media_type_is_a_size() {
        let size = |media_type: &str, body: &str| {
            WitnessAnswer { status: 409, media_type: media_type.to_owned(), body: body.to_owned() }.size()
        };
        assert_eq!([size(SIZE, "0\n"), size(SIZE, "20852163\n")], [Some(0), Some(20_852_163)]);
        for wrong in
            ["", "\n", "7", "07\n", "+7\n", "-7\n", "7\n\n", " 7\n", "7 \n", "18446744073709551616\n", "x\n"]
        {
            assert_eq!(size(SIZE, wrong), None, "{wrong:?}");
        }
        assert_eq!(size("text/plain", "7\n"), None);
    }
}
