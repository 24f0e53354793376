//! Bounded knowledge: a template that must hold for every subset of so many columns (`of = { any = 3 }`).
//!
//! A [`Cover`] keeps few sets of columns instead of every subset. A template that holds for some columns holds for each
//! subset of them, so one set of all columns speaks for every subset as long as no candidate breaks it. Once one
//! does, the set is replaced by smaller ones that together still contain every subset:
//!
//! | any 2 of | sets |
//! |---|---|
//! | a b c d e f | {a b c d e f} |
//! | split once: without {a d}, {b e}, {c f} | {b c e f} {a c d f} {a b d e} |
//! | one of them split again | … {b c e} {c e f} … |
//!
//! With `n + 1` blocks of columns, a subset of `n` misses at least one block, so it is within the set without it.
//! Only sets of `n` columns decide against a candidate.
//!
//! Invariant: every subset is within a set, and every set meets the templates.
//!
//! The loss of a refinement is measured on the sets as they are, so it leads away from small groups long before a subset
//! is at its bound.
//!
//! # Cost
//! Sets are split only where a candidate breaks them, and whether a part of a set would be broken too is told from the
//! groups of the set, so only parts that are kept are built: few if few subsets bind. The levels of every subset, which
//! the search does without, are counted once at the end ([`replay`]) from the rows that differ in the release.

use std::collections::VecDeque;
use std::ops::Range;

use hashbrown::{HashMap, HashSet};
use rayon::prelude::*;

use scumble_progress::Work;

use crate::guard::{Guard, Use};
use crate::projection::Rows;
use crate::values::{CandidateId, NO_VALUE, ROOT, Refinement, ValueId, Values};
use scumble_level::Cell;
use scumble_level::Spec;

/// Sets of columns that together contain every subset of so many of them.
#[derive(Debug)]
pub(crate) struct Cover<'t> {
    /// How many columns a subset has.
    known: usize,
    sets: Vec<Set<'t>>,
    work: Work<'t>,
}

/// Some columns, as places among the quasi columns, and the groupings on them: one for each thing that the templates tell
/// rows apart by.
#[derive(Debug)]
struct Set<'t> {
    columns: Vec<usize>,
    guards: Vec<Guard<'t>>,
}

impl<'t> Cover<'t> {
    /// One set of all columns, or smaller ones where that does not meet the templates. Most masked, the rows of the table
    /// all look alike, but a person of a population may be outside the range of one column and inside another's.
    pub fn new(known: usize, columns: Vec<usize>, guards: Vec<Guard<'t>>, values: &[Values], work: Work<'t>) -> Self {
        let mut cover = Cover {
            known,
            sets: vec![Set { columns, guards }],
            work,
        };
        let is_met = |guard: &Guard| guard.is_met_by(&guard.all_levels());
        let is_broken = |set: &Set| !set.guards.iter().all(is_met);
        let is_broken = |part: &Part, sets: &[Set<'t>]| match part.is_whole(sets) {
            true => is_broken(&sets[part.of]),
            false => is_broken(&part.build(sets, values)),
        };
        if let Some(parts) = cover.plan(is_broken) {
            cover.keep(parts, values);
        }
        cover
    }

    /// The sets that would do after a candidate, those that it breaks being split; `None` if the templates do not hold for
    /// every subset.
    pub fn sets_after(&self, column: usize, candidate: CandidateId, values: &[Values]) -> Option<Vec<Part>> {
        self.plan(|part, sets| part.is_broken_by(sets, column, candidate, values))
    }

