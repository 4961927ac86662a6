//! Positions that contradict the rules are refused with the reason.

use assam_rules::Rule;
use assam_rules::marrakesh::{
    BySide, Cards, Defence, Diagram, Hand, Impossible, Lead, List, Offence, Phase, Position, Setup, Side,
    SideScore, Stop, Values,
};

use super::script::{START, after, card, cards, digit, ovals, points};

/// A legal position, a change to it, and the reason for its refusal.
type Case = (&'static str, fn(&mut Diagram), Impossible);

const FIRST: &str = "6s 2c 6@6 2@5";
const USE: &str = "6s 2c 6@6 2@5 3d 5d 5@6";
const BONUS: &str = "6s 2c 6@6 2@5 3d 5d 5@6 3@4 +5c";

const CASES: &[Case] = &[
    ("", |d| d.round = 0, Impossible::Round),
    ("", |d| d.round = 13, Impossible::Round),
    ("", |d| d.round = 2, Impossible::Round),
    ("", |d| assert!(d.scores.push(BySide::default())), Impossible::Round),
    ("", |d| d.phase = Phase::Over, Impossible::Round),
    ("", |d| d.phase = Phase::Dice, Impossible::ChanceDue),
    ("", |d| d.phase = Phase::Deal(Side::Red), Impossible::ChanceDue),
    ("", stop_after_end, Impossible::StopAfterEnd),
    ("", |d| d.points[Side::Blue] = points("12345"), Impossible::Pieces),
    (BONUS, |d| change_use(d, |_, off| *off = 1), Impossible::Pieces),
    (BONUS, |d| change_use(d, |_, off| *off = 255), Impossible::Pieces),
    (FIRST, |d| d.ovals[Side::Red] = ovals(".1."), Impossible::Ovals),
    (FIRST, |d| d.ovals[Side::Red] = ovals("1X."), Impossible::Ovals),
    (FIRST, |d| d.ovals[Side::Red] = ovals("1XX"), Impossible::Ovals),
    (FIRST, |d| d.ovals[Side::Red] = ovals("9.."), Impossible::Ovals),
    (FIRST, |d| d.ovals[Side::Red] = ovals("60."), Impossible::Ovals),
    (FIRST, |d| d.ovals[Side::Blue] = ovals("0.."), Impossible::Tricks),
    (FIRST, swap_ovals, Impossible::Tricks),
    (FIRST, |d| d.tricks = List::new(), Impossible::Tricks),
    (FIRST, |d| d.phase = Phase::Lead { leader: Side::Blue }, Impossible::Leader),
    ("", |d| d.phase = Phase::Lead { leader: Side::Red }, Impossible::Leader),
    ("", |d| d.points[Side::Red] = points("112446"), Impossible::Leader),
    ("", |d| d.hands[Side::Blue] = Hand::Known(cards("6s5dQhAs3c")), Impossible::Hand),
    ("", |d| d.hands[Side::Blue] = Hand::Unknown(5), Impossible::Hand),
    ("", |d| d.hands[Side::Blue] = Hand::Unknown(255), Impossible::Hand),
    ("6s", |d| d.hands[Side::Blue] = Hand::Known(cards("6s5dQhAs3c2s")), Impossible::Hand),
    ("", |d| lead(d, Lead::Unknown), Impossible::UnknownLead),
    ("", |d| d.hands[Side::Blue] = Hand::Known(cards("QsQhAsAs2s2s")), Impossible::Cards),
    ("", |d| lead(d, Lead::Known(card("Qs"))), Impossible::Cards),
    ("", |d| d.discards.unknown = 1, Impossible::Discards),
    ("", |d| d.discards.unknown = 255, Impossible::Cards),
    (FIRST, |d| d.discards.known = cards("5c"), Impossible::Discards),
    (BONUS, |d| d.discards.known = Cards::new(), Impossible::Discards),
    ("", |d| d.discards.top = Some(card("6c")), Impossible::TopDiscard),
    (BONUS, |d| d.discards.top = None, Impossible::TopDiscard),
    (BONUS, |d| d.discards.known = cards("5h"), Impossible::TopDiscard),
    (USE, |d| change_use(d, |values, _| *values = Values::times(Some(digit("4")), 1)), Impossible::Values),
    (USE, |d| change_use(d, |values, _| *values = Values::times(Some(digit("3")), 2)), Impossible::Values),
    (USE, |d| change_use(d, |values, _| *values = Values::default()), Impossible::Values),
    (USE, two_off_with_one_use, Impossible::Off),
    ("", round_should_be_over, Impossible::RoundEnd),
    ("", |d| second_round(d, SideScore { pips: true, ..SideScore::default() }), Impossible::Score),
    ("", |d| second_round(d, game(Some(Defence::GrandFez), true)), Impossible::Score),
];

fn change_use(diagram: &mut Diagram, change: impl Fn(&mut Values, &mut u8)) {
    if let Phase::Use { values, off, .. } = &mut diagram.phase {
        change(values, off);
    }
}

/// Lets Blue lead from a hand that still has all six cards but one.
fn lead(diagram: &mut Diagram, lead: Lead) {
    diagram.hands[Side::Blue] = Hand::Known(cards("5dQhAs3c2s"));
    diagram.phase = Phase::Reply { leader: Side::Blue, lead };
}

fn stop_after_end(diagram: &mut Diagram) {
    diagram.phase = Phase::Over;
    diagram.stop = Some(Stop::Aborted);
}

/// Lets Red win the trick, with Blue's piece borne off.
fn swap_ovals(diagram: &mut Diagram) {
    diagram.ovals.0.swap(0, 1);
    diagram.points = BySide([points("12446"), points("455566")]);
}

fn two_off_with_one_use(diagram: &mut Diagram) {
    change_use(diagram, |_, off| *off = 2);
    diagram.points[Side::Blue] = points("1124");
}

fn round_should_be_over(diagram: &mut Diagram) {
    diagram.ovals = BySide([ovals("121"), ovals("121")]);
    diagram.points = BySide([points("66"), points("66")]);
}

fn game(defence: Option<Defence>, pips: bool) -> SideScore {
    SideScore { offence: Some(Offence::Game), defence, pips }
}

/// Gives Blue this score for the first round, and Red a gammon and the pips.
fn second_round(diagram: &mut Diagram, blue: SideScore) {
    diagram.round = 2;
    let red = SideScore { offence: Some(Offence::Gammon), defence: None, pips: true };
    assert!(diagram.scores.push(BySide([blue, red])));
    diagram.discards.known = cards("6h6h5h5h4d4d3h3h2h2hAhAh");
    diagram.discards.top = Some(card("6h"));
}

#[test]
fn every_reason_is_told_of_a_position_that_has_but_one_fault() {
    let setup = Setup::default();
    for (n, (moves, change, expected)) in CASES.iter().enumerate() {
        let position = after(&format!("{START} {moves}"));
        let mut diagram = *position.diagram();
        assert_eq!(Position::from_diagram(&setup, &diagram), Ok(position));
        change(&mut diagram);
        assert_eq!(Position::from_diagram(&setup, &diagram), Err(*expected), "case {n}");
    }
    for reason in Impossible::ALL {
        assert!(CASES.iter().any(|(_, _, expected)| expected == reason), "{reason:?} has no case");
    }
}

#[test]
fn every_rule_and_every_reason_has_an_identifier_and_a_sentence_of_its_own() {
    fn check<R: Rule>(prefix: &str) {
        for (n, rule) in R::ALL.iter().enumerate() {
            assert!(rule.id().starts_with(prefix), "{}", rule.id());
            assert!(rule.text().ends_with('.'), "{}", rule.text());
            let others = &R::ALL[..n];
            assert!(others.iter().all(|other| other.id() != rule.id() && other.text() != rule.text()));
        }
    }
    check::<assam_rules::marrakesh::Rule>("marrakesh.");
    check::<Impossible>("marrakesh.position.");
}
