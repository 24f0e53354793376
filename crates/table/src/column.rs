//! [`Column`]s and the [`Table`] they make.
//!
//! Invariant: codes follow the value order of the column, so a range of values is a range of codes, and the missing
//! value, where there is one, has the last code. Values and codes are shared by all copies of a column until one of them
//! is changed, so a table can be kept and searched again without a second copy of its rows.

use std::cmp::Ordering;
use std::sync::Arc;

use hashbrown::HashMap;

use crate::{Codes, Taxonomy, parse_number, with_codes};

/// Which column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ColumnId(pub usize);

/// Strings stored end to end, which a dictionary of a million values needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    bytes: String,
    ends: Ends,
}

/// Where texts end. Half of each number is kept, and the few places at which the other half grows: columns of keys have
/// as many texts as rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Ends {
    low: Vec<u32>,
    /// From which text on the upper half is one more.
    carries: Vec<usize>,
}

impl Ends {
    fn push(&mut self, end: usize) {
        while end >> 32 > self.carries.len() {
            self.carries.push(self.low.len());
        }
        self.low.push(end as u32);
    }

    #[inline]
    fn at(&self, number: usize) -> usize {
        let high = match self.carries[..] {
            [] => 0,
            _ => self.carries.partition_point(|&from| from <= number),
        };
        high << 32 | self.low[number] as usize
    }
}

impl Texts {
    /// Appends one text and tells its number.
    pub fn push(&mut self, text: &str) -> usize {
        self.bytes.push_str(text);
        self.ends.push(self.bytes.len());
        self.len() - 1
    }

    /// The text with this number.
    #[inline]
    pub fn at(&self, number: usize) -> &str {
        let start = if number == 0 { 0 } else { self.ends.at(number - 1) };
        &self.bytes[start..self.ends.at(number)]
    }

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.ends.low.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.low.is_empty()
    }

    /// Lets go of room that nothing is stored in.
    pub(crate) fn shrink(&mut self) {
        self.bytes.shrink_to_fit();
        self.ends.low.shrink_to_fit();
    }

    /// All texts in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.len()).map(|number| self.at(number))
    }
}

impl<'a> FromIterator<&'a str> for Texts {
    fn from_iter<I: IntoIterator<Item = &'a str>>(texts: I) -> Self {
        let mut all = Texts::default();
        for text in texts {
            all.push(text);
        }
        all
    }
}

/// What fixes the order of a column's values, and so of its codes.
#[derive(Clone, Copy, Debug)]
pub enum ValueOrder<'a> {
    /// Numeric order if every value is a number, else byte order.
    Natural,
    /// The values are numbers, and texts of one number (`1`, `1.0`) are one value.
    Number,
    /// The order of the leaves of a taxonomy.
    Taxonomy(&'a Taxonomy),
    /// None: values are numbered as they were met, and equal texts stay apart.
    AsMet,
}

impl ValueOrder<'_> {
    /// The order of two values that this order knows (numbers, leaves); bytes decide between equals.
    pub(crate) fn sort(&self, texts: &Texts) -> Vec<usize> {
        let mut order: Vec<usize> = (0..texts.len()).collect();
        let numbers = || texts.iter().map(parse_number).collect::<Option<Vec<f64>>>();
        let by_number = |numbers: &[f64], a: usize, b: usize| -> Ordering { numbers[a].total_cmp(&numbers[b]) };
        let by_text = |a: usize, b: usize| texts.at(a).cmp(texts.at(b));
        match self {
            ValueOrder::Natural | ValueOrder::Number => match numbers() {
                Some(numbers) => order.sort_by(|&a, &b| by_number(&numbers, a, b).then_with(|| by_text(a, b))),
                None => order.sort_by(|&a, &b| by_text(a, b)),
            },
            ValueOrder::AsMet => {}
            ValueOrder::Taxonomy(taxonomy) => {
                let leaves: Vec<Option<usize>> = texts.iter().map(|text| taxonomy.leaf(text)).collect();
                // Values that the tree lacks sort last; loading reports them.
                order.sort_by(|&a, &b| {
                    let place = |i: usize| leaves[i].unwrap_or(usize::MAX);
                    place(a).cmp(&place(b)).then_with(|| by_text(a, b))
                });
            }
        }
        order
    }
}

/// The distinct values of a column, in value order; the code of a value is its place here.
#[derive(Clone, Debug, PartialEq)]
pub struct Dictionary {
    texts: Texts,
    numbers: Option<Vec<f64>>,
    missing: bool,
}

