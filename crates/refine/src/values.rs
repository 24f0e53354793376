//! The masked [`Values`] of one column: what is shown now, and what each refinement would show.
//!
//! A column with a taxonomy or numbers shows *ranges* of codes, each of which may be split into smaller ones. A column
//! without either shows `*` and the codes disclosed so far; each suppressed code may be disclosed. Both are told apart
//! here and nowhere else: to a guard, a refinement is a map from codes to children.
//!
//! Invariant: every code belongs to exactly one masked value, so a refinement never equates what was told apart.

mod domain;
mod foreign;
mod refinement;
mod shared;
mod told;

use std::collections::BTreeMap;
use std::ops::Range;

use scumble_table::{Column, Interval, SUPPRESSED};

use crate::classes::ClassCounts;
use crate::objective::{Objective, Share, information_gain, tied};
use crate::problem::Operation;
use scumble_level::{Cell, subtract};

use domain::{Domain, Form, observed};
use foreign::Foreign;

pub use foreign::Misfit;
pub(crate) use refinement::{CandidateId, NO_SLOT, NO_VALUE, ROOT, Refinement, ValueId};

/// A refinement that the column still lacks, whether or not it may be made.
#[derive(Debug)]
pub(crate) struct Remaining {
    pub candidate: CandidateId,
    pub gain: f64,
    /// Whether it would tell classes apart.
    pub beneficial: bool,
}

#[derive(Debug)]
struct RangeValue {
    codes: Range<u32>,
    form: Form,
    /// What would replace it; nothing if it cannot be refined.
    children: Vec<(Range<u32>, Form)>,
    gain: f64,
    refined: bool,
}

/// The masked values of one column.
#[derive(Debug)]
pub(crate) struct Values<'t> {
    column: &'t Column,
    counts: ClassCounts,
    has_class: bool,
    objective: Objective,
    slots: Vec<u32>,
    value_of_code: Vec<ValueId>,
    kind: Kind<'t>,
}

#[derive(Debug)]
enum Kind<'t> {
    Ranges(Ranges<'t>),
    Codes(Suppressed),
}

#[derive(Debug)]
struct Ranges<'t> {
    domain: Domain<'t>,
    shown: Vec<RangeValue>,
    /// Candidates by their first code, which is their tie order.
    live: BTreeMap<u32, CandidateId>,
}

#[derive(Debug)]
struct Suppressed {
    /// Rows that show `*`, by class.
    classes: Vec<u64>,
    disclosed: Vec<u32>,
    live: BTreeMap<u32, f64>,
}

/// The number of `*` in a suppressed column.
const STAR: ValueId = ROOT;

impl<'t> Values<'t> {
    /// A column at its most masked.
    pub fn new(column: &'t Column, operation: &Operation<'t>, class: Option<&Column>, objective: Objective) -> Self {
        let counts = ClassCounts::new(column, class);
        let codes = column.dictionary().len() as u32;
        let kind = match operation {
            Operation::Suppress => Kind::Codes(Suppressed {
                classes: counts.in_range(0..codes),
                disclosed: Vec::new(),
                live: counts.present(0..codes).map(|code| (code, 0.0)).collect(),
            }),
            Operation::Foreign => Kind::Ranges(Ranges::new(Domain::Foreign(Foreign::new(column.codes().len())))),
            Operation::Generalize(taxonomy) => Kind::Ranges(Ranges::new(Domain::Tree {
                taxonomy,
                spans: column.spans(taxonomy),
            })),
            Operation::Discretize(range) => {
                let numbers = column.dictionary().numbers().unwrap_or_default();
                let present: Vec<u32> = counts.present(0..numbers.len() as u32).collect();
                let ends = present.first().zip(present.last());
                let ends = ends.map(|(&first, &last)| (numbers[first as usize], numbers[last as usize]));
                Kind::Ranges(Ranges::new(Domain::Numbers {
                    numbers,
                    range: range.unwrap_or_else(|| observed(ends)),
                }))
            }
        };
        let mut values = Values {
            column,
            counts,
            has_class: class.is_some(),
            objective,
            slots: vec![NO_SLOT; codes as usize],
            value_of_code: vec![NO_VALUE; codes as usize],
            kind,
        };
        match &values.kind {
            Kind::Codes(suppressed) => {
                let live: Vec<u32> = suppressed.live.keys().copied().collect();
                live.into_iter().for_each(|code| values.slots[code as usize] = code);
                values.value_of_code.fill(STAR);
                values.weigh_suppressed();
            }
            Kind::Ranges(ranges) => {
                let (root, codes) = ranges.domain.root(values.missing(), codes);
                values.show(codes, root);
            }
        }
        values
    }

