//! A [`Released`] table: what a reader of the release would see, before it is audited and written.
//!
//! Invariant: two labels of a column are never one text to a reader ([`as_read`]). Whoever tells rows apart by the
//! numbers of their labels, as the audit does, tells apart what a reader can, and what is written is those texts.

use std::sync::Arc;

use hashbrown::HashMap;

use crate::{Codes, Column, Dictionary, Labels, Mask, Table, Taxonomy, Texts, ValueOrder, with_codes};

/// A masked table. Rows left out are gone; identifiers are still at hand for counting but are never written.
#[derive(Debug)]
pub struct Released {
    columns: Vec<ReleasedColumn>,
    rows: usize,
    formulas_as_text: bool,
}

/// One masked column. It shares its codes with the column that it was made of, if somebody still has that.
#[derive(Debug)]
pub struct ReleasedColumn {
    /// Its name in the header.
    pub name: String,
    /// Whether it is written; an identifier is only counted (`per`).
    pub published: bool,
    /// Whether a mask stands before its values; if not, every value is shown as it is.
    pub masked: bool,
    codes: Arc<Codes>,
    of_code: Vec<u32>,
    labels: Arc<Labels>,
    penalty: f64,
}

impl ReleasedColumn {
    /// A column and its mask.
    pub fn new(column: Column, mask: &Mask, taxonomy: Option<&Taxonomy>, published: bool) -> Self {
        let (of_code, labels) = mask.labels(&column, taxonomy);
        let penalty = average_penalty(&column, mask, taxonomy);
        // A column of keys has a million values, which need not be looked up if their order tells that they differ.
        let differ = matches!(mask, Mask::Exact) && column.dictionary().is_of_ascending_numbers();
        let (name, codes) = column.into_codes();
        let united = if differ { None } else { united(&labels) };
        let (of_code, labels) = match united {
            None => (of_code, labels),
            Some((place_of, united)) => (of_code.iter().map(|&at| place_of[at as usize]).collect(), united),
        };
        ReleasedColumn {
            name,
            published,
            masked: !matches!(mask, Mask::Exact),
            codes,
            of_code,
            labels: Arc::new(labels),
            penalty,
        }
    }

    /// A column as someone else masked it: what each row shows, and its average certainty penalty.
    pub fn told(
        name: impl Into<String>,
        masked: bool,
        labels: impl Into<Arc<Labels>>,
        label_of_row: &[u32],
        penalty: f64,
    ) -> Self {
        let labels: Arc<Labels> = labels.into();
        let codes = Codes::collect(labels.len(), label_of_row.iter().copied());
        let (of_code, labels) = match united(&labels) {
            None => ((0..labels.len() as u32).collect(), labels),
            Some((place_of, united)) => (place_of, Arc::new(united)),
        };
        ReleasedColumn {
            name: name.into(),
            published: true,
            masked,
            codes: Arc::new(codes),
            of_code,
            labels,
            // What somebody else tells need not be a share.
            penalty: if penalty.is_nan() { 1.0 } else { penalty.clamp(0.0, 1.0) },
        }
    }

    /// The average certainty penalty of its cells: 0 if all are shown as they are, 1 if nothing is told of any.
    pub fn penalty(&self) -> f64 {
        self.penalty
    }

    /// The distinct released values, `None` for missing. No two of them are one text to a reader.
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// For each code of [`codes`](Self::codes), the number of its label.
    pub fn label_of_code(&self) -> &[u32] {
        &self.of_code
    }

    /// One code per row.
    pub fn codes(&self) -> &Codes {
        &self.codes
    }

    /// The values that the rows show, in value order, and for each code the place of its value there.
    ///
    /// A label that only rows left out would show is not among them, so nothing made from this tells of such rows.
    pub fn shown(&self) -> (Dictionary, Vec<u32>) {
        let mut shown = vec![false; self.labels.len()];
        with_codes!(self.codes(), |codes| for &code in codes {
            shown[self.of_code[code as usize] as usize] = true;
        });
        let text = |label: usize| self.labels.at(label);
        let (present, missing): (Vec<usize>, Vec<usize>) = (0..shown.len())
            .filter(|&label| shown[label])
            .partition(|&label| text(label).is_some());
        let unordered: Texts = present.iter().filter_map(|&label| text(label)).collect();

        let mut place_of_label = vec![present.len() as u32; self.labels.len()];
        let mut texts = Texts::default();
        for number in ValueOrder::Natural.sort(&unordered) {
            place_of_label[present[number]] = texts.push(unordered.at(number)) as u32;
        }
        let place_of_code = self
            .of_code
            .iter()
            .map(|&label| place_of_label[label as usize])
            .collect();
        (Dictionary::new(texts, !missing.is_empty()), place_of_code)
    }
}

