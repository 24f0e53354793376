//! The row [`Budget`]: a few rows may be left out so that they do not block every refinement.
//!
//! After a refinement, the rows of every group that breaks its template are left out, whole, from all templates. That
//! may break other groups, so it is repeated until no group is broken. What remains is the largest part of the table
//! that meets the requirement at that detail; it only shrinks as detail grows, so a refinement that would
//! leave out too much now would do so for ever.

use hashbrown::{HashMap, HashSet};
use rayon::prelude::*;

use crate::guard::{Group, Guard, Part, Size};
use crate::projection::KindOf;
use crate::values::{CandidateId, ValueId, Values};

/// The rows left out so far, and how many may be.
#[derive(Debug)]
pub(crate) struct Budget {
    most: u64,
    spent: u64,
    kind_of: KindOf,
    /// Rows of the guards' projection that are left out; empty without a budget.
    out: Vec<bool>,
}

/// The level of each template after a refinement, `None` where its column is not in the template.
pub(crate) type LevelsAfter = Vec<Option<u32>>;

/// What the counts of the groups tell of a refinement.
#[derive(Debug)]
pub(crate) enum After {
    /// It breaks the requirement, now and for ever.
    Invalid,
    /// It is valid, with these levels.
    Levels(LevelsAfter),
    /// Rows that one template leaves out are missing in the groups of another; only the rows themselves tell.
    DependsOnRows,
}

impl Budget {
    pub fn new(most: u64, kind_of: KindOf, guards: &[Guard]) -> Self {
        let rows = if most > 0 {
            guards.first().map_or(0, |guard| guard.rows.count)
        } else {
            0
        };
        Budget {
            most,
            spent: 0,
            kind_of,
            out: vec![false; rows],
        }
    }

    /// How many rows of the table are left out.
    pub fn rows_left_out(&self) -> u64 {
        self.spent
    }

    /// The rows of the table that are left out; `None` for none.
    pub fn left_out(&self, rows: usize) -> Option<Vec<bool>> {
        let kind = |row: usize| self.kind_of.as_ref().map_or(row, |kind_of| kind_of[row] as usize);
        (self.spent > 0).then(|| (0..rows).map(|row| self.out[kind(row)]).collect())
    }

    /// For each candidate of a column, what is known of the levels after it without looking at rows.
    pub fn levels_after(
        &self,
        guards: &[Guard],
        values: &[Values],
        column: usize,
        candidates: &[(CandidateId, f64)],
        levels: &[u32],
    ) -> Vec<After> {
        if self.most == 0 {
            return candidates
                .iter()
                .map(|&(candidate, _)| after_exactly(guards, column, candidate, levels))
                .collect();
        }
        let surveys: Vec<Option<Survey>> = guards.iter().map(|guard| Survey::of(guard, values, column)).collect();
        let after = |&(candidate, _): &(CandidateId, f64)| {
            let tallies = surveys
                .iter()
                .map(|survey| survey.as_ref().map(|survey| survey.tally(candidate)));
            let tallies: Vec<Option<Tally>> = tallies.collect();
            let broken = tallies.iter().flatten().map(|tally| tally.broken).max().unwrap_or(0);
            if broken + self.spent > self.most {
                After::Invalid
            } else if broken == 0 || guards.len() == 1 {
                let after = |(tally, &level): (&Option<Tally>, &u32)| tally.map(|tally| tally.smallest.min(level));
                After::Levels(tallies.iter().zip(levels).map(after).collect())
            } else {
                After::DependsOnRows
            }
        };
        candidates.iter().map(after).collect()
    }

    /// The levels after a candidate, found by following which rows would be left out; `None` if it is invalid.
    pub fn follow(
        &self,
        guards: &[Guard],
        values: &[Values],
        column: usize,
        candidate: CandidateId,
        levels: &[u32],
    ) -> Option<LevelsAfter> {
        Cascade::new(self, guards, &values[column], column, candidate).run(levels)
    }

    /// Leaves out the rows of broken groups until there are none.
    pub fn settle(&mut self, guards: &mut [Guard], values: &[Values]) {
        if self.most == 0 {
            return;
        }
        loop {
            let is_broken = |guard: &Guard, group: &Group| (1..guard.k).contains(&group.size.measure);
            let mut broken: Vec<u32> = Vec::new();
            for guard in guards.iter() {
                let groups = guard.groups.iter().filter(|group| is_broken(guard, group));
                broken.extend(groups.flat_map(|group| &group.rows));
            }
            if broken.is_empty() {
                return;
            }
            for &row in &broken {
                if !std::mem::replace(&mut self.out[row as usize], true) {
                    self.spent += u64::from(guards[0].rows.weight(row));
                }
            }
            guards
                .par_iter_mut()
                .for_each(|guard| guard.leave_out(&broken, &self.out, values));
        }
    }
}

