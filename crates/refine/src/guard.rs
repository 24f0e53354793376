//! A [`Guard`] keeps the groups of one anonymity template, and for every candidate what its level would be after it.
//!
//! Groups hold their rows and, for each column whose value in the group can still be refined, how many rows would go
//! to each part. Refining splits the groups that show the value, each on its own, so they are split in parallel.
//!
//! Invariant: rows of a group show the same masked value on every column of the template, and different groups differ.
//!
//! Levels only ever fall. The parts that a refinement would make are parts of the parts it would have made before, so
//! the smallest part ever seen for a candidate is the smallest there is: a running minimum is exact (no row budget).

use rayon::prelude::*;
use scumble_table::with_codes;

use crate::projection::Rows;
use crate::values::{CandidateId, NO_SLOT, Refinement, ValueId, Values};

/// Rows of a group above which its columns are counted in parallel.
const LARGE: usize = 1 << 14;

/// The groups of one template.
#[derive(Debug)]
pub(crate) struct Guard<'t> {
    pub k: u32,
    /// The columns of the template, as places among the quasi columns.
    pub columns: Vec<usize>,
    pub rows: Rows<'t>,
    pub groups: Vec<Group>,
    /// For each column of the template and each of its values, the groups that show it.
    links: Vec<Vec<Vec<u32>>>,
    /// For each column of the template and each candidate, the smallest part seen.
    smallest: Vec<Vec<u32>>,
    /// The group of each row, kept only where rows are looked up (row budget).
    pub group_of: Option<Vec<u32>>,
}

/// Rows that look the same to the template.
#[derive(Debug, Default)]
pub(crate) struct Group {
    pub values: Vec<ValueId>,
    pub rows: Vec<u32>,
    pub size: Size,
    /// For each column of the template, the parts that refining its value would make; empty if nobody asks.
    pub parts: Vec<Vec<Part>>,
}

/// How large a set of rows is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Size {
    /// What the template counts: records, or different people.
    pub measure: u32,
    /// Rows of the table.
    pub weight: u32,
}

/// The rows of a group in one slot of its value, and the others where the slot is a candidate by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub slot: u32,
    pub size: Size,
    /// The measure of the group's other rows; 0 where slots are refined together.
    pub rest: u32,
}

impl<'t> Guard<'t> {
    /// One group of all rows.
    pub fn new(k: u32, columns: Vec<usize>, rows: Rows<'t>, values: &[Values], look_up: bool) -> Self {
        let mut guard = Guard {
            k,
            links: vec![Vec::new(); columns.len()],
            smallest: vec![Vec::new(); columns.len()],
            group_of: look_up.then(|| vec![0; rows.count]),
            groups: Vec::new(),
            columns,
            rows,
        };
        let all = guard.rows.all();
        let roots = guard.columns.iter().map(|&column| values[column].root()).collect();
        let mut root = Group {
            values: roots,
            size: guard.size(&all),
            rows: all,
            parts: Vec::new(),
        };
        root.parts = guard.count_all(&root, values);
        guard.add(root, values);
        guard
    }

    /// The level now: the smallest group. Groups left out whole do not count.
    pub fn level(&self) -> u32 {
        self.groups
            .iter()
            .map(|group| group.size.measure)
            .filter(|&measure| measure > 0)
            .min()
            .unwrap_or(0)
    }

    /// The place of a column in this template.
    pub fn place(&self, column: usize) -> Option<usize> {
        self.columns.iter().position(|&own| own == column)
    }

    /// The smallest part that a candidate of a column would make, as far as ever seen.
    pub fn smallest_part(&self, place: usize, candidate: CandidateId) -> u32 {
        self.smallest[place]
            .get(candidate.0 as usize)
            .copied()
            .unwrap_or(u32::MAX)
    }

    /// The groups that show a value.
    pub fn showing(&self, place: usize, value: ValueId) -> &[u32] {
        self.links[place].get(value.0 as usize).map_or(&[], Vec::as_slice)
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
        let families: Vec<Vec<Group>> = parents
            .into_par_iter()
            .map(|group| self.split(group, place, refinement, values))
            .collect();
        for (id, family) in ids.into_iter().zip(families) {
            let mut family = family.into_iter();
            let first = family.next().expect("a group with rows has a child with rows");
            self.replace(id, first, place, values);
            family.for_each(|group| self.add(group, values));
        }
    }

