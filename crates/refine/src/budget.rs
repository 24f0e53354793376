//! The row [`Budget`]: a few rows may be left out so that they do not block every refinement.
//!
//! After a refinement, the rows of every group that breaks a template are left out, whole, from all groupings. That
//! may break other groups, so it is repeated until no group is broken. Rows once left out stay out.
//!
//! Where levels only get worse as rows leave (counts), what remains only shrinks as detail grows, so a refinement that
//! would leave out too much now would do so for ever. A share can also get better as rows leave; then a refinement that
//! leaves out too much is set aside and tried again.

use hashbrown::{HashMap, HashSet};
use rayon::prelude::*;

use crate::guard::{Group, Guard, falls_with_rows};
use crate::projection::KindOf;
use crate::values::{CandidateId, ValueId, Values};
use scumble_level::{Cell, subtract};

/// The rows left out so far, and how many may be.
#[derive(Debug)]
pub(crate) struct Budget {
    most: u64,
    spent: u64,
    kind_of: KindOf,
    /// Rows of the guards' projection that are left out; empty without a budget.
    out: Vec<bool>,
    /// For each template, the columns it is of, as places among the quasi columns.
    templates: Vec<HashSet<usize>>,
    /// Whether levels only get worse as rows leave.
    falls: bool,
}

/// The level of each check of each guard.
pub(crate) type CheckLevels = Vec<Vec<f64>>;

/// The level of each template after a refinement, `None` where its column is not in the template.
pub(crate) type LevelsAfter = Vec<Option<f64>>;

/// What the counts of the groups tell of a refinement.
#[derive(Debug)]
pub(crate) enum After {
    /// It breaks the requirement, and if `for_good` then for every finer table too.
    Invalid { for_good: bool },
    /// It is valid, with these levels.
    Levels(LevelsAfter),
    /// Rows that one guard leaves out are missing in the groups of another; only the rows themselves tell.
    DependsOnRows,
}

impl Budget {
    pub fn new(most: u64, kind_of: KindOf, guards: &[Guard], templates: Vec<HashSet<usize>>) -> Self {
        let rows = guards
            .first()
            .filter(|_| most > 0)
            .map_or(0, |guard| guard.rows.of_table);
        let checks = guards.iter().flat_map(|guard| guard.checks.iter());
        Budget {
            most,
            spent: 0,
            kind_of,
            out: vec![false; rows],
            templates,
            falls: checks.into_iter().all(|check| falls_with_rows(&check.measure)),
        }
    }

    /// How many rows of the table are left out.
    pub fn rows_left_out(&self) -> u64 {
        self.spent
    }

    /// How many may be.
    pub fn most(&self) -> u64 {
        self.most
    }

    /// The rows of the table that are left out; `None` for none.
    pub fn left_out(&self, rows: usize) -> Option<Vec<bool>> {
        let kind = |row: usize| self.kind_of.as_ref().map_or(row, |kind_of| kind_of[row] as usize);
        (self.spent > 0).then(|| (0..rows).map(|row| self.out[kind(row)]).collect())
    }

    /// Whether a refinement that leaves out too many rows now would do so for ever.
    pub fn is_for_good(&self) -> bool {
        self.falls
    }

    /// For each candidate of a column, what is known of the levels after it without looking at rows.
    pub fn levels_after(
        &self,
        guards: &[Guard],
        values: &[Values],
        column: usize,
        candidates: &[(CandidateId, f64)],
        levels: &CheckLevels,
    ) -> Vec<After> {
        let surveys: Vec<Option<Survey>> = guards
            .iter()
            .map(|guard| {
                let place = guard.place(column)?;
                Some(if self.most == 0 && guard.is_anti_monotone() {
                    Survey::Running { place }
                } else {
                    Survey::of_groups(guard, &values[column], place)
                })
            })
            .collect();
        let after = |&(candidate, _): &(CandidateId, f64)| match self.after(guards, &surveys, candidate, levels) {
            After::Levels(after) => After::Levels(self.only_with(column, after)),
            other => other,
        };
        candidates.iter().map(after).collect()
    }

    /// The levels of the templates that a column is in.
    fn only_with(&self, column: usize, after: LevelsAfter) -> LevelsAfter {
        let templates = after.into_iter().zip(&self.templates);
        templates
            .map(|(level, of)| level.filter(|_| of.contains(&column)))
            .collect()
    }

