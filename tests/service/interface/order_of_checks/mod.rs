//! A request with two faults is answered with the one checked first, so that no answer reveals more than its
//! client may know. Every pair of faults that can occur together is tried.

mod moves;
mod seats;

use crate::harness::Answer;

/// A fault of a request.
struct Fault<A> {
    /// Faults of the same rank have no order.
    rank: u8,
    /// The answer to a request with only this fault.
    code: &'static str,
    name: &'static str,
    /// Adds the fault to a request.
    commit: fn(&mut A),
}

const fn fault<A>(rank: u8, code: &'static str, name: &'static str, commit: fn(&mut A)) -> Fault<A> {
    Fault { rank, code, name, commit }
}

/// Returns sets of faults for one request, each with the code that must win. They are every fault alone,
/// every possible pair of different ranks, and every fault with all compatible later ones.
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

/// Returns a request with these faults. The first one is added last, so that no later one hides it.
fn wrong<A>(mut attempt: A, faults: &[&Fault<A>]) -> A {
    for fault in faults.iter().rev() {
        (fault.commit)(&mut attempt);
    }
    attempt
}

/// Returns every header except the connection's, which depends on how much of an oversized body has arrived.
fn headers(answer: &Answer) -> Vec<(String, String)> {
    let goes_on = ["connection", "keep-alive"];
    answer.all_headers().into_iter().filter(|(name, _)| !goes_on.contains(&name.as_str())).collect()
}

fn names<A>(faults: &[&Fault<A>]) -> Vec<&'static str> {
    faults.iter().map(|fault| fault.name).collect()
}