    /// The children of one group.
    fn split(&self, mut group: Group, place: usize, refinement: &Refinement, values: &[Values]) -> Vec<Group> {
        let column = &values[self.columns[place]];
        let one_by_one = column.one_by_one();
        let disclosed = refinement
            .child_of
            .iter()
            .position(|&child| child == 0)
            .map(|code| code as u32);
        if one_by_one && !group.parts[place].iter().any(|part| Some(part.slot) == disclosed) {
            return vec![group];
        }
        let rows = self.deal(&group.rows, place, refinement);
        if rows.iter().filter(|rows| !rows.is_empty()).count() == 1 {
            let child = rows.iter().position(|rows| !rows.is_empty()).expect("counted above");
            group.values[place] = refinement.into[child];
            group.parts[place] = self.count(&group, place, values);
            return vec![group];
        }
        let mut children: Vec<Group> = rows
            .into_iter()
            .zip(&refinement.into)
            .filter(|(rows, _)| !rows.is_empty())
            .map(|(rows, &value)| {
                let mut shown = group.values.clone();
                shown[place] = value;
                Group {
                    values: shown,
                    size: self.size(&rows),
                    rows,
                    parts: Vec::new(),
                }
            })
            .collect();
        // Only the smaller children are counted; the largest keeps what its siblings leave of the parent's counts.
        // Different people do not subtract: one may be in several children.
        let largest = (0..children.len()).max_by_key(|&child| children[child].rows.len());
        let largest = largest.filter(|_| self.rows.people.is_none());
        for child in (0..children.len()).filter(|&child| Some(child) != largest) {
            children[child].parts = self.count_all(&children[child], values);
        }
        if let Some(largest) = largest {
            let mut parts = std::mem::take(&mut group.parts);
            for (other, parts) in parts.iter_mut().enumerate() {
                let of = &values[self.columns[other]];
                if other != place {
                    let siblings = children.iter().filter(|child| !child.parts.is_empty());
                    let siblings: Vec<&[Part]> = siblings.map(|child| &child.parts[other][..]).collect();
                    subtract(parts, &siblings);
                } else if one_by_one && children[largest].values[place] == refinement.value {
                    parts.retain(|part| Some(part.slot) != disclosed);
                } else {
                    *parts = self.count(&children[largest], place, values);
                }
                parts.retain(|part| !of.one_by_one() || of.slots()[part.slot as usize] != NO_SLOT);
                if of.slots_of(children[largest].values[other]) == 0 {
                    *parts = Vec::new();
                }
                let weight = children[largest].size.weight;
                if of.one_by_one() {
                    parts.iter_mut().for_each(|part| part.rest = weight - part.size.weight);
                }
            }
            children[largest].parts = parts;
        }
        children
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
        let mut sizes = vec![0; refinement.into.len()];
        children.iter().for_each(|&child| sizes[child as usize] += 1);
        let mut dealt: Vec<Vec<u32>> = sizes.into_iter().map(Vec::with_capacity).collect();
        rows.iter()
            .zip(children)
            .for_each(|(&row, child)| dealt[child as usize].push(row));
        dealt
    }

    /// The size of a set of rows in which those about one person stand together.
    pub fn size(&self, rows: &[u32]) -> Size {
        let weight = match &self.rows.weights {
            None => rows.len() as u32,
            Some(weights) => rows.iter().map(|&row| weights[row as usize]).sum(),
        };
        let measure = match &self.rows.people {
            None => weight,
            Some(people) => rows.chunk_by(|&a, &b| people[a as usize] == people[b as usize]).count() as u32,
        };
        Size { measure, weight }
    }

