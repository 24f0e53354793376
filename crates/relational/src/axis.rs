//! An [`Axis`] is one quasi column: what two cells of it have in common, and what that loses.
//!
//! A cell of a tree stands for values of one or more rows. It is kept as one word: of an ordered column (a tree,
//! numbers) the first code and the last, because what lies between them loses nothing more; of a set of up to 64 codes
//! a bit for each; of a larger set the place of its codes, ascending, in a list of the tree.
//!
//! | scale | cells | in common | loss |
//! |---|---|---|---|
//! | tree of 8 courses, 4 of them Science | Math; CS | Math to CS, shown as Science | 3 / 7 |
//! | numbers from 10 to 40 | 10; 10 to 30 | 10 to 30 | 20 / 30 |
//! | values a, b, c, d | a; b, d | a, b, d | 2 / 3 |
//! | any | missing; another | | 1 |
//!
//! It is the loss of `scumble_grouping::Space`, as a whole number. An ordered column of few codes knows it by heart: a
//! grid tells what each pair of codes loses, as a search asks that more often than anything else.

use scumble_grouping::{Form, Scale, Shape};
use scumble_table::{Column, Range};

use crate::ancestors::Ancestors;
use crate::cost::Unit;
use crate::off_scale::OffScale;

/// One quasi column.
#[derive(Debug)]
pub(crate) struct Axis {
    kind: Kind,
    /// How many there are, that of the missing value included.
    codes: usize,
    missing: Option<u32>,
    denominator: u64,
    unit: Unit,
}

#[derive(Debug)]
enum Kind {
    Tree(Ancestors),
    /// Where each code lies, as a whole number.
    Line(Vec<i64>),
    /// Few codes in order.
    Grid(Grid),
    /// A set of few codes: what each number of them loses.
    Bits(Vec<u64>),
    Set,
}

/// What each of a few codes and each other lose together.
#[derive(Debug)]
pub(crate) struct Grid {
    codes: usize,
    /// One row per code.
    losses: Vec<u64>,
}

/// What a node shows on an axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell<'c> {
    pub(crate) word: u64,
    /// The codes of the large sets of its tree.
    pub(crate) lists: &'c [u32],
}

/// More decimals than this are rounded away.
const DECIMALS: i32 = 6;
/// Longer ranges are rounded, so that a unit can be found.
const LONGEST: u64 = 1 << 40;
/// The length of a range of numbers that are rounded.
const ROUNDED: u64 = 1 << 30;
/// A grid of more codes would not stay near the processor.
const FEW: usize = 128;

