//! What the agreement says of columns that others tell: which texts can be values, and which masks an operation makes.
//!
//! A party's own values are whatever it says. What it says must be what a party with such values would say: texts as they
//! are read from a file, in value order, and a mask that the column's operation makes, with the labels and the penalty that
//! follow from it.

use std::collections::BTreeSet;

use scumble_mashup::{Coded, MaskedColumn, Terms};
use scumble_refine::Operation;
use scumble_report::CertifiedMask;
use scumble_store::Cells;
use scumble_table::Reading;
use scumble_table::{
    Alike, ColumnId, Cut, Discretized, Interval, Mask, NodeId, Range, SUPPRESSED, Taxonomy, ValueOrder, parse_number,
};

use scumble_bind::{Plan, is_nearly_unique};
use scumble_policy::Agreement;
use scumble_policy::{Missing, Role};

use super::own::Own;

/// Penalties are averages, which may be added up in another order.
const ROUNDING: f64 = 1e-9;

/// The agreement, and the plan that follows from it.
pub(super) struct AgreedTerms<'t> {
    pub agreement: &'t Agreement,
    pub plan: &'t Plan,
    pub own: &'t Own<'t>,
}

impl Terms for AgreedTerms<'_> {
    fn refinements(&self, column: usize, told: &MaskedColumn) -> Option<usize> {
        let id = self.plan.quasi[column];
        let planned = &self.plan.columns[id.0];
        let mask = read_mask(&told.mask, planned.taxonomy())?;
        let mut templates = self.plan.requirement.templates.iter();
        let is_masked = templates.any(|template| template.of.columns.contains(&id));
        let shown = Shown(&told.cells);
        let (refinements, penalty) = match (&planned.operation(), &mask) {
            _ if !self.misses_as_agreed(&told.cells.texts) => None,
            (_, Mask::Exact) if !is_masked => self.are_values(id, &told.cells.texts).then_some((0, 0.0)),
            (Operation::Generalize(taxonomy), Mask::Generalize(cut)) if is_masked => shown.by_cut(taxonomy, cut),
            (Operation::Suppress, Mask::Suppress(disclosed)) if is_masked => {
                let each_once = Coded {
                    texts: disclosed.clone(),
                    of_record: (0..disclosed.len() as u32).collect(),
                };
                let are_values = self.are_values(id, disclosed) && self.is_in_order(id, &each_once);
                shown.by_disclosing(disclosed).filter(|_| are_values)
            }
            (Operation::Discretize(_), Mask::Discretize(Discretized::Whole)) if is_masked => shown.as_nothing(),
            (Operation::Discretize(range), Mask::Discretize(Discretized::Intervals(intervals))) if is_masked => {
                shown.by_intervals(intervals, range.as_ref())
            }
            (
                Operation::Generalize(_) | Operation::Suppress | Operation::Discretize(_) | Operation::Foreign,
                Mask::Exact | Mask::Generalize(_) | Mask::Suppress(_) | Mask::Discretize(_),
            ) => None,
        }?;
        ((told.penalty - penalty).abs() <= ROUNDING).then_some(refinements)
    }

    fn can_hold(&self, column: usize, cells: &Coded) -> bool {
        let (id, planned) = (ColumnId(column), &self.plan.columns[column]);
        let listed = self.agreement.policy.column(&planned.name);
        let may_be_unique = planned.role != Role::Other || listed.is_some_and(|listed| listed.unique);
        let is_unique = || is_nearly_unique(&self.own.told(id, &cells.texts, &cells.of_record));
        self.misses_as_agreed(&cells.texts)
            && self.are_values(id, &cells.texts)
            && self.is_in_order(id, cells)
            && (may_be_unique || !is_unique())
    }
}

impl AgreedTerms<'_> {
    /// Where rows with a missing value are left out, no value is missing.
    fn misses_as_agreed(&self, texts: &[Option<String>]) -> bool {
        self.agreement.policy.data.missing != Missing::Drop || !texts.contains(&None)
    }

    /// Whether texts are what cells of a column are read as.
    fn are_values(&self, id: ColumnId, texts: &[Option<String>]) -> bool {
        let data = &self.agreement.policy.data;
        let alike = self.alike(id);
        let cells = Cells {
            trim: data.trim,
            // What is united may come to be the text of a mark, and then is none: marks are looked for first.
            marks: if alike == Alike::Keep {
                data.missing_marks.clone()
            } else {
                Vec::new()
            },
            formulas_as_text: false,
        };
        let is_read = |text: &str| cells.value(text) == Some(text) && alike.value(text) == text;
        let fits = |text: &str| match self.own.reading(id) {
            Reading::Skip | Reading::Text | Reading::Ids => true,
            Reading::Leaves(taxonomy) => taxonomy.leaf(text).is_some(),
            Reading::Number { range } => {
                let is_inside = |number: f64| range.is_none_or(|range| range.whole().contains(number));
                parse_number(text).is_some_and(is_inside)
            }
        };
        texts.iter().flatten().all(|text| is_read(text) && fits(text))
    }

    /// Whether texts are in value order, which some templates count by.
    fn is_in_order(&self, id: ColumnId, cells: &Coded) -> bool {
        let is_in = |order: ValueOrder| {
            let read = self.own.told_in(order, id, &cells.texts, &cells.of_record);
            Coded::of_column(&read) == *cells
        };
        is_in(self.own.reading(id).order()) || self.alike(id) != Alike::Keep && is_in(ValueOrder::Natural)
    }

    fn alike(&self, id: ColumnId) -> Alike {
        let listed = self.agreement.policy.column(&self.plan.columns[id.0].name);
        listed.and_then(|listed| listed.alike).unwrap_or(Alike::Keep)
    }
}

