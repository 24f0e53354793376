//! An [`Axis`] is the values of one column as places, on which sets of them have a loss; a [`Scale`] says which places.

use scumble_table::{Column, Range, Taxonomy};

/// How the values of a column are told apart, and so how a set of them is shown.
#[derive(Clone, Copy, Debug)]
pub enum Scale<'t> {
    /// By a tree: a set is its closest common ancestor.
    Tree(&'t Taxonomy),
    /// As numbers: a set is the interval from the smallest to the largest.
    Numbers {
        /// The range that an interval is a share of; without it, the smallest and the largest number of the column.
        range: Option<Range>,
    },
    /// One by one: a set is just that.
    Values {
        /// How many values there could be; without it, those of the column.
        domain: Option<usize>,
    },
    /// One by one, of the leaves of a tree, which only tells a search what is near.
    Leaves(&'t Taxonomy),
}

#[derive(Debug)]
pub(crate) enum Axis {
    /// The losses of all spans of codes, by their first and last code.
    Table {
        losses: Vec<f64>,
        codes: usize,
        tree: Paths,
    },
    /// A tree too large for a table.
    Tree(Paths),
    /// Where each code lies on a line of length 1; the missing value lies beyond it.
    Line(Vec<f64>),
    /// What one more value costs, and where the bits of a set begin.
    Set {
        step: f64,
        first_word: usize,
        words: usize,
        missing: Option<u32>,
    },
}

/// For each code, the nodes from its leaf up to the root.
#[derive(Debug)]
pub(crate) struct Paths(Vec<Vec<Step>>);

/// A node on a path.
#[derive(Debug)]
struct Step {
    node: u32,
    /// The code after the last that it covers.
    end: u32,
    loss: f64,
}

impl Paths {
    /// The missing value is covered by the root alone.
    fn new(column: &Column, taxonomy: &Taxonomy) -> Paths {
        let spans = column.spans(taxonomy);
        let others = (taxonomy.leaves().len() as f64 - 1.0).max(1.0);
        let dictionary = column.dictionary();
        let path = |code: u32| {
            let leaf = dictionary.value(code).and_then(|text| taxonomy.find(text));
            let nodes = std::iter::successors(leaf, |&node| taxonomy.parent(node));
            let mut path: Vec<Step> = nodes
                .map(|node| Step {
                    node: node.0,
                    end: spans[node.0 as usize].end,
                    loss: (taxonomy.leaves_under(node).len() as f64 - 1.0) / others,
                })
                .collect();
            path.push(Step {
                node: taxonomy.root().0,
                end: dictionary.len() as u32,
                loss: 1.0,
            });
            path
        };
        Paths((0..dictionary.len() as u32).map(path).collect())
    }

    fn over(&self, first: u32, last: u32) -> &Step {
        let path = &self.0[first as usize];
        let above = path.iter().find(|step| last < step.end);
        above.unwrap_or(&path[path.len() - 1])
    }

    /// The closest node over two codes.
    pub fn node_over(&self, first: u32, last: u32) -> u32 {
        self.over(first, last).node
    }

    fn loss(&self, first: u32, last: u32) -> f64 {
        if first == last {
            0.0
        } else {
            self.over(first, last).loss
        }
    }
}

/// Codes up to this many have a table of losses.
const CODES_IN_TABLE: usize = 512;

/// Where the missing value lies: more than 1 from every number.
pub(crate) const BEYOND: f64 = 3.0;

impl Axis {
    pub fn new(column: &Column, scale: Scale, words: &mut usize) -> Axis {
        let dictionary = column.dictionary();
        let values = dictionary.texts().len();
        match scale {
            Scale::Tree(taxonomy) => {
                let tree = Paths::new(column, taxonomy);
                let codes = dictionary.len();
                if codes > CODES_IN_TABLE {
                    return Axis::Tree(tree);
                }
                let spans = (0..codes * codes).map(|place| ((place / codes) as u32, (place % codes) as u32));
                let losses = spans.map(|(a, b)| if a <= b { tree.loss(a, b) } else { 0.0 });
                Axis::Table {
                    losses: losses.collect(),
                    codes,
                    tree,
                }
            }
            Scale::Numbers { range } => {
                let numbers = dictionary.numbers().unwrap_or_default();
                let ends = numbers.first().zip(numbers.last());
                let own = || ends.and_then(|(&from, &to)| Range::new(from, to).ok());
                let whole = range.or_else(own);
                let place = |&number: &f64| whole.map_or(0.0, |whole| whole.share(whole.whole().from, number));
                let places = numbers.iter().map(place);
                Axis::Line(places.chain(dictionary.missing().map(|_| BEYOND)).collect())
            }
            Scale::Values { .. } | Scale::Leaves(_) => {
                let domain = match scale {
                    Scale::Leaves(taxonomy) => Some(taxonomy.leaves().len()),
                    Scale::Values { domain } => domain,
                    _ => None,
                };
                let first_word = *words;
                let own = dictionary.len().div_ceil(64);
                *words += own;
                let domain = domain.unwrap_or(values).max(values);
                Axis::Set {
                    step: 1.0 / (domain as f64 - 1.0).max(1.0),
                    first_word,
                    words: own,
                    missing: dictionary.missing(),
                }
            }
        }
    }

    /// The loss of two codes.
    pub fn distance(&self, a: u32, b: u32) -> f64 {
        match self {
            _ if a == b => 0.0,
            Axis::Set { missing, .. } if [a, b].contains(&missing.unwrap_or(u32::MAX)) => 1.0,
            Axis::Set { step, .. } => *step,
            ordered => ordered.span(a.min(b), a.max(b)),
        }
    }

    /// The loss of some codes, ascending and without gaps: those of a part of a level.
    pub(crate) fn loss_of_part(&self, codes: std::ops::Range<u32>) -> f64 {
        match self {
            Axis::Set { step, missing, .. } => {
                let has_missing = missing.is_some_and(|missing| codes.contains(&missing));
                loss_of_set(codes.len() as u32, has_missing, *step)
            }
            ordered => ordered.span(codes.start, codes.end - 1),
        }
    }

    /// The loss of the codes from `first` to `last`, of an axis on which those between cost nothing more.
    #[inline]
    pub fn span(&self, first: u32, last: u32) -> f64 {
        match self {
            Axis::Table { losses, codes, .. } => losses[first as usize * codes + last as usize],
            Axis::Line(places) => (places[last as usize] - places[first as usize]).min(1.0),
            Axis::Tree(tree) => tree.loss(first, last),
            Axis::Set { .. } => unreachable!("a set has no span"),
        }
    }
}

/// The loss of so many different values, one of which may be the missing one.
pub(crate) fn loss_of_set(values: u32, has_missing: bool, step: f64) -> f64 {
    if values > 1 && has_missing {
        1.0
    } else {
        f64::from(values - 1) * step
    }
}
