//! An [`Axis`] is one quasi column: what two cells of it have in common, and what that loses.
//!
//! A cell of a tree stands for values of one or more rows. It is kept as codes, ascending: of a set all of them, of an
//! ordered column (a tree, numbers) the first and the last, because what lies between them loses nothing more.
//!
//! | scale | cells | in common | loss |
//! |---|---|---|---|
//! | tree of 8 courses, 4 of them Science | Math; CS | Math to CS, shown as Science | 3 / 7 |
//! | numbers from 10 to 40 | 10; 10 to 30 | 10 to 30 | 20 / 30 |
//! | values a, b, c, d | a; b, d | a, b, d | 2 / 3 |
//! | any | missing; another | | 1 |
//!
//! It is the loss of `scumble_grouping::Space`, with the numerator and the denominator as whole numbers.

use scumble_grouping::{Form, Scale, Shape};
use scumble_table::{Column, Taxonomy};

use crate::cost::Unit;

/// One quasi column.
#[derive(Debug)]
pub(crate) struct Axis {
    kind: Kind,
    missing: Option<u32>,
    denominator: u64,
    /// What one more of the numerator costs.
    step: u64,
}

#[derive(Debug)]
enum Kind {
    Tree(Ancestors),
    /// Where each code lies, as a whole number.
    Line(Vec<i64>),
    Set,
}

/// A code that is not on the scale, and why.
pub(crate) struct OffScale {
    pub(crate) code: u32,
    pub(crate) what: &'static str,
}

/// More decimals than this are rounded away.
const DECIMALS: i32 = 6;
/// Longer ranges are rounded, so that a unit can be found.
const LONGEST: u64 = 1 << 40;
/// The length of a range of numbers that are rounded.
const ROUNDED: u64 = 1 << 30;

impl Axis {
    pub(crate) fn new(column: &Column, scale: Scale) -> Result<Axis, OffScale> {
        let values = column.dictionary().texts().len();
        let (kind, denominator) = match scale {
            Scale::Tree(tree) => (
                Kind::Tree(Ancestors::new(column, tree)?),
                tree.leaves().len() as u64 - 1,
            ),
            Scale::Numbers { range } => {
                let numbers = numbers(column)?;
                let ends = numbers.first().zip(numbers.last()).map(|(&from, &to)| (from, to));
                let ends = range.map(|range| (range.whole().from, range.whole().to)).or(ends);
                let (places, length) = places(numbers, ends.unwrap_or((0.0, 0.0)));
                (Kind::Line(places), length)
            }
            Scale::Values { domain } => (Kind::Set, domain.unwrap_or(0).max(values).saturating_sub(1) as u64),
            Scale::Leaves(tree) => (Kind::Set, tree.leaves().len().max(values).saturating_sub(1) as u64),
        };
        Ok(Axis {
            kind,
            missing: column.dictionary().missing(),
            denominator: denominator.clamp(1, LONGEST),
            step: 0,
        })
    }

    /// What losses on it are shares of.
    pub(crate) fn denominator(&self) -> u64 {
        self.denominator
    }

    /// Fixes what losses are counted in.
    pub(crate) fn count_in(&mut self, unit: Unit) {
        self.step = unit.share(self.denominator);
    }

    /// The loss of a cell.
    pub(crate) fn loss(&self, cell: &[u32]) -> u128 {
        self.loss_of_both(cell, cell)
    }

    /// The loss of two cells as one.
    pub(crate) fn loss_of_both(&self, a: &[u32], b: &[u32]) -> u128 {
        let (first, last) = (a[0].min(b[0]), a[a.len() - 1].max(b[b.len() - 1]));
        let numerator = match &self.kind {
            _ if first == last => 0,
            _ if Some(last) == self.missing => self.denominator,
            Kind::Tree(tree) => tree.leaves_over(first, last) - 1,
            Kind::Line(places) => places[last as usize].abs_diff(places[first as usize]),
            Kind::Set => union(a, b).count() as u64 - 1,
        };
        u128::from(numerator.min(self.denominator)) * u128::from(self.step)
    }

