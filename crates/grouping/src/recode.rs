//! What a group is shown as, column by column.
//!
//! | form | ages 31, 34, 34 | shown |
//! |---|---|---|
//! | ancestor | of a tree of decades | 30-39 |
//! | interval | | [31, 34] |
//! | set | | {31\|34} |
//! | mean, median, mode | | 33, 34, 34 |
//!
//! Values that are all the same are shown as they are. A missing value beside others makes the first three `*`; the last
//! three go by the values that are there.

use hashbrown::HashMap;
use scumble_table::{Column, Interval, Range, SUPPRESSED, Taxonomy};

/// How a set of values is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As their closest common ancestor.
    Ancestor,
    /// As the interval from the smallest to the largest.
    Interval,
    /// As just these values.
    Set,
    /// Numbers as their mean, rounded to the decimals that the numbers of the column have, and to four at least.
    Mean,
    /// As the one in the middle, in value order; of two, the first.
    Median,
    /// As the most frequent one; of several, the first in value order.
    Mode,
}

/// A column that shows groups instead of rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Recoded {
    /// The different labels, `None` for missing.
    pub labels: Vec<Option<String>>,
    /// The label of each group.
    pub label_of_group: Vec<u32>,
    /// The average certainty penalty of its cells: the share of its domain that a cell may stand for. Of a mean or median
    /// of numbers, how far the cells are from it as a share of the range; of other values, whether they differ from it.
    pub penalty: f64,
}

/// What a column may stand for.
#[derive(Clone, Copy, Debug)]
pub struct Shape<'t> {
    /// How its groups are shown.
    pub form: Form,
    /// Its tree.
    pub taxonomy: Option<&'t Taxonomy>,
    /// The range of its numbers; without it, from the smallest to the largest.
    pub range: Option<Range>,
}

/// Shows each group of rows as one.
///
/// # Panics
/// If the form is an ancestor and there is no tree, or a value is not in it: both are checked on loading.
pub fn recode(column: &Column, shape: Shape, groups: &[Vec<u32>]) -> Recoded {
    let painter = Painter::new(column, shape);
    let mut places: HashMap<Option<String>, u32> = HashMap::new();
    let mut recoded = Recoded {
        labels: Vec::new(),
        label_of_group: Vec::with_capacity(groups.len()),
        penalty: 0.0,
    };
    for rows in groups {
        let mut codes: Vec<u32> = rows.iter().map(|&row| column.codes().at(row as usize)).collect();
        codes.sort_unstable();
        let (label, penalty) = painter.show(&codes);
        recoded.penalty += penalty;
        let next = recoded.labels.len() as u32;
        let place = *places.entry(label).or_insert_with_key(|label| {
            recoded.labels.push(label.clone());
            next
        });
        recoded.label_of_group.push(place);
    }
    let cells: usize = groups.iter().map(Vec::len).sum();
    recoded.penalty /= (cells as f64).max(1.0);
    recoded
}

struct Painter<'c> {
    column: &'c Column,
    shape: Shape<'c>,
    range: Option<Range>,
    /// The decimals that a mean is rounded to.
    decimals: usize,
}

/// The fewest decimals that a mean is rounded to.
const DECIMALS: usize = 4;

/// The mean of some numbers. Their sum may be more than a number can hold; the mean never is.
fn mean(numbers: impl ExactSizeIterator<Item = f64> + Clone) -> f64 {
    let count = numbers.len() as f64;
    let sum: f64 = numbers.clone().sum();
    if sum.is_finite() {
        sum / count
    } else {
        numbers.map(|number| number / count).sum()
    }
}

fn rounded(number: f64, decimals: usize) -> f64 {
    let shifted = (number * 1e4).round() / 1e4;
    if decimals <= DECIMALS && shifted.is_finite() {
        return shifted;
    }
    // By its text: the power of ten of a tiny number may be more than a number can hold.
    let text = format!("{number:.decimals$}");
    text.parse().unwrap_or(number)
}

/// How many decimals a number has.
fn decimals(number: f64) -> usize {
    let text = number.to_string();
    text.split_once('.').map_or(0, |(_, decimals)| decimals.len())
}

impl<'c> Painter<'c> {
    fn new(column: &'c Column, shape: Shape<'c>) -> Self {
        let numbers = column.dictionary().numbers().unwrap_or_default();
        let ends = numbers.first().zip(numbers.last());
        let ends = ends.and_then(|(&from, &to)| Range::new(from, to).ok());
        Painter {
            column,
            shape,
            range: shape.range.or(ends),
            decimals: match shape.form {
                Form::Mean => numbers.iter().map(|&number| decimals(number)).max().unwrap_or(0),
                _ => 0,
            },
        }
    }

