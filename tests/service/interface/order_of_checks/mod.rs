//! A request that is wrong in two ways is answered with what stands first in the order of checks, so that no answer
//! tells more than its asker may know. Every pair of faults that can meet in one request is tried.

mod moves;
mod seats;

use crate::harness::Answer;

/// Something that is wrong with a request.
struct Fault<A> {
    /// Faults of one rank have no order between them.
    rank: u8,
    /// How a request that is wrong only like this is answered.
    code: &'static str,
    name: &'static str,
    /// Makes a request wrong.
    commit: fn(&mut A),
}

const fn fault<A>(rank: u8, code: &'static str, name: &'static str, commit: fn(&mut A)) -> Fault<A> {
    Fault { rank, code, name, commit }
}

/// Sets of faults that go into one request, each with the code that must win: every fault alone, every pair of
/// different ranks but those that cannot meet, and with every fault all later ones that can meet.
fn combinations<'a, A>(
    faults: &'a [Fault<A>],
    never_together: &[(&str, &str, &str)],
) -> Vec<(&'static str, Vec<&'a Fault<A>>)> {
    assert!(faults.is_sorted_by_key(|fault| fault.rank));
    let can_meet = |a: &Fault<A>, b: &Fault<A>| {
        let is_pair =
            |(x, y, _): &(&str, &str, &str)| (*x, *y) == (a.name, b.name) || (*y, *x) == (a.name, b.name);
        a.rank != b.rank && !never_together.iter().any(is_pair)
    };
    let mut sets = Vec::new();
    for (n, first) in faults.iter().enumerate() {
        sets.push((first.code, vec![first]));
        let mut all = vec![first];
        for second in faults[n + 1..].iter().filter(|second| can_meet(first, second)) {
            sets.push((first.code, vec![first, second]));
            if all.iter().all(|fault| can_meet(fault, second)) {
                all.push(second);
            }
        }
        if all.len() > 2 {
            sets.push((first.code, all));
        }
    }
    sets
}

/// A request with these faults. The first one is committed last, so that no later one covers it.
fn wrong<A>(mut attempt: A, faults: &[&Fault<A>]) -> A {
    for fault in faults.iter().rev() {
        (fault.commit)(&mut attempt);
    }
    attempt
}

/// Every header but whether the connection goes on: that depends on how much of a body that is too large has arrived.
fn headers(answer: &Answer) -> Vec<(String, String)> {
    let goes_on = ["connection", "keep-alive"];
    answer.all_headers().into_iter().filter(|(name, _)| !goes_on.contains(&name.as_str())).collect()
}

fn names<A>(faults: &[&Fault<A>]) -> Vec<&'static str> {
    faults.iter().map(|fault| fault.name).collect()
}
