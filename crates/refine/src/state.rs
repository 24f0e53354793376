//! The [`State`] of a search: the masked table at some point of it, and what each candidate would bring.

use rayon::prelude::*;
use scumble_level::{Spec, specs};
use scumble_privacy::{Sense, Template};
use scumble_progress::{Interrupted, Level, Work};
use scumble_table::{Codes, Mask};

use crate::bounded::{self, Course, Cover, Made, Replayed};
use crate::budget::{After, Budget, CheckLevels, LevelsAfter, fold};
use crate::guard::{Guard, Use};
use crate::join::JoinGuard;
use crate::objective::rank;
use crate::problem::Problem;
use crate::setup::{guards, on_join, own_rows, places};
use crate::trace::Step;
use crate::values::{CandidateId, Refinement, Values};

/// A candidate with what it would bring.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Proposal {
    pub column: usize,
    /// Its place among the candidates of the column, which decides ties.
    place: usize,
    pub candidate: CandidateId,
    gain: f64,
    loss: f64,
    pub score: f64,
}

/// The masked table at some point of the search.
pub(crate) struct State<'t> {
    pub problem: &'t Problem<'t>,
    pub values: Vec<Values<'t>>,
    pub guards: Vec<Guard<'t>>,
    /// One for each template that the join decides.
    pub joins: Vec<JoinGuard<'t>>,
    pub budget: Budget,
    /// The templates of bounded knowledge.
    pub bounded: Vec<Bounded<'t>>,
    /// All refinements made.
    made: Vec<Made>,
    /// Whether templates of different kinds must be weighed against each other.
    kinds_mix: bool,
    /// The certainty penalties of all quasi cells, added up.
    penalties: f64,
    /// For each quasi column whether it is in a template.
    masked: Vec<bool>,
    work: Work<'t>,
}

/// Templates that hold for every subset of the same columns.
pub(crate) struct Bounded<'t> {
    pub specs: Vec<Spec<'t>>,
    /// The columns, as places among the quasi columns.
    pub columns: Vec<usize>,
    cover: Cover<'t>,
}

impl<'t> State<'t> {
    /// Most masked.
    ///
    /// # Errors
    /// [`Interrupted`] if it should stop.
    pub fn new(problem: &'t Problem<'t>, work: Work<'t>) -> Result<Self, Interrupted> {
        let table = problem.table;
        let class = problem.class.map(|id| table.column(id));
        let values: Vec<Values> = problem
            .quasi
            .par_iter()
            .map(|quasi| Values::new(table.column(quasi.id), &quasi.operation, class, problem.objective))
            .collect();
        work.go_on()?;
        let has_budget = problem.rows_left_out_at_most > 0;
        // Which rows a subset leaves out concerns every other, so with a budget each is a grouping of its own.
        let on_join = on_join(problem);
        let elsewhere = [&on_join[..], &problem.elsewhere].concat();
        let specs = specs(table, problem.requirement, has_budget, &elsewhere);
        let (bounded, exact): (Vec<Spec>, Vec<Spec>) = specs.into_iter().partition(|spec| spec.any.is_some());
        let (guards, kind_of) = guards(problem, exact, &values);
        work.go_on()?;
        let bounded = Bounded::all(problem, bounded, &values, work);
        work.go_on()?;
        let joins = on_join
            .par_iter()
            .map(|&number| JoinGuard::new(problem, number, &values, work))
            .collect();
        let templates = &problem.requirement.templates;
        let of_templates = templates
            .iter()
            .map(|template| places(problem, &template.of.columns).into_iter().collect())
            .collect();
        let mut kinds = templates.iter().filter(|template| problem.weigh.takes(template));
        let first = kinds.next().map(Template::kind);
        let masked = problem.masked();
        let penalties = values.iter().zip(&masked).filter(|(_, masked)| **masked);
        let penalties = penalties.map(|(values, _)| values.penalty_at_first()).sum();
        Ok(State {
            problem,
            budget: Budget::new(problem.rows_left_out_at_most, kind_of, &guards, of_templates),
            guards,
            joins,
            bounded,
            made: Vec::new(),
            penalties,
            masked,
            work,
            kinds_mix: kinds.any(|template| Some(template.kind()) != first),
            values,
        })
    }

    /// Whether a column, given by its place among the quasi columns, is in a template.
    pub fn is_masked(&self, column: usize) -> bool {
        self.masked[column]
    }