impl Guard<'_> {
    /// Removes rows from their groups and counts those groups anew.
    fn leave_out(&mut self, rows: &[u32], out: &[bool], values: &[Values]) {
        let mut touched: Vec<u32> = match &self.group_of {
            Some(group_of) => rows.iter().map(|&row| group_of[row as usize]).collect(),
            // A template alone breaks its own groups, and only whole ones.
            None => {
                let broken = |&id: &u32| (1..self.k).contains(&self.groups[id as usize].size.measure);
                (0..self.groups.len() as u32).filter(broken).collect()
            }
        };
        touched.sort_unstable();
        touched.dedup();
        for id in touched {
            let mut group = std::mem::take(&mut self.groups[id as usize]);
            group.rows.retain(|&row| !out[row as usize]);
            group.size = self.size(&group.rows);
            group.parts = if group.rows.is_empty() {
                vec![Vec::new(); group.values.len()]
            } else {
                self.count_all(&group, values)
            };
            self.groups[id as usize] = group;
        }
    }
}

/// Without a budget: no part may break the template.
fn after_exactly(guards: &[Guard], column: usize, candidate: CandidateId, levels: &[u32]) -> After {
    let after = |(guard, &level): (&Guard, &u32)| match guard.place(column) {
        None => Some(None),
        Some(place) => {
            let smallest = guard.smallest_part(place, candidate).min(level);
            (smallest >= guard.k).then_some(Some(smallest))
        }
    };
    guards
        .iter()
        .zip(levels)
        .map(after)
        .collect::<Option<_>>()
        .map_or(After::Invalid, After::Levels)
}

/// What a refinement would do to the groups of one template.
#[derive(Clone, Copy, Debug)]
struct Tally {
    /// The smallest part that would not be broken.
    smallest: u32,
    /// Rows of the table in parts that would be.
    broken: u64,
}

const UNTOUCHED: Tally = Tally {
    smallest: u32::MAX,
    broken: 0,
};

/// The tallies of all candidates of a column in one template, from one pass over its groups.
struct Survey {
    tallies: Vec<Tally>,
}

impl Survey {
    fn of(guard: &Guard, values: &[Values], column: usize) -> Option<Survey> {
        let place = guard.place(column)?;
        let column = &values[column];
        let mut tallies: Vec<Tally> = Vec::new();
        for group in &guard.groups {
            for part in group.parts.get(place).into_iter().flatten() {
                let candidate = column.candidate(group.values[place], part.slot).0 as usize;
                if tallies.len() <= candidate {
                    tallies.resize(candidate + 1, UNTOUCHED);
                }
                for size in sizes(group, part) {
                    let tally = &mut tallies[candidate];
                    if size.measure < guard.k {
                        tally.broken += u64::from(size.weight);
                    } else {
                        tally.smallest = tally.smallest.min(size.measure);
                    }
                }
            }
        }
        Some(Survey { tallies })
    }

    fn tally(&self, candidate: CandidateId) -> Tally {
        self.tallies.get(candidate.0 as usize).copied().unwrap_or(UNTOUCHED)
    }
}

/// The sizes of the children that a part stands for: itself, and the rest where it is a candidate alone.
fn sizes(group: &Group, part: &Part) -> impl Iterator<Item = Size> {
    let rest = Size {
        measure: part.rest,
        weight: group.size.weight - part.size.weight,
    };
    [part.size, rest].into_iter().take(if part.rest > 0 { 2 } else { 1 })
}

/// The rows that a refinement would leave out of several templates, found without making it.
struct Cascade<'s, 't> {
    budget: &'s Budget,
    guards: &'s [Guard<'t>],
    values: &'s Values<'t>,
    column: usize,
    candidate: CandidateId,
    value: ValueId,
    removed: HashSet<u32>,
    spent: u64,
    /// The measures of the parts that the refinement would make or that lost rows, per template.
    measures: Vec<HashMap<PartId, u32>>,
}

/// A part of a group after the refinement: its group, and its child where the group is split.
type PartId = (u32, u32);