impl ReleasedColumn {
    /// The column as a reader of the release has it, whose values are the labels.
    pub fn as_read(&self) -> Column {
        let (shown, place_of_code) = self.shown();
        let codes = with_codes!(self.codes(), |codes| {
            let places = codes.iter().map(|&code| place_of_code[code as usize]);
            Codes::collect(shown.len(), places)
        });
        Column::new(&self.name, shown, codes)
    }
}

/// What a reader of the file gets of a label: the text that is written, or nothing where that is empty.
pub fn as_read(label: Option<&str>) -> Option<&str> {
    label.filter(|text| !text.is_empty())
}

/// Labels of which no two are one text to a reader, and for each given label its place among them; `None` if they are so
/// as they are.
///
/// # Cost
/// One pass over labels in the order of their bytes, else one look into a hash table for each.
fn united(labels: &Labels) -> Option<(Vec<u32>, Labels)> {
    // Missing and empty ones are before all texts, so that only ascending texts are left.
    let before = std::iter::once(Some("")).chain(labels.iter());
    if before.zip(labels.iter()).all(|(a, b)| a < b) {
        return None;
    }
    let mut places: HashMap<Option<&str>, u32> = HashMap::with_capacity(labels.len());
    let mut is_as_read = true;
    let mut place_of = Vec::with_capacity(labels.len());
    for label in labels.iter() {
        let next = places.len() as u32;
        let read = as_read(label);
        let place = *places.entry(read).or_insert(next);
        is_as_read &= place as usize == place_of.len() && read == label;
        place_of.push(place);
    }
    if is_as_read {
        return None;
    }
    let mut united = Labels::default();
    for (label, &place) in labels.iter().zip(&place_of) {
        if place as usize == united.len() {
            united.push(as_read(label));
        }
    }
    Some((place_of, united))
}

fn average_penalty(column: &Column, mask: &Mask, taxonomy: Option<&Taxonomy>) -> f64 {
    let mut rows = vec![0u64; column.dictionary().len()];
    with_codes!(column.codes(), |codes| codes
        .iter()
        .for_each(|&code| rows[code as usize] += 1));
    let penalties = mask.penalties(column, taxonomy);
    let sum: f64 = rows
        .iter()
        .zip(penalties)
        .map(|(&rows, penalty)| rows as f64 * penalty)
        .sum();
    sum / (column.codes().len() as f64).max(1.0)
}

impl Released {
    /// Masks a table: one `(mask, taxonomy, published)` per column. `left_out`, if given, marks rows to leave out whole.
    pub fn new(mut table: Table, masks: &[(Mask, Option<&Taxonomy>, bool)], left_out: Option<&[bool]>) -> Released {
        if let Some(left_out) = left_out {
            let keep: Vec<bool> = left_out.iter().map(|out| !out).collect();
            table.retain_rows(&keep);
        }
        let rows = table.rows();
        let columns = table
            .into_columns()
            .into_iter()
            .zip(masks)
            .map(|(column, (mask, taxonomy, published))| ReleasedColumn::new(column, mask, *taxonomy, *published))
            .collect();
        Released::of_columns(rows, columns)
    }

    /// A table of columns that are masked already, each with so many rows.
    pub fn of_columns(rows: usize, columns: Vec<ReleasedColumn>) -> Released {
        Released {
            columns,
            rows,
            formulas_as_text: false,
        }
    }

    /// The same table, of which cells that a spreadsheet would take for formulas are written as text, or are not. Different
    /// cells stay different either way, so nothing that is counted changes.
    pub fn with_formulas_as_text(self, formulas_as_text: bool) -> Released {
        Released {
            formulas_as_text,
            ..self
        }
    }

    /// Whether cells that a spreadsheet would take for formulas are written as text.
    pub fn are_formulas_text(&self) -> bool {
        self.formulas_as_text
    }