    /// The sets that would do: all that are not broken, and parts of those that are. `None` if a subset is broken, or it should
    /// stop.
    fn plan(&self, is_broken: impl Fn(&Part, &[Set<'t>]) -> bool) -> Option<Vec<Part>> {
        let mut open: VecDeque<Part> = (0..self.sets.len()).map(|set| Part::whole(&self.sets, set)).collect();
        let mut kept: Vec<Part> = Vec::new();
        let blocks = self.known + 1;
        while let Some(part) = open.pop_front() {
            if self.work.should_stop() {
                return None;
            }
            if !is_broken(&part, &self.sets) {
                kept.push(part);
                continue;
            }
            if part.columns.len() <= self.known {
                return None;
            }
            for block in 0..blocks {
                let smaller = part.without(|place| place % blocks == block);
                if !kept.iter().chain(&open).any(|other| smaller.is_within(other)) {
                    open.push_back(smaller);
                }
            }
        }
        Some(kept)
    }

    /// Keeps these parts of the sets, as far as it gets if it should stop: then nothing is made of them any more.
    pub fn keep(&mut self, parts: Vec<Part>, values: &[Values]) {
        let is_built = |part: &Part| !part.is_whole(&self.sets) && !self.work.should_stop();
        let build = |part: &Part| is_built(part).then(|| part.build(&self.sets, values));
        let built: Vec<Option<Set>> = parts.par_iter().map(build).collect();
        let mut sets: Vec<Option<Set>> = std::mem::take(&mut self.sets).into_iter().map(Some).collect();
        let parts = parts.iter().zip(built);
        self.sets = parts
            .filter_map(|(part, built)| built.or_else(|| sets[part.of].take()))
            .collect();
    }

    /// Splits the groups of all sets, as far as it gets if it should stop.
    pub fn apply(&mut self, column: usize, refinement: &Refinement, values: &[Values]) {
        let work = self.work;
        let guards = self.sets.par_iter_mut().flat_map(|set| &mut set.guards);
        guards
            .filter(|_| !work.should_stop())
            .for_each(|guard| guard.apply(column, refinement, values));
    }

    /// The groupings, which are on more columns than a subset has unless they had to be split: their levels are at most as
    /// good as those of the subsets.
    pub fn guards(&self) -> impl Iterator<Item = &Guard<'t>> {
        self.sets.iter().flat_map(|set| &set.guards)
    }
}

/// Some of the columns of a set.
#[derive(Debug)]
pub(crate) struct Part {
    /// The place of the set.
    of: usize,
    /// The places of the columns in it.
    places: Vec<usize>,
    /// The columns, as places among the quasi columns.
    columns: Vec<usize>,
}

impl Part {
    fn whole(sets: &[Set], of: usize) -> Part {
        let columns = sets[of].columns.clone();
        Part {
            of,
            places: (0..columns.len()).collect(),
            columns,
        }
    }

    fn is_whole(&self, sets: &[Set]) -> bool {
        self.columns.len() == sets[self.of].columns.len()
    }

    /// Without the columns at some places.
    fn without(&self, is_out: impl Fn(usize) -> bool) -> Part {
        let stays = || (0..self.columns.len()).filter(|&place| !is_out(place));
        Part {
            of: self.of,
            places: stays().map(|place| self.places[place]).collect(),
            columns: stays().map(|place| self.columns[place]).collect(),
        }
    }

    fn is_within(&self, other: &Part) -> bool {
        self.columns.iter().all(|column| other.columns.contains(column))
    }

    /// The set of these columns.
    fn build<'t>(&self, sets: &[Set<'t>], values: &[Values]) -> Set<'t> {
        let set = &sets[self.of];
        let alike: Vec<Vec<u32>> = set
            .columns
            .iter()
            .map(|&column| values[column].alike_for_good())
            .collect();
        let narrow = |guard: &Guard<'t>| {
            let rows = guard.rows.coarsen(&alike).narrow(&self.places);
            Guard::new(guard.checks.clone(), self.columns.clone(), rows, values, Use::Groups)
        };
        Set {
            guards: set.guards.iter().map(narrow).collect(),
            columns: self.columns.clone(),
        }
    }

    /// Whether a candidate breaks a template on these columns.
    fn is_broken_by(&self, sets: &[Set], column: usize, candidate: CandidateId, values: &[Values]) -> bool {
        if !self.columns.contains(&column) {
            return false;
        }
        let set = &sets[self.of];
        if self.is_whole(sets) {
            return set.is_broken_by(column, candidate);
        }
        // A person of a population may look like nobody on the set, and like somebody on a part of it.
        if set.guards.iter().any(Guard::has_people) {
            return self.build(sets, values).is_broken_by(column, candidate);
        }
        let is_broken = |guard: &Guard| self.breaks(guard, column, candidate, &values[column]);
        set.guards.iter().any(is_broken)
    }

    /// The same, told from the groups of the set: those that agree on these columns are one group here.
    fn breaks(&self, guard: &Guard, column: usize, candidate: CandidateId, values: &Values) -> bool {
        let Some(place) = guard.place(column) else { return false };
        let mut parts: HashMap<(Vec<ValueId>, u32), Vec<Cell>> = HashMap::new();
        for &group in guard.showing(place, values.refined_by(candidate)) {
            let group = &guard.groups[group as usize];
            let key: Vec<ValueId> = self.places.iter().map(|&place| group.values[place]).collect();
            for (child, cells) in values.children_of_group(candidate, &group.cells, &group.parts[place]) {
                parts.entry((key.clone(), child)).or_default().extend(cells);
            }
        }
        let is_broken = |cells: &mut Vec<Cell>| !guard.is_met_by(&guard.levels_of(merged(cells)));
        parts.values_mut().any(is_broken)
    }
}

impl Set<'_> {
    fn is_broken_by(&self, column: usize, candidate: CandidateId) -> bool {
        let is_broken = |guard: &Guard| {
            let place = guard.place(column);
            place.is_some_and(|place| !guard.is_met_by(&guard.worst_parts(place, candidate)))
        };
        self.guards.iter().any(is_broken)
    }
}

