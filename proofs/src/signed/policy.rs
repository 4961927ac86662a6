//! Policies: the known witnesses, and which of them must have cosigned a checkpoint
//! (<https://c2sp.org/tlog-policy>).

use std::collections::{HashMap, HashSet};

use super::cosignature::WitnessKey;
use super::note::{Note, VerifyingKey};

/// The logs that sign checkpoints, and the witnesses that must have cosigned them.
#[derive(Clone, Default, Debug)]
pub struct Policy {
    logs: Vec<VerifyingKey>,
    witnesses: Vec<PolicyWitness>,
    /// In order: a group names only earlier members.
    members: Vec<Member>,
    /// The index of the member that must have cosigned, if any must.
    quorum: Option<usize>,
}

/// A witness in a policy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PolicyWitness {
    /// The cosigning key.
    pub key: WitnessKey,
    /// The address for checkpoints, if the policy names one.
    pub url: Option<String>,
}

/// A member that a quorum or a group may name.
#[derive(Clone, Debug)]
enum Member {
    Witness(WitnessKey),
    Group { least: usize, of: Vec<usize> },
}

/// The reason a file is not a policy.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct BadPolicy {
    /// The number of the line, from 1.
    pub line: usize,
    /// The fault and what is expected.
    pub why: String,
}

impl Policy {
    /// Returns a policy that any one of these witnesses meets. None of them has an address.
    pub fn any_of(keys: impl IntoIterator<Item = WitnessKey>) -> Self {
        let mut policy = Self::default();
        for key in keys {
            policy.admit(key);
        }
        let of: Vec<usize> = (0..policy.members.len()).collect();
        if !of.is_empty() {
            policy.quorum = Some(of.len());
            policy.members.push(Member::Group { least: 1, of });
        }
        policy
    }

    /// Adds a witness that no quorum needs.
    pub fn admit(&mut self, key: WitnessKey) {
        if self.witnesses.iter().all(|known| known.key != key) {
            self.members.push(Member::Witness(key.clone()));
            self.witnesses.push(PolicyWitness { key, url: None });
        }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// A line is wrong, or no quorum is named.
    pub fn read(file: &[u8]) -> Result<Self, BadPolicy> {
        let mut reading = PolicyReading::default();
        let mut last = 0;
        for (line, text) in (1..).zip(file.split(|byte| *byte == b'\n')) {
            last = line;
            reading.line(text).map_err(|why| BadPolicy { line, why })?;
        }
        if reading.has_quorum {
            return Ok(reading.policy);
        }
        let why = "the file ends without a quorum line: `quorum NAME` or `quorum none`".to_owned();
        Err(BadPolicy { line: last, why })
    }

    /// Returns the keys of the logs that it names. The list is empty if the policy is for any log.
    pub fn logs(&self) -> &[VerifyingKey] {
        &self.logs
    }

    /// Returns the witnesses that it names, in order.
    pub fn witnesses(&self) -> &[PolicyWitness] {
        &self.witnesses
    }

    /// Returns whether the policy has a quorum.
    pub const fn needs_any(&self) -> bool {
        self.quorum.is_some()
    }

    /// Returns whether a note is signed by a named log, if any is named, and cosigned as the quorum demands.
    pub fn is_met_by(&self, note: &Note<'_>) -> bool {
        let is_of_log = self.logs.is_empty() || self.logs.iter().any(|key| key.verify(note).is_ok());
        let mut met: Vec<bool> = Vec::with_capacity(self.members.len());
        for member in &self.members {
            met.push(match member {
                Member::Witness(key) => key.verify(note).is_ok(),
                Member::Group { least, of } => of.iter().filter(|place| met[**place]).count() >= *least,
            });
        }
        is_of_log && self.quorum.is_none_or(|quorum| met[quorum])
    }
}

/// A policy that has been read in part. Names are bytes, which only the file itself gives a meaning.
#[derive(Default)]
struct PolicyReading<'a> {
    policy: Policy,
    places: HashMap<&'a [u8], usize>,
    in_groups: HashSet<usize>,
    keys: HashSet<[u8; 32]>,
    has_quorum: bool,
}

impl<'a> PolicyReading<'a> {
    fn line(&mut self, line: &'a [u8]) -> Result<(), String> {
        if line.iter().any(|byte| byte.is_ascii_control() && *byte != b'\t') {
            return Err("it has a control character: lines end with LF alone, and have only tabs and spaces between items".to_owned());
        }
        let items = line.split(|byte| matches!(byte, b' ' | b'\t')).filter(|item| !item.is_empty());
        match *items.collect::<Vec<_>>() {
            [] => Ok(()),
            [first, ..] if first.starts_with(b"#") => Ok(()),
            [b"log", key] | [b"log", key, _] => self.log(key),
            [b"witness", name, key] => self.witness(name, key, None),
            [b"witness", name, key, url] => self.witness(name, key, Some(url)),
            [b"group", name, least, ref members @ ..] if !members.is_empty() => {
                self.group(name, least, members)
            }
            [b"quorum", name] => self.quorum(name),
            _ => Err("expected `log KEY [URL]`, `witness NAME KEY [URL]`, `group NAME all|any|NUMBER NAME..` or `quorum NAME|none`".to_owned()),
        }
    }

