//! [`Cases`]: rows as a classifier sees them, a class and some features each.
//!
//! Invariant: every case has a class. A code of a feature is a category, or the rank of a number among the numbers of
//! its column; so a threshold on numbers is a threshold on codes, and both kinds are grouped alike.

use scumble_table::{Codes, Column, ColumnId, Dictionary, Table};

/// Whether the values of a feature are told apart, or compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeatureKind {
    /// Words: each value is a category of its own. Taxonomy nodes, intervals and `*` are words.
    Category,
    /// Numbers. A column with a value that is none, such as a released column of intervals, is taken as categories.
    Number,
}

/// The code of a missing value.
pub(super) const MISSING: u32 = u32::MAX;

/// One feature: a code per case.
#[derive(Clone, Debug)]
pub(super) struct Feature {
    pub name: String,
    codes: Vec<u32>,
    /// How many codes there are, whether or not a case has them.
    pub distinct: usize,
    /// The number of each code, ascending, if the feature is compared.
    pub numbers: Option<Vec<f64>>,
}

impl Feature {
    fn new(column: &Column, kind: FeatureKind, rows: &[u32]) -> Self {
        let dictionary = column.dictionary();
        let (code_of, numbers) = match (kind, dictionary.numbers()) {
            (FeatureKind::Number, Some(numbers)) => ranked(numbers),
            _ => ((0..dictionary.texts().len() as u32).collect(), None),
        };
        let code_of = with_missing(code_of, dictionary);
        Feature {
            name: column.name.clone(),
            codes: translated(column.codes(), &code_of, rows),
            distinct: numbers.as_ref().map_or(dictionary.texts().len(), Vec::len),
            numbers,
        }
    }

    /// The code of a case; `None` if it is missing.
    #[inline]
    pub fn code(&self, case: u32) -> Option<u32> {
        let code = self.codes[case as usize];
        (code != MISSING).then_some(code)
    }
}

/// The rank of each number, and the distinct numbers in order. (A column may be in the order of a taxonomy, or write
/// one number in two ways.)
fn ranked(numbers: &[f64]) -> (Vec<u32>, Option<Vec<f64>>) {
    let mut distinct = numbers.to_vec();
    distinct.sort_unstable_by(f64::total_cmp);
    distinct.dedup();
    let rank = |number: &f64| distinct.partition_point(|other| other < number) as u32;
    (numbers.iter().map(rank).collect(), Some(distinct))
}

fn with_missing(mut code_of: Vec<u32>, dictionary: &Dictionary) -> Vec<u32> {
    if dictionary.missing().is_some() {
        code_of.push(MISSING);
    }
    code_of
}

fn translated(codes: &Codes, code_of: &[u32], rows: &[u32]) -> Vec<u32> {
    rows.iter()
        .map(|&row| code_of[codes.at(row as usize) as usize])
        .collect()
}

/// Rows of a table with a class and features; see the module.
#[derive(Clone, Debug)]
pub struct Cases {
    pub(super) features: Vec<Feature>,
    classes: Vec<u32>,
    class_count: usize,
}

impl Cases {
    /// All rows of a table whose class is known.
    pub fn new(table: &Table, class: ColumnId, features: &[(ColumnId, FeatureKind)]) -> Self {
        Cases::of_rows(table, class, features, &rows_with_class(table.column(class)))
    }

    /// These rows, each with a class, in this order.
    pub(super) fn of_rows(table: &Table, class: ColumnId, features: &[(ColumnId, FeatureKind)], rows: &[u32]) -> Self {
        let class = table.column(class);
        Cases {
            features: features
                .iter()
                .map(|&(id, kind)| Feature::new(table.column(id), kind, rows))
                .collect(),
            classes: rows.iter().map(|&row| class.codes().at(row as usize)).collect(),
            class_count: class.dictionary().texts().len(),
        }
    }

    /// How many cases there are.
    pub fn len(&self) -> usize {
        self.classes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.classes.is_empty()
    }

    /// The class of a case.
    #[inline]
    pub(super) fn class(&self, case: u32) -> u32 {
        self.classes[case as usize]
    }

    /// How many classes there are, whether or not a case has them.
    pub(super) fn class_count(&self) -> usize {
        self.class_count
    }

    /// All cases, by number.
    pub(super) fn all(&self) -> Vec<u32> {
        (0..self.len() as u32).collect()
    }
}

/// The rows of a table whose class is known.
pub(super) fn rows_with_class(class: &Column) -> Vec<u32> {
    let missing = class.dictionary().missing();
    let rows = 0..class.codes().len() as u32;
    rows.filter(|&row| Some(class.codes().at(row as usize)) != missing)
        .collect()
}

/// The class with the largest chance, the first one of equals.
pub(super) fn most_likely(chances: &[f64]) -> u32 {
    let larger = |best: usize, own: usize| if chances[own] > chances[best] { own } else { best };
    (1..chances.len()).fold(0, larger) as u32
}

#[cfg(test)]
pub(super) mod tests {
    use scumble_table::ValueOrder;

    use super::*;

    /// A table from text: a header, then a row per line, cells apart by blanks, `?` for missing. The class is last.
    pub fn cases(text: &str) -> Cases {
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let names: Vec<&str> = lines.next().expect("a header").split_whitespace().collect();
        let rows: Vec<Vec<&str>> = lines.map(|line| line.split_whitespace().collect()).collect();
        let column = |(place, name): (usize, &&str)| {
            let cells = rows.iter().map(|row| Some(row[place]).filter(|cell| *cell != "?"));
            Column::from_cells(name, ValueOrder::Natural, cells)
        };
        let table = Table::new(rows.len(), names.iter().enumerate().map(column).collect());
        let class = names.len() - 1;
        let features: Vec<_> = (0..class).map(|id| (ColumnId(id), FeatureKind::Number)).collect();
        Cases::new(&table, ColumnId(class), &features)
    }

    #[test]
    fn numbers_are_ranked_and_words_are_categories() {
        let cases = cases(
            "
            age   job      class
            40    Lawyer   yes
            9     Engineer no
            40.0  ?        yes
            ?     Lawyer   no",
        );
        let codes = |feature: usize| {
            (0..4)
                .map(|case| cases.features[feature].code(case))
                .collect::<Vec<_>>()
        };
        assert_eq!(codes(0), [Some(1), Some(0), Some(1), None]);
        assert_eq!(cases.features[0].numbers, Some(vec![9.0, 40.0]));
        assert_eq!(codes(1), [Some(1), Some(0), None, Some(1)]);
        assert_eq!(cases.features[1].numbers, None);
    }

    #[test]
    fn one_interval_makes_a_column_of_numbers_categories() {
        let cases = cases(
            "
            age      class
            40       yes
            [1,40)   no",
        );
        assert_eq!(cases.features[0].numbers, None);
    }

    #[test]
    fn a_row_without_a_class_is_no_case() {
        let cases = cases(
            "
            age  class
            40   ?
            41   no
            42   yes",
        );
        assert_eq!((cases.len(), cases.class_count()), (2, 2));
        assert_eq!((cases.class(0), cases.class(1)), (0, 1));
        assert_eq!(cases.features[0].code(0), Some(1));
    }
}