    /// Whether the search should stop.
    pub fn should_stop(&self) -> bool {
        self.work.should_stop()
    }

    /// Whether as many refinements were made as were asked for.
    pub fn steps_are_spent(&self) -> bool {
        self.problem.steps.is_some_and(|most| self.made.len() >= most)
    }

    /// Which share of the search is done: the share of cells of masked columns that show what they will show in the end,
    /// because no candidate is left that would replace it; or of the steps that were asked for, if that is more.
    ///
    /// It never falls, and is 1 once there is no candidate. Where the search ends before, because what is left may not be made
    /// now and is not ruled out for good (on the join, within a row budget), it ends below 1.
    pub fn share(&self) -> f64 {
        let masked = self.values.iter().zip(&self.masked).filter(|(_, masked)| **masked);
        let (cells, unsettled) = masked.fold((0, 0), |(cells, unsettled), (values, _)| {
            let rows = self.problem.table.rows() as u64;
            (cells + rows, unsettled + values.rows_unsettled())
        });
        let settled = 1.0 - unsettled as f64 / cells.max(1) as f64;
        let most = self
            .problem
            .steps
            .map_or(0.0, |most| self.made.len() as f64 / most.max(1) as f64);
        settled.max(most).min(1.0)
    }

    fn check_levels(&self) -> CheckLevels {
        self.guards.iter().map(Guard::all_levels).collect()
    }

    /// The level of each template; of bounded knowledge, the level of the sets that the search keeps, which is at most as
    /// good as that of the subsets.
    fn levels(&self) -> Vec<f64> {
        let covers = self.bounded.iter().flat_map(|bounded| bounded.cover.guards());
        self.worst_of(self.guards.iter().chain(covers)).levels()
    }

    fn worst_of<'g>(&self, guards: impl Iterator<Item = &'g Guard<'t>>) -> Worst<'t>
    where
        't: 'g,
    {
        let mut all = Worst::new(&self.problem.requirement.templates);
        for guard in guards {
            let checks = guard.checks.iter().zip(guard.all_levels());
            checks.for_each(|(check, level)| all.see(check.number, level));
        }
        for join in &self.joins {
            all.see(join.number, join.level());
        }
        all
    }

    /// Levels under the names of their templates.
    pub fn told(&self, levels: &[f64]) -> Vec<Level> {
        let templates = self.problem.requirement.templates.iter().map(Template::kind);
        let told = templates
            .zip(levels)
            .map(|(template, &level)| Level { template, level });
        told.collect()
    }

    /// The levels of the table at its most masked. There only people of a population can tell subsets apart.
    ///
    /// # Errors
    /// [`Interrupted`] if it should stop.
    pub fn levels_at_start(&self) -> Result<Vec<f64>, Interrupted> {
        let mut all = self.worst_of(self.guards.iter());
        for bounded in &self.bounded {
            let course = self.course(bounded, |_| None);
            for spec in &bounded.specs {
                let replayed = self.replay(spec, &course)?;
                let checks = spec.checks.iter().zip(replayed.levels);
                checks.for_each(|(check, levels)| all.see(check.number, levels[0]));
            }
        }
        Ok(all.levels())
    }

