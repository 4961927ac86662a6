//! The example reader in Python, which shares no code with this project, says of the vectors what they want.

use crate::harness::{err, out, python};

#[test]
fn a_reader_in_python_agrees_with_all_vectors() {
    let Some(run) = python("examples/python/mkn.py", &["--vectors", "notation/vectors"]) else { return };
    let told = out(&run);
    assert!(run.status.success(), "{told}{}", err(&run));
    let last = told.lines().last().unwrap();
    let verdicts = last.strip_suffix(" verdicts, 0 disagreements").unwrap_or_else(|| panic!("{told}"));
    assert!(verdicts.parse::<u32>().unwrap() > 9000, "{told}");
}
