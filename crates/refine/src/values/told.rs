//! What is told of a column: its mask, its steps, and how little its values say.

use std::ops::Range;

use scumble_table::{Cut, Discretized, Interval, Mask, SUPPRESSED};

use super::domain::{Domain, Form};
use super::{CandidateId, Kind, Ranges, Values};

impl Values<'_> {
    /// The certainty penalties of what all rows show at first, added up.
    pub fn penalty_at_first(&self) -> f64 {
        match &self.kind {
            Kind::Codes(_) => self.counts.rows(self.codes_at_first()) as f64,
            Kind::Ranges(ranges) => self.penalty(ranges, &ranges.shown[0].codes, &ranges.shown[0].form),
        }
    }

    /// By how much refining a candidate lowers the penalties.
    pub fn penalty_saved(&self, candidate: CandidateId) -> f64 {
        match &self.kind {
            Kind::Codes(_) => self.counts.rows(candidate.0..candidate.0 + 1) as f64,
            Kind::Ranges(ranges) => {
                let refined = &ranges.shown[candidate.0 as usize];
                let children = refined.children.iter();
                let left: f64 = children.map(|(codes, form)| self.penalty(ranges, codes, form)).sum();
                self.penalty(ranges, &refined.codes, &refined.form) - left
            }
        }
    }

    fn penalty(&self, ranges: &Ranges, codes: &Range<u32>, form: &Form) -> f64 {
        self.counts.rows(codes.clone()) as f64 * ranges.domain.penalty(form)
    }

    /// How a step that refines a candidate is told: the value, and what it becomes.
    pub fn describe(&self, candidate: CandidateId) -> (Option<String>, Vec<Option<String>>) {
        match &self.kind {
            Kind::Codes(suppressed) => {
                let value = self.column.dictionary().value(candidate.0).map(str::to_owned);
                let hidden = suppressed.classes.iter().sum::<u64>();
                let alone = hidden == self.counts.rows(candidate.0..candidate.0 + 1);
                let star = (!alone).then(|| Some(SUPPRESSED.to_owned()));
                (value.clone(), std::iter::once(value).chain(star).collect())
            }
            Kind::Ranges(ranges) => {
                let shown = &ranges.shown[candidate.0 as usize];
                let into = shown
                    .children
                    .iter()
                    .map(|(_, form)| ranges.domain.label(form))
                    .collect();
                (ranges.domain.label(&shown.form), into)
            }
        }
    }

    /// What is shown now, as a mask.
    pub fn mask(&self) -> Mask {
        match &self.kind {
            Kind::Codes(suppressed) => {
                let mut disclosed = suppressed.disclosed.clone();
                disclosed.sort_unstable();
                let text = |code: u32| self.column.dictionary().value(code).map(str::to_owned);
                Mask::Suppress(disclosed.into_iter().map(text).collect())
            }
            Kind::Ranges(ranges) => ranges.mask(),
        }
    }
}

impl Ranges<'_> {
    fn mask(&self) -> Mask {
        match &self.domain {
            Domain::Tree { taxonomy, .. } => {
                let refined: Vec<&Form> = self.shown.iter().filter(|v| v.refined).map(|v| &v.form).collect();
                // Children without rows are part of the cut too: another file may hold their values.
                let (mut nodes, mut open) = (Vec::new(), vec![taxonomy.root()]);
                while let Some(node) = open.pop() {
                    if refined.contains(&&Form::Node(node)) {
                        open.extend(taxonomy.children(node))
                    } else {
                        nodes.push(node)
                    }
                }
                Mask::Generalize(Cut::new(taxonomy, nodes).expect("replacing nodes by all their children keeps a cut"))
            }
            // Not ours to tell.
            Domain::Foreign(_) => Mask::Exact,
            Domain::Numbers { .. } => {
                let shown = self.shown.iter().filter(|value| !value.refined);
                let mut intervals: Vec<Interval> = Vec::new();
                for value in shown {
                    match value.form {
                        Form::Interval(interval) => intervals.push(interval),
                        Form::Whole => return Mask::Discretize(Discretized::Whole),
                        _ => {}
                    }
                }
                intervals.sort_by(|a, b| a.from.total_cmp(&b.from));
                Mask::Discretize(Discretized::Intervals(intervals))
            }
        }
    }
}