impl<'s, 't> Cascade<'s, 't> {
    fn new(
        budget: &'s Budget,
        guards: &'s [Guard<'t>],
        values: &'s Values<'t>,
        column: usize,
        candidate: CandidateId,
    ) -> Self {
        Cascade {
            budget,
            guards,
            values,
            column,
            candidate,
            value: values.refined_by(candidate),
            removed: HashSet::new(),
            spent: budget.spent,
            measures: vec![HashMap::new(); guards.len()],
        }
    }

    fn run(mut self, levels: &[u32]) -> Option<LevelsAfter> {
        let mut broken = self.split();
        while !broken.is_empty() {
            let rows: Vec<u32> = broken.iter().flat_map(|&(at, part)| self.rows_of(at, part)).collect();
            broken = self.leave_out(&rows);
            if self.spent > self.budget.most {
                return None;
            }
        }
        let smallest = |at: usize| self.measures[at].values().copied().filter(|&measure| measure > 0).min();
        let after = |at: usize| smallest(at).map_or(levels[at], |smallest| smallest.min(levels[at]));
        Some(
            (0..self.guards.len())
                .map(|at| self.guards[at].place(self.column).map(|_| after(at)))
                .collect(),
        )
    }

    /// Measures the parts that the refinement would make; those that it would break come back.
    fn split(&mut self) -> Vec<(usize, PartId)> {
        let mut broken = Vec::new();
        for (at, guard) in self.guards.iter().enumerate() {
            let Some(place) = guard.place(self.column) else {
                continue;
            };
            for &id in guard.showing(place, self.value) {
                for (child, measure) in self.children(&guard.groups[id as usize], place) {
                    self.measures[at].insert((id, child), measure);
                    if (1..guard.k).contains(&measure) {
                        broken.push((at, (id, child)));
                    }
                }
            }
        }
        broken
    }

    /// The children that the candidate would make of a group, with their measures.
    fn children(&self, group: &Group, place: usize) -> Vec<(u32, u32)> {
        let parts = &group.parts[place];
        if !self.values.one_by_one() {
            return parts.iter().map(|part| (part.slot, part.size.measure)).collect();
        }
        match parts.iter().find(|part| part.slot == self.candidate.0) {
            Some(part) => vec![(0, part.size.measure), (1, part.rest)],
            None => vec![(1, group.size.measure)],
        }
    }

    /// The part that a row is in.
    fn part(&self, at: usize, row: u32) -> PartId {
        let guard = &self.guards[at];
        let id = guard
            .group_of
            .as_ref()
            .expect("several templates with a budget look rows up")[row as usize];
        let split = guard
            .place(self.column)
            .filter(|&place| guard.groups[id as usize].values[place] == self.value);
        let child = split.map_or(0, |place| {
            let code = guard.rows.codes[place].at(row as usize);
            if self.values.one_by_one() {
                u32::from(code != self.candidate.0)
            } else {
                self.values.slots()[code as usize]
            }
        });
        (id, child)
    }

    /// Leaves rows out of all templates; parts that this breaks come back.
    fn leave_out(&mut self, rows: &[u32]) -> Vec<(usize, PartId)> {
        let mut broken = Vec::new();
        let rows: Vec<u32> = rows.iter().copied().filter(|&row| self.removed.insert(row)).collect();
        self.spent += rows
            .iter()
            .map(|&row| u64::from(self.guards[0].rows.weight(row)))
            .sum::<u64>();
        if self.spent > self.budget.most {
            return broken;
        }
        for (at, guard) in self.guards.iter().enumerate() {
            let mut lost: Vec<(PartId, u32)> = rows
                .iter()
                .map(|&row| (self.part(at, row), guard.rows.weight(row)))
                .collect();
            lost.sort_unstable();
            for lost in lost.chunk_by(|a, b| a.0 == b.0) {
                let part = lost[0].0;
                let whole = guard.groups[part.0 as usize].size.measure;
                let before = self.measures[at].get(&part).copied().unwrap_or(whole);
                let after = match guard.rows.people {
                    None => before - lost.iter().map(|&(_, weight)| weight).sum::<u32>(),
                    Some(_) => guard.size(&self.rows_of(at, part)).measure,
                };
                self.measures[at].insert(part, after);
                if before >= guard.k && (1..guard.k).contains(&after) {
                    broken.push((at, part));
                }
            }
        }
        broken
    }

    fn rows_of(&self, at: usize, part: PartId) -> Vec<u32> {
        let rows = self.guards[at].groups[part.0 as usize].rows.iter().copied();
        rows.filter(|&row| self.part(at, row) == part && !self.removed.contains(&row))
            .collect()
    }
}
