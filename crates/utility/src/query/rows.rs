//! Counting the rows that meet queries.
//!
//! A row counts as the product of the shares of its cells that a query asks for: 0 or 1 in the data, any share in a
//! release. A thousand queries on a million rows are 10⁹ products. Four things make it fewer.
//!
//! - Numbers between which no query draws a line are one class, so a column of many numbers has few codes.
//! - Rows that agree on all columns of the workload are one row with a weight.
//! - Queries about the same columns share a [`Cube`]: how many rows have each combination of codes, counted once. Codes
//!   that none of these queries tells apart are one, so the cube is small, and each query adds up the cube.
//! - Where the cube would be too large, the rows are gone through. In the data a share is a bit, so one pass answers 64
//!   queries: the bits of the codes of a row, joined by *and*, are the queries that it meets ([`count_bits`]). In a
//!   release each query takes a pass ([`scan`]).

use std::borrow::Cow;
use std::collections::BTreeMap;

use hashbrown::HashMap;
use rayon::prelude::*;
use scumble_progress::Work;
use scumble_table::{Codes, Collapsed, collapse_if_worth, with_codes};

use super::Query;
use crate::extent::{Extent, Scale};

/// The rows of a table, as far as some queries ask about them.
pub(super) struct Rows<'q> {
    queries: &'q [Query],
    rows: usize,
    columns: BTreeMap<usize, AskedColumn<'q>>,
}

/// A column that queries ask about.
struct AskedColumn<'q> {
    scale: &'q Scale<'q>,
    codes: Codes,
    /// What each code may stand for.
    extents: Vec<Extent>,
}

impl<'q> Rows<'q> {
    /// Rows of which no column is known yet.
    pub(super) fn new(rows: usize, queries: &'q [Query]) -> Self {
        Rows {
            queries,
            rows,
            columns: BTreeMap::new(),
        }
    }

    /// Adds the column that queries know by its place, unless none asks about it. `extents` are those of its codes.
    pub(super) fn add(&mut self, place: usize, scale: &'q Scale<'q>, codes: &Codes, extents: &[Extent]) {
        let asked: Vec<&Extent> = self.asked(place).collect();
        if asked.is_empty() {
            return;
        }
        let (class_of, extents) = classes(extents, &asked);
        let codes = with_codes!(codes, |codes| {
            let classes = codes.iter().map(|&code| class_of[code as usize]);
            Codes::collect(extents.len(), classes)
        });
        let column = AskedColumn { scale, codes, extents };
        self.columns.insert(place, column);
    }

    /// What queries ask of a column.
    fn asked(&self, place: usize) -> impl Iterator<Item = &'q Extent> + use<'q> {
        let predicates = self.queries.iter().flat_map(|query| &query.predicates);
        let about = predicates.filter(move |predicate| predicate.column == place);
        about.map(|predicate| &predicate.asked)
    }

    /// The count of each query; 0 once it should stop.
    pub(super) fn counts(mut self, work: Work) -> Vec<f64> {
        let weights = self.collapse();
        let mut of_columns: BTreeMap<Vec<usize>, Vec<usize>> = BTreeMap::new();
        for (number, query) in self.queries.iter().enumerate() {
            let asked = query.predicates.iter().map(|predicate| predicate.column);
            of_columns.entry(asked.collect()).or_default().push(number);
        }
        let counted: Vec<Vec<f64>> = of_columns
            .par_iter()
            .map(|(columns, numbers)| self.counts_about(columns, numbers, &weights, work))
            .collect();
        let mut counts = vec![0.0; self.queries.len()];
        for (numbers, counted) in of_columns.values().zip(counted) {
            numbers
                .iter()
                .zip(counted)
                .for_each(|(&number, count)| counts[number] = count);
        }
        counts
    }

    /// Joins rows that agree on all columns, and tells how many each of them stands for.
    fn collapse(&mut self) -> Vec<u32> {
        let all: Vec<&Codes> = self.columns.values().map(|column| &column.codes).collect();
        let Some(Collapsed { rows, weights, .. }) = collapse_if_worth(self.rows, &all) else {
            return vec![1; self.rows];
        };
        self.columns.par_iter_mut().for_each(|(_, column)| {
            let kept = rows.iter().map(|&row| column.codes.at(row as usize));
            column.codes = Codes::collect(column.extents.len(), kept);
        });
        weights
    }