impl Axis {
    pub(crate) fn new(column: &Column, scale: Scale) -> Result<Axis, OffScale> {
        let codes = column.dictionary().len();
        let values = column.dictionary().texts().len();
        let set = || if codes <= 64 { Kind::Bits(Vec::new()) } else { Kind::Set };
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
            Scale::Values { domain } => (set(), domain.unwrap_or(0).max(values).saturating_sub(1) as u64),
            Scale::Leaves(tree) => (set(), tree.leaves().len().max(values).saturating_sub(1) as u64),
        };
        let denominator = denominator.clamp(1, LONGEST);
        Ok(Axis {
            kind,
            codes,
            missing: column.dictionary().missing(),
            denominator,
            unit: Unit::of([denominator], 1),
        })
    }

    /// What losses on it are shares of.
    pub(crate) fn denominator(&self) -> u64 {
        self.denominator
    }

    /// Fixes what losses are counted in.
    pub(crate) fn count_in(&mut self, unit: Unit) {
        self.unit = unit;
        let codes = || 0..self.codes as u32;
        let by_heart = match &self.kind {
            Kind::Bits(_) => Kind::Bits((0..=64_u64).map(|count| self.share(count.saturating_sub(1))).collect()),
            Kind::Tree(_) | Kind::Line(_) if self.codes <= FEW => {
                let pairs = codes().flat_map(|a| codes().map(move |b| (a.min(b), a.max(b))));
                let losses = pairs.map(|(first, last)| self.loss_between(first, last));
                Kind::Grid(Grid {
                    codes: self.codes,
                    losses: losses.collect(),
                })
            }
            _ => return,
        };
        self.kind = by_heart;
    }

    fn share(&self, numerator: u64) -> u64 {
        self.unit.share(numerator, self.denominator)
    }

    /// The loss of all codes from one to another of an ordered column.
    fn loss_between(&self, first: u32, last: u32) -> u64 {
        match &self.kind {
            Kind::Grid(grid) => grid.row(first)[last as usize],
            _ if first == last => 0,
            _ if Some(last) == self.missing => self.unit.whole(),
            Kind::Tree(tree) => self.share(tree.leaves_over(first, last) - 1),
            Kind::Line(places) => self.share(places[last as usize].abs_diff(places[first as usize])),
            Kind::Bits(_) | Kind::Set => self.unit.whole(), // They have no order.
        }
    }

    /// The cell of one code. Codes of large sets are appended to `lists`.
    pub(crate) fn cell(&self, code: u32, lists: &mut Vec<u32>) -> u64 {
        match self.kind {
            Kind::Tree(_) | Kind::Line(_) | Kind::Grid(_) => pack(code, code),
            Kind::Bits(_) => 1 << code,
            Kind::Set => append(lists, [code]),
        }
    }

    /// What two cells have in common. Codes of large sets are appended to `lists`.
    pub(crate) fn unite(&self, a: Cell, b: Cell, lists: &mut Vec<u32>) -> u64 {
        match self.kind {
            Kind::Tree(_) | Kind::Line(_) | Kind::Grid(_) => {
                let (first, last) = span(a, b);
                pack(first, last)
            }
            Kind::Bits(_) => a.word | b.word,
            Kind::Set => append(lists, union(a.codes(), b.codes())),
        }
    }

    /// The loss of a cell.
    pub(crate) fn loss(&self, cell: Cell) -> u64 {
        self.loss_of_both(cell, cell)
    }

    /// The loss of two cells as one.
    #[inline]
    pub(crate) fn loss_of_both(&self, a: Cell, b: Cell) -> u64 {
        match &self.kind {
            Kind::Tree(_) | Kind::Line(_) | Kind::Grid(_) => {
                let (first, last) = span(a, b);
                self.loss_between(first, last)
            }
            Kind::Bits(losses) => self.loss_of_bits(a.word | b.word, losses),
            Kind::Set => {
                let (count, last) = union(a.codes(), b.codes()).fold((0, 0), |(count, _), code| (count + 1, code));
                match count {
                    1 => 0,
                    _ if Some(last) == self.missing => self.unit.whole(),
                    _ => self.share(count - 1),
                }
            }
        }
    }

    fn loss_of_bits(&self, bits: u64, losses: &[u64]) -> u64 {
        let has_missing = self.missing.is_some_and(|code| bits >> code & 1 == 1);
        match bits.count_ones() {
            1 => 0,
            _ if has_missing => self.unit.whole(),
            count => losses[count as usize],
        }
    }

    /// Whether a cell stands for one value.
    pub(crate) fn is_exact(&self, cell: Cell) -> bool {
        match self.kind {
            Kind::Tree(_) | Kind::Line(_) | Kind::Grid(_) => first(cell.word) == last(cell.word),
            Kind::Bits(_) => cell.word.count_ones() == 1,
            Kind::Set => cell.codes().len() == 1,
        }
    }

    /// What tells a cell from others, in whichever tree they are.
    pub(crate) fn identity<'c>(&self, cell: Cell<'c>) -> (u64, &'c [u32]) {
        match self.kind {
            Kind::Set => (0, cell.codes()),
            _ => (cell.word, &[]),
        }
    }

    /// What losses are looked up in, if codes are few and in order.
    #[inline]
    pub(crate) fn grid(&self) -> Option<&Grid> {
        match &self.kind {
            Kind::Grid(grid) => Some(grid),
            _ => None,
        }
    }

    /// How many codes a [`Sketch`](crate::sketch::Sketch) tells apart: all if they are few, else none.
    pub(crate) fn sketched(&self) -> usize {
        match self.kind {
            Kind::Grid(_) | Kind::Bits(_) => self.codes,
            _ => 0,
        }
    }

    /// The code of a cell with one, of those that are sketched.
    pub(crate) fn code(&self, word: u64) -> u32 {
        match self.kind {
            Kind::Bits(_) => word.trailing_zeros(),
            _ => first(word),
        }
    }

    /// Lowers what each of the sketched codes loses at least to what it loses with this cell.
    pub(crate) fn lower(&self, word: u64, least: &mut [u64]) {
        match &self.kind {
            Kind::Grid(grid) => {
                // The row of the last code holds what codes before the first lose, that of the first code what those
                // after the last do.
                let (from, to) = (first(word), last(word));
                let (start, end) = (from as usize, to as usize);
                lower_all(&mut least[..start], &grid.row(to)[..start]);
                least[start..=end]
                    .iter_mut()
                    .for_each(|least| *least = (*least).min(grid.row(from)[end]));
                lower_all(&mut least[end + 1..], &grid.row(from)[end + 1..]);
            }
            Kind::Bits(losses) => {
                let loss = |code: u32| self.loss_of_bits(word | 1 << code, losses);
                (0..)
                    .zip(least)
                    .for_each(|(code, least)| *least = (*least).min(loss(code)));
            }
            _ => (),
        }
    }
}

impl Grid {
    /// The loss of two cells as one.
    #[inline]
    pub(crate) fn loss(&self, a: u64, b: u64) -> u64 {
        let (first, last) = (first(a).min(first(b)), last(a).max(last(b)));
        self.losses[first as usize * self.codes + last as usize]
    }