/// A mask as it is written down, and only as that.
pub(super) fn read_mask(written: &str, taxonomy: Option<&Taxonomy>) -> Option<Mask> {
    let read: Option<CertifiedMask> = serde_json::from_str(written).ok()?;
    let mask = read.map_or(Ok(Mask::Exact), |mask| mask.read(taxonomy)).ok()?;
    let again = serde_json::to_string(&CertifiedMask::of(&mask, taxonomy)).ok()?;
    (again == written).then_some(mask)
}

/// What a masked column shows. Every text of it is of some record.
struct Shown<'c>(&'c Coded);

/// Refinements, and the average penalty.
type Cost = Option<(usize, f64)>;

impl Shown<'_> {
    fn shows(&self, label: Option<&str>) -> bool {
        self.0.texts.iter().any(|text| text.as_deref() == label)
    }

    /// The average penalty of the records, given that of each label.
    fn average(&self, of_label: impl Fn(Option<&str>) -> f64) -> f64 {
        let of_label: Vec<f64> = self.0.texts.iter().map(|text| of_label(text.as_deref())).collect();
        let sum: f64 = self.0.of_record.iter().map(|&label| of_label[label as usize]).sum();
        sum / (self.0.of_record.len() as f64).max(1.0)
    }

    /// Nodes of a cut. What was refined had records, so it is above one that is shown.
    fn by_cut(&self, taxonomy: &Taxonomy, cut: &Cut) -> Cost {
        let (root, labels) = (taxonomy.root(), &self.0.texts);
        let is_whole = cut.nodes() == [root];
        let node = |label: &String| taxonomy.find(label).filter(|node| cut.nodes().contains(node));
        let shown: Vec<NodeId> = labels.iter().flatten().map(node).collect::<Option<_>>()?;
        let tells_missing = is_whole && self.shows(None);
        let refined = above(taxonomy, cut.nodes());
        let mut with_records = above(taxonomy, &shown);
        with_records.extend((!is_whole).then_some(root));
        let penalty = self.average(|label| {
            let node = label.and_then(|label| taxonomy.find(label));
            node.map_or(0.0, |node| taxonomy.penalty(node))
        });
        (!tells_missing && refined == with_records).then_some((refined.len(), penalty))
    }

    /// Disclosed values, each of some record, and `*`.
    fn by_disclosing(&self, disclosed: &[Option<String>]) -> Cost {
        let star = Some(SUPPRESSED.to_owned());
        let are_all_shown = disclosed.iter().all(|value| self.0.texts.contains(value));
        let are_disclosed = self
            .0
            .texts
            .iter()
            .all(|label| *label == star || disclosed.contains(label));
        let penalty = self.average(|label| f64::from(u8::from(label == Some(SUPPRESSED))));
        (are_all_shown && are_disclosed).then_some((disclosed.len(), penalty))
    }

    /// A column of numbers of which nothing is shown.
    fn as_nothing(&self) -> Cost {
        let shows_nothing = self.0.texts.iter().all(|label| label.as_deref() == Some(SUPPRESSED));
        shows_nothing.then_some((0, 1.0))
    }

    /// Intervals that tile the range, each of some record. To show what is missing is a refinement, too.
    fn by_intervals(&self, intervals: &[Interval], range: Option<&Range>) -> Cost {
        let misses = self.shows(None);
        let (Some(first), Some(last)) = (intervals.first(), intervals.last()) else {
            return (self.0.texts == [None]).then_some((1, 0.0));
        };
        let meet = |pair: &[Interval]| pair[0].to == pair[1].from && !pair[0].closed;
        let tile = intervals.windows(2).all(meet) && last.closed;
        let is_agreed = |range: &Range| (range.whole().from, range.whole().to) == (first.from, last.to);
        let written: Vec<String> = intervals.iter().map(Interval::to_string).collect();
        let are_all_shown = written.iter().all(|label| self.shows(Some(label)));
        let are_written = self.0.texts.iter().flatten().all(|label| written.contains(label));
        let whole = Range::new(first.from, last.to).ok()?;
        let penalty = self.average(|label| {
            let interval = label.and_then(Interval::parse);
            interval.map_or(0.0, |interval| interval.penalty(&whole))
        });
        let fits = tile && range.is_none_or(is_agreed) && are_all_shown && are_written;
        fits.then_some((intervals.len() - 1 + usize::from(misses), penalty))
    }
}

/// The nodes above some nodes.
fn above(taxonomy: &Taxonomy, nodes: &[NodeId]) -> BTreeSet<NodeId> {
    let mut above = BTreeSet::new();
    for &node in nodes {
        let mut next = taxonomy.parent(node);
        while let Some(parent) = next.filter(|&parent| above.insert(parent)) {
            next = taxonomy.parent(parent);
        }
    }
    above
}