/// Adds up the cells of each category.
fn merged(cells: &mut Vec<Cell>) -> &[Cell] {
    cells.sort_unstable_by_key(|cell| cell.category);
    cells.dedup_by(|next, kept| {
        let same = next.category == kept.category;
        kept.weight += if same { next.weight } else { 0 };
        same
    });
    cells
}

/// A refinement as made, or as it would be.
#[derive(Debug)]
pub(crate) struct Made {
    pub column: usize,
    pub refinement: Refinement,
}

/// For each code, the first one that shows the same.
pub(crate) fn alike(shown: &[ValueId]) -> Vec<u32> {
    let mut first: HashMap<ValueId, u32> = HashMap::new();
    let representative = |(code, &value): (usize, &ValueId)| match value {
        // People who look like nobody did not all cease to at the same refinement.
        NO_VALUE => code as u32,
        value => *first.entry(value).or_insert(code as u32),
    };
    shown.iter().enumerate().map(representative).collect()
}

/// What the columns of a quasi-identifier showed over time.
#[derive(Debug)]
pub(crate) struct Course<'h> {
    /// The columns, as places among the quasi columns.
    pub columns: &'h [usize],
    /// For each column, the codes that its most masked value covers.
    pub roots: Vec<Range<u32>>,
    /// All refinements, in order.
    pub made: &'h [Made],
    /// For each column, the refinement that it would make next.
    pub next: Vec<Option<Made>>,
}

/// The worst levels over every subset.
#[derive(Debug)]
pub(crate) struct Replayed {
    /// For each check, the level before the first refinement and after each.
    pub levels: Vec<Vec<f64>>,
    /// For each column of the course, the level of each check after its next refinement, in the subsets with it.
    pub after_next: Vec<Vec<f64>>,
}

/// Makes all refinements again on every subset, unless it should stop. `rows` may be collapsed as far as the course tells them apart.
pub(crate) fn replay(spec: &Spec, rows: Rows<'static>, course: &Course, work: Work) -> Replayed {
    let known = spec.any.unwrap_or(course.columns.len());
    let best = || Replayed {
        levels: spec
            .checks
            .iter()
            .map(|check| vec![check.sense.best(); course.made.len() + 1])
            .collect(),
        after_next: vec![spec.checks.iter().map(|check| check.sense.best()).collect(); course.columns.len()],
    };
    let worse = |mut a: Replayed, b: Replayed| {
        for ((check, a), b) in spec.checks.iter().zip(&mut a.levels).zip(b.levels) {
            a.iter_mut().zip(b).for_each(|(a, b)| *a = check.sense.worse(*a, b));
        }
        for (a, b) in a.after_next.iter_mut().zip(b.after_next) {
            let levels = spec.checks.iter().zip(a).zip(b);
            levels.for_each(|((check, a), b)| *a = check.sense.worse(*a, b));
        }
        a
    };
    rows_of_subsets(rows, course.columns.len(), known, work)
        .into_par_iter()
        .filter(|_| !work.should_stop())
        .map(|(subset, rows)| Replay::new(spec, course, subset, rows).run(best(), work))
        .reduce(best, worse)
}

/// The rows on each subset of the columns, collapsed. Sets are narrowed by blocks, as a [`Cover`] does it, so that most of
/// the work is done on few rows.
fn rows_of_subsets(rows: Rows<'static>, columns: usize, known: usize, work: Work) -> Vec<(Vec<usize>, Rows<'static>)> {
    let mut sets: Vec<(Vec<usize>, Rows)> = vec![((0..columns).collect(), rows)];
    while sets.iter().any(|(set, _)| set.len() > known) {
        let mut seen: HashSet<Vec<usize>> = HashSet::new();
        let mut planned: Vec<(usize, Vec<usize>)> = Vec::new();
        for (parent, (set, _)) in sets.iter().enumerate() {
            let blocks = if set.len() > known { known + 1 } else { 1 };
            for block in 0..blocks {
                let places = (0..set.len()).filter(|place| blocks == 1 || place % blocks != block);
                let places: Vec<usize> = places.collect();
                if seen.insert(places.iter().map(|&place| set[place]).collect()) {
                    planned.push((parent, places));
                }
            }
        }
        let narrow = |(parent, places): (usize, Vec<usize>)| {
            let (set, rows): &(Vec<usize>, Rows) = &sets[parent];
            let columns = places.iter().map(|&place| set[place]).collect();
            (columns, rows.narrow(&places))
        };
        let planned = planned.into_par_iter().filter(|_| !work.should_stop());
        sets = planned.map(narrow).collect();
    }
    sets
}