    fn after(
        &self,
        guards: &[Guard],
        surveys: &[Option<Survey>],
        candidate: CandidateId,
        levels: &CheckLevels,
    ) -> After {
        let mut after: LevelsAfter = vec![None; self.templates.len()];
        let (mut broken, mut for_good) = (0, false);
        for ((guard, survey), levels) in guards.iter().zip(surveys).zip(levels) {
            let Some(survey) = survey else {
                fold(guard, levels, levels, &mut after);
                continue;
            };
            let tally = survey.tally(guard, candidate);
            if tally.broken > 0 && self.most == 0 {
                for_good |= guard.is_anti_monotone();
            }
            broken = broken.max(tally.broken);
            fold(guard, &tally.worst, levels, &mut after);
        }
        if broken + self.spent > self.most {
            let for_good = for_good || (self.most > 0 && self.falls);
            After::Invalid { for_good }
        } else if broken == 0 || guards.len() == 1 {
            After::Levels(after)
        } else {
            After::DependsOnRows
        }
    }

    /// The levels after a candidate, found by following which rows would be left out; `None` if it is invalid.
    pub fn follow(
        &self,
        guards: &[Guard],
        values: &[Values],
        column: usize,
        candidate: CandidateId,
        levels: &CheckLevels,
    ) -> Option<LevelsAfter> {
        let worst = Cascade::new(self, guards, &values[column], column, candidate).run()?;
        let mut after: LevelsAfter = vec![None; self.templates.len()];
        for ((guard, worst), levels) in guards.iter().zip(worst).zip(levels) {
            fold(guard, &worst, levels, &mut after);
        }
        Some(self.only_with(column, after))
    }

    /// Leaves out the rows of broken groups until there are none.
    pub fn settle(&mut self, guards: &mut [Guard], values: &[Values]) {
        if self.most == 0 {
            return;
        }
        loop {
            let mut broken: Vec<u32> = Vec::new();
            for guard in guards.iter() {
                let groups = guard.broken_groups().map(|id| &guard.groups[id as usize]);
                let rows = groups.flat_map(|group| &group.rows);
                broken.extend(rows.filter(|&&row| (row as usize) < guard.rows.of_table));
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

/// Adds what a guard would find to the levels of its templates. A level that gets better is no loss, so the present
/// level stands.
pub(crate) fn fold(guard: &Guard, worst: &[f64], levels: &[f64], after: &mut LevelsAfter) {
    for ((check, &worst), &level) in guard.checks.iter().zip(worst).zip(levels) {
        let level = check.sense.worse(level, worst);
        let after = &mut after[check.number];
        *after = Some(after.map_or(level, |other| check.sense.worse(other, level)));
    }
}

impl Guard<'_> {
    /// Removes rows from their groups and counts those groups anew.
    fn leave_out(&mut self, rows: &[u32], out: &[bool], values: &[Values]) {
        let mut touched: Vec<u32> = match &self.group_of {
            Some(group_of) => rows.iter().map(|&row| group_of[row as usize]).collect(),
            // A guard alone breaks its own groups, and only whole ones.
            None => self.broken_groups().collect(),
        };
        touched.sort_unstable();
        touched.dedup();
        let changed = touched.into_iter().map(|id| {
            let mut group = std::mem::take(&mut self.groups[id as usize]);
            group.rows.retain(|&row| out.get(row as usize) != Some(&true));
            group.cells = self.count_whole(&group.rows);
            group.parts = self.count_all(&group, values);
            (id, group)
        });
        let changed: Vec<(u32, Group)> = changed.collect();
        self.change_all(changed, values);
    }

    /// The groups that break a template.
    fn broken_groups(&self) -> impl Iterator<Item = u32> {
        (0..self.groups.len())
            .filter(|&id| !self.is_met_by(self.levels_in(id)))
            .map(|id| id as u32)
    }
}

/// What a refinement would do to the groups of one guard.
#[derive(Clone, Debug)]
struct Tally {
    /// For each check, the worst of the parts that would not be broken.
    worst: Vec<f64>,
    /// Rows of the table in parts that would be.
    broken: u64,
}

impl Tally {
    fn untouched(guard: &Guard) -> Tally {
        Tally {
            worst: guard.checks.iter().map(|check| check.sense.best()).collect(),
            broken: 0,
        }
    }

    fn add(&mut self, guard: &Guard, levels: &[f64], rows: u64) {
        if guard.is_met_by(levels) {
            for ((check, worst), &level) in guard.checks.iter().zip(&mut self.worst).zip(levels) {
                *worst = check.sense.worse(*worst, level);
            }
        } else {
            self.broken += rows;
        }
    }
}

/// What is known of all candidates of a column in one guard.
enum Survey {
    /// The worst parts ever seen, which are the worst there are.
    Running { place: usize },
    /// Counted from the groups as they are.
    Counted { tallies: Vec<Tally> },
}

impl Survey {
    fn of_groups(guard: &Guard, column: &Values, place: usize) -> Survey {
        let mut tallies: Vec<Tally> = Vec::new();
        let mut rest = Vec::new();
        for group in &guard.groups {
            for part in group.parts[place].chunk_by(|a, b| a.slot == b.slot) {
                let candidate = column.candidate(group.values[place], part[0].slot).0 as usize;
                if tallies.len() <= candidate {
                    tallies.resize_with(candidate + 1, || Tally::untouched(guard));
                }
                let rows = guard.rows_in(part);
                tallies[candidate].add(guard, &guard.levels_of(part), rows);
                if column.one_by_one() {
                    rest.clear();
                    rest.extend_from_slice(&group.cells);
                    subtract(&mut rest, part, |cell| cell.category);
                    if !rest.is_empty() {
                        tallies[candidate].add(guard, &guard.levels_of(&rest), guard.rows_in(&rest));
                    }
                }
            }
        }
        Survey::Counted { tallies }
    }

    fn tally(&self, guard: &Guard, candidate: CandidateId) -> Tally {
        match self {
            Survey::Counted { tallies } => {
                let tally = tallies.get(candidate.0 as usize).cloned();
                tally.unwrap_or_else(|| Tally::untouched(guard))
            }
            Survey::Running { place } => {
                let worst = guard.worst_parts(*place, candidate);
                let broken = u64::from(!guard.is_met_by(&worst));
                Tally { worst, broken }
            }
        }
    }
}

/// The rows that a refinement would leave out of several guards, found without making it.
struct Cascade<'s, 't> {
    budget: &'s Budget,
    guards: &'s [Guard<'t>],
    values: &'s Values<'t>,
    column: usize,
    candidate: CandidateId,
    value: ValueId,
    removed: HashSet<u32>,
    spent: u64,
    /// What is in the parts that the refinement would make or that lost rows, per guard.
    cells: Vec<HashMap<PartId, Vec<Cell>>>,
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
            cells: vec![HashMap::new(); guards.len()],
        }
    }

