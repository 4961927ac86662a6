//! The law of blindness: a viewer sees the position of the record masked for them.

use assam_referee::ends_list;
use assam_rules::marrakesh::{Action, Phase, Position, Side};
use assam_rules::{Game, Move, Seat, Turn, Viewer};

use super::super::for_every_seed;
use super::{MATCHES, Table, shown};

/// A viewer, and the position of their record.
struct Eyes {
    viewer: Viewer,
    masked: Position,
    /// The state before a lead that they cannot see.
    before_lead: Option<(Position, Move<Position>)>,
}

impl Eyes {
    fn new(viewer: Viewer, start: &Position) -> Self {
        Self { viewer, masked: start.clone(), before_lead: None }
    }

    /// Continues the record with this move, made in `full`.
    fn follow(&mut self, full: &Position, mv: Move<Position>) {
        if matches!(mv, Move::Action(_) | Move::Leave(_))
            && let Some((before, lead)) = self.before_lead.take()
        {
            // The next decision opens the lead, so the record continues from before it with the card in its
            // place.
            self.masked = before;
            self.masked.play(lead).unwrap();
        }
        let masked = full.mask(mv, self.viewer);
        if masked == Move::Action(Action::LeadUnknown) {
            self.before_lead = Some((self.masked.clone(), mv));
        }
        self.masked.play(masked).unwrap();
    }
}

#[test]
fn a_view_is_that_of_the_position_of_the_record_masked_for_its_viewer() {
    let hidden = for_every_seed(MATCHES, |seed| {
        let table = Table::new(seed);
        let viewers = [Viewer::Seat(Seat::FIRST), Viewer::Seat(Seat::new(2).unwrap()), Viewer::Spectator];
        let mut eyes = viewers.map(|viewer| Eyes::new(viewer, &table.position));
        let mut arbiter = Eyes::new(Viewer::Arbiter, &table.position);
        let mut hidden = 0;
        table.play(|before, mv, _, after, _| {
            arbiter.follow(before, mv);
            assert_eq!(arbiter.masked, *after);
            for eyes in &mut eyes {
                eyes.follow(before, mv);
                let (viewer, masked) = (eyes.viewer, &eyes.masked);
                assert_eq!(masked.turn(), after.turn());
                assert_eq!(masked.scores(), after.scores());
                assert_eq!(masked.ranking(), after.ranking());
                assert_eq!(ends_list(masked), ends_list(after), "decided from what everybody knows");
                assert_eq!(masked.deck(), after.deck());
                // After the match, nothing is masked.
                if matches!(after.turn(), Turn::Player(_) | Turn::Chance) {
                    assert_eq!(shown(masked, viewer), shown(after, viewer));
                    hidden += u64::from(masked != after);
                } else {
                    assert_eq!(shown(after, viewer), shown(after, Viewer::Arbiter));
                }
                // Only players know their choices, but everyone knows those of movement.
                let is_in_use = matches!(after.diagram().phase, Phase::Use { .. });
                if let Turn::Player(seat) = after.turn()
                    && (is_in_use || viewer == Viewer::Seat(seat))
                {
                    let of_hand = Side::of(seat).map(|side| masked.diagram().hands[side].known().faces());
                    let cards = of_hand.into_iter().flatten().map(Action::Play).collect();
                    let expected = if is_in_use { masked.legal_actions() } else { cards };
                    assert_eq!(after.legal_actions(), expected);
                }
                if after.turn() != Turn::Chance {
                    let read = Position::from_diagram(masked.setup(), masked.diagram());
                    assert_eq!(read.as_ref(), Ok(masked));
                }
            }
        });
        hidden
    });
    assert!(hidden > 120_000, "{hidden}");
}

#[test]
fn a_list_goes_on_only_behind_decisions_that_leave_the_turn_where_it_is() {
    let goes_on = for_every_seed(MATCHES, |seed| {
        let mut goes_on = 0;
        Table::new(seed).play(|before, mv, _, after, _| {
            let Move::Action(action) = mv else { return };
            if !ends_list(before) {
                goes_on += 1;
                assert_eq!(after.turn(), before.turn(), "{action:?} in {before:?}");
                assert!(matches!(action, Action::Use { .. }), "leads and replies open or hide a card");
            }
        });
        goes_on
    });
    assert!(goes_on > 8_000, "{goes_on}");
}