    /// The counts of queries that are all about the same columns.
    fn counts_about(&self, columns: &[usize], numbers: &[usize], weights: &[u32], work: Work) -> Vec<f64> {
        if work.should_stop() {
            return Vec::new();
        }
        let sides: Vec<Side> = columns
            .iter()
            .enumerate()
            .filter_map(|(place, column)| {
                let column = self.columns.get(column)?;
                // Predicates are ascending by column, and so are the columns.
                let asked = numbers
                    .iter()
                    .map(|&number| &self.queries[number].predicates[place].asked);
                Some(Side::new(column, asked))
            })
            .collect();
        let exact = sides.iter().all(Side::is_exact);
        let cube = Cube::if_worth(weights, &sides, numbers.len(), exact);
        if exact && cube.is_none() {
            let queries: Vec<usize> = (0..numbers.len()).collect();
            let counted = queries.par_chunks(u64::BITS as usize);
            return counted
                .filter(|_| !work.should_stop())
                .flat_map_iter(|queries| count_bits(weights, &sides, queries))
                .collect();
        }
        let count = |query: usize| match &cube {
            _ if work.should_stop() => 0.0,
            Some(cube) => cube.count(sides.iter().map(|side| &side.shares[query][..])),
            None => scan(weights, &sides, query),
        };
        (0..numbers.len()).into_par_iter().map(count).collect()
    }
}

/// Joins the numbers that no predicate tells apart: for each code its class, and what the classes stand for.
fn classes(extents: &[Extent], asked: &[&Extent]) -> (Vec<u32>, Vec<Extent>) {
    let ends = asked.iter().filter_map(|asked| match asked {
        Extent::Numbers(interval) => Some([interval.from, interval.to]),
        _ => None,
    });
    let mut ends: Vec<f64> = ends.flatten().collect();
    ends.sort_by(f64::total_cmp);
    ends.dedup();
    // A number is either an end or between two of them.
    let stretch = |number: f64| {
        let before = ends.partition_point(|&end| end < number);
        2 * before + usize::from(ends.get(before) == Some(&number))
    };
    let mut of_stretch: HashMap<usize, u32> = HashMap::new();
    let mut shown: Vec<Extent> = Vec::new();
    let class_of = extents.iter().map(|extent| {
        let next = shown.len() as u32;
        let class = match extent {
            Extent::Numbers(number) if number.from == number.to => {
                *of_stretch.entry(stretch(number.from)).or_insert(next)
            }
            _ => next,
        };
        if class == next {
            shown.push(extent.clone());
        }
        class
    });
    (class_of.collect(), shown)
}

/// One column of the queries about a set of columns.
struct Side<'r> {
    codes: &'r Codes,
    /// For each code its class: codes of which all queries ask the same share are one.
    class_of: Vec<u32>,
    classes: usize,
    /// For each query, the share of each class.
    shares: Vec<Vec<f64>>,
}

impl<'r> Side<'r> {
    fn new<'e>(column: &'r AskedColumn, asked: impl Iterator<Item = &'e Extent>) -> Self {
        let share_of_code = |asked: &Extent| -> Vec<f64> {
            let shares = column.extents.iter().map(|extent| column.scale.share(extent, asked));
            shares.collect()
        };
        let of_codes: Vec<Vec<f64>> = asked.map(share_of_code).collect();
        let mut index: HashMap<Vec<u64>, u32> = HashMap::new();
        let mut first_code = Vec::new();
        let class_of = (0..column.extents.len()).map(|code| {
            let shares: Vec<u64> = of_codes.iter().map(|shares| shares[code].to_bits()).collect();
            *index.entry(shares).or_insert_with(|| {
                first_code.push(code);
                first_code.len() as u32 - 1
            })
        });
        Side {
            codes: &column.codes,
            class_of: class_of.collect(),
            classes: first_code.len(),
            shares: of_codes
                .iter()
                .map(|shares| first_code.iter().map(|&code| shares[code]).collect())
                .collect(),
        }
    }
    /// Whether every cell is what a query asks for, or is not.
    fn is_exact(&self) -> bool {
        self.shares.iter().flatten().all(|&share| share == 0.0 || share == 1.0)
    }
}