    /// The best candidate; those that are invalid for good are dropped. None if it should stop.
    pub fn propose(&mut self) -> Option<Proposal> {
        let levels = self.levels();
        let check_levels = self.check_levels();
        let of_cover = |bounded: &Bounded| bounded.cover.guards().map(Guard::all_levels).collect();
        let cover_levels: Vec<CheckLevels> = self.bounded.iter().map(of_cover).collect();
        let (mut known, mut open) = (Vec::new(), Vec::new());
        for column in 0..self.values.len() {
            if self.work.should_stop() {
                return None;
            }
            if !self.is_masked(column) {
                continue;
            }
            let candidates: Vec<(CandidateId, f64)> = self.values[column].candidates().collect();
            let after = self
                .budget
                .levels_after(&self.guards, &self.values, column, &candidates, &check_levels);
            for (place, (&(candidate, gain), after)) in candidates.iter().zip(after).enumerate() {
                let proposal = Proposal {
                    column,
                    place,
                    candidate,
                    gain,
                    loss: 0.0,
                    score: 0.0,
                };
                match after {
                    After::Invalid { for_good: true } => self.values[column].drop_candidate(candidate),
                    After::Invalid { for_good: false } => {}
                    After::Levels(mut after) => {
                        let bounded = self.bounded.iter().zip(&cover_levels);
                        bounded.for_each(|(bounded, levels)| bounded.fold_after(column, candidate, levels, &mut after));
                        if !self.fold_joins(column, candidate, &mut after) {
                            continue;
                        }
                        known.push(self.weigh(proposal, &levels, &after));
                    }
                    After::DependsOnRows => open.push(self.weigh(proposal, &levels, &[])),
                }
            }
        }
        // Following rows is dear, so it is done only for those that could still win: without any loss a score is
        // as high as it can be.
        open.sort_by(|a, b| b.score.total_cmp(&a.score));
        let mut best = best_rank(&known);
        for proposal in open {
            if rank(proposal.score) < best || self.work.should_stop() {
                break;
            }
            let Proposal { column, candidate, .. } = proposal;
            match self
                .budget
                .follow(&self.guards, &self.values, column, candidate, &check_levels)
            {
                None if self.budget.is_for_good() => self.values[column].drop_candidate(candidate),
                None => {}
                Some(after) => known.push(self.weigh(proposal, &levels, &after)),
            }
            best = best_rank(&known);
        }
        known.sort_by_key(|proposal| (proposal.column, proposal.place));
        self.first_allowed(known)
    }

    /// Adds the levels of templates on the join after a candidate. Whether all hold; if not, a further refinement may still
    /// make them hold, so the candidate stays.
    fn fold_joins(&self, column: usize, candidate: CandidateId, after: &mut LevelsAfter) -> bool {
        let touched = self.joins.iter().filter_map(|join| Some((join, join.place(column)?)));
        touched.into_iter().all(|(join, place)| {
            let level = join.level_after(place, candidate);
            if join.is_grouped_by(place) {
                after[join.number] = Some(level);
            }
            join.template.is_met_by(level)
        })
    }

    /// The best of the proposals that templates of bounded knowledge allow; these are asked only about the best.
    fn first_allowed(&mut self, mut proposals: Vec<Proposal>) -> Option<Proposal> {
        loop {
            let best = best_rank(&proposals);
            let place = proposals.iter().position(|proposal| rank(proposal.score) == best)?;
            let Proposal { column, candidate, .. } = proposals[place];
            let values = &self.values;
            let covers = self.bounded.iter().map(|bounded| &bounded.cover);
            let sets: Option<Vec<_>> = covers
                .map(|cover| cover.sets_after(column, candidate, values))
                .collect();
            // Only where all allow it: a candidate that is refused leaves no trace.
            if let Some(sets) = sets {
                let covers = self.bounded.iter_mut().map(|bounded| &mut bounded.cover);
                covers.zip(sets).for_each(|(cover, sets)| cover.keep(sets, values));
                return Some(proposals[place]);
            }
            self.values[column].drop_candidate(candidate);
            proposals.remove(place);
        }
    }

    /// The loss and score of a proposal, given the levels after it.
    fn weigh(&self, proposal: Proposal, levels: &[f64], after: &[Option<f64>]) -> Proposal {
        let loss = self.average_loss(levels, after);
        Proposal {
            loss,
            score: self.problem.objective.score(proposal.gain, loss),
            ..proposal
        }
    }

    /// The average loss over the templates that the column is in (eq. 4.4, 5.1). With a row budget a level can get
    /// better, when a bad group is left out; that is no loss.
    ///
    /// Templates of one kind lose what their level loses. Where kinds mix, counts are taken relative to their present
    /// level, so that records do not drown shares.
    fn average_loss(&self, levels: &[f64], after: &[Option<f64>]) -> f64 {
        let templates = self.problem.requirement.templates.iter().zip(levels).zip(after);
        let weighed = templates.filter(|((template, _), _)| self.problem.weigh.takes(template));
        let losses = weighed.filter_map(|((template, &level), &after)| {
            let after = after?;
            Some(match template.sense() {
                Sense::AtMost => after - level,
                Sense::AtLeast if self.kinds_mix && level > 0.0 => (level - after) / level,
                Sense::AtLeast => level - after,
            })
        });
        let (sum, count) = losses.fold((0.0, 0u32), |(sum, count), loss| (sum + loss.max(0.0), count + 1));
        sum / f64::from(count.max(1))
    }

    /// The codes of a quasi column.
    pub fn codes(&self, column: usize) -> &Codes {
        self.problem.table.column(self.problem.quasi[column].id).codes()
    }