impl Dictionary {
    /// A dictionary of values already in order, without the missing one, which gets the last code if `missing`.
    pub fn new(mut texts: Texts, missing: bool) -> Self {
        texts.shrink();
        let numbers = texts.iter().map(parse_number).collect();
        Dictionary {
            texts,
            numbers,
            missing,
        }
    }

    /// A dictionary of texts that have no order and are no numbers.
    pub(crate) fn unordered(texts: Texts, missing: bool) -> Self {
        Dictionary {
            texts,
            numbers: None,
            missing,
        }
    }

    /// How many codes there are, the missing value's included.
    pub fn len(&self) -> usize {
        self.texts.len() + usize::from(self.missing)
    }

    /// Whether there is no value at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The values without the missing one, in order.
    pub fn texts(&self) -> &Texts {
        &self.texts
    }

    /// The values as numbers, if all are (the missing one aside).
    pub fn numbers(&self) -> Option<&[f64]> {
        self.numbers.as_deref()
    }

    /// Whether its values are numbers in ascending order, so that no two of them are one text.
    pub(crate) fn is_of_ascending_numbers(&self) -> bool {
        let ascend = |place: usize, numbers: &[f64]| {
            let (a, b) = (numbers[place], numbers[place + 1]);
            a < b || (a == b && self.texts.at(place) < self.texts.at(place + 1))
        };
        let numbers = self.numbers.as_deref();
        numbers.is_some_and(|numbers| (1..numbers.len()).all(|place| ascend(place - 1, numbers)))
    }

    /// The code of the missing value, if the column has one.
    pub fn missing(&self) -> Option<u32> {
        self.missing.then_some(self.texts.len() as u32)
    }

    /// The text of a code; `None` is the missing value.
    pub fn value(&self, code: u32) -> Option<&str> {
        let code = code as usize;
        (code < self.texts.len()).then(|| self.texts.at(code))
    }
}

/// One column: its values and one code per row. A clone shares both.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its name in the header.
    pub name: String,
    dictionary: Arc<Dictionary>,
    codes: Arc<Codes>,
}

impl Column {
    /// A column from codes below `dictionary.len()`.
    pub fn new(name: impl Into<String>, dictionary: Dictionary, codes: Codes) -> Self {
        Column {
            name: name.into(),
            dictionary: Arc::new(dictionary),
            codes: Arc::new(codes),
        }
    }

    /// The same column of other rows: its values, of which some may now be in none of them, with these codes.
    pub fn with_codes(&self, codes: Codes) -> Self {
        Column {
            name: self.name.clone(),
            dictionary: Arc::clone(&self.dictionary),
            codes: Arc::new(codes),
        }
    }