    /// The worst of the changed parts of each guard, per check; `None` if too many rows would be left out.
    fn run(mut self) -> Option<CheckLevels> {
        let mut broken = self.split();
        while !broken.is_empty() {
            let rows: Vec<u32> = broken.iter().flat_map(|&(at, part)| self.rows_of(at, part)).collect();
            broken = self.leave_out(&rows);
            if self.spent > self.budget.most {
                return None;
            }
        }
        let worst = |(guard, cells): (&Guard, &HashMap<PartId, Vec<Cell>>)| {
            let mut tally = Tally::untouched(guard);
            let changed = cells.values().filter(|cells| guard.rows_in(cells) > 0);
            changed.for_each(|cells| tally.add(guard, &guard.levels_of(cells), 0));
            tally.worst
        };
        Some(self.guards.iter().zip(&self.cells).map(worst).collect())
    }

    fn is_broken(&self, at: usize, cells: &[Cell]) -> bool {
        let guard = &self.guards[at];
        guard.rows_in(cells) > 0 && !guard.is_met_by(&guard.levels_of(cells))
    }

    /// Counts the parts that the refinement would make; those that it would break come back.
    fn split(&mut self) -> Vec<(usize, PartId)> {
        let mut broken = Vec::new();
        for (at, guard) in self.guards.iter().enumerate() {
            let Some(place) = guard.place(self.column) else {
                continue;
            };
            for &id in guard.showing(place, self.value) {
                let group = &guard.groups[id as usize];
                let children = self
                    .values
                    .children_of_group(self.candidate, &group.cells, &group.parts[place]);
                for (child, cells) in children {
                    if self.is_broken(at, &cells) {
                        broken.push((at, (id, child)));
                    }
                    self.cells[at].insert((id, child), cells);
                }
            }
        }
        broken
    }

    /// The part that a row is in.
    fn part(&self, at: usize, row: u32) -> PartId {
        let guard = &self.guards[at];
        let id = guard
            .group_of
            .as_ref()
            .expect("several guards with a budget look rows up")[row as usize];
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

    /// Leaves rows out of all guards; parts that this breaks come back.
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
            let mut lost: Vec<(PartId, u32)> = rows.iter().map(|&row| (self.part(at, row), row)).collect();
            lost.sort_unstable();
            for lost in lost.chunk_by(|a, b| a.0 == b.0) {
                let part = lost[0].0;
                let rows: Vec<u32> = lost.iter().map(|&(_, row)| row).collect();
                let whole = || guard.groups[part.0 as usize].cells.clone();
                let mut cells = self.cells[at].get(&part).cloned().unwrap_or_else(whole);
                let was_broken = self.is_broken(at, &cells);
                subtract(&mut cells, &guard.count_whole(&rows), |cell| cell.category);
                if self.is_broken(at, &cells) && !was_broken {
                    broken.push((at, part));
                }
                self.cells[at].insert(part, cells);
            }
        }
        broken
    }

    fn rows_of(&self, at: usize, part: PartId) -> Vec<u32> {
        let guard = &self.guards[at];
        let rows = guard.groups[part.0 as usize].rows.iter().copied();
        rows.filter(|&row| (row as usize) < guard.rows.of_table)
            .filter(|&row| self.part(at, row) == part && !self.removed.contains(&row))
            .collect()
    }
}