    fn log(&mut self, key: &[u8]) -> Result<(), String> {
        let key: VerifyingKey =
            parsed(key).map_err(|why| format!("the key of a log: {why}. Only Ed25519 is supported"))?;
        self.is_new(key.bytes())?;
        self.policy.logs.push(key);
        Ok(())
    }

    fn witness(&mut self, name: &'a [u8], key: &[u8], url: Option<&[u8]>) -> Result<(), String> {
        let key: WitnessKey = parsed(key).map_err(|why| {
            format!("the key of a witness: {why}. Only cosignatures by Ed25519 are supported")
        })?;
        self.is_new(key.bytes())?;
        let url = url.map(|url| str::from_utf8(url).map(str::to_owned));
        let url = url.transpose().map_err(|_| "the URL of a witness is UTF-8".to_owned())?;
        self.name(name, Member::Witness(key.clone()))?;
        self.policy.witnesses.push(PolicyWitness { key, url });
        Ok(())
    }

    fn group(&mut self, name: &'a [u8], least: &[u8], members: &[&[u8]]) -> Result<(), String> {
        let mut of = Vec::with_capacity(members.len());
        for member in members {
            let place = self.place(member)?;
            if !self.in_groups.insert(place) {
                return Err(format!("{} is a member of a group already", shown(member)));
            }
            of.push(place);
        }
        let least = match least {
            b"all" => of.len(),
            b"any" => 1,
            digits if digits.iter().all(u8::is_ascii_digit) => parsed(digits).unwrap_or_default(),
            _ => 0,
        };
        if !(1..=of.len()).contains(&least) {
            return Err(format!("a group needs all, any, or 1 to {} of its members", of.len()));
        }
        self.name(name, Member::Group { least, of })
    }

    fn quorum(&mut self, name: &[u8]) -> Result<(), String> {
        if self.has_quorum {
            return Err("there is already a quorum line".to_owned());
        }
        self.has_quorum = true;
        self.policy.quorum = if name == b"none" { None } else { Some(self.place(name)?) };
        Ok(())
    }

    /// Names the next member.
    fn name(&mut self, name: &'a [u8], member: Member) -> Result<(), String> {
        if name == b"none" {
            return Err("the name `none` is taken: it means no quorum".to_owned());
        }
        if self.places.insert(name, self.policy.members.len()).is_some() {
            return Err(format!("the name {} is taken by an earlier line", shown(name)));
        }
        self.policy.members.push(member);
        Ok(())
    }

    fn place(&self, name: &[u8]) -> Result<usize, String> {
        let unknown = || format!("no earlier line defines {}", shown(name));
        self.places.get(name).copied().ok_or_else(unknown)
    }

    /// Checks that a key is new. A witness with two names would count twice.
    fn is_new(&mut self, key: [u8; 32]) -> Result<(), String> {
        if self.keys.insert(key) { Ok(()) } else { Err("an earlier line has the same key".to_owned()) }
    }
}

fn parsed<T: std::str::FromStr<Err: ToString>>(text: &[u8]) -> Result<T, String> {
    let text = str::from_utf8(text).map_err(|_| "it is not UTF-8".to_owned())?;
    text.parse().map_err(|error: T::Err| error.to_string())
}