    /// How many rows are released.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// All columns, in file order.
    pub fn columns(&self) -> &[ReleasedColumn] {
        &self.columns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn release(cells: &[Option<&str>], left_out: &[bool]) -> Released {
        let column = Column::from_cells("c", ValueOrder::Natural, cells.iter().copied());
        let table = Table::new(cells.len(), vec![column]);
        Released::new(table, &[(Mask::Exact, None, true)], Some(left_out))
    }

    #[test]
    fn shown_values_are_in_value_order_with_the_missing_one_last() {
        let released = release(&[Some("10"), None, Some("9"), Some("")], &[false; 4]);
        let (values, place_of_code) = released.columns()[0].shown();
        assert_eq!(values.texts().iter().collect::<Vec<_>>(), ["9", "10"]);
        assert_eq!(values.missing(), Some(2));
        let places = released.columns()[0]
            .codes()
            .iter()
            .map(|code| place_of_code[code as usize]);
        assert_eq!(places.collect::<Vec<_>>(), [1, 2, 0, 2]);
    }

    fn told(labels: &[Option<&str>], label_of_row: &[u32]) -> ReleasedColumn {
        ReleasedColumn::told("c", true, Labels::from_iter(labels.iter().copied()), label_of_row, 0.0)
    }

    fn cells(column: &ReleasedColumn) -> Vec<Option<&str>> {
        let label = |code: u32| column.labels().at(column.label_of_code()[code as usize] as usize);
        column.codes().iter().map(label).collect()
    }

    /// Two groups show one centre, and a missing value is written as an empty one is.
    #[test]
    fn labels_of_one_text_are_one_label() {
        let column = told(&[Some("37"), Some("4"), Some("37"), None, Some("")], &[0, 2, 1, 3, 4]);
        assert_eq!(
            column.labels().iter().collect::<Vec<_>>(),
            [Some("37"), Some("4"), None]
        );
        assert_eq!(cells(&column), [Some("37"), Some("37"), Some("4"), None, None]);
        let same = told(&[Some("b"), None, Some("a")], &[2, 1, 0]);
        assert_eq!(same.labels().iter().collect::<Vec<_>>(), [Some("b"), None, Some("a")]);
        let empty = told(&[Some(""), Some("a")], &[0, 1]);
        assert_eq!(empty.labels().iter().collect::<Vec<_>>(), [None, Some("a")]);
        let alone = told(&[Some("")], &[0]);
        assert_eq!(cells(&alone), [None]);
    }

    /// Ids are not looked up when they are read, so equal ones have two places.
    #[test]
    fn equal_ids_are_one_label() {
        let mut encoder = crate::Encoder::of_ids();
        ["x", "y", "x"].iter().for_each(|id| encoder.push(Some(id)));
        let block = encoder.take_block();
        let column = Column::merge("id", ValueOrder::AsMet, vec![(encoder, vec![(0, block)])]);
        let released = ReleasedColumn::new(column, &Mask::Exact, None, false);
        assert_eq!(released.labels().len(), 2);
        assert_eq!(cells(&released), ["x", "y", "x"].map(Some));
    }

    #[test]
    fn masking_shares_the_codes() {
        let table = Table::new(2, vec![Column::unknown("c", 2)]);
        let released = Released::new(table.clone(), &[(Mask::Suppress(vec![]), None, true)], None);
        let codes = released.columns()[0].codes();
        assert!(std::ptr::eq(codes, table.columns()[0].codes()));
    }

    #[test]
    fn what_is_told_of_a_loss_is_a_share() {
        let penalty = |told| ReleasedColumn::told("c", true, Labels::default(), &[], told).penalty();
        assert_eq!(
            [0.3, 7.0, -1.0, f64::NAN, f64::INFINITY].map(penalty),
            [0.3, 1.0, 0.0, 1.0, 1.0]
        );
    }

    /// The one word would make the order byte order, but it is in a row left out.
    #[test]
    fn rows_left_out_do_not_show_in_the_order() {
        let released = release(&[Some("10"), Some("9"), Some("x")], &[false, false, true]);
        let (values, _) = released.columns()[0].shown();
        assert_eq!(values.texts().iter().collect::<Vec<_>>(), ["9", "10"]);
    }
}