/// Makes all refinements again, on one subset of the columns.
struct Replay<'s, 't> {
    spec: &'s Spec<'t>,
    course: &'s Course<'s>,
    /// The columns of the subset, as places in the course.
    set: Vec<usize>,
    rows: Rows<'static>,
    /// The rows of each group; none once it was split.
    groups: Vec<(Vec<ValueId>, Vec<u32>)>,
    /// For each column and value, the groups that showed it.
    showing: Vec<HashMap<ValueId, Vec<usize>>>,
}

impl<'s, 't> Replay<'s, 't> {
    fn new(spec: &'s Spec<'t>, course: &'s Course<'s>, set: Vec<usize>, rows: Rows<'static>) -> Self {
        let is_covered = |row: &u32| {
            let mut columns = set.iter().zip(&rows.codes);
            columns.all(|(&place, codes)| course.roots[place].contains(&codes.at(*row as usize)))
        };
        let everyone = (0..rows.count as u32).filter(is_covered).collect();
        let mut replay = Replay {
            spec,
            course,
            groups: Vec::new(),
            showing: vec![HashMap::new(); set.len()],
            set,
            rows,
        };
        replay.add(vec![ROOT; replay.set.len()], everyone);
        replay
    }

    fn add(&mut self, values: Vec<ValueId>, rows: Vec<u32>) {
        for (showing, &value) in self.showing.iter_mut().zip(&values) {
            showing.entry(value).or_default().push(self.groups.len());
        }
        self.groups.push((values, rows));
    }

    /// Fills in what this subset has to say.
    fn run(mut self, mut found: Replayed, work: Work) -> Replayed {
        let mut worst = self.levels_of(&self.groups[0].1);
        let all = self.course;
        for step in 0..=all.made.len() {
            if work.should_stop() {
                return found;
            }
            if let Some(place) = step.checked_sub(1).and_then(|last| self.place(&all.made[last])) {
                let parts = self.split(place, &all.made[step - 1].refinement);
                self.worsen(&mut worst, &parts);
            }
            found
                .levels
                .iter_mut()
                .zip(&worst)
                .for_each(|(levels, &worst)| levels[step] = worst);
        }
        for place in 0..self.set.len() {
            if let Some(next) = &all.next[self.set[place]] {
                let parts = self.parts(place, &next.refinement);
                let parts: Vec<Vec<f64>> = parts.iter().map(|(_, rows)| self.levels_of(rows)).collect();
                self.worsen(&mut found.after_next[self.set[place]], &parts);
            }
        }
        found
    }

    /// The place of the column of a refinement.
    fn place(&self, made: &Made) -> Option<usize> {
        self.set
            .iter()
            .position(|&place| self.course.columns[place] == made.column)
    }

    fn worsen(&self, worst: &mut [f64], parts: &[Vec<f64>]) {
        for levels in parts {
            let levels = self.spec.checks.iter().zip(&mut *worst).zip(levels);
            levels.for_each(|((check, worst), &level)| *worst = check.sense.worse(*worst, level));
        }
    }

    /// Splits the groups that show the refined value; the levels of the parts.
    fn split(&mut self, place: usize, refinement: &Refinement) -> Vec<Vec<f64>> {
        let parts = self.parts(place, refinement);
        for group in self.showing[place].remove(&refinement.value).unwrap_or_default() {
            self.groups[group].1 = Vec::new();
        }
        let levels = parts.iter().map(|(_, rows)| self.levels_of(rows)).collect();
        parts.into_iter().for_each(|(values, rows)| self.add(values, rows));
        levels
    }

    /// The groups that the refinement makes of those that show the value.
    fn parts(&self, place: usize, refinement: &Refinement) -> Vec<(Vec<ValueId>, Vec<u32>)> {
        let mut all = Vec::new();
        for &group in self.showing[place].get(&refinement.value).into_iter().flatten() {
            let (values, rows) = &self.groups[group];
            let mut parts = vec![Vec::new(); refinement.into.len() + 1];
            for &row in rows {
                let code = self.rows.codes[place].at(row as usize) - refinement.codes.start;
                parts[refinement.child_of[code as usize] as usize].push(row);
            }
            for (&value, rows) in refinement.into.iter().zip(parts).filter(|(_, rows)| !rows.is_empty()) {
                let mut values = values.clone();
                values[place] = value;
                all.push((values, rows));
            }
        }
        all
    }

    fn levels_of(&self, rows: &[u32]) -> Vec<f64> {
        let cell = |&row: &u32| Cell {
            slot: 0,
            category: self.rows.category(row),
            weight: self.rows.weight(row),
        };
        let mut cells: Vec<Cell> = rows.iter().map(cell).collect();
        let cells = merged(&mut cells);
        self.spec.checks.iter().map(|check| check.level(cells)).collect()
    }
}