    /// A column from its cells, `None` where missing. For tests and small tables; files go through [`crate::Encoder`].
    pub fn from_cells<'c>(name: &str, order: ValueOrder, cells: impl IntoIterator<Item = Option<&'c str>>) -> Self {
        let mut encoder = crate::Encoder::new();
        for cell in cells {
            encoder.push(cell);
        }
        let block = encoder.take_block();
        Column::merge(name, order, vec![(encoder, vec![(0, block)])])
    }

    /// Gives columns of different tables one dictionary, with the values of all of them in value order, so that equal
    /// codes are equal values. A column may then have values that none of its rows holds. Of texts of one number, that of the
    /// first column stands: what the others write is not for its rows to show.
    pub fn unite(columns: &mut [&mut Column], order: ValueOrder) {
        let values = columns.iter().flat_map(|column| {
            let dictionary = &column.dictionary;
            (0..dictionary.len() as u32).map(|code| dictionary.value(code))
        });
        // The dictionaries end to end, as the cells of a column of their own: its codes are the new ones.
        let Column {
            mut dictionary, codes, ..
        } = Column::from_cells("", order, values);
        if let ValueOrder::Number = order {
            let texts = texts_of_the_first(columns, &codes, &dictionary.texts);
            Arc::make_mut(&mut dictionary).texts = texts;
        }
        let mut new_codes = codes.iter();
        for column in columns {
            let new_code: Vec<u32> = new_codes.by_ref().take(column.dictionary.len()).collect();
            let codes = column.codes.iter().map(|code| new_code[code as usize]);
            column.codes = Arc::new(Codes::collect(dictionary.len(), codes));
            column.dictionary = Arc::clone(&dictionary);
        }
    }

    /// The column with each value as `read` has it; values that become equal are one.
    pub fn map_values(&self, order: ValueOrder, read: impl Fn(&str) -> String) -> Column {
        let read: Vec<String> = self.dictionary.texts.iter().map(read).collect();
        let missing = self.dictionary.missing().map(|_| None);
        let values = read.iter().map(|text| Some(&text[..])).chain(missing);
        // The dictionary as the cells of a column of its own: its codes are the new ones.
        let Column { dictionary, codes, .. } = Column::from_cells("", order, values);
        let new_code: Vec<u32> = codes.iter().collect();
        let codes = self.codes.iter().map(|code| new_code[code as usize]);
        Column {
            name: self.name.clone(),
            codes: Arc::new(Codes::collect(dictionary.len(), codes)),
            dictionary,
        }
    }

    /// A column of which nothing is known: all rows hold the same.
    pub fn unknown(name: impl Into<String>, rows: usize) -> Self {
        let value = Texts::from_iter(["?"]);
        Column::new(
            name,
            Dictionary::new(value, false),
            Codes::collect(1, std::iter::repeat_n(0, rows)),
        )
    }

    /// The column with some of its rows, in this order, as if there had never been others.
    pub fn pick(&self, rows: &[u32], order: ValueOrder) -> Self {
        let mut picked = self.with_codes(self.codes.pick(rows));
        picked.forget_unused();
        if picked.dictionary.len() < self.dictionary.len() {
            // The value that is gone may have been the one word among numbers.
            Column::unite(&mut [&mut picked], order);
        }
        picked
    }

    /// Keeps the rows for which `keep` is true, in place if nobody else has them.
    fn retain_rows(&mut self, keep: &[bool]) {
        match Arc::get_mut(&mut self.codes) {
            Some(codes) => codes.retain_rows(keep),
            None => self.codes = Arc::new(self.codes.kept(keep)),
        }
    }

    /// Drops the values that no row holds.
    fn forget_unused(&mut self) {
        let mut used = vec![false; self.dictionary.len()];
        with_codes!(self.codes(), |codes| codes
            .iter()
            .for_each(|&code| used[code as usize] = true));
        if used.iter().all(|&used| used) {
            return;
        }
        let kept_before = |sum: &mut u32, &used: &bool| {
            let code = *sum;
            *sum += u32::from(used);
            Some(code)
        };
        let new_code: Vec<u32> = used.iter().scan(0, kept_before).collect();
        let texts = self
            .dictionary
            .texts
            .iter()
            .zip(&used)
            .filter(|(_, used)| **used)
            .map(|(text, _)| text)
            .collect();
        let missing = self.dictionary.missing().is_some_and(|code| used[code as usize]);
        self.dictionary = Arc::new(Dictionary::new(texts, missing));
        let codes = self.codes.iter().map(|code| new_code[code as usize]);
        self.codes = Arc::new(Codes::collect(self.dictionary.len(), codes));
    }

    /// Its name and codes, without the values.
    pub(crate) fn into_codes(self) -> (String, Arc<Codes>) {
        (self.name, self.codes)
    }

    /// Its distinct values.
    pub fn dictionary(&self) -> &Dictionary {
        &self.dictionary
    }

    /// Its codes, row by row.
    pub fn codes(&self) -> &Codes {
        &self.codes
    }

    /// For each node of the taxonomy, the range of codes it covers. The missing value is covered by the root alone.
    pub fn spans(&self, taxonomy: &Taxonomy) -> Vec<std::ops::Range<u32>> {
        let leaves: Vec<usize> = self
            .dictionary
            .texts
            .iter()
            .map(|text| taxonomy.leaf(text).unwrap_or(usize::MAX))
            .collect();
        let code = |leaf: usize| leaves.partition_point(|&l| l < leaf) as u32;
        taxonomy
            .nodes()
            .map(|node| {
                let covered = taxonomy.leaves_under(node);
                if node == taxonomy.root() {
                    0..self.dictionary.len() as u32
                } else {
                    code(covered.start)..code(covered.end)
                }
            })
            .collect()
    }
}

/// The texts of a united dictionary, each as the first of the columns that has the value writes it, if it does so in one way.
/// The new codes of all columns' values are end to end.
fn texts_of_the_first(columns: &[&mut Column], new_codes: &Codes, united: &Texts) -> Texts {
    let mut texts: Vec<Option<(usize, &str)>> = vec![None; united.len()];
    let values = columns.iter().enumerate().flat_map(|(place, column)| {
        let dictionary = &column.dictionary;
        (0..dictionary.len() as u32).map(move |code| (place, dictionary.value(code)))
    });
    for ((place, text), code) in values.zip(new_codes.iter()) {
        let Some((text, first)) = text.zip(texts.get_mut(code as usize)) else {
            continue;
        };
        match first {
            None => *first = Some((place, text)),
            Some((own, shown)) if *own == place => *shown = united.at(code as usize),
            Some(_) => {}
        }
    }
    let texts = texts.into_iter().zip(united.iter());
    texts
        .map(|(first, united)| first.map_or(united, |(_, text)| text))
        .collect()
}

