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
//! Sets are split only where a candidate breaks them: few if few subsets bind. The levels of every subset, which
//! the search does without, are counted once at the end ([`levels`]) from the rows that differ in the release.

use std::borrow::Cow;
use std::ops::Range;

use hashbrown::HashMap;
use rayon::prelude::*;
use scumble_table::Codes;

use crate::checks::{Check, Spec, subsets};
use crate::guard::Guard;
use crate::measure::Cell;
use crate::projection::Rows;
use crate::values::{CandidateId, NO_VALUE, ROOT, Refinement, ValueId, Values};

/// Sets of columns that together contain every subset of so many of them.
#[derive(Debug)]
pub(crate) struct Cover<'t> {
    /// How many columns a subset has.
    known: usize,
    sets: Vec<Set<'t>>,
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
    pub fn new(known: usize, columns: Vec<usize>, guards: Vec<Guard<'t>>, values: &[Values]) -> Self {
        let mut cover = Cover {
            known,
            sets: vec![Set { columns, guards }],
        };
        let is_too_wide = |set: &Set| {
            let is_met = |guard: &Guard| guard.is_met_by(&guard.all_levels());
            set.columns.len() > known && !set.guards.iter().all(is_met)
        };
        while let Some(broken) = cover.sets.iter().position(is_too_wide) {
            cover.split(broken, values);
        }
        cover
    }

    /// Whether the templates hold for every subset after a candidate. Splits sets that it breaks.
    pub fn allows(&mut self, column: usize, candidate: CandidateId, values: &[Values]) -> bool {
        while let Some(broken) = self.sets.iter().position(|set| set.is_broken_by(column, candidate)) {
            if self.sets[broken].columns.len() <= self.known {
                return false;
            }
            self.split(broken, values);
        }
        true
    }

    pub fn apply(&mut self, column: usize, refinement: &Refinement, values: &[Values]) {
        let guards = self.sets.par_iter_mut().flat_map(|set| &mut set.guards);
        guards.for_each(|guard| guard.apply(column, refinement, values));
    }

    /// The groupings, which are on more columns than a subset has unless they had to be split: their levels are at most as
    /// good as those of the subsets.
    pub fn guards(&self) -> impl Iterator<Item = &Guard<'t>> {
        self.sets.iter().flat_map(|set| &set.guards)
    }

    /// Replaces a set by smaller ones that contain the same subsets.
    fn split(&mut self, broken: usize, values: &[Values]) {
        let parent = self.sets.swap_remove(broken);
        let blocks = self.known + 1;
        let without = |block: usize| (0..parent.columns.len()).filter(move |place| place % blocks != block);
        let children = (0..blocks).map(|block| without(block).collect::<Vec<usize>>());
        let is_contained = |places: &Vec<usize>| {
            let within = |set: &Set| places.iter().all(|&place| set.columns.contains(&parent.columns[place]));
            self.sets.iter().any(within)
        };
        let children: Vec<Vec<usize>> = children.filter(|places| !is_contained(places)).collect();
        let sets: Vec<Set> = children
            .into_par_iter()
            .map(|places| parent.narrow(&places, values))
            .collect();
        self.sets.extend(sets);
    }
}

impl<'t> Set<'t> {
    fn is_broken_by(&self, column: usize, candidate: CandidateId) -> bool {
        let Some(place) = self.columns.iter().position(|&own| own == column) else {
            return false;
        };
        let is_broken = |guard: &Guard| !guard.is_met_by(&guard.worst_parts(place, candidate));
        self.guards.iter().any(is_broken)
    }

    /// The set of some of the columns, given by place.
    fn narrow(&self, places: &[usize], values: &[Values]) -> Set<'t> {
        let columns: Vec<usize> = places.iter().map(|&place| self.columns[place]).collect();
        let narrow = |guard: &Guard<'t>| {
            let rows = guard.rows.narrow(places);
            Guard::new(guard.checks.clone(), columns.clone(), rows, values, false)
        };
        Set {
            guards: self.guards.iter().map(narrow).collect(),
            columns,
        }
    }
}

/// A refinement as made, or as it would be.
#[derive(Debug)]
pub(crate) struct Made {
    pub column: usize,
    pub refinement: Refinement,
}

/// The rows of a grouping with one code for all that look alike, collapsed. `shown` says what each code of each column
/// shows.
pub(crate) fn coarsen(rows: &Rows, shown: &[Vec<ValueId>]) -> Rows<'static> {
    let codes = rows.codes.iter().zip(shown).map(|(codes, shown)| {
        let mut first: HashMap<ValueId, u32> = HashMap::new();
        let representative = |(code, &value): (usize, &ValueId)| match value {
            // People who look like nobody did not all cease to at the same refinement.
            NO_VALUE => code as u32,
            value => *first.entry(value).or_insert(code as u32),
        };
        let of_code: Vec<u32> = shown.iter().enumerate().map(representative).collect();
        Cow::Owned(Codes::collect(
            shown.len(),
            codes.iter().map(|code| of_code[code as usize]),
        ))
    });
    let coarse = Rows {
        codes: codes.collect(),
        weights: rows.weights.clone(),
        categories: rows.categories.clone(),
        category_count: rows.category_count,
        count: rows.count,
        of_table: rows.of_table,
    };
    coarse.narrow(&(0..shown.len()).collect::<Vec<_>>())
}

