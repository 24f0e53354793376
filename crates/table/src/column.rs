//! A [`Column`] is its values and one code per row.
//!
//! Invariant: codes follow the value order of the column, so a range of values is a range of codes, and the missing
//! value, where there is one, has the last code. Values and codes are shared by all copies of a column until one of them
//! is changed, so a table can be kept and searched again without a second copy of its rows.

use std::sync::Arc;

use crate::encode::{self, Encoder};
use crate::{Codes, Dictionary, Taxonomy, Texts, ValueOrder, with_codes};

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

    /// Joins the workers' blocks, each with its place in the file, into one column.
    ///
    /// With [`ValueOrder::Number`], texts that are not numbers leave [`Dictionary::numbers`] empty; with a taxonomy,
    /// values that it lacks come last. Finding and reporting their rows is the caller's.
    pub fn merge(name: &str, order: ValueOrder, workers: Vec<(Encoder, Vec<(usize, Codes)>)>) -> Column {
        let (dictionary, codes) = encode::merge(order, workers);
        Column::new(name, dictionary, codes)
    }

    /// A column from its cells, `None` where missing. For tests and small tables; files go through [`Encoder`].
    pub fn from_cells<'c>(name: &str, order: ValueOrder, cells: impl IntoIterator<Item = Option<&'c str>>) -> Self {
        let mut encoder = Encoder::new();
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
            let texts = texts_of_the_first(columns, &codes, dictionary.texts());
            Arc::make_mut(&mut dictionary).rewrite(texts);
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
        let read: Vec<String> = self.dictionary.texts().iter().map(read).collect();
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
    pub(crate) fn retain_rows(&mut self, keep: &[bool]) {
        match Arc::get_mut(&mut self.codes) {
            Some(codes) => codes.retain_rows(keep),
            None => self.codes = Arc::new(self.codes.kept(keep)),
        }
    }

    /// Drops the values that no row holds.
    pub(crate) fn forget_unused(&mut self) {
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
            .texts()
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
            .texts()
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

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(data.dictionary.texts().iter().collect::<Vec<_>>(), ["3", "20", "100"]);
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