    /// The parts of a group on every column.
    pub fn count_all(&self, group: &Group, values: &[Values]) -> Vec<Vec<Part>> {
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
    fn count(&self, group: &Group, place: usize, values: &[Values]) -> Vec<Part> {
        let column = &values[self.columns[place]];
        let width = column.slots_of(group.values[place]);
        if width == 0 {
            return Vec::new();
        }
        let slots = column.slots();
        let mut parts = with_codes!(&*self.rows.codes[place], |codes| {
            let slot = |row: u32| slots[codes[row as usize] as usize];
            match (&self.rows.people, &self.rows.weights) {
                (None, None) => tally(&group.rows, width, slot, |_| 1),
                (None, Some(weights)) => tally(&group.rows, width, slot, |row| weights[row as usize]),
                (Some(people), _) => tally_people(
                    &group.rows,
                    people,
                    slot,
                    |row| self.rows.weight(row),
                    group.size.measure,
                ),
            }
        });
        if !column.one_by_one() {
            parts.iter_mut().for_each(|part| part.rest = 0);
        } else if self.rows.people.is_none() {
            parts
                .iter_mut()
                .for_each(|part| part.rest = group.size.weight - part.size.weight);
        }
        parts
    }

    /// Adds a group.
    fn add(&mut self, group: Group, values: &[Values]) {
        let id = self.groups.len() as u32;
        for (place, &value) in group.values.iter().enumerate() {
            self.link(id, place, value, values);
        }
        self.see(id, &group, values);
        self.groups.push(group);
    }

    /// Puts the first child in the place of its parent; only its value on the refined column is new.
    fn replace(&mut self, id: u32, group: Group, place: usize, values: &[Values]) {
        self.link(id, place, group.values[place], values);
        self.see(id, &group, values);
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

    /// Takes note of the parts of a new group.
    fn see(&mut self, id: u32, group: &Group, values: &[Values]) {
        if let Some(group_of) = &mut self.group_of {
            group.rows.iter().for_each(|&row| group_of[row as usize] = id);
        }
        for (place, parts) in group.parts.iter().enumerate() {
            let column = &values[self.columns[place]];
            for part in parts {
                let candidate = column.candidate(group.values[place], part.slot).0 as usize;
                let smallest = &mut self.smallest[place];
                if smallest.len() <= candidate {
                    smallest.resize(candidate + 1, u32::MAX);
                }
                let rest = if part.rest > 0 { part.rest } else { u32::MAX };
                smallest[candidate] = smallest[candidate].min(part.size.measure).min(rest);
            }
        }
    }
}

/// Counts rows by slot.
fn tally(rows: &[u32], width: usize, slot: impl Fn(u32) -> u32, weight: impl Fn(u32) -> u32) -> Vec<Part> {
    let part = |slot: u32, weight: u32| Part {
        slot,
        size: Size {
            measure: weight,
            weight,
        },
        rest: 0,
    };
    if width <= 4 * rows.len() + 64 {
        let mut weights = vec![0u32; width];
        for &row in rows {
            if let Some(sum) = weights.get_mut(slot(row) as usize) {
                *sum += weight(row);
            }
        }
        let present = weights.into_iter().enumerate().filter(|&(_, weight)| weight > 0);
        present.map(|(slot, weight)| part(slot as u32, weight)).collect()
    } else {
        let mut pairs: Vec<(u32, u32)> = rows.iter().map(|&row| (slot(row), weight(row))).collect();
        pairs.retain(|&(slot, _)| slot != NO_SLOT);
        pairs.sort_unstable();
        let equal = pairs.chunk_by(|a, b| a.0 == b.0);
        equal
            .map(|equal| part(equal[0].0, equal.iter().map(|&(_, weight)| weight).sum()))
            .collect()
    }
}

/// Counts different people by slot, and in the rest of the group: all but those whose every row is in the slot.
fn tally_people(
    rows: &[u32],
    people: &[u32],
    slot: impl Fn(u32) -> u32,
    weight: impl Fn(u32) -> u32,
    everyone: u32,
) -> Vec<Part> {
    // For each person and slot: the slot, the weight of the person's rows in it, and whether these are all of them.
    let mut seen: Vec<(u32, u32, bool)> = Vec::new();
    for rows in rows.chunk_by(|&a, &b| people[a as usize] == people[b as usize]) {
        let mut own: Vec<(u32, u32)> = rows.iter().map(|&row| (slot(row), weight(row))).collect();
        own.sort_unstable();
        let only = own[0].0 == own[own.len() - 1].0;
        let by_slot = own.chunk_by(|a, b| a.0 == b.0);
        seen.extend(by_slot.map(|equal| (equal[0].0, equal.iter().map(|&(_, weight)| weight).sum(), only)));
    }
    seen.retain(|&(slot, ..)| slot != NO_SLOT);
    seen.sort_unstable();
    seen.chunk_by(|a, b| a.0 == b.0)
        .map(|people| {
            let size = Size {
                measure: people.len() as u32,
                weight: people.iter().map(|&(_, weight, _)| weight).sum(),
            };
            let only_here = people.iter().filter(|&&(.., only)| only).count() as u32;
            Part {
                slot: people[0].0,
                size,
                rest: everyone - only_here,
            }
        })
        .collect()
}

/// Takes the siblings' counts off the parent's. All are sorted by slot, and every slot of a sibling is the parent's.
fn subtract(parts: &mut Vec<Part>, siblings: &[&[Part]]) {
    for sibling in siblings {
        let mut at = 0;
        for part in *sibling {
            while parts[at].slot != part.slot {
                at += 1;
            }
            parts[at].size.measure -= part.size.measure;
            parts[at].size.weight -= part.size.weight;
        }
    }
    parts.retain(|part| part.size.weight > 0);
}
