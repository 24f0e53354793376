//! A [`Guard`] keeps the groups of one grouping, and for every candidate what the levels measured in it would be after it.
//!
//! Groups hold their rows, how many there are of each category and, for each column whose value in the group can still
//! be refined, how many would go to each part. Refining splits the groups that show the value, each on its own, so they
//! are split in parallel.
//!
//! Invariant: rows of a group show the same masked value on every column of the guard, and different groups differ.
//!
//! Levels only ever get worse (templates that are not anti-monotone aside). The parts that a refinement would make are
//! parts of the parts it would have made before, so the worst part ever seen for a candidate is the worst there is: a
//! running worst is exact (no row budget).

use std::sync::Arc;

use rayon::prelude::*;
use scumble_table::{Codes, collapse, with_codes};

use crate::projection::Rows;
use crate::values::{CandidateId, NO_SLOT, NO_VALUE, ROOT, Refinement, ValueId, Values};
use scumble_level::Check;
use scumble_level::{Cell, Measure, subtract, total};

/// Rows of a group above which its columns are counted in parallel.
const LARGE: usize = 1 << 14;

/// Rows that one thread should be given at least.
const SMALL: usize = 1 << 12;

/// The groups of one grouping.
#[derive(Debug)]
pub(crate) struct Guard<'t> {
    pub checks: Arc<[Check<'t>]>,
    /// The columns of the grouping, as places among the quasi columns.
    pub columns: Vec<usize>,
    /// For each quasi column its place among these.
    places: Vec<Option<usize>>,
    pub rows: Rows<'t>,
    pub groups: Vec<Group>,
    /// The level of each check in each group, group by group.
    levels: Vec<f64>,
    /// The level of each check over all groups.
    worst_now: Vec<f64>,
    /// For each column of the grouping and each of its values, the groups that show it.
    links: Vec<Vec<Vec<u32>>>,
    /// For each check, each column of the grouping and each candidate, the level of the worst part seen.
    worst: Vec<Vec<Vec<f64>>>,
    /// The group of each row, kept only where rows are looked up (row budget).
    pub group_of: Option<Vec<u32>>,
    /// Whether groups that can no longer be the worst are forgotten.
    forgets: bool,
}

/// What a guard is asked for, beside its levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// Nothing.
    Levels,
    /// All of its groups.
    Groups,
    /// The group of a row.
    Rows,
}

/// Rows that look the same.
#[derive(Debug, Default)]
pub(crate) struct Group {
    pub values: Vec<ValueId>,
    pub rows: Vec<u32>,
    /// How many rows of the table it has of each category.
    pub cells: Vec<Cell>,
    /// For each column of the grouping, the parts that refining its value would make; empty if nobody asks.
    pub parts: Vec<Vec<Cell>>,
}

/// A level that a check finds.
#[derive(Clone, Copy, Debug)]
struct Sight {
    check: u32,
    of: Seen,
    level: f64,
}

/// What a level was found in.
#[derive(Clone, Copy, Debug)]
enum Seen {
    /// A group.
    Group,
    /// The worst of the parts that a candidate of the column at this place would make of a group.
    Parts { place: u32, candidate: CandidateId },
}

