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

use crate::checks::Check;
use crate::measure::{Cell, Measure, subtract, total};
use crate::projection::Rows;
use crate::values::{CandidateId, NO_SLOT, NO_VALUE, ROOT, Refinement, ValueId, Values};

/// Rows of a group above which its columns are counted in parallel.
const LARGE: usize = 1 << 14;

/// The groups of one grouping.
#[derive(Debug)]
pub(crate) struct Guard<'t> {
    pub checks: Arc<[Check<'t>]>,
    /// The columns of the grouping, as places among the quasi columns.
    pub columns: Vec<usize>,
    pub rows: Rows<'t>,
    pub groups: Vec<Group>,
    /// For each column of the grouping and each of its values, the groups that show it.
    links: Vec<Vec<Vec<u32>>>,
    /// For each check, each column of the grouping and each candidate, the level of the worst part seen.
    worst: Vec<Vec<Vec<f64>>>,
    /// The group of each row, kept only where rows are looked up (row budget).
    pub group_of: Option<Vec<u32>>,
}

/// Rows that look the same.
#[derive(Debug, Default)]
pub(crate) struct Group {
    pub values: Vec<ValueId>,
    pub rows: Vec<u32>,
    /// How many rows of the table it has of each category.
    pub cells: Vec<Cell>,
    /// The level of each check.
    pub levels: Vec<f64>,
    /// For each column of the grouping, the parts that refining its value would make; empty if nobody asks.
    pub parts: Vec<Vec<Cell>>,
}

/// What a check would find in the worst of the parts that a candidate makes of one group.
#[derive(Clone, Copy, Debug)]
struct Sight {
    check: u32,
    place: u32,
    candidate: CandidateId,
    level: f64,
}

impl<'t> Guard<'t> {
    /// Groups rows by what the columns show now.
    pub fn new(
        checks: Arc<[Check<'t>]>,
        columns: Vec<usize>,
        rows: Rows<'t>,
        values: &[Values],
        look_up: bool,
    ) -> Self {
        let mut guard = Guard {
            links: vec![Vec::new(); columns.len()],
            worst: vec![vec![Vec::new(); columns.len()]; checks.len()],
            group_of: look_up.then(|| vec![0; rows.count]),
            groups: Vec::new(),
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
            let sights = guard.measure(&mut group, values);
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

    /// The level of one check now. Groups left out whole do not count.
    pub fn level(&self, check: usize) -> f64 {
        let sense = self.checks[check].sense;
        let levels = self.groups.iter().map(|group| group.levels[check]);
        levels.fold(sense.best(), |a, b| sense.worse(a, b))
    }

    /// The level of every check now.
    pub fn all_levels(&self) -> Vec<f64> {
        (0..self.checks.len()).map(|check| self.level(check)).collect()
    }

    /// Whether a failing check fails for every finer table too.
    pub fn is_anti_monotone(&self) -> bool {
        self.checks.iter().all(|check| check.template.is_anti_monotone())
    }

    /// The place of a column in this grouping.
    pub fn place(&self, column: usize) -> Option<usize> {
        self.columns.iter().position(|&own| own == column)
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
        let level = |check: &Check| check.measure.level(cells).unwrap_or_else(|| check.sense.best());
        self.checks.iter().map(level).collect()
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
        let families: Vec<Vec<(Group, Vec<Sight>)>> = parents
            .into_par_iter()
            .map(|group| {
                let disclosed = |part: &Cell| Some(part.slot) == refinement.disclosed;
                if refinement.disclosed.is_some() && !group.parts[place].iter().any(disclosed) {
                    return vec![(group, Vec::new())];
                }
                let children = self.split(group, place, refinement, values);
                let measured = children.into_iter().map(|mut child| {
                    let sights = self.measure(&mut child, values);
                    (child, sights)
                });
                measured.collect()
            })
            .collect();
        for (id, family) in ids.into_iter().zip(families) {
            let mut family = family.into_iter();
            match family.next() {
                Some((first, sights)) => self.replace(id, first, sights, place, values),
                // Only people who now look like nobody in the table.
                None => self.groups[id as usize] = self.gone(),
            }
            family.for_each(|(group, sights)| self.add(group, sights, values));
        }
    }

    /// A group without rows, which has the best of all levels.
    pub fn gone(&self) -> Group {
        Group {
            values: vec![NO_VALUE; self.columns.len()],
            levels: self.checks.iter().map(|check| check.sense.best()).collect(),
            parts: vec![Vec::new(); self.columns.len()],
            ..Group::default()
        }
    }

    /// The children of one group.
    fn split(&self, mut group: Group, place: usize, refinement: &Refinement, values: &[Values]) -> Vec<Group> {
        let rows = self.deal(&group.rows, place, refinement);
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
    fn deal(&self, rows: &[u32], place: usize, refinement: &Refinement) -> Vec<Vec<u32>> {
        if rows.len() >= 2 * LARGE {
            let (front, back) = rows.split_at(rows.len() / 2);
            let (mut dealt, rest) = rayon::join(
                || self.deal(front, place, refinement),
                || self.deal(back, place, refinement),
            );
            dealt.iter_mut().zip(rest).for_each(|(rows, rest)| rows.extend(rest));
            return dealt;
        }
        let first = refinement.codes.start as usize;
        let child_of = &refinement.child_of;
        let children: Vec<u32> = with_codes!(&*self.rows.codes[place], |codes| {
            rows.iter()
                .map(|&row| child_of[codes[row as usize] as usize - first])
                .collect()
        });
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
    fn measure(&self, group: &mut Group, values: &[Values]) -> Vec<Sight> {
        group.levels = self.levels_of(&group.cells);
        let mut sights = Vec::new();
        let mut rest = Vec::new();
        for (place, parts) in group.parts.iter().enumerate() {
            let column = &values[self.columns[place]];
            for (check, Check { measure, sense, .. }) in self.checks.iter().enumerate() {
                let mut see = |candidate: CandidateId, level: Option<f64>| {
                    let (check, place) = (check as u32, place as u32);
                    let sight = level.map(|level| Sight {
                        check,
                        place,
                        candidate,
                        level,
                    });
                    sights.extend(sight);
                };
                if column.one_by_one() {
                    for part in parts.chunk_by(|a, b| a.slot == b.slot) {
                        let candidate = CandidateId(part[0].slot);
                        see(candidate, measure.level(part));
                        see(candidate, measure.level_without(&group.cells, part, &mut rest));
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
        if values[self.columns[place]].slots_of(value) > 0 {
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
        for sight in sights {
            let sense = self.checks[sight.check as usize].sense;
            let worst = &mut self.worst[sight.check as usize][sight.place as usize];
            let candidate = sight.candidate.0 as usize;
            if worst.len() <= candidate {
                worst.resize(candidate + 1, sense.best());
            }
            worst[candidate] = sense.worse(worst[candidate], sight.level);
        }
    }
}

/// Whether a level only gets worse when rows leave a group, not only when the group is split.
pub(crate) fn falls_with_rows(measure: &Measure) -> bool {
    matches!(measure, Measure::Size | Measure::Distinct | Measure::People)
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