    fn row(&self, code: u32) -> &[u64] {
        &self.losses[code as usize * self.codes..][..self.codes]
    }
}

fn lower_all(least: &mut [u64], losses: &[u64]) {
    least
        .iter_mut()
        .zip(losses)
        .for_each(|(least, &loss)| *least = (*least).min(loss));
}

impl<'c> Cell<'c> {
    /// The codes of a large set.
    fn codes(self) -> &'c [u32] {
        &self.lists[first(self.word) as usize..last(self.word) as usize]
    }
}

fn pack(first: u32, last: u32) -> u64 {
    u64::from(first) << 32 | u64::from(last)
}

fn first(word: u64) -> u32 {
    (word >> 32) as u32
}

fn last(word: u64) -> u32 {
    word as u32
}

/// The first and the last code of two cells.
fn span(a: Cell, b: Cell) -> (u32, u32) {
    (first(a.word).min(first(b.word)), last(a.word).max(last(b.word)))
}

/// Appends the codes of a large set; they end where its second half says.
fn append(lists: &mut Vec<u32>, codes: impl IntoIterator<Item = u32>) -> u64 {
    let start = lists.len() as u32;
    lists.extend(codes);
    pack(start, lists.len() as u32)
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
        let range = Range::new(from, to).ok();
        let place = |number: f64| {
            let share = range.map_or(0.0, |range| range.share(from, number));
            (share * ROUNDED as f64).round() as i64
        };
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
        axis.count_in(Unit::of([axis.denominator()], 1));
        axis
    }

    /// A cell of some codes, and the lists of its tree.
    fn cell(axis: &Axis, codes: &[u32]) -> (u64, Vec<u32>) {
        let mut lists = Vec::new();
        let mut word = axis.cell(codes[0], &mut lists);
        for &code in codes {
            let next = axis.cell(code, &mut lists);
            let (a, b) = (lists.clone(), lists.clone());
            let [a, b] = [(word, &a), (next, &b)].map(|(word, lists)| Cell { word, lists });
            word = axis.unite(a, b, &mut lists);
        }
        (word, lists)
    }

    /// The numerator of the loss of two cells, and the denominator.
    fn loss(axis: &Axis, a: &[u32], b: &[u32]) -> (u64, u64) {
        let (a, b) = (cell(axis, a), cell(axis, b));
        let [a, b] = [&a, &b].map(|(word, lists)| Cell { word: *word, lists });
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
        assert_eq!(loss(&axis, &[4], &[4]), (0, 3));
    }

    /// Columns of many codes have no bits and no grid, and lose the same.
    #[test]
    fn many_codes_lose_what_few_do() {
        let texts: Vec<String> = (0..200).map(|number| format!("{number}")).collect();
        let cells: Vec<Option<&str>> = texts.iter().map(|text| Some(&**text)).chain([None]).collect();
        for (scale, half) in [
            (Scale::Values { domain: None }, 2),
            (Scale::Numbers { range: None }, 99),
        ] {
            let axis = axis(&cells, ValueOrder::Number, scale);
            assert_eq!(axis.sketched(), 0);
            assert_eq!(loss(&axis, &[0], &[50, 99]), (half, 199));
            assert_eq!(loss(&axis, &[7], &[7]), (0, 199));
            assert_eq!(loss(&axis, &[7], &[200]), (199, 199));
        }
    }

    /// A sketch lowered by some cells tells, for each code, the least loss with one of them.
    #[test]
    fn least_losses_are_those_of_the_nearest_cell() {
        let tree = parse("a;A;*\nb;A;*\nc;B;*\nd;B;*\ne;B;*\n", Format::Levels).unwrap();
        let cells = [Some("a"), Some("b"), Some("c"), Some("e"), None];
        for (order, scale) in [
            (ValueOrder::Taxonomy(&tree), Scale::Tree(&tree)),
            (ValueOrder::Taxonomy(&tree), Scale::Leaves(&tree)),
        ] {
            let axis = axis(&cells, order, scale);
            for shown in [[0, 1], [2, 2], [1, 3], [3, 4]] {
                let mut least = vec![u64::MAX; axis.sketched()];
                axis.lower(cell(&axis, &shown).0, &mut least);
                let expected: Vec<u64> = (0..5).map(|code| loss(&axis, &shown, &[code]).0).collect();
                assert_eq!(least, expected);
            }
        }
    }

    #[test]
    fn numbers_with_too_many_digits_are_rounded() {
        let axis = axis(
            &["0", "0.3333333333333", "1"].map(Some),
            ValueOrder::Number,
            Scale::Numbers { range: None },
        );
        let (numerator, denominator) = loss(&axis, &[0], &[1]);
        assert_eq!((numerator, denominator), (ROUNDED / 3, ROUNDED));
    }
}