fn shown(name: &[u8]) -> String {
    format!("{:?}", String::from_utf8_lossy(name))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::{CosigningKey, SigningKey};
    use super::*;

    fn witnesses() -> Vec<CosigningKey> {
        ["x1", "x2", "x3", "y1", "y2", "y3"].map(|name| CosigningKey::named(name).unwrap()).into()
    }

    fn key(witness: &CosigningKey) -> String {
        witness.witness_key().to_string()
    }

    /// The example of the specification, with keys.
    fn example(log: &SigningKey, witnesses: &[CosigningKey]) -> String {
        let mut file = format!("# two organizations\n\nlog {} https://log.example/\n", log.verifying_key());
        for (witness, name) in witnesses.iter().zip(["X1", "X2", "X3", "Y1", "Y2", "Y3"]) {
            file += &format!("  witness\t{name} {}  \n", key(witness));
        }
        file += "group X-witnesses 2 X1 X2 X3\ngroup Y-witnesses any Y1 Y2 Y3\n";
        file + "group X-and-Y all X-witnesses Y-witnesses\nquorum X-and-Y\n"
    }

    #[test]
    fn the_quorum_of_the_specification_is_met_by_two_of_one_organization_and_one_of_the_other() {
        let (log, witnesses) = (SigningKey::named("log.example").unwrap(), witnesses());
        let policy = Policy::read(example(&log, &witnesses).as_bytes()).unwrap();
        assert_eq!((policy.logs().len(), policy.witnesses().len()), (1, 6));
        for set in 0_u8..64 {
            let has = |n: usize| set >> n & 1 == 1;
            let mut note = log.sign("text\n");
            for (_, witness) in witnesses.iter().enumerate().filter(|(n, _)| has(*n)) {
                note += &witness.cosign("text\n", assam_record::clock::now());
            }
            let is_met = (set & 7).count_ones() >= 2 && set & 56 > 0;
            assert_eq!(policy.is_met_by(&Note::read(&note).unwrap()), is_met, "{set:06b}");
        }
        // A cosigned other text, and a log that the policy does not name.
        let all = |text: &str| {
            witnesses.iter().map(|one| one.cosign(text, assam_record::clock::now())).collect::<String>()
        };
        assert!(!policy.is_met_by(&Note::read(&(log.sign("text\n") + &all("other\n"))).unwrap()));
        let other = SigningKey::named("log.example").unwrap().sign("text\n") + &all("text\n");
        assert!(!policy.is_met_by(&Note::read(&other).unwrap()));
    }

    #[test]
    fn the_short_form_is_met_by_any_witness_and_no_witness_needs_none() {
        let witnesses = witnesses();
        let policy = Policy::any_of(witnesses[..2].iter().map(CosigningKey::witness_key));
        let plain = SigningKey::named("log.example").unwrap().sign("text\n");
        let by = |n: usize| plain.clone() + &witnesses[n].cosign("text\n", assam_record::clock::now());
        let is_met = |policy: &Policy, note: &str| policy.is_met_by(&Note::read(note).unwrap());
        assert_eq!([0, 1, 2].map(|n| is_met(&policy, &by(n))), [true, true, false]);
        assert!(!is_met(&policy, &plain) && is_met(&Policy::any_of([]), &plain));
        let none = Policy::read(format!("quorum none\nwitness a {} u", key(&witnesses[0])).as_bytes());
        let none = none.unwrap();
        assert!(is_met(&none, &plain));
        assert_eq!(none.witnesses()[0].url.as_deref(), Some("u"));
    }

    #[test]
    fn what_is_no_policy_is_refused_with_its_line_and_the_reason() {
        let (witnesses, log) = (witnesses(), SigningKey::named("log.example").unwrap());
        let (a, b) = (key(&witnesses[0]), key(&witnesses[1]));
        let two = format!("witness a {a}\nwitness b {b}\n");
        for (file, line, why) in [
            (String::new(), 1, "without a quorum"),
            (two.clone(), 3, "without a quorum"),
            ("quorum none\r\n".to_owned(), 1, "control character"),
            ("witness a\nquorum none\n".to_owned(), 1, "expected `log KEY"),
            ("quorum a b\n".to_owned(), 1, "expected `log KEY"),
            ("quorum a\n".to_owned(), 1, "no earlier line defines \"a\""),
            (format!("{two}quorum c\n"), 3, "no earlier line defines \"c\""),
            (format!("{two}quorum a\nquorum a\n"), 4, "already a quorum line"),
            (format!("witness none {a}\n"), 1, "`none` is taken"),
            (format!("{two}group g any a none\n"), 3, "no earlier line defines \"none\""),
            (format!("{two}group g any a c\n"), 3, "no earlier line defines \"c\""),
            (format!("{two}group g any\n"), 3, "expected `log KEY"),
            (format!("{two}group g 0 a b\n"), 3, "1 to 2 of its members"),
            (format!("{two}group g 3 a b\n"), 3, "1 to 2 of its members"),
            (format!("{two}group g +1 a b\n"), 3, "1 to 2 of its members"),
            (format!("{two}group g most a b\n"), 3, "1 to 2 of its members"),
            (format!("{two}group g any a a\n"), 3, "\"a\" is a member of a group already"),
            (format!("{two}group g any a\ngroup h any a b\n"), 4, "\"a\" is a member of a group already"),
            (format!("{two}group a any b\n"), 3, "the name \"a\" is taken"),
            (format!("{two}witness c {a}\n"), 3, "the same key"),
            (format!("log {a}\n"), 1, "the key of a log: it is a key for another algorithm"),
            (format!("witness a {}\n", log.verifying_key()), 1, "Only cosignatures by Ed25519"),
            ("log nonsense\n".to_owned(), 1, "the key of a log: a key that verifies is"),
        ] {
            let bad = Policy::read(file.as_bytes()).unwrap_err();
            assert!(bad.line == line && bad.why.contains(why), "{file}: {bad}");
        }
        // Octets without a meaning are names, too.
        let octets = [b"witness \xff ", a.as_bytes(), b" \n# \xfe\nquorum \xff"].concat();
        assert_eq!(Policy::read(&octets).unwrap().witnesses().len(), 1);
    }
}