/// How many rows are looked at together, so that what is known of them stays in the cache.
const BLOCK: usize = 4096;

/// The counts of up to 64 queries that every row meets or does not.
fn count_bits(weights: &[u32], sides: &[Side], queries: &[usize]) -> Vec<f64> {
    // For each code, the queries that ask for it.
    let bits_of_code = |side: &Side| -> Vec<u64> {
        let asks = |class: u32, query: usize| u64::from(side.shares[query][class as usize] == 1.0);
        let bits = side.class_of.iter().map(|&class| {
            let bits = queries
                .iter()
                .enumerate()
                .map(|(bit, &query)| asks(class, query) << bit);
            bits.sum()
        });
        bits.collect()
    };
    let bits: Vec<Vec<u64>> = sides.iter().map(bits_of_code).collect();
    let mut counts = vec![0u64; queries.len()];
    let mut met = Vec::with_capacity(BLOCK);
    for (block, weights) in weights.chunks(BLOCK).enumerate() {
        let rows = block * BLOCK..block * BLOCK + weights.len();
        met.clear();
        met.resize(weights.len(), u64::MAX >> (u64::BITS as usize - queries.len()));
        for (side, bits) in sides.iter().zip(&bits) {
            with_codes!(side.codes, |codes| met
                .iter_mut()
                .zip(&codes[rows.clone()])
                .for_each(|(met, &code)| *met &= bits[code as usize]));
        }
        for (&met, &weight) in met.iter().zip(weights) {
            let mut left = met;
            while left != 0 {
                counts[left.trailing_zeros() as usize] += u64::from(weight);
                left &= left - 1;
            }
        }
    }
    counts.into_iter().map(|count| count as f64).collect()
}

/// The count of one query, row by row.
fn scan(weights: &[u32], sides: &[Side], query: usize) -> f64 {
    let share_of_code = |side: &Side| -> Vec<f64> {
        let shares = side.class_of.iter().map(|&class| side.shares[query][class as usize]);
        shares.collect()
    };
    let shares: Vec<Vec<f64>> = sides.iter().map(share_of_code).collect();
    let mut products = Vec::with_capacity(BLOCK);
    let mut count = 0.0;
    for (block, weights) in weights.chunks(BLOCK).enumerate() {
        let rows = block * BLOCK..block * BLOCK + weights.len();
        products.clear();
        products.extend(weights.iter().map(|&weight| f64::from(weight)));
        for (side, shares) in sides.iter().zip(&shares) {
            with_codes!(side.codes, |codes| products
                .iter_mut()
                .zip(&codes[rows.clone()])
                .for_each(|(product, &code)| *product *= shares[code as usize]));
        }
        count += products.iter().sum::<f64>();
    }
    count
}

/// How many rows have each combination of classes of some columns; the last column varies fastest.
struct Cube {
    cells: Vec<f64>,
    /// The classes of each column.
    sizes: Vec<usize>,
}

impl Cube {
    /// Counts a cube, if that and adding it up for each query is less work than going through the rows: once for each
    /// query, or if a share is a bit, about as long as four times for every 64.
    fn if_worth(weights: &[u32], sides: &[Side], queries: usize, exact: bool) -> Option<Cube> {
        let sizes: Vec<usize> = sides.iter().map(|side| side.classes.max(1)).collect();
        let size = sizes
            .iter()
            .try_fold(1usize, |size, &classes| size.checked_mul(classes))?;
        let pass = weights.len() * (sides.len() + 1);
        let passes = if exact { 4 * queries.div_ceil(64) } else { queries };
        if size.saturating_mul(queries).saturating_add(pass) > pass.saturating_mul(passes) {
            return None;
        }
        let mut places = vec![0usize; weights.len()];
        for (side, classes) in sides.iter().zip(&sizes) {
            with_codes!(side.codes, |codes| places.iter_mut().zip(codes).for_each(
                |(place, &code)| *place = *place * classes + side.class_of[code as usize] as usize
            ));
        }
        let mut cells = vec![0.0; size];
        for (place, &weight) in places.into_iter().zip(weights) {
            cells[place] += f64::from(weight);
        }
        Some(Cube { cells, sizes })
    }

