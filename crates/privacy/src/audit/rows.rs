//! [`Rows`]: what is counted, each with the label it shows on every column.
//!
//! They are the rows of the release, and for a k-map the people of a [`Population`] after them, as the release would
//! show them. A released row and a person with the same labels then share a number like any two rows.

use scumble_table::{ColumnId, Released, with_codes};

use super::numbering::Numbering;

/// The people that released rows may stand for, as the release would show them.
#[derive(Clone, Debug, PartialEq)]
pub struct Population {
    rows: usize,
    labels: Vec<(ColumnId, Vec<Option<u32>>)>,
}

impl Population {
    /// `rows` people. For each column that templates group by, the label that covers each person, as its place in
    /// [`labels`](scumble_table::ReleasedColumn::labels); `None` if the release shows no such label. Of a column that is
    /// not given, no label is shown.
    ///
    /// # Panics
    /// If a column is longer or shorter: the caller built them from the same people.
    pub fn new(rows: usize, labels: Vec<(ColumnId, Vec<Option<u32>>)>) -> Self {
        assert!(
            labels.iter().all(|(_, labels)| labels.len() == rows),
            "columns of one population have one length"
        );
        Population { rows, labels }
    }

    fn labels(&self, id: ColumnId) -> Option<&[Option<u32>]> {
        let column = self.labels.iter().find(|(column, _)| *column == id);
        column.map(|(_, labels)| &labels[..])
    }
}

/// The rows of a release, and the people of a population after them.
pub(super) struct Rows<'a> {
    release: &'a Released,
    population: Option<&'a Population>,
}

impl<'a> Rows<'a> {
    /// The rows of the release, followed by the people of the population with this number, if a number is given.
    pub(super) fn new(release: &'a Released, population: Option<usize>, populations: &'a [Population]) -> Self {
        let population = population.and_then(|place| populations.get(place));
        Rows { release, population }
    }

    fn len(&self) -> usize {
        self.release.rows() + self.population.map_or(0, |population| population.rows)
    }

    /// The release.
    pub(super) fn release(&self) -> &'a Released {
        self.release
    }

    /// Numbers all rows by the labels they show on `columns`.
    pub(super) fn number(&self, columns: &[ColumnId]) -> Numbering {
        let nothing = Numbering::none(self.len());
        columns.iter().fold(nothing, |groups, &id| groups.and(&self.shown(id)))
    }

    /// Numbers all rows by their label on one column: its place among the labels, and one past them for people of whom
    /// the release shows none.
    pub(super) fn shown(&self, id: ColumnId) -> Numbering {
        let column = &self.release.columns()[id.0];
        let label_of = column.label_of_code();
        let mut labels: Vec<u32> = Vec::with_capacity(self.len());
        with_codes!(column.codes(), |codes| labels
            .extend(codes.iter().map(|&code| label_of[code as usize])));

        let count = column.labels().len();
        match self.population {
            None => Numbering::new(labels, count),
            Some(population) => {
                let none = count as u32;
                match population.labels(id) {
                    Some(people) => labels.extend(people.iter().map(|label| label.unwrap_or(none).min(none))),
                    None => labels.resize(self.len(), none),
                }
                Numbering::new(labels, count + 1)
            }
        }
    }

    /// Numbers released rows [`RELEASED`] and people [`PERSON`].
    pub(super) fn released_or_person(&self) -> Numbering {
        let mut which = vec![RELEASED; self.release.rows()];
        which.resize(self.len(), PERSON);
        Numbering::new(which, 2)
    }
}

/// The number of a released row.
pub(super) const RELEASED: u32 = 0;
/// The number of a person of the population.
pub(super) const PERSON: u32 = 1;