impl<'t> Guard<'t> {
    /// Groups rows by what the columns show now.
    pub fn new(
        checks: Arc<[Check<'t>]>,
        columns: Vec<usize>,
        rows: Rows<'t>,
        values: &[Values],
        asked_for: Use,
    ) -> Self {
        let mut places = vec![None; values.len()];
        for (place, &column) in columns.iter().enumerate() {
            places[column] = Some(place);
        }
        let mut guard = Guard {
            places,
            links: vec![Vec::new(); columns.len()],
            worst: vec![vec![Vec::new(); columns.len()]; checks.len()],
            group_of: (asked_for == Use::Rows).then(|| vec![0; rows.count]),
            forgets: asked_for == Use::Levels,
            groups: Vec::new(),
            levels: Vec::new(),
            worst_now: checks.iter().map(|check| check.sense.best()).collect(),
            checks,
            columns,
            rows,
        };
        for rows in guard.rows_by_value(values) {
            let shown = |place: usize| {
                let code = guard.rows.codes[place].at(rows[0] as usize);
                values[guard.columns[place]].value_of_code()[code as usize]
            };
            let mut group = Group {
                values: (0..guard.columns.len()).map(shown).collect(),
                cells: guard.count_whole(&rows),
                rows,
                ..Group::default()
            };
            group.parts = guard.count_all(&group, values);
            let sights = guard.measure(&group, values, &mut Vec::new());
            guard.add(group, sights, values);
        }
        guard
    }

    /// The rows, those that show the same together; people who look like nobody in the table are left aside.
    fn rows_by_value(&self, values: &[Values]) -> Vec<Vec<u32>> {
        let is_root = |&column: &usize| values[column].value_of_code().iter().all(|&value| value == ROOT);
        if self.columns.iter().all(is_root) {
            return vec![(0..self.rows.count as u32).collect()];
        }
        let shown: Vec<Codes> = self
            .columns
            .iter()
            .zip(&self.rows.codes)
            .map(|(&column, codes)| {
                let of_code = values[column].value_of_code();
                Codes::collect(usize::MAX, codes.iter().map(|code| of_code[code as usize].0))
            })
            .collect();
        let kinds = collapse(self.rows.count, &shown.iter().collect::<Vec<_>>());
        let mut sets = vec![Vec::new(); kinds.rows.len()];
        for (row, &kind) in kinds.kind_of.iter().enumerate() {
            sets[kind as usize].push(row as u32);
        }
        sets.retain(|rows| shown.iter().all(|shown| shown.at(rows[0] as usize) != NO_VALUE.0));
        sets
    }

    /// The level of every check now. Groups left out whole do not count.
    pub fn all_levels(&self) -> Vec<f64> {
        self.worst_now.clone()
    }

    /// The level of every check in one group.
    pub fn levels_in(&self, group: usize) -> &[f64] {
        &self.levels[group * self.checks.len()..(group + 1) * self.checks.len()]
    }

    /// Finds the levels over all groups anew. While groups are only split, they only get worse and are kept on the way;
    /// this is for whatever else may happen.
    fn find_worst(&mut self) {
        for (at, check) in self.checks.iter().enumerate() {
            let levels = self.levels.iter().skip(at).step_by(self.checks.len());
            self.worst_now[at] = levels.fold(check.sense.best(), |a, &b| check.sense.worse(a, b));
        }
    }

    /// Whether a failing check fails for every finer table too.
    pub fn is_anti_monotone(&self) -> bool {
        self.checks.iter().all(Check::is_anti_monotone)
    }

    /// The place of a column in this grouping.
    pub fn place(&self, column: usize) -> Option<usize> {
        self.places[column]
    }

    /// For each check, the level of the worst part that a candidate of a column would make, as far as ever seen.
    pub fn worst_parts(&self, place: usize, candidate: CandidateId) -> Vec<f64> {
        let worst = |(check, worst): (&Check, &Vec<Vec<f64>>)| {
            let seen = worst[place].get(candidate.0 as usize);
            seen.copied().unwrap_or_else(|| check.sense.best())
        };
        self.checks.iter().zip(&self.worst).map(worst).collect()
    }

    /// The groups that show a value.
    pub fn showing(&self, place: usize, value: ValueId) -> &[u32] {
        self.links[place].get(value.0 as usize).map_or(&[], Vec::as_slice)
    }

    /// The levels of a set of rows, one per check; `best` where there is no group.
    pub fn levels_of(&self, cells: &[Cell]) -> Vec<f64> {
        self.checks.iter().map(|check| check.level(cells)).collect()
    }

    /// Whether levels keep the bounds of all checks.
    pub fn is_met_by(&self, levels: &[f64]) -> bool {
        self.checks
            .iter()
            .zip(levels)
            .all(|(check, &level)| check.is_met_by(level))
    }

    /// Whether people of a population are counted beside the rows of the table.
    pub fn has_people(&self) -> bool {
        self.checks.iter().any(|check| matches!(check.measure, Measure::People))
    }

    /// How many rows of the table cells stand for; people of a population are none.
    pub fn rows_in(&self, cells: &[Cell]) -> u64 {
        if self.rows.of_table == self.rows.count {
            total(cells)
        } else {
            cells
                .iter()
                .filter(|cell| cell.category == 0)
                .map(|cell| u64::from(cell.weight))
                .sum()
        }
    }

    /// Splits the groups that show the refined value.
    pub fn apply(&mut self, column: usize, refinement: &Refinement, values: &[Values]) {
        let Some(place) = self.place(column) else { return };
        let Some(linked) = self.links[place].get_mut(refinement.value.0 as usize) else {
            return;
        };
        let mut ids = std::mem::take(linked);
        // Groups that were left out whole are gone.
        ids.retain(|&id| !self.groups[id as usize].rows.is_empty());
        let parents: Vec<Group> = ids
            .iter()
            .map(|&id| std::mem::take(&mut self.groups[id as usize]))
            .collect();
        // Small groups are split by the dozen: to hand one to another thread would cost more than to split it.
        let rows: usize = parents.iter().map(|group| group.rows.len()).sum();
        let at_a_time = (SMALL * parents.len()).checked_div(rows).unwrap_or(0).max(1);
        let families: Vec<Vec<(Group, Vec<Sight>)>> = parents
            .into_par_iter()
            .with_min_len(at_a_time)
            .map_init(Vec::new, |rest, group| {
                let disclosed = |part: &Cell| Some(part.slot) == refinement.disclosed;
                if refinement.disclosed.is_some() && !group.parts[place].iter().any(disclosed) {
                    return vec![(group, Vec::new())];
                }
                let children = self.split(group, place, refinement, values);
                let measured = children
                    .into_iter()
                    .filter(|child| !self.is_settled(child))
                    .map(|child| {
                        let sights = self.measure(&child, values, rest);
                        (child, sights)
                    });
                measured.collect()
            })
            .collect();
        for (id, family) in ids.into_iter().zip(families) {
            let mut family = family.into_iter();
            match family.next() {
                Some((first, sights)) => self.replace(id, first, sights, place, values),
                // Only people who now look like nobody in the table, or groups to be forgotten.
                None => self.change(id, Group::default(), values),
            }
            family.for_each(|(group, sights)| self.add(group, sights, values));
        }
        if !self.is_anti_monotone() {
            self.find_worst();
        }
    }

    /// Whether a group can be forgotten.
    fn is_settled(&self, group: &Group) -> bool {
        self.forgets && self.checks.iter().all(|check| check.measure.is_settled(&group.cells))
    }

    /// Changes groups in other ways than by splitting them.
    pub fn change_all(&mut self, groups: impl IntoIterator<Item = (u32, Group)>, values: &[Values]) {
        groups
            .into_iter()
            .for_each(|(id, group)| self.change(id, group, values));
        self.find_worst();
    }

    /// Puts another group in the place of one. One without rows of the table has the best of all levels.
    fn change(&mut self, id: u32, mut group: Group, values: &[Values]) {
        if self.rows_in(&group.cells) == 0 {
            group = Group {
                values: vec![NO_VALUE; self.columns.len()],
                parts: vec![Vec::new(); self.columns.len()],
                ..Group::default()
            };
        }
        let sights = self.measure(&group, values, &mut Vec::new());
        self.note(id, &group, sights);
        self.groups[id as usize] = group;
    }

    /// The children of one group.
    fn split(&self, mut group: Group, place: usize, refinement: &Refinement, values: &[Values]) -> Vec<Group> {
        let rows = self.deal(&group.rows, place, refinement, values);
        let dealt: usize = rows.iter().map(Vec::len).sum();
        if dealt == group.rows.len() && rows.iter().filter(|rows| !rows.is_empty()).count() == 1 {
            let child = rows.iter().position(|rows| !rows.is_empty()).expect("counted above");
            group.values[place] = refinement.into[child];
            group.parts[place] = self.count(&group, place, values);
            return vec![group];
        }
        let complete = dealt == group.rows.len();
        let mut children: Vec<Group> = rows
            .into_iter()
            .zip(&refinement.into)
            .filter(|(rows, _)| !rows.is_empty())
            .map(|(rows, &value)| {
                let mut shown = group.values.clone();
                shown[place] = value;
                Group {
                    values: shown,
                    rows,
                    ..Group::default()
                }
            })
            .collect();
        // Only the smaller children are counted; the largest keeps what its siblings leave of the parent's counts,
        // unless people dropped out who are in no child.
        let largest = (0..children.len()).max_by_key(|&child| children[child].rows.len());
        let largest = largest.filter(|_| complete);
        for child in (0..children.len()).filter(|&child| Some(child) != largest) {
            children[child].cells = self.count_whole(&children[child].rows);
            children[child].parts = self.count_all(&children[child], values);
        }
        if let Some(largest) = largest {
            self.keep_the_rest(group, &mut children, largest, place, refinement, values);
        }
        children
    }

    /// Gives the largest child what its siblings leave of the parent's counts.
    fn keep_the_rest(
        &self,
        parent: Group,
        children: &mut [Group],
        largest: usize,
        place: usize,
        refinement: &Refinement,
        values: &[Values],
    ) {
        let (mut cells, mut all_parts) = (parent.cells, parent.parts);
        for (other, parts) in all_parts.iter_mut().enumerate() {
            let of = &values[self.columns[other]];
            if of.slots_of(children[largest].values[other]) == 0 {
                *parts = Vec::new();
            } else if other != place {
                let siblings = children.iter().enumerate().filter(|&(child, _)| child != largest);
                siblings.for_each(|(_, child)| subtract(parts, &child.parts[other], |cell| (cell.slot, cell.category)));
            } else if of.one_by_one() && children[largest].values[place] == refinement.value {
                parts.retain(|part| Some(part.slot) != refinement.disclosed);
            } else {
                *parts = self.count(&children[largest], place, values);
            }
            if of.one_by_one() {
                parts.retain(|part| of.slots()[part.slot as usize] != NO_SLOT);
            }
        }
        let siblings = children.iter().enumerate().filter(|&(child, _)| child != largest);
        siblings.for_each(|(_, child)| subtract(&mut cells, &child.cells, |cell| cell.category));
        children[largest].cells = cells;
        children[largest].parts = all_parts;
    }

    /// Deals the rows of a group to the children of its value; the order of rows is kept.
    fn deal(&self, rows: &[u32], place: usize, refinement: &Refinement, values: &[Values]) -> Vec<Vec<u32>> {
        if rows.len() >= 2 * LARGE {
            let (front, back) = rows.split_at(rows.len() / 2);
            let (mut dealt, rest) = rayon::join(
                || self.deal(front, place, refinement, values),
                || self.deal(back, place, refinement, values),
            );
            dealt.iter_mut().zip(rest).for_each(|(rows, rest)| rows.extend(rest));
            return dealt;
        }
        let first = refinement.codes.start as usize;
        let child_of = &refinement.child_of;
        let children: Vec<u32> = match values[self.columns[place]].told_of_rows() {
            Some(told) => rows
                .iter()
                .map(|&row| told[row as usize].0 - refinement.into[0].0)
                .collect(),
            None => with_codes!(&*self.rows.codes[place], |codes| {
                rows.iter()
                    .map(|&row| child_of[codes[row as usize] as usize - first])
                    .collect()
            }),
        };
        // One place more, for people who look like nobody in the table any longer.
        let mut sizes = vec![0; refinement.into.len() + 1];
        children.iter().for_each(|&child| sizes[child as usize] += 1);
        let mut dealt: Vec<Vec<u32>> = sizes.into_iter().map(Vec::with_capacity).collect();
        rows.iter()
            .zip(children)
            .for_each(|(&row, child)| dealt[child as usize].push(row));
        dealt.pop();
        dealt
    }

    /// How many rows of the table a set of rows stands for, by category.
    pub fn count_whole(&self, rows: &[u32]) -> Vec<Cell> {
        self.tally(rows, 1, |_| 0)
    }

    /// The parts of a group on every column.
    pub fn count_all(&self, group: &Group, values: &[Values]) -> Vec<Vec<Cell>> {
        let places = 0..self.columns.len();
        if group.rows.len() >= LARGE {
            places
                .into_par_iter()
                .map(|place| self.count(group, place, values))
                .collect()
        } else {
            places.map(|place| self.count(group, place, values)).collect()
        }
    }

    /// The parts of a group on one column, by slot.
    fn count(&self, group: &Group, place: usize, values: &[Values]) -> Vec<Cell> {
        let column = &values[self.columns[place]];
        let width = column.slots_of(group.values[place]);
        if width == 0 {
            return Vec::new();
        }
        let slots = column.slots();
        with_codes!(&*self.rows.codes[place], |codes| {
            self.tally(&group.rows, width, |row| slots[codes[row as usize] as usize])
        })
    }

    /// Counts rows by slot and category.
    pub fn tally(&self, rows: &[u32], width: usize, slot: impl Fn(u32) -> u32) -> Vec<Cell> {
        let weights = self.rows.weights.as_deref();
        let Some(categories) = self.rows.categories.as_deref() else {
            return match weights {
                None => tally(rows, width, 1, slot, |_| 0, |_| 1),
                Some(weights) => tally(rows, width, 1, slot, |_| 0, |row| weights[row as usize]),
            };
        };
        let count = self.rows.category_count;
        with_codes!(categories, |categories| {
            let category = |row: u32| categories[row as usize] as usize;
            match weights {
                None => tally(rows, width, count, slot, category, |_| 1),
                Some(weights) => tally(rows, width, count, slot, category, |row| weights[row as usize]),
            }
        })
    }

    /// Measures a group and what each candidate would make of it.
    fn measure(&self, group: &Group, values: &[Values], rest: &mut Vec<Cell>) -> Vec<Sight> {
        let whole = self.checks.iter().zip(0..).map(|(check, number)| Sight {
            check: number,
            of: Seen::Group,
            level: check.level(&group.cells),
        });
        let mut sights: Vec<Sight> = whole.collect();
        for (place, parts) in group.parts.iter().enumerate() {
            let column = &values[self.columns[place]];
            for (check, Check { measure, sense, .. }) in self.checks.iter().enumerate() {
                let known = &self.worst[check][place];
                let mut see = |candidate: CandidateId, level: Option<f64>| {
                    // Most parts are no worse than what was seen before, and need not be told.
                    let known = known.get(candidate.0 as usize).copied().unwrap_or(sense.best());
                    let place = place as u32;
                    let level = level.filter(|&level| sense.worse(known, level) != known);
                    let sight = level.map(|level| Sight {
                        check: check as u32,
                        of: Seen::Parts { place, candidate },
                        level,
                    });
                    sights.extend(sight);
                };
                if column.one_by_one() {
                    for part in parts.chunk_by(|a, b| a.slot == b.slot) {
                        let candidate = CandidateId(part[0].slot);
                        see(candidate, measure.level(part));
                        see(candidate, measure.level_without(&group.cells, part, rest));
                    }
                } else {
                    let levels = parts
                        .chunk_by(|a, b| a.slot == b.slot)
                        .filter_map(|part| measure.level(part));
                    let worst = levels.reduce(|a, b| sense.worse(a, b));
                    see(CandidateId(group.values[place].0), worst);
                }
            }
        }
        sights
    }

    /// Adds a group.
    fn add(&mut self, group: Group, sights: Vec<Sight>, values: &[Values]) {
        let id = self.groups.len() as u32;
        for (place, &value) in group.values.iter().enumerate() {
            self.link(id, place, value, values);
        }
        self.levels.extend(self.checks.iter().map(|check| check.sense.best()));
        self.note(id, &group, sights);
        self.groups.push(group);
    }

    /// Puts the first child in the place of its parent; only its value on the refined column is new.
    fn replace(&mut self, id: u32, group: Group, sights: Vec<Sight>, place: usize, values: &[Values]) {
        self.link(id, place, group.values[place], values);
        self.note(id, &group, sights);
        self.groups[id as usize] = group;
    }

    fn link(&mut self, id: u32, place: usize, value: ValueId, values: &[Values]) {
        if values[self.columns[place]].may_be_refined(value) {
            let links = &mut self.links[place];
            if links.len() <= value.0 as usize {
                links.resize(value.0 as usize + 1, Vec::new());
            }
            links[value.0 as usize].push(id);
        }
    }

    /// Takes note of a new group.
    fn note(&mut self, id: u32, group: &Group, sights: Vec<Sight>) {
        if let Some(group_of) = &mut self.group_of {
            group.rows.iter().for_each(|&row| group_of[row as usize] = id);
        }
        for Sight { check, of, level } in sights {
            let check = check as usize;
            let sense = self.checks[check].sense;
            match of {
                Seen::Group => {
                    self.levels[id as usize * self.checks.len() + check] = level;
                    self.worst_now[check] = sense.worse(self.worst_now[check], level);
                }
                Seen::Parts { place, candidate } => {
                    let worst = &mut self.worst[check][place as usize];
                    let candidate = candidate.0 as usize;
                    if worst.len() <= candidate {
                        worst.resize(candidate + 1, sense.best());
                    }
                    worst[candidate] = sense.worse(worst[candidate], level);
                }
            }
        }
    }
}

/// Whether a level only gets worse when rows leave a group, not only when the group is split.
pub(crate) fn falls_with_rows(measure: &Measure) -> bool {
    measure.falls_with_rows()
}

/// Counts rows by slot and category, ascending.
fn tally(
    rows: &[u32],
    width: usize,
    categories: usize,
    slot: impl Fn(u32) -> u32,
    category: impl Fn(u32) -> usize,
    weight: impl Fn(u32) -> u32,
) -> Vec<Cell> {
    let cell = |slot: u32, category: u32, weight: u32| Cell { slot, category, weight };
    if width.saturating_mul(categories) <= 4 * rows.len() + 64 {
        let mut weights = vec![0u32; width * categories];
        for &row in rows {
            // The place of a row in no slot is far behind the last one.
            let place = slot(row) as usize * categories + category(row);
            if let Some(sum) = weights.get_mut(place) {
                *sum += weight(row);
            }
        }
        let present = weights.into_iter().enumerate().filter(|&(_, weight)| weight > 0);
        present
            .map(|(place, weight)| cell((place / categories) as u32, (place % categories) as u32, weight))
            .collect()
    } else {
        let mut counted: Vec<(u32, u32, u32)> = rows
            .iter()
            .map(|&row| (slot(row), category(row) as u32, weight(row)))
            .collect();
        counted.retain(|&(slot, ..)| slot != NO_SLOT);
        counted.sort_unstable();
        let equal = counted.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1));
        equal
            .map(|equal| cell(equal[0].0, equal[0].1, equal.iter().map(|&(.., weight)| weight).sum()))
            .collect()
    }
}