/// Columns of equal length.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    columns: Vec<Column>,
    rows: usize,
}

impl Table {
    /// A table of columns that all have `rows` codes.
    ///
    /// # Panics
    /// If a column is longer or shorter: the caller built them from the same rows.
    pub fn new(rows: usize, columns: Vec<Column>) -> Self {
        assert!(
            columns.iter().all(|c| c.codes.len() == rows),
            "columns of one table have one length"
        );
        Table { columns, rows }
    }

    /// How many rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// All columns, in file order.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The columns alone.
    pub fn into_columns(self) -> Vec<Column> {
        self.columns
    }

    /// One column.
    pub fn column(&self, id: ColumnId) -> &Column {
        &self.columns[id.0]
    }

    /// One column, to be changed.
    pub fn column_mut(&mut self, id: ColumnId) -> &mut Column {
        &mut self.columns[id.0]
    }

    /// The column with this name.
    pub fn find(&self, name: &str) -> Option<ColumnId> {
        self.columns.iter().position(|c| c.name == name).map(ColumnId)
    }

    /// All columns by their names, for whoever looks up many; of two with one name the first, as [`find`](Self::find) does.
    pub fn places(&self) -> HashMap<&str, ColumnId> {
        let mut places = HashMap::with_capacity(self.columns.len());
        for (place, column) in self.columns.iter().enumerate() {
            places.entry(&column.name[..]).or_insert(ColumnId(place));
        }
        places
    }

