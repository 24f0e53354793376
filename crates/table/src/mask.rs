//! A [`Mask`] is the published form of one column: for every value, what is shown instead.
//!
//! Invariant: a mask is global. Every row with the same value gets the same released value, so a mask can be written
//! down, read back and applied to another file.

use scumble_fault::{Blame, Fault};

use crate::{Column, Interval, Labels, NodeId, SUPPRESSED, Taxonomy};

/// The form in which one column is published.
#[derive(Clone, Debug, PartialEq)]
pub enum Mask {
    /// Every value as it is.
    Exact,
    /// Every value as the node of a cut that covers it.
    Generalize(Cut),
    /// The disclosed values as they are (`None` is the missing value), all others as `*`.
    Suppress(Vec<Option<String>>),
    /// Every number as the interval that holds it.
    Discretize(Discretized),
}

/// How much of a continuous column is shown.
#[derive(Clone, Debug, PartialEq)]
pub enum Discretized {
    /// Nothing, not even whether a value is missing: every cell is `*`.
    Whole,
    /// Intervals in ascending order; a missing value is shown as missing, a number outside all of them as `*`.
    Intervals(Vec<Interval>),
}

/// The detail at which a column with a taxonomy is published.
///
/// Invariant: every path from the root to a leaf meets the cut exactly once.
#[derive(Clone, Debug, PartialEq)]
pub struct Cut {
    nodes: Vec<NodeId>,
}

/// Why a mask does not fit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MaskError {
    /// A node that the taxonomy lacks.
    #[error("the mask has a node that the taxonomy lacks: {0}")]
    UnknownNode(String),
    /// A cut of a column that has no taxonomy.
    #[error("the mask is a cut through a taxonomy, and the column has none; name its `taxonomy`")]
    NoTaxonomy,
    /// Nodes that do not meet every path exactly once.
    #[error("the nodes of the mask are not a cut through the taxonomy: a value is covered twice or not at all")]
    NotACut,
    /// A published form that is not an interval.
    #[error("not an interval: {0}")]
    NotAnInterval(String),
    /// A column that shows groups of rows.
    #[error("rows were gathered into groups there, which other rows cannot be masked by")]
    Groups,
    /// Intervals that overlap.
    #[error("the intervals of the mask overlap or are not in ascending order")]
    Overlap,
}

impl Blame for MaskError {
    fn fault(&self) -> Fault {
        match self {
            MaskError::UnknownNode(_)
            | MaskError::NoTaxonomy
            | MaskError::NotACut
            | MaskError::NotAnInterval(_)
            | MaskError::Groups
            | MaskError::Overlap => Fault::Input,
        }
    }
}

impl Cut {
    /// A cut from its nodes, checked against the taxonomy.
    pub fn new(taxonomy: &Taxonomy, mut nodes: Vec<NodeId>) -> Result<Cut, MaskError> {
        nodes.sort();
        let mut next = 0;
        for &node in &nodes {
            let covered = taxonomy.leaves_under(node);
            if covered.start != next {
                return Err(MaskError::NotACut);
            }
            next = covered.end;
        }
        let complete = next == taxonomy.leaves_under(taxonomy.root()).end;
        complete.then_some(Cut { nodes }).ok_or(MaskError::NotACut)
    }

    /// A cut from the labels of its nodes.
    pub fn parse<'l>(taxonomy: &Taxonomy, labels: impl IntoIterator<Item = &'l str>) -> Result<Cut, MaskError> {
        let find = |label: &str| taxonomy.find(label).ok_or_else(|| MaskError::UnknownNode(label.into()));
        Cut::new(taxonomy, labels.into_iter().map(find).collect::<Result<_, _>>()?)
    }

    /// The nodes, in pre-order.
    pub fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }
}

impl Discretized {
    /// Reads the published forms: intervals in ascending order, or `*` alone.
    pub fn parse<'l>(labels: impl IntoIterator<Item = &'l str>) -> Result<Discretized, MaskError> {
        let labels: Vec<&str> = labels.into_iter().collect();
        if labels == [SUPPRESSED] {
            return Ok(Discretized::Whole);
        }
        let read = |label: &&str| Interval::parse(label).ok_or_else(|| MaskError::NotAnInterval(label.to_string()));
        let intervals = labels.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let apart = |pair: &[Interval]| pair[0].to < pair[1].from || (pair[0].to == pair[1].from && !pair[0].closed);
        if !intervals.windows(2).all(apart) {
            return Err(MaskError::Overlap);
        }
        Ok(Discretized::Intervals(intervals))
    }
}