    /// Adds up one dimension after the other, each cell times the share of its class.
    fn count<'s>(&self, shares: impl DoubleEndedIterator<Item = &'s [f64]> + ExactSizeIterator) -> f64 {
        let weigh = |line: &[f64], shares: &[f64]| line.iter().zip(shares).map(|(rows, share)| rows * share).sum();
        let mut cells = Cow::Borrowed(&self.cells[..]);
        for (&size, shares) in self.sizes.iter().zip(shares).rev() {
            let lines = cells.chunks_exact(size);
            cells = Cow::Owned(lines.map(|line| weigh(line, shares)).collect());
        }
        cells.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use scumble_table::Interval;

    use super::*;

    const CODES: usize = 4;
    const QUERIES: usize = 70;

    fn columns() -> impl Strategy<Value = Vec<(Vec<u32>, Vec<Vec<bool>>)>> {
        let codes = vec(0..CODES as u32, 50);
        let asked = vec(vec(any::<bool>(), CODES), QUERIES);
        vec((codes, asked), 1..4)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        /// More queries than fit in one word of bits.
        #[test]
        fn cubes_bits_and_rows_count_the_same(columns in columns(), weights in vec(1u32..5, 50)) {
            let collect = |(codes, _): &(Vec<u32>, _)| Codes::collect(CODES, codes.iter().copied());
            let codes: Vec<Codes> = columns.iter().map(collect).collect();
            let share = |asked: &bool| f64::from(u8::from(*asked));
            let sides: Vec<Side> = columns
                .iter()
                .zip(&codes)
                .map(|((_, asked), codes)| Side {
                    codes,
                    class_of: (0..CODES as u32).collect(),
                    classes: CODES,
                    shares: asked.iter().map(|asked| asked.iter().map(share).collect()).collect(),
                })
                .collect();
            let queries: Vec<usize> = (0..QUERIES).collect();
            let bits: Vec<f64> = queries.chunks(64).flat_map(|queries| count_bits(&weights, &sides, queries)).collect();
            let cube = Cube::if_worth(&weights, &sides, QUERIES, false).unwrap();
            for query in queries {
                let naive: u32 = (0..50)
                    .filter(|&row| columns.iter().all(|(codes, asked)| asked[query][codes[row] as usize]))
                    .map(|row| weights[row])
                    .sum();
                prop_assert_eq!(bits[query], f64::from(naive));
                prop_assert_eq!(scan(&weights, &sides, query), f64::from(naive));
                prop_assert_eq!(cube.count(sides.iter().map(|side| &side.shares[query][..])), f64::from(naive));
            }
        }

        /// Numbers of one class are in the same of all intervals.
        #[test]
        fn classes_join_only_what_no_query_tells_apart(
            numbers in vec(0..12u32, 1..20),
            ends in vec((0..10u32, 1..5u32, any::<bool>()), 1..6),
        ) {
            let interval = |from: u32, to: u32, closed| Interval { from: from.into(), to: to.into(), closed };
            let extents: Vec<Extent> = numbers.iter().map(|&n| Extent::Numbers(interval(n, n, true))).collect();
            let asked = ends.iter().map(|&(from, length, closed)| interval(from, from + length, closed));
            let asked: Vec<Interval> = asked.collect();
            let predicates: Vec<Extent> = asked.iter().copied().map(Extent::Numbers).collect();
            let (class_of, shown) = classes(&extents, &predicates.iter().collect::<Vec<_>>());
            for (code, &number) in numbers.iter().enumerate() {
                let Extent::Numbers(other) = shown[class_of[code] as usize] else { unreachable!("all are numbers") };
                for asked in &asked {
                    prop_assert_eq!(asked.contains(number.into()), asked.contains(other.from));
                }
            }
        }
    }
}