    /// What a column shows now.
    pub fn mask(&self, column: usize) -> Mask {
        match self.is_masked(column) {
            true => self.values[column].mask(),
            false => Mask::Exact,
        }
    }

    /// Makes a refinement.
    pub fn apply(&mut self, winner: Proposal) -> Step {
        let (value, into) = self.values[winner.column].describe(winner.candidate);
        self.penalties -= self.values[winner.column].penalty_saved(winner.candidate);
        let refinement = self.values[winner.column].refine(winner.candidate);
        self.split_groups(winner.column, &refinement);
        self.made.push(Made {
            column: winner.column,
            refinement,
        });
        Step {
            column: winner.column,
            value,
            into,
            gain: winner.gain,
            loss: winner.loss,
            score: winner.score,
            levels: self.levels(),
            information_loss: self.information_loss(),
            left_out: self.budget.rows_left_out(),
        }
    }

    /// Splits the groups that show a value which has been refined.
    pub fn split_groups(&mut self, column: usize, refinement: &Refinement) {
        let values = &self.values;
        self.guards
            .par_iter_mut()
            .for_each(|guard| guard.apply(column, refinement, values));
        self.joins
            .par_iter_mut()
            .for_each(|join| join.apply(column, refinement, values));
        for bounded in &mut self.bounded {
            bounded.cover.apply(column, refinement, values);
        }
        self.budget.settle(&mut self.guards, values);
    }

    /// The average certainty penalty of the quasi cells.
    pub fn information_loss(&self) -> f64 {
        // Many small numbers were taken away from a large one; nothing is less than nothing.
        let cells = (self.problem.table.rows() * self.values.len()).max(1);
        self.penalties.max(0.0) / cells as f64
    }

    /// What the columns of a template of bounded knowledge showed over time, and would show next.
    pub fn course<'h>(&'h self, bounded: &'h Bounded, next: impl Fn(usize) -> Option<Made>) -> Course<'h> {
        let roots = bounded
            .columns
            .iter()
            .map(|&column| self.values[column].codes_at_first());
        Course {
            columns: &bounded.columns,
            roots: roots.collect(),
            made: &self.made,
            next: bounded.columns.iter().map(|&column| next(column)).collect(),
        }
    }

    /// The levels of all subsets over time.
    ///
    /// # Errors
    /// [`Interrupted`] if it should stop.
    pub fn replay(&self, spec: &Spec, course: &Course) -> Result<Replayed, Interrupted> {
        let alike = course.columns.iter().zip(&course.next).map(|(&column, next)| {
            let mut shown = self.values[column].value_of_code().to_vec();
            if let Some(next) = next {
                next.refinement.show(&mut shown);
            }
            bounded::alike(&shown)
        });
        self.work.go_on()?;
        let (rows, _) = own_rows(self.problem, spec);
        self.work.go_on()?;
        let all: Vec<usize> = (0..course.columns.len()).collect();
        let rows = rows.coarsen(&alike.collect::<Vec<_>>());
        self.work.go_on()?;
        let rows = rows.narrow(&all);
        self.work.go_on()?;
        Ok(bounded::replay(spec, rows, course, self.work))
    }
}

fn best_rank(proposals: &[Proposal]) -> u64 {
    proposals.iter().map(|proposal| rank(proposal.score)).max().unwrap_or(0)
}

impl<'t> Bounded<'t> {
    /// One for each quasi-identifier.
    fn all(problem: &'t Problem<'t>, specs: Vec<Spec<'t>>, values: &[Values], work: Work<'t>) -> Vec<Self> {
        let mut same: Vec<Vec<Spec>> = Vec::new();
        for spec in specs {
            let is_same = |specs: &&mut Vec<Spec>| (&specs[0].columns, specs[0].any) == (&spec.columns, spec.any);
            match same.iter_mut().find(is_same) {
                Some(specs) => specs.push(spec),
                None => same.push(vec![spec]),
            }
        }
        let bounded = same.into_iter().map(|specs| Bounded::new(problem, specs, values, work));
        bounded.collect()
    }