    /// The label of some codes, ascending, and the sum of their penalties.
    fn show(&self, codes: &[u32]) -> (Option<String>, f64) {
        let (first, last) = (codes[0], codes[codes.len() - 1]);
        if first == last {
            return (self.text(first), 0.0);
        }
        let hides = || (Some(SUPPRESSED.to_owned()), codes.len() as f64);
        let of_each = |(label, penalty): (String, f64)| (Some(label), penalty * codes.len() as f64);
        let has_missing = Some(last) == self.column.dictionary().missing();
        match self.shape.form {
            Form::Ancestor => of_each(self.ancestor(first, last)),
            Form::Interval | Form::Set if has_missing => hides(),
            Form::Interval => of_each(self.interval(first, last)),
            Form::Set => self.set(codes).map_or_else(hides, of_each),
            Form::Mean | Form::Median | Form::Mode => {
                let missing = self.column.dictionary().missing();
                let there = codes.partition_point(|&code| Some(code) != missing);
                let (label, penalty) = self.centre(&codes[..there]);
                (label, penalty + (codes.len() - there) as f64)
            }
        }
    }

    fn text(&self, code: u32) -> Option<String> {
        self.column.dictionary().value(code).map(str::to_owned)
    }

    /// The missing value is under the root alone.
    fn ancestor(&self, first: u32, last: u32) -> (String, f64) {
        let tree = self.shape.taxonomy.expect("an ancestor is of a tree");
        let dictionary = self.column.dictionary();
        let leaf = |code: u32| dictionary.value(code).and_then(|text| tree.find(text));
        let node = match (leaf(first), leaf(last)) {
            (Some(first), Some(last)) => {
                let place = tree.leaves_under(last).start;
                let mut above = std::iter::successors(Some(first), |&node| tree.parent(node));
                above.find(|&node| tree.leaves_under(node).contains(&place))
            }
            _ => None,
        };
        let node = node.unwrap_or(tree.root());
        (tree.label(node).to_owned(), tree.penalty(node))
    }

    fn interval(&self, first: u32, last: u32) -> (String, f64) {
        let number = |code: u32| {
            self.column
                .dictionary()
                .numbers()
                .map_or(0.0, |numbers| numbers[code as usize])
        };
        let interval = Interval {
            from: number(first),
            to: number(last),
            closed: true,
        };
        let penalty = self.range.map_or(1.0, |range| interval.penalty(&range));
        (interval.to_string(), penalty)
    }

    /// `None` if a value could not be told from two.
    fn set(&self, codes: &[u32]) -> Option<(String, f64)> {
        let mut codes = codes.to_vec();
        codes.dedup();
        let texts: Vec<&str> = codes
            .iter()
            .filter_map(|&code| self.column.dictionary().value(code))
            .collect();
        let leaves = self.shape.taxonomy.map(|tree| tree.leaves().len());
        let domain = leaves.unwrap_or(self.column.dictionary().texts().len());
        let is_plain = texts.iter().all(|text| !text.contains('|') && !text.is_empty());
        is_plain.then(|| (format!("{{{}}}", texts.join("|")), texts.len() as f64 / domain as f64))
    }

    /// The centre of some codes, ascending, and how far they are from it.
    fn centre(&self, codes: &[u32]) -> (Option<String>, f64) {
        let numbers = self.column.dictionary().numbers();
        match (self.shape.form, numbers) {
            (Form::Mean, Some(numbers)) => {
                let mean = rounded(mean(codes.iter().map(|&code| numbers[code as usize])), self.decimals);
                (Some(mean.to_string()), self.deviation(codes, mean))
            }
            (Form::Median, _) => self.centred_at(codes, codes[(codes.len() - 1) / 2]),
            _ => {
                let equal = codes.chunk_by(|a, b| a == b);
                let most = equal.reduce(|most, next| if next.len() > most.len() { next } else { most });
                self.centred_at(codes, most.map_or(codes[0], |most| most[0]))
            }
        }
    }

    fn centred_at(&self, codes: &[u32], centre: u32) -> (Option<String>, f64) {
        let penalty = match (self.shape.form, self.column.dictionary().numbers()) {
            (Form::Median, Some(numbers)) => self.deviation(codes, numbers[centre as usize]),
            _ => codes.iter().filter(|&&code| code != centre).count() as f64,
        };
        (self.text(centre), penalty)
    }

    /// How far numbers are from one, each as a share of the range.
    fn deviation(&self, codes: &[u32], from: f64) -> f64 {
        let numbers = self.column.dictionary().numbers().unwrap_or_default();
        let Some(range) = self.range.filter(|range| range.length() > 0.0) else {
            return 0.0;
        };
        let from = range.offset(from);
        let far = |&code: &u32| (range.offset(numbers[code as usize]) - from).abs();
        codes.iter().map(far).sum::<f64>() / range.length()
    }
}

