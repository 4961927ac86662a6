//! The table of one game: its replay, and the consequences of the last word.

use assam_notation::{Cursor, Decision, End, Replay, Step, Word, mask_word, write_position_line};
use assam_players::{Amount, Analysis, AnalysisLine, Player, View, amounts, chance};
use assam_rules::{BySeat, Move, Pool, Ranking, Seat, Turn, Viewer};

use crate::outcome::drawn;
use crate::picture::{Moment, PictureForm, svg, terminal};
use crate::{
    AnyAnalysis, AnyDecision, AnyLine, AnyWord, ChanceOutcome, Event, Faces, NoOutcomes, Play, Probability,
    Refusal, Roll, Score, SeatScore, Show, Shown, State, Table, ends_list,
};

/// A table of the game `G`.
#[derive(Clone)]
pub(crate) struct TableOf<G: Shown> {
    replay: Replay<G>,
    /// The consequences of the last word.
    events: Vec<G::Event>,
}

impl<G: Shown> TableOf<G> {
    pub(crate) const fn new(replay: Replay<G>) -> Self {
        Self { replay, events: Vec::new() }
    }

    /// Returns the table after a step of a record.
    pub(crate) fn after(step: Step<'_, G>) -> Self {
        Self { replay: step.replay, events: step.events }
    }

    pub(crate) const fn position(&self) -> &G {
        self.replay.position()
    }

    /// Plays a word. A refused word changes nothing, and the consequences stay those of the last word.
    pub(crate) fn play(&mut self, word: &Word<G>) -> Result<(), Refusal> {
        let mut events = Vec::new();
        self.replay.play_telling(word, |event| events.push(event)).map_err(Refusal::of)?;
        self.events = events;
        Ok(())
    }

    /// Passes on every act of chance in a word: the position before it, and its outcome.
    fn each_chance(&self, word: &str, mut each: impl FnMut(&G, G::Chance)) -> Result<(), Refusal> {
        let word = Word::read(word).map_err(Refusal::syntax)?;
        let mut position = self.position().clone();
        for mv in word.moves() {
            if let Move::Chance(outcome) = mv {
                each(&position, outcome);
            }
            position.play(mv).map_err(Refusal::of_rule)?;
        }
        Ok(())
    }
}

/// Returns each seat's luck in an act of chance.
fn luck_of<G: Shown>(position: &G, outcome: G::Chance) -> BySeat<Amount> {
    let (mean, after) = chance(position, outcome);
    let (mean, after) = (amounts(&mean), amounts(&after));
    BySeat(std::array::from_fn(|seat| after.0[seat] - mean.0[seat]))
}

impl<G: Shown> Play for TableOf<G> {
    fn ply(&self) -> u32 {
        self.replay.ply()
    }

    fn next_ply(&self) -> u32 {
        self.replay.next_ply()
    }

    fn turn(&self) -> Turn {
        self.position().turn()
    }

    fn is_start_due(&self) -> bool {
        self.replay.is_start_due()
    }

    fn ends_list(&self) -> bool {
        ends_list(self.position())
    }

    fn forced(&self) -> Option<AnyDecision> {
        self.position().forced_action().map(|action| AnyDecision::of(Decision::<G>::Action(action)))
    }

    fn replay(&mut self, word: &str) -> Result<(), Refusal> {
        self.play(&Word::read(word).map_err(Refusal::syntax)?)
    }