    /// The code of the missing value, if a row of the table has it.
    fn missing(&self) -> Option<u32> {
        let missing = self.column.dictionary().missing();
        missing.filter(|&code| self.counts.rows(code..code + 1) > 0)
    }

    /// The codes that the most masked value covers; a population may have others.
    pub fn codes_at_first(&self) -> Range<u32> {
        match &self.kind {
            Kind::Codes(_) => 0..self.slots.len() as u32,
            Kind::Ranges(ranges) => ranges.shown[0].codes.clone(),
        }
    }

    /// How many values were ever shown.
    pub fn values_shown(&self) -> u32 {
        match &self.kind {
            Kind::Codes(suppressed) => suppressed.disclosed.len() as u32 + 1,
            Kind::Ranges(ranges) => ranges.shown.len() as u32,
        }
    }

    /// For each code, one that no refinement to come tells it from.
    pub fn alike_for_good(&self) -> Vec<u32> {
        let codes = self.slots.len() as u32;
        let mut alike: Vec<u32> = (0..codes).collect();
        match &self.kind {
            Kind::Codes(suppressed) => {
                let is_hidden = |code: &u32| self.value_of_code[*code as usize] == STAR;
                let dead = (0..codes).filter(|code| is_hidden(code) && !suppressed.live.contains_key(code));
                let mut first = None;
                dead.for_each(|code| alike[code as usize] = *first.get_or_insert(code));
            }
            Kind::Ranges(ranges) => {
                let shown = ranges.shown.iter().zip(0..).filter(|(value, _)| !value.refined);
                for (value, _) in shown.filter(|&(_, id)| self.slots_of(ValueId(id)) == 0) {
                    alike[value.codes.start as usize..value.codes.end as usize].fill(value.codes.start);
                }
            }
        }
        alike
    }

    /// What a value is shown as; `None` for the missing value.
    pub fn label(&self, value: ValueId) -> Option<String> {
        match &self.kind {
            Kind::Codes(_) if value == STAR => Some(SUPPRESSED.to_owned()),
            Kind::Codes(suppressed) => {
                let code = suppressed.disclosed[value.0 as usize - 1];
                self.column.dictionary().value(code).map(str::to_owned)
            }
            Kind::Ranges(ranges) => ranges.domain.label(&ranges.shown[value.0 as usize].form),
        }
    }

    /// For each code, the value that it shows now.
    pub fn value_of_code(&self) -> &[ValueId] {
        &self.value_of_code
    }

    /// For each code, which part of its value's refinement it would go to ([`NO_SLOT`] if nobody asks): a child of
    /// a range, or the code itself where codes are disclosed one by one.
    pub fn slots(&self) -> &[u32] {
        &self.slots
    }

    /// How many slots the refinements of a value have, 0 if it has none that is live.
    pub fn slots_of(&self, value: ValueId) -> usize {
        match &self.kind {
            Kind::Codes(suppressed) if value == STAR && !suppressed.live.is_empty() => self.slots.len(),
            Kind::Codes(_) => 0,
            Kind::Ranges(Ranges {
                domain: Domain::Foreign(_),
                ..
            }) => 0,
            Kind::Ranges(ranges) => {
                let shown = &ranges.shown[value.0 as usize];
                if ranges.live.get(&shown.codes.start) == Some(&CandidateId(value.0)) {
                    shown.children.len()
                } else {
                    0
                }
            }
        }
    }

    /// The candidate that a slot of a value belongs to.
    pub fn candidate(&self, value: ValueId, slot: u32) -> CandidateId {
        match &self.kind {
            Kind::Codes(_) => CandidateId(slot),
            Kind::Ranges(_) => CandidateId(value.0),
        }
    }

    /// The value that a candidate refines.
    pub fn refined_by(&self, candidate: CandidateId) -> ValueId {
        match &self.kind {
            Kind::Codes(_) => STAR,
            Kind::Ranges(_) => ValueId(candidate.0),
        }
    }