impl Mask {
    /// What is shown for each code of the column: an index into the labels, and the labels (`None` for missing).
    ///
    /// `taxonomy` is the column's, needed by [`Mask::Generalize`].
    ///
    /// # Panics
    /// If the mask generalizes and there is no taxonomy, or a value is not in it: both are checked on loading.
    pub fn labels(&self, column: &Column, taxonomy: Option<&Taxonomy>) -> (Vec<u32>, Labels) {
        let dictionary = column.dictionary();
        let mut labels = Met::default();
        let value = |code: u32| dictionary.value(code).map(str::to_owned);
        let codes = 0..dictionary.len() as u32;
        match self {
            // The values of a dictionary differ, so there are no equal labels to find.
            Mask::Exact => {
                return (
                    codes.clone().collect(),
                    codes.map(|code| dictionary.value(code)).collect(),
                );
            }
            Mask::Suppress(disclosed) => {
                let disclosed: hashbrown::HashSet<Option<&str>> = disclosed.iter().map(Option::as_deref).collect();
                for code in codes {
                    let shown = disclosed.contains(&dictionary.value(code));
                    labels.show(if shown { value(code) } else { Some(SUPPRESSED.into()) });
                }
            }
            Mask::Discretize(Discretized::Whole) => codes.for_each(|_| labels.show(Some(SUPPRESSED.into()))),
            Mask::Discretize(Discretized::Intervals(intervals)) => {
                let numbers = dictionary.numbers().unwrap_or_default();
                for &number in numbers {
                    let at = intervals.partition_point(|i| i.to <= number && !i.contains(number));
                    let interval = intervals.get(at).filter(|i| i.contains(number));
                    labels.show(Some(interval.map_or(SUPPRESSED.into(), Interval::to_string)));
                }
                if dictionary.missing().is_some() {
                    labels.show(None);
                }
            }
            Mask::Generalize(cut) => {
                let taxonomy = taxonomy.expect("a generalized column has a taxonomy");
                for text in dictionary.texts().iter() {
                    let leaf = taxonomy.leaf(text).expect("loading checks that every value is a leaf");
                    let at = cut
                        .nodes
                        .partition_point(|&node| taxonomy.leaves_under(node).end <= leaf);
                    labels.show(Some(taxonomy.label(cut.nodes[at]).to_owned()));
                }
                if dictionary.missing().is_some() {
                    let hidden = cut.nodes == [taxonomy.root()];
                    labels.show(hidden.then(|| taxonomy.label(taxonomy.root()).to_owned()));
                }
            }
        }
        (labels.of_code, labels.texts)
    }
}

impl Mask {
    /// The certainty penalty of each code: 0 if it is shown as it is, 1 if nothing is told of it, between them the
    /// share of the column's leaves or range that the released value may stand for.
    ///
    /// # Panics
    /// As [`labels`](Self::labels).
    pub fn penalties(&self, column: &Column, taxonomy: Option<&Taxonomy>) -> Vec<f64> {
        let codes = 0..column.dictionary().len();
        if let Mask::Exact = self {
            return vec![0.0; codes.len()];
        }
        let (of_code, labels) = self.labels(column, taxonomy);
        let label = |code: usize| labels.at(of_code[code] as usize);
        let hidden = |code: usize| label(code) == Some(SUPPRESSED);
        match self {
            Mask::Exact => Vec::new(), // Answered above: a column of keys has a label for each row.
            Mask::Suppress(_) | Mask::Discretize(Discretized::Whole) => {
                codes.map(|code| f64::from(u8::from(hidden(code)))).collect()
            }
            Mask::Discretize(Discretized::Intervals(intervals)) => {
                let ends = intervals.first().zip(intervals.last());
                let range = ends.and_then(|(first, last)| crate::Range::new(first.from, last.to).ok());
                let penalty = |code: usize| match label(code).map(Interval::parse) {
                    Some(interval) => interval
                        .zip(range)
                        .map_or(1.0, |(interval, range)| interval.penalty(&range)),
                    None => 0.0,
                };
                codes.map(penalty).collect()
            }
            Mask::Generalize(_) => {
                let taxonomy = taxonomy.expect("a generalized column has a taxonomy");
                let node = |code: usize| label(code).and_then(|label| taxonomy.find(label));
                codes
                    .map(|code| node(code).map_or(0.0, |node| taxonomy.penalty(node)))
                    .collect()
            }
        }
    }
}

/// Labels as they are met; equal labels are one, because a reader of the release cannot tell them apart.
#[derive(Default)]
struct Met {
    of_code: Vec<u32>,
    texts: Labels,
    index: hashbrown::HashMap<Option<String>, u32>,
}

impl Met {
    fn show(&mut self, label: Option<String>) {
        let next = self.texts.len() as u32;
        let number = *self.index.entry(label).or_insert_with_key(|label| {
            self.texts.push(label.as_deref());
            next
        });
        self.of_code.push(number);
    }
}