    /// What two cells have in common, appended to `codes`.
    pub(crate) fn unite(&self, a: &[u32], b: &[u32], codes: &mut Vec<u32>) {
        if matches!(self.kind, Kind::Set) {
            codes.extend(union(a, b));
            return;
        }
        let (first, last) = (a[0].min(b[0]), a[a.len() - 1].max(b[b.len() - 1]));
        codes.push(first);
        codes.extend((first != last).then_some(last));
    }
}

/// The codes of two ascending lists, each once.
fn union<'c>(mut a: &'c [u32], mut b: &'c [u32]) -> impl Iterator<Item = u32> + 'c {
    std::iter::from_fn(move || {
        let next = match (a.first(), b.first()) {
            (Some(&a), Some(&b)) => a.min(b),
            (one, other) => *one.or(other)?,
        };
        a = &a[usize::from(a.first() == Some(&next))..];
        b = &b[usize::from(b.first() == Some(&next))..];
        Some(next)
    })
}

/// How the cells of a column with this scale are shown.
pub(crate) fn shape(scale: Scale<'_>) -> Shape<'_> {
    let (form, taxonomy, range) = match scale {
        Scale::Tree(tree) => (Form::Ancestor, Some(tree), None),
        Scale::Numbers { range } => (Form::Interval, None, range),
        Scale::Values { .. } => (Form::Set, None, None),
        Scale::Leaves(tree) => (Form::Set, Some(tree), None),
    };
    Shape { form, taxonomy, range }
}

/// The nodes of a tree, to climb from a code until a node covers another.
#[derive(Debug)]
struct Ancestors {
    leaf_of_code: Vec<u32>,
    nodes: Vec<Ancestor>,
}

#[derive(Debug)]
struct Ancestor {
    /// The root is its own parent.
    parent: u32,
    /// The code after the last that it covers.
    end: u32,
    leaves: u64,
}

impl Ancestors {
    fn new(column: &Column, tree: &Taxonomy) -> Result<Ancestors, OffScale> {
        let leaf = |(text, code): (&str, u32)| {
            let node = tree.leaf(text).and_then(|_| tree.find(text));
            node.map(|node| node.0).ok_or(OffScale {
                code,
                what: "a value that is no leaf of its taxonomy",
            })
        };
        let leaf_of_code = column
            .dictionary()
            .texts()
            .iter()
            .zip(0..)
            .map(leaf)
            .collect::<Result<_, _>>()?;
        let spans = column.spans(tree);
        let ancestor = |node| Ancestor {
            parent: tree.parent(node).unwrap_or(node).0,
            end: spans[node.0 as usize].end,
            leaves: tree.leaves_under(node).len() as u64,
        };
        Ok(Ancestors {
            leaf_of_code,
            nodes: tree.nodes().map(ancestor).collect(),
        })
    }

    /// How many leaves the closest node over two codes has.
    fn leaves_over(&self, first: u32, last: u32) -> u64 {
        let mut node = &self.nodes[self.leaf_of_code[first as usize] as usize];
        // The root covers every code, so this ends there.
        while node.end <= last {
            node = &self.nodes[node.parent as usize];
        }
        node.leaves
    }
}

/// The values of a column as numbers.
fn numbers(column: &Column) -> Result<&[f64], OffScale> {
    let dictionary = column.dictionary();
    dictionary.numbers().ok_or_else(|| {
        let is_number = |text| scumble_table::parse_number(text).is_some();
        let code = dictionary.texts().iter().position(|text| !is_number(text)).unwrap_or(0);
        OffScale {
            code: code as u32,
            what: "no number",
        }
    })
}

/// Where numbers lie, as whole numbers, and how long the range is in the same measure.
fn places(numbers: &[f64], (from, to): (f64, f64)) -> (Vec<i64>, u64) {
    let exact = (0..=DECIMALS).find_map(|decimals| {
        let scale = 10_f64.powi(decimals);
        let length = whole(to, scale)?.abs_diff(whole(from, scale)?);
        let places: Option<Vec<i64>> = numbers.iter().map(|&number| whole(number, scale)).collect();
        places.filter(|_| length <= LONGEST).map(|places| (places, length))
    });
    exact.unwrap_or_else(|| {
        let length = if to > from { to - from } else { 1.0 };
        let place = |number: f64| ((number - from) / length * ROUNDED as f64).round() as i64;
        (numbers.iter().map(|&number| place(number)).collect(), ROUNDED)
    })
}

/// A number times a power of ten, if that is whole and no digit is lost.
fn whole(number: f64, scale: f64) -> Option<i64> {
    const EXACT: f64 = (1_u64 << 53) as f64;
    let scaled = (number * scale).round();
    (scaled.abs() <= EXACT && scaled / scale == number).then_some(scaled as i64)
}

#[cfg(test)]
mod tests {
    use scumble_table::ValueOrder;
    use scumble_table::taxonomy::{Format, parse};

    use super::*;

    fn axis(cells: &[Option<&str>], order: ValueOrder, scale: Scale) -> Axis {
        let column = Column::from_cells("c", order, cells.iter().copied());
        let mut axis = Axis::new(&column, scale).ok().unwrap();
        axis.count_in(Unit::of([axis.denominator()]));
        axis
    }

    /// The numerator of the loss of two cells, and the denominator.
    fn loss(axis: &Axis, a: &[u32], b: &[u32]) -> (u128, u64) {
        (axis.loss_of_both(a, b), axis.denominator())
    }

    #[test]
    fn a_common_ancestor_loses_its_other_leaves() {
        let tree = parse("a;A;*\nb;A;*\nc;B;*\nd;B;*\n", Format::Levels).unwrap();
        let axis = axis(
            &["a", "b", "d"].map(Some),
            ValueOrder::Taxonomy(&tree),
            Scale::Tree(&tree),
        );
        assert_eq!(loss(&axis, &[0], &[0]), (0, 3));
        assert_eq!(loss(&axis, &[0], &[1]), (1, 3));
        assert_eq!(loss(&axis, &[2], &[0, 1]), (3, 3));
    }

    #[test]
    fn numbers_lose_the_length_between_them() {
        let cells = [Some("1.5"), Some("2"), Some("4"), None];
        let axis = axis(&cells, ValueOrder::Number, Scale::Numbers { range: None });
        assert_eq!(loss(&axis, &[0], &[1]), (5, 25));
        assert_eq!(loss(&axis, &[0, 1], &[2]), (25, 25));
        assert_eq!(loss(&axis, &[1], &[3]), (25, 25));
        assert_eq!(loss(&axis, &[3], &[3]), (0, 25));
    }

    #[test]
    fn a_set_loses_its_other_values() {
        let cells = [Some("a"), Some("b"), Some("c"), Some("d"), None];
        let axis = axis(&cells, ValueOrder::Natural, Scale::Values { domain: None });
        assert_eq!(loss(&axis, &[0], &[1, 3]), (2, 3));
        assert_eq!(loss(&axis, &[1, 3], &[3]), (1, 3));
        assert_eq!(loss(&axis, &[1], &[4]), (3, 3));
        let mut codes = Vec::new();
        axis.unite(&[0, 2], &[2, 3], &mut codes);
        assert_eq!(codes, [0, 2, 3]);
    }

    #[test]
    fn numbers_with_too_many_digits_are_rounded() {
        let axis = axis(
            &["0", "0.3333333333333", "1"].map(Some),
            ValueOrder::Number,
            Scale::Numbers { range: None },
        );
        let (numerator, denominator) = loss(&axis, &[0], &[1]);
        assert_eq!((numerator, denominator), (u128::from(ROUNDED / 3), ROUNDED));
    }
}