#[cfg(test)]
mod tests {
    use scumble_table::ValueOrder;
    use scumble_table::taxonomy::{Format, parse};

    use super::*;

    #[test]
    fn a_mean_lies_among_its_numbers_however_large_they_are() {
        for (numbers, shows) in [
            (["1.5e308", "1.7e308", "1.6e308"], "160"),
            (["-1.7e308", "1.7e308", "0"], "0"),
        ] {
            let column = Column::from_cells("c", ValueOrder::Number, numbers.map(Some));
            let shape = Shape {
                form: Form::Mean,
                taxonomy: None,
                range: None,
            };
            let recoded = recode(&column, shape, &[vec![0, 1, 2]]);
            let label = recoded.labels[0].as_deref().unwrap();
            assert!(
                label.parse::<f64>().unwrap().is_finite() && label.starts_with(shows),
                "{label}"
            );
            assert!((0.0..=1.0).contains(&recoded.penalty), "{}", recoded.penalty);
        }
    }

    fn shown(cells: &[Option<&str>], order: ValueOrder, shape: Shape) -> (Option<String>, f64) {
        // A second group with the ends of the domain, so that the first one does not span it.
        let ends = ["0", "100"].map(Some);
        let all = cells
            .iter()
            .copied()
            .chain(if shape.taxonomy.is_none() { &ends[..] } else { &[] }.iter().copied());
        let column = Column::from_cells("c", order, all);
        let rows = (0..cells.len() as u32).collect();
        let recoded = recode(&column, shape, &[rows]);
        (
            recoded.labels[recoded.label_of_group[0] as usize].clone(),
            recoded.penalty,
        )
    }

    #[test]
    fn ages_are_shown_in_every_form() {
        let ages = ["34", "31", "34"].map(Some);
        let forms = [
            (Form::Interval, "[31, 34]", 0.03),
            (Form::Set, "{31|34}", 0.5),
            (Form::Mean, "33", 4.0 / 300.0),
            (Form::Median, "34", 3.0 / 300.0),
            (Form::Mode, "34", 1.0 / 3.0),
        ];
        for (form, label, penalty) in forms {
            let shape = Shape {
                form,
                taxonomy: None,
                range: None,
            };
            let (shown, found) = shown(&ages, ValueOrder::Number, shape);
            assert_eq!(shown.as_deref(), Some(label));
            assert!((found - penalty).abs() < 1e-12, "{form:?}: {found}");
        }
    }

    #[test]
    fn values_are_shown_as_their_closest_common_ancestor() {
        let tree = parse("a;A;*\nb;A;*\nc;B;*\nd;B;*\n", Format::Levels).unwrap();
        let shape = Shape {
            form: Form::Ancestor,
            taxonomy: Some(&tree),
            range: None,
        };
        let order = ValueOrder::Taxonomy(&tree);
        let label = |cells: &[Option<&str>]| shown(cells, order, shape);
        assert_eq!(label(&[Some("a"), Some("b")]), (Some("A".to_owned()), 0.5));
        assert_eq!(label(&[Some("a"), Some("a")]), (Some("a".to_owned()), 0.0));
        assert_eq!(label(&[Some("b"), Some("c")]), (Some("*".to_owned()), 1.0));
        assert_eq!(label(&[Some("a"), None]), (Some("*".to_owned()), 1.0));
        assert_eq!(label(&[None, None]), (None, 0.0));
    }

    #[test]
    fn a_mean_is_as_fine_as_its_numbers() {
        let shape = Shape {
            form: Form::Mean,
            taxonomy: None,
            range: None,
        };
        let mean = |cells: &[&str]| {
            let cells: Vec<Option<&str>> = cells.iter().copied().map(Some).collect();
            shown(&cells, ValueOrder::Number, shape).0.unwrap()
        };
        assert_eq!(mean(&["0.00001", "0.00003"]), "0.00002");
        assert_eq!(mean(&["1", "2", "2"]), "1.6667");
        assert_eq!(mean(&["0.12345", "0.12346", "0.12346"]), "0.12346");
        assert!(mean(&["1e-300", "3e-300"]).parse::<f64>().unwrap() > 0.0);
        assert!(mean(&["1.5e308", "1.7e308"]).parse::<f64>().unwrap() > 1e308);
    }

    /// `a|b` and `a`, `b` would look the same.
    #[test]
    fn a_set_that_could_not_be_read_back_is_hidden() {
        let shape = Shape {
            form: Form::Set,
            taxonomy: None,
            range: None,
        };
        let (label, _) = shown(&[Some("a|b"), Some("c")], ValueOrder::Natural, shape);
        assert_eq!(label.as_deref(), Some(SUPPRESSED));
    }
}