    /// Keeps the rows for which `keep` is true; values that no row holds any more leave the dictionaries.
    pub fn retain_rows(&mut self, keep: &[bool]) {
        for column in &mut self.columns {
            column.retain_rows(keep);
            column.forget_unused();
        }
        self.rows = keep.iter().filter(|&&k| k).count();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_beyond_four_gibibytes_are_kept() {
        let ends = [0, 7, u32::MAX as usize, 1 << 32, (3 << 32) + 5, (3 << 32) + 5];
        let mut kept = Ends::default();
        ends.iter().for_each(|&end| kept.push(end));
        assert_eq!((0..ends.len()).map(|number| kept.at(number)).collect::<Vec<_>>(), ends);
    }

    fn column(order: ValueOrder, cells: &[Option<&str>]) -> Column {
        Column::from_cells("c", order, cells.iter().copied())
    }

    fn cells(column: &Column) -> Vec<Option<&str>> {
        column.codes.iter().map(|code| column.dictionary.value(code)).collect()
    }

    #[test]
    fn picked_rows_are_in_the_order_of_their_own_values() {
        let all = column(ValueOrder::Natural, &[Some("9"), Some("x"), Some("10"), None]);
        let picked = all.pick(&[2, 0, 2], ValueOrder::Natural);
        assert_eq!(
            picked,
            column(ValueOrder::Natural, &[Some("10"), Some("9"), Some("10")])
        );
        assert_eq!(all.pick(&[0, 1, 2, 3], ValueOrder::Natural), all);
        assert_eq!(cells(&Column::unknown("c", 2)), [Some("?"), Some("?")]);
    }

    #[test]
    fn united_columns_share_codes_and_keep_their_cells() {
        let data_cells = [Some("20"), Some("3"), None];
        let others = [Some("100"), Some("3"), Some("3")];
        let mut data = column(ValueOrder::Natural, &data_cells);
        let mut other = column(ValueOrder::Natural, &others);
        Column::unite(&mut [&mut data, &mut other], ValueOrder::Natural);
        assert_eq!(data.dictionary, other.dictionary);
        assert_eq!(data.dictionary.texts.iter().collect::<Vec<_>>(), ["3", "20", "100"]);
        assert_eq!((cells(&data), cells(&other)), (data_cells.to_vec(), others.to_vec()));
    }

    #[test]
    fn texts_of_one_number_are_one_value_of_united_continuous_columns() {
        let mut data = column(ValueOrder::Number, &[Some("9.0"), Some("8")]);
        let mut other = column(ValueOrder::Number, &[Some("9")]);
        Column::unite(&mut [&mut data, &mut other], ValueOrder::Number);
        assert_eq!(data.dictionary.numbers(), Some(&[8.0, 9.0][..]));
        assert_eq!(data.codes.iter().next(), other.codes.iter().next());
    }

    /// The rows have 1 and 2.50, the people 01, 2.5 and 03; only of 3 there is no other text.
    #[test]
    fn a_column_keeps_its_own_texts_when_another_writes_the_numbers_otherwise() {
        let mut rows = column(ValueOrder::Number, &[Some("1"), Some("2.50"), None]);
        let mut people = column(ValueOrder::Number, &[Some("01"), Some("2.5"), Some("03")]);
        Column::unite(&mut [&mut rows, &mut people], ValueOrder::Number);
        assert_eq!(cells(&rows), [Some("1"), Some("2.50"), None]);
        assert_eq!(cells(&people), [Some("1"), Some("2.50"), Some("03")]);
        assert_eq!(rows.dictionary, people.dictionary);
    }

    /// While there was a word in it, `07` and `7.0` were two values.
    #[test]
    fn texts_of_one_number_that_a_word_kept_apart_become_neither() {
        let mut ages = column(ValueOrder::Number, &[Some("07"), Some("x"), Some("7.0"), Some("8.0")]);
        assert_eq!(ages.dictionary.len(), 4);
        ages.retain_rows(&[true, false, true, true]);
        ages.forget_unused();
        Column::unite(&mut [&mut ages], ValueOrder::Number);
        assert_eq!(cells(&ages), [Some("7"), Some("7"), Some("8.0")]);
    }

    fn people() -> Table {
        let cells = [Some("9"), None, Some("10"), Some("x")];
        let columns = [ValueOrder::Natural, ValueOrder::AsMet].map(|order| column(order, &cells));
        Table::new(cells.len(), columns.into())
    }

    fn share(a: &Column, b: &Column) -> bool {
        std::ptr::eq(a.dictionary(), b.dictionary()) && std::ptr::eq(a.codes(), b.codes())
    }

    #[test]
    fn a_clone_of_a_table_copies_neither_rows_nor_values() {
        let table = people();
        let clone = table.clone();
        assert!(table.columns().iter().zip(clone.columns()).all(|(a, b)| share(a, b)));
        let picked = table.column(ColumnId(0)).pick(&[3, 2, 1, 0], ValueOrder::Natural);
        assert!(std::ptr::eq(
            picked.dictionary(),
            table.column(ColumnId(0)).dictionary()
        ));
    }

    #[test]
    fn changing_a_clone_leaves_the_table_as_it_was() {
        let table = people();
        let (mut fewer, mut united) = (table.clone(), table.clone());
        fewer.retain_rows(&[true, true, true, false]);
        let mut other = column(ValueOrder::Natural, &[Some("y")]);
        Column::unite(&mut [united.column_mut(ColumnId(0)), &mut other], ValueOrder::Natural);
        assert_eq!(table, people());
        assert_eq!(cells(fewer.column(ColumnId(0))), [Some("9"), None, Some("10")]);
        assert_eq!(fewer.column(ColumnId(0)).dictionary.len(), 3);
        assert_eq!(united.column(ColumnId(0)).dictionary.len(), 5);
        assert!(
            share(united.column(ColumnId(1)), table.column(ColumnId(1))),
            "it was not changed"
        );
    }

    /// Whoever has the only copy pays for no second one.
    #[test]
    fn rows_that_nobody_shares_are_dropped_in_place() {
        let mut table = people();
        let codes: *const Codes = table.column(ColumnId(0)).codes();
        table.columns[0].retain_rows(&[true, false, false, false]);
        assert!(std::ptr::eq(codes, table.column(ColumnId(0)).codes()));
        assert_eq!(cells(table.column(ColumnId(0))), [Some("9")]);
    }

    /// 200 values each, but 400 together: the codes need another width.
    #[test]
    fn united_codes_are_as_wide_as_they_must_be() {
        let numbers = |from: usize| (from..from + 200).map(|n| n.to_string()).collect::<Vec<_>>();
        let (low, high) = (numbers(0), numbers(200));
        let texts = |texts: &[String]| {
            column(
                ValueOrder::Natural,
                &texts.iter().map(|t| Some(&t[..])).collect::<Vec<_>>(),
            )
        };
        let (mut data, mut other) = (texts(&low), texts(&high));
        Column::unite(&mut [&mut data, &mut other], ValueOrder::Natural);
        assert_eq!(data.codes.at(0), 0);
        assert_eq!(other.codes.at(199), 399);
    }
}