    fn new(problem: &'t Problem<'t>, specs: Vec<Spec<'t>>, values: &[Values], work: Work<'t>) -> Self {
        let columns = places(problem, &specs[0].columns);
        let known = specs[0].any.unwrap_or(columns.len());
        let guard = |spec: &Spec<'t>| {
            let (rows, _) = own_rows(problem, spec);
            Guard::new(spec.checks.clone(), columns.clone(), rows, values, Use::Groups)
        };
        let guards = specs.iter().map(guard).collect();
        Bounded {
            cover: Cover::new(known, columns.clone(), guards, values, work),
            specs,
            columns,
        }
    }

    /// Adds the levels of the sets after a candidate, given those of now, to the levels of the templates.
    fn fold_after(&self, column: usize, candidate: CandidateId, levels: &CheckLevels, after: &mut LevelsAfter) {
        for (guard, levels) in self
            .cover
            .guards()
            .zip(levels)
            .filter(|_| self.columns.contains(&column))
        {
            match guard.place(column) {
                Some(place) => fold(guard, &guard.worst_parts(place, candidate), levels, after),
                None => fold(guard, levels, levels, after),
            }
        }
    }
}

/// The worst level seen of each template.
struct Worst<'t> {
    templates: &'t [Template],
    levels: Vec<f64>,
}

impl<'t> Worst<'t> {
    fn new(templates: &'t [Template]) -> Self {
        let levels = templates.iter().map(|template| template.sense().best()).collect();
        Worst { templates, levels }
    }

    fn see(&mut self, number: usize, level: f64) {
        self.levels[number] = self.templates[number].sense().worse(self.levels[number], level);
    }

    fn levels(self) -> Vec<f64> {
        let sensed = self.levels.into_iter().zip(self.templates);
        // Where there is no group, there is nothing to measure. On the join that is no fault: nobody can be linked.
        let is_unseen =
            |level: f64, template: &Template| level == template.sense().best() && template.joined().is_none();
        sensed
            .map(|(level, template)| if is_unseen(level, template) { 0.0 } else { level })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use scumble_privacy::{Demand, History, QuasiIdentifier, Requirement};
    use scumble_table::{Column, ColumnId, Table, ValueOrder};

    use super::*;
    use crate::objective::{Objective, Weigh};
    use crate::problem::{Operation, QuasiColumn};

    /// Of ten columns only two bind together: each value of both is frequent, one pair of values is not. Of the 120
    /// subsets of three columns, eight hold both; the search keeps a few sets instead of all.
    #[test]
    fn bounded_knowledge_keeps_few_sets_where_few_subsets_bind() {
        let rows = 20_000u32;
        let bit = |row: u32, column: u32| row.wrapping_mul(0x9E37_79B9).rotate_left(3 * column) >> 31;
        // The first two columns are almost always equal, the others flip coins.
        let cell = |row: u32, column: u32| match column {
            1 if row.is_multiple_of(1000) => 1 - bit(row, 0),
            1 => bit(row, 0),
            _ => bit(row, column),
        };
        let column = |at: u32| {
            let cells: Vec<String> = (0..rows).map(|row| cell(row, at).to_string()).collect();
            Column::from_cells(
                &format!("c{at}"),
                ValueOrder::Natural,
                cells.iter().map(|cell| Some(&cell[..])),
            )
        };
        let table = Table::new(rows as usize, (0..10).map(column).collect());
        let columns: Vec<ColumnId> = (0..10).map(ColumnId).collect();
        let requirement = Requirement {
            templates: vec![Template {
                of: QuasiIdentifier {
                    columns: columns.clone(),
                    any: Some(3),
                },
                demand: Demand::Anonymity { k: 50, per: vec![] },
            }],
        };
        let quasi = columns.iter().map(|&id| QuasiColumn {
            id,
            operation: Operation::Suppress,
        });
        let problem = Problem {
            table: &table,
            populations: &[],
            history: &History::default(),
            quasi: quasi.collect(),
            class: None,
            requirement: &requirement,
            elsewhere: Vec::new(),
            objective: Objective::Distortion,
            weigh: Weigh::All,
            rows_left_out_at_most: 0,
            steps: None,
        };
        let mut state = State::new(&problem, Work::unwatched()).unwrap();
        while let Some(winner) = state.propose() {
            state.apply(winner);
        }
        // Nine columns are shown, and so is one of the two that bind.
        assert_eq!(
            state
                .made
                .iter()
                .map(|made| made.column)
                .collect::<std::collections::BTreeSet<_>>()
                .len(),
            9
        );
        let sets = state.bounded[0].cover.guards().count();
        assert!(sets <= 12, "{sets} sets for 120 subsets");
    }
}