    fn describe(&self, word: &str) -> Result<AnyWord<'static>, Refusal> {
        let word = Word::read(word).map_err(Refusal::syntax)?;
        Ok(AnyWord::of(self.position(), &word, word.text()))
    }

    fn decide(
        &mut self,
        decision: Option<&AnyDecision>,
        draw: &mut dyn FnMut(Pool, u64) -> u64,
    ) -> Result<AnyWord<'static>, Refusal> {
        let read = |decision: &AnyDecision| Decision::read(&mut Cursor::new(decision.text().as_bytes()));
        let decision = decision.map(read).transpose().map_err(Refusal::syntax)?;
        let word = self.replay.draw_word_from(decision, draw).map_err(Refusal::of)?;
        let any = AnyWord::of(self.position(), &word, word.text());
        self.play(&word)?;
        Ok(any)
    }

    fn redraw_open(
        &self,
        word: &str,
        draw: &mut dyn FnMut(u64) -> u64,
    ) -> Result<Vec<(u32, String)>, Refusal> {
        let word = Word::read(word).map_err(Refusal::syntax)?;
        let mut again = Vec::new();
        self.replay.redraw_open(&word, draw, |place, chance| {
            let mut text = String::new();
            G::write_chance(chance, &mut text);
            again.push((place as u32 + 1, text));
        });
        Ok(again)
    }

    fn outcomes(&self, word: Option<&str>, most: usize) -> Result<Vec<ChanceOutcome>, NoOutcomes> {
        let word = match word {
            Some(word) => Word::read(word).map_err(|error| NoOutcomes::Refused(Refusal::syntax(error)))?,
            None if self.is_start_due() => Word { decision: None, chance: G::Drawn::default() },
            None => {
                let table: Box<dyn Table> = Box::new(self.clone());
                return Ok(vec![ChanceOutcome { word: None, probability: Probability::CERTAIN, table }]);
            }
        };
        let outcome = |(word, probability): (Word<G>, Probability)| {
            let mut table = Box::new(self.clone());
            table.play(&word).map_err(NoOutcomes::Refused)?;
            Ok(ChanceOutcome { word: Some(word.text()), probability, table })
        };
        drawn(self.position(), word, most)?.into_iter().map(outcome).collect()
    }

    fn replay_masked(&mut self, word: &str, viewer: Viewer, is_last: bool) -> Result<String, Refusal> {
        let word = Word::read(word).map_err(Refusal::syntax)?;
        let masked = mask_word(self.position(), &word, viewer, is_last).text();
        self.play(&word)?;
        Ok(masked)
    }

    fn legal_moves(&self, viewer: Viewer) -> Option<Vec<String>> {
        let actions = self.position().legal_actions_for(viewer)?;
        Some(actions.iter().map(|action| action_text::<G>(*action)).collect())
    }

    fn choices(&self) -> Option<Vec<String>> {
        let view = View::new(self.position())?;
        Some(view.actions().iter().map(|action| action_text::<G>(*action)).collect())
    }

    fn choose(&self, player: Player, draw: &mut dyn FnMut(Pool, u64) -> u64) -> Option<AnyDecision> {
        let pool = self.choice_pool(player);
        let action = self.position().decision_of(player, &mut |range| draw(pool, range))?;
        Some(AnyDecision::of(Decision::<G>::Action(action)))
    }

    fn choice_pool(&self, player: Player) -> Pool {
        self.position().choice_pool_of(player)
    }

    fn analyse(&self, nodes: u64) -> Option<AnyAnalysis> {
        let analysis = G::analyse(&View::new(self.position())?, nodes, None);
        let evaluated = analysis.nodes;
        Some(AnyAnalysis { lines: any_lines(analysis, G::seats(self.position().setup())), nodes: evaluated })
    }

    fn luck(&self, word: &str) -> Result<Vec<Amount>, Refusal> {
        let mut sums = vec![Amount::default(); G::seats(self.position().setup()).into()];
        self.each_chance(word, |position, outcome| {
            for (sum, luck) in sums.iter_mut().zip(luck_of(position, outcome).0) {
                *sum += luck;
            }
        })?;
        Ok(sums)
    }

    fn thrown(&self, word: &str) -> Result<Vec<Faces>, Refusal> {
        let mut dice = Vec::new();
        self.each_chance(word, |position, outcome| {
            dice.extend(position.thrown(outcome).into_iter().map(|(_, faces)| faces));
        })?;
        Ok(dice)
    }

    fn rolls(&self, word: &str) -> Result<Vec<Roll>, Refusal> {
        let (mut rolls, ply) = (Vec::new(), self.next_ply());
        self.each_chance(word, |position, outcome| {
            let thrown = position.thrown(outcome);
            if !thrown.is_empty() {
                rolls.push(Roll { ply, thrown, luck: luck_of(position, outcome) });
            }
        })?;
        Ok(rolls)
    }

    fn is_masked(&self) -> bool {
        self.replay.is_masked()
    }

    fn marker(&self) -> String {
        End::of(self.position()).text()
    }
}

impl<G: Shown> Show for TableOf<G> {
    fn state(&self) -> State {
        State::of(&self.position().state())
    }

    fn score(&self) -> Score {
        let position = self.position();
        let scores = position.scores();
        let seats = Seat::all(scores.len() as u8).zip(&scores);
        let seat_score = |(seat, &total): (Seat, &i32)| SeatScore {
            seat: seat.number(),
            total,
            parts: position.score_parts(seat),
            tie_breaks: position.tie_breaks(seat),
        };
        Score {
            over: position.turn().is_end(),
            ranking: position.ranking().as_ref().map(groups),
            seats: seats.map(seat_score).collect(),
            scores: scores.to_vec(),
        }
    }

    fn events(&self) -> Vec<Event> {
        self.events.iter().map(|event| Event::of(&G::shown_event(event))).collect()
    }

    fn svg(&self, moment: &Moment, form: &PictureForm) -> String {
        let position = self.position();
        let legal = if form.marks_legal { position.choices() } else { Vec::new() };
        svg::render(&position.picture(moment, &self.score(), legal), form)
    }

    fn screen(&self, moment: &Moment, width: usize) -> String {
        terminal::render(&self.position().picture(moment, &self.score(), Vec::new()), width)
    }

    fn position_line(&self) -> String {
        write_position_line(self.position())
    }

    fn hides_something(&self) -> bool {
        let position = self.position();
        position.has_unknown() || position.masked(Viewer::Spectator, false) != *position
    }
}

impl<G: Shown> Table for TableOf<G> {
    fn fork(&self) -> Box<dyn Table> {
        Box::new(self.clone())
    }
}

/// Returns a decision in notation.
pub(crate) fn action_text<G: Shown>(action: G::Action) -> String {
    let mut text = String::new();
    G::write_action(action, &mut text);
    text
}

/// Returns the lines of an analysis in notation.
pub(crate) fn any_lines<G: Shown>(analysis: Analysis<G>, seats: u8) -> Vec<AnyLine> {
    let line = |line: AnalysisLine<G>| {
        let amounts = amounts(&line.equity);
        AnyLine {
            decision: action_text::<G>(line.action),
            equity: Seat::all(seats).map(|seat| amounts[seat].into()).collect(),
        }
    };
    analysis.lines.into_iter().map(line).collect()
}

/// Returns groups of seat numbers, best first.
fn groups(ranking: &Ranking) -> Vec<Vec<u8>> {
    ranking.0.iter().map(|group| group.iter().map(|seat| seat.number()).collect()).collect()
}