    /// Whether each slot is a candidate of its own, with all other rows as its second child.
    pub fn one_by_one(&self) -> bool {
        matches!(self.kind, Kind::Codes(_))
    }

    /// The candidates and their gains, in tie order.
    pub fn candidates(&self) -> Box<dyn Iterator<Item = (CandidateId, f64)> + '_> {
        match &self.kind {
            Kind::Codes(suppressed) => Box::new(suppressed.live.iter().map(|(&code, &gain)| (CandidateId(code), gain))),
            Kind::Ranges(ranges) => Box::new(ranges.live.values().map(|&id| (id, ranges.shown[id.0 as usize].gain))),
        }
    }

    /// How many rows show a value that a candidate may still replace. It never grows: what has no candidate gets none.
    pub fn rows_unsettled(&self) -> u64 {
        match &self.kind {
            Kind::Codes(suppressed) => {
                let rows = suppressed.live.keys().map(|&code| self.counts.rows(code..code + 1));
                rows.sum()
            }
            Kind::Ranges(ranges) => {
                let live = ranges.live.values().map(|id| &ranges.shown[id.0 as usize].codes);
                live.map(|codes| self.counts.rows(codes.clone())).sum()
            }
        }
    }

    /// Drops a candidate for good.
    pub fn drop_candidate(&mut self, candidate: CandidateId) {
        match &mut self.kind {
            Kind::Codes(suppressed) => {
                suppressed.live.remove(&candidate.0);
                self.slots[candidate.0 as usize] = NO_SLOT;
            }
            Kind::Ranges(ranges) => {
                ranges.live.remove(&ranges.shown[candidate.0 as usize].codes.start);
            }
        }
    }

    /// Refines: what the candidate promised is shown from now on, with candidates of its own.
    pub fn refine(&mut self, candidate: CandidateId) -> Refinement {
        match &mut self.kind {
            Kind::Codes(suppressed) => {
                let code = candidate.0;
                for &(class, rows) in self.counts.of(code) {
                    suppressed.classes[class as usize] -= u64::from(rows);
                }
                suppressed.disclosed.push(code);
                let disclosed = ValueId(suppressed.disclosed.len() as u32);
                self.drop_candidate(candidate);
                self.weigh_suppressed();
                self.value_of_code[code as usize] = disclosed;
                let (codes, child_of) = self.children_of_codes(candidate);
                Refinement {
                    value: STAR,
                    codes,
                    child_of,
                    into: vec![disclosed, STAR],
                    disclosed: Some(code),
                }
            }
            Kind::Ranges(ranges) => {
                let refined = &mut ranges.shown[candidate.0 as usize];
                refined.refined = true;
                let children = refined.children.clone();
                self.drop_candidate(candidate);
                let (codes, child_of) = self.children_of_codes(candidate);
                let covered = codes.start as usize..codes.end as usize;
                self.value_of_code[covered.clone()].fill(NO_VALUE);
                self.slots[covered].fill(NO_SLOT);
                let into = children
                    .into_iter()
                    .map(|(codes, form)| self.show(codes, form))
                    .collect();
                Refinement {
                    value: ValueId(candidate.0),
                    codes,
                    child_of,
                    into,
                    disclosed: None,
                }
            }
        }
    }

    /// The codes that a candidate's value covers, or may cover, and the place of the child that each would go to; one
    /// past the last where no row of the table would be.
    pub fn children_of_codes(&self, candidate: CandidateId) -> (Range<u32>, Vec<u32>) {
        match &self.kind {
            Kind::Codes(_) => {
                let codes = 0..self.slots.len() as u32;
                let child_of = codes.clone().map(|other| u32::from(other != candidate.0)).collect();
                (codes, child_of)
            }
            Kind::Ranges(ranges) => {
                let RangeValue { codes, children, .. } = &ranges.shown[candidate.0 as usize];
                let mut child_of = vec![children.len() as u32; codes.len()];
                for (place, (covered, _)) in children.iter().enumerate() {
                    let local = (covered.start - codes.start) as usize..(covered.end - codes.start) as usize;
                    child_of[local].fill(place as u32);
                }
                (codes.clone(), child_of)
            }
        }
    }

    /// The children that a candidate would make of a group that shows its value, given the group's cells and its parts on
    /// this column.
    pub fn children_of_group(&self, candidate: CandidateId, cells: &[Cell], parts: &[Cell]) -> Vec<(u32, Vec<Cell>)> {
        let parts = parts.chunk_by(|a, b| a.slot == b.slot);
        if !self.one_by_one() {
            return parts.map(|part| (part[0].slot, part.to_vec())).collect();
        }
        let disclosed: Vec<Cell> = parts
            .filter(|part| part[0].slot == candidate.0)
            .flatten()
            .copied()
            .collect();
        let mut rest = cells.to_vec();
        subtract(&mut rest, &disclosed, |cell| cell.category);
        let children = [(0, disclosed), (1, rest)];
        children.into_iter().filter(|(_, cells)| !cells.is_empty()).collect()
    }

    /// The refinements that the column still lacks, in tie order.
    pub fn remaining(&self) -> Vec<Remaining> {
        match &self.kind {
            Kind::Codes(suppressed) => {
                let hidden = self.counts.present(0..self.slots.len() as u32);
                let hidden = hidden.filter(|code| !suppressed.disclosed.contains(code));
                let beneficial = self.tells_apart(&suppressed.classes);
                let star = self.star();
                let remaining = |code: u32| Remaining {
                    candidate: CandidateId(code),
                    gain: self.gain_of_disclosing(code, &star),
                    beneficial,
                };
                hidden.map(remaining).collect()
            }
            Kind::Ranges(ranges) => {
                let numbered = ranges.shown.iter().enumerate();
                let open = numbered.filter(|(_, value)| !value.refined && !value.children.is_empty());
                let mut open: Vec<(usize, &RangeValue)> = open.collect();
                open.sort_by_key(|(_, value)| value.codes.start);
                let remaining = |(id, value): (usize, &RangeValue)| Remaining {
                    candidate: CandidateId(id as u32),
                    gain: value.gain,
                    beneficial: self.tells_apart(&self.counts.in_range(value.codes.clone())),
                };
                open.into_iter().map(remaining).collect()
            }
        }
    }

    /// Shows a range, and makes its refinement a candidate if it has one that tells classes apart.
    fn show(&mut self, codes: Range<u32>, form: Form) -> ValueId {
        let from = self.share(codes.clone(), &form);
        let children = self.children(&codes, &form);
        let into: Vec<Share> = children
            .iter()
            .map(|(codes, form)| self.share(codes.clone(), form))
            .collect();
        let beneficial = !children.is_empty() && self.tells_apart(&from.classes);
        let gain = if beneficial {
            self.objective.gain(&from, &into, from.rows)
        } else {
            0.0
        };
        for (place, (codes, _)) in children.iter().enumerate() {
            self.slots[codes.start as usize..codes.end as usize].fill(place as u32);
        }
        let Kind::Ranges(ranges) = &mut self.kind else {
            unreachable!("only ranges are shown as ranges")
        };
        let id = ranges.shown.len() as u32;
        self.value_of_code[codes.start as usize..codes.end as usize].fill(ValueId(id));
        if beneficial {
            ranges.live.insert(codes.start, CandidateId(id));
        }
        ranges.shown.push(RangeValue {
            codes,
            form,
            children,
            gain,
            refined: false,
        });
        ValueId(id)
    }

    fn tells_apart(&self, classes: &[u64]) -> bool {
        !self.has_class || classes.iter().filter(|&&rows| rows > 0).count() > 1
    }

    fn share(&self, codes: Range<u32>, form: &Form) -> Share {
        let penalty = match &self.kind {
            Kind::Ranges(ranges) => ranges.domain.penalty(form),
            Kind::Codes(_) => 0.0,
        };
        Share {
            rows: self.counts.rows(codes.clone()),
            classes: self.counts.in_range(codes),
            penalty,
        }
    }

    fn children(&self, codes: &Range<u32>, form: &Form) -> Vec<(Range<u32>, Form)> {
        let Kind::Ranges(Ranges { domain, .. }) = &self.kind else {
            return Vec::new();
        };
        let missing = self.missing().map(|code| (code..code + 1, Form::Missing));
        let has_rows = |codes: &Range<u32>| self.counts.rows(codes.clone()) > 0;
        match (domain, form) {
            (Domain::Tree { taxonomy, spans }, &Form::Node(node)) => {
                let children = taxonomy.children(node).iter();
                let present = children.map(|&child| (spans[child.0 as usize].clone(), Form::Node(child)));
                // The missing value hangs under the root, beside the branches of the tree.
                let missing = missing.filter(|_| node == taxonomy.root() && !taxonomy.children(node).is_empty());
                present.filter(|(codes, _)| has_rows(codes)).chain(missing).collect()
            }
            (Domain::Numbers { range, .. }, Form::Whole) => {
                let numbers = (domain.codes_in_range(), Form::Interval(range.whole()));
                [numbers]
                    .into_iter()
                    .filter(|(codes, _)| has_rows(codes))
                    .chain(missing)
                    .collect()
            }
            (Domain::Numbers { numbers, .. }, &Form::Interval(interval))
                if self.counts.present(codes.clone()).nth(1).is_some() =>
            {
                let at = self.split(codes);
                let bound = numbers[at as usize];
                let left = Interval {
                    from: interval.from,
                    to: bound,
                    closed: false,
                };
                let right = Interval {
                    from: bound,
                    ..interval
                };
                vec![
                    (codes.start..at, Form::Interval(left)),
                    (at..codes.end, Form::Interval(right)),
                ]
            }
            _ => Vec::new(),
        }
    }

    /// The first code of the right half of the best split (section 4.2.1): the largest information gain, or without
    /// a class the most even halves; the smallest of the best.
    fn split(&self, codes: &Range<u32>) -> u32 {
        // Any value of the interval but the smallest; values that no row of the table has are none.
        let places = self.counts.present(codes.clone()).skip(1);
        if !self.has_class {
            let uneven = |at: u32| {
                self.counts
                    .rows(codes.start..at)
                    .abs_diff(self.counts.rows(at..codes.end))
            };
            return places
                .min_by_key(|&at| (uneven(at), at))
                .expect("a range of two codes has a place to split");
        }
        let from = self.counts.in_range(codes.clone());
        let (mut left, mut right) = (vec![0; from.len()], from.clone());
        let mut done = codes.start;
        let gains: Vec<(u32, f64)> = places
            .map(|at| {
                for &(class, rows) in (done..at).flat_map(|code| self.counts.of(code)) {
                    left[class as usize] += u64::from(rows);
                    right[class as usize] -= u64::from(rows);
                }
                done = at;
                (at, information_gain(&from, [&left[..], &right].into_iter()).max(0.0))
            })
            .collect();
        let best = gains.iter().map(|&(_, gain)| gain).fold(0.0, f64::max);
        let first = gains.into_iter().find(|&(_, gain)| tied(best, gain));
        first.expect("the best is tied with itself").0
    }

    /// Finds the gain of every code that may still be disclosed (eq. 4.5); they change with every disclosure.
    fn weigh_suppressed(&mut self) {
        let Kind::Codes(suppressed) = &self.kind else { return };
        let beneficial = self.tells_apart(&suppressed.classes);
        let star = self.star();
        let gain = |code: u32| self.gain_of_disclosing(code, &star);
        let live: BTreeMap<u32, f64> = if beneficial {
            suppressed.live.keys().map(|&code| (code, gain(code))).collect()
        } else {
            BTreeMap::new()
        };
        let Kind::Codes(suppressed) = &mut self.kind else {
            return;
        };
        suppressed.live = live;
        if !beneficial {
            self.slots.fill(NO_SLOT);
        }
    }

    /// The rows that show `*` in a suppressed column.
    fn star(&self) -> Share {
        let classes = match &self.kind {
            Kind::Codes(suppressed) => suppressed.classes.clone(),
            Kind::Ranges(_) => Vec::new(),
        };
        Share {
            rows: classes.iter().sum(),
            classes,
            penalty: 1.0,
        }
    }

    fn gain_of_disclosing(&self, code: u32, star: &Share) -> f64 {
        let mut rest = star.clone();
        for &(class, rows) in self.counts.of(code) {
            rest.classes[class as usize] -= u64::from(rows);
        }
        let value = Share {
            penalty: 0.0,
            ..self.share(code..code + 1, &Form::Missing)
        };
        rest.rows -= value.rows;
        let rows = value.rows;
        let into = if rest.rows > 0 { vec![value, rest] } else { vec![value] };
        self.objective.gain(star, &into, rows)
    }
}

impl<'t> Ranges<'t> {
    fn new(domain: Domain<'t>) -> Self {
        Ranges {
            domain,
            shown: Vec::new(),
            live: BTreeMap::new(),
        }
    }
}