/// What the columns of a grouping showed over time.
#[derive(Debug)]
pub(crate) struct History<'h> {
    /// The columns, as places among the quasi columns.
    pub columns: &'h [usize],
    /// For each column, the codes that its most masked value covers.
    pub roots: Vec<Range<u32>>,
    /// All refinements, in order.
    pub made: Vec<&'h Made>,
}

/// The worst levels over every subset, or over those with one column, as a list per check: before the first refinement
/// and after each.
pub(crate) fn levels(spec: &Spec, rows: &Rows, history: &History, with: Option<usize>) -> Vec<Vec<f64>> {
    let columns = history.columns;
    let known = spec.any.unwrap_or(columns.len());
    let best = spec
        .checks
        .iter()
        .map(|check| vec![check.sense.best(); history.made.len() + 1]);
    let best: Vec<Vec<f64>> = best.collect();
    let worse = |a: Vec<Vec<f64>>, b: Vec<Vec<f64>>| -> Vec<Vec<f64>> {
        let checks = spec.checks.iter().zip(a.into_iter().zip(b));
        checks
            .map(|(check, (a, b))| a.into_iter().zip(b).map(|(a, b)| check.sense.worse(a, b)).collect())
            .collect()
    };
    let mut sets = subsets(&(0..columns.len()).collect::<Vec<_>>(), known);
    sets.retain(|set| with.is_none_or(|with| set.iter().any(|&place| columns[place] == with)));
    sets.into_par_iter()
        .map(|set| Replay::new(spec, history, &set, rows).run(&history.made))
        .reduce(|| best.clone(), worse)
}

/// Makes all refinements again, on one subset of the columns.
struct Replay<'s, 't> {
    spec: &'s Spec<'t>,
    columns: Vec<usize>,
    rows: Rows<'static>,
    /// The rows of each group; none once it was split.
    groups: Vec<(Vec<ValueId>, Vec<u32>)>,
    /// For each column and value, the groups that showed it.
    showing: Vec<HashMap<ValueId, Vec<usize>>>,
}

impl<'s, 't> Replay<'s, 't> {
    fn new(spec: &'s Spec<'t>, history: &History, set: &[usize], rows: &Rows) -> Self {
        let rows = rows.narrow(set);
        let is_covered = |row: &u32| {
            let mut columns = set.iter().zip(&rows.codes);
            columns.all(|(&place, codes)| history.roots[place].contains(&codes.at(*row as usize)))
        };
        let everyone = (0..rows.count as u32).filter(is_covered).collect();
        let mut replay = Replay {
            spec,
            columns: set.iter().map(|&place| history.columns[place]).collect(),
            groups: Vec::new(),
            showing: vec![HashMap::new(); set.len()],
            rows,
        };
        replay.add(vec![ROOT; set.len()], everyone);
        replay
    }

    fn add(&mut self, values: Vec<ValueId>, rows: Vec<u32>) {
        for (showing, &value) in self.showing.iter_mut().zip(&values) {
            showing.entry(value).or_default().push(self.groups.len());
        }
        self.groups.push((values, rows));
    }

    fn run(mut self, made: &[&Made]) -> Vec<Vec<f64>> {
        let start = self.levels_of(&self.groups[0].1);
        let mut all: Vec<Vec<f64>> = start.into_iter().map(|level| vec![level]).collect();
        for made in made {
            let parts = self.split(made);
            for (at, check) in self.spec.checks.iter().enumerate() {
                let last = all[at][all[at].len() - 1];
                all[at].push(
                    parts
                        .iter()
                        .fold(last, |worst, levels| check.sense.worse(worst, levels[at])),
                );
            }
        }
        all
    }

    /// Splits the groups that show the refined value; the levels of the parts.
    fn split(&mut self, made: &Made) -> Vec<Vec<f64>> {
        let Some(place) = self.columns.iter().position(|&column| column == made.column) else {
            return Vec::new();
        };
        let Made { refinement, .. } = made;
        let before = self.groups.len();
        for group in self.showing[place].remove(&refinement.value).unwrap_or_default() {
            let (values, rows) = std::mem::take(&mut self.groups[group]);
            let mut parts = vec![Vec::new(); refinement.into.len() + 1];
            for row in rows {
                let code = self.rows.codes[place].at(row as usize) - refinement.codes.start;
                parts[refinement.child_of[code as usize] as usize].push(row);
            }
            for (&value, rows) in refinement.into.iter().zip(parts).filter(|(_, rows)| !rows.is_empty()) {
                let mut values = values.clone();
                values[place] = value;
                self.add(values, rows);
            }
        }
        self.groups[before..]
            .iter()
            .map(|(_, rows)| self.levels_of(rows))
            .collect()
    }

    fn levels_of(&self, rows: &[u32]) -> Vec<f64> {
        let mut cells: Vec<Cell> = rows
            .iter()
            .map(|&row| Cell {
                slot: 0,
                category: self.rows.category(row),
                weight: self.rows.weight(row),
            })
            .collect();
        cells.sort_unstable_by_key(|cell| cell.category);
        cells.dedup_by(|next, kept| {
            let same = next.category == kept.category;
            kept.weight += if same { next.weight } else { 0 };
            same
        });
        let level = |check: &Check| check.measure.level(&cells).unwrap_or_else(|| check.sense.best());
        self.spec.checks.iter().map(level).collect()
    }
}
