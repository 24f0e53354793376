//! Which persons can have some known rows: an index from what released rows show to the classes that show it.
//!
//! | kind of row | shown by class | rows | can stand for Math | for Physics |
//! |---|---|---|---|---|
//! | Science | 0 | 1 | yes | yes |
//! | Physics | 0 | 1 | no | yes |
//! | Science | 1 | 1 | yes | yes |
//!
//! Class 0 has two rows for both, class 1 only one. The rows of a class are counted by which of the known rows they can
//! stand for, so that is all that is asked of a class, however many rows it has.

use scumble_privacy::{OriginalTable, ReleasedTable};
use scumble_table::{Codes, Column, ColumnId, FormsOf, LabelIndex, collapse};

use super::sets::MOST_KNOWN;

/// Each subset of the known rows.
const SUBSETS: usize = 1 << MOST_KNOWN;

/// The classes of persons.
pub(super) struct Classes {
    of_person: Vec<u32>,
    sizes: Vec<u64>,
    /// For each class, a person.
    person: Vec<u32>,
}

impl Classes {
    pub(super) fn new(of_person: Vec<u32>) -> Self {
        let count = of_person.iter().max().map_or(0, |&last| last as usize + 1);
        let (mut sizes, mut person) = (vec![0; count], vec![0; count]);
        for (&class, own) in of_person.iter().zip(0..) {
            sizes[class as usize] += 1;
            person[class as usize] = own;
        }
        Classes {
            of_person,
            sizes,
            person,
        }
    }
}

/// A quasi column, as it is known and as it is released.
pub(super) struct KnownColumn<'a> {
    pub(super) values: &'a Column,
    forms: FormsOf<'a>,
    released: Column,
}

/// The quasi columns of a table.
pub(super) fn known_columns<'a>(table: &ReleasedTable, original: &OriginalTable<'a>) -> Vec<KnownColumn<'a>> {
    let column = |id: &ColumnId| {
        let known = original.columns.get(id.0).copied().flatten()?;
        Some(KnownColumn {
            values: original.table.column(known.id),
            forms: known.forms,
            released: table.release.columns()[id.0].as_read(),
        })
    };
    table.quasi.iter().filter_map(column).collect()
}

/// A table in which persons are looked for.
pub(super) struct Searched<'a> {
    columns: Vec<SearchedColumn<'a>>,
    /// Where the classes that show each kind of row begin, and after the last where they end.
    starts: Vec<usize>,
    /// Each with how many rows of the kind a person of the class has.
    shown_by: Vec<(u32, u32)>,
    sizes: &'a [u64],
}

/// A quasi column of it.
struct SearchedColumn<'a> {
    values: &'a Column,
    labels: LabelIndex<'a>,
    /// The label of each kind of row.
    label_of: Vec<u32>,
    /// For each label, the kinds that show it.
    kinds_with: Vec<Vec<u32>>,
}

/// What one search after the other uses. Between searches nothing is marked.
pub(super) struct Scratch {
    /// For each column, whether each label covers the known value.
    fits: Vec<Vec<bool>>,
    /// For each kind of row, the known rows that it can stand for, as bits.
    stands_for: Vec<u8>,
    /// The kinds that can stand for any.
    kinds: Vec<u32>,
    /// For each class, how many of its rows can stand for just these known rows.
    rows_for: Vec<[u32; SUBSETS]>,
    /// The classes that have such rows.
    classes: Vec<u32>,
}

impl<'a> Searched<'a> {
    /// The released rows, of which `persons` says whose they are.
    pub(super) fn new(
        rows: usize,
        columns: &'a [KnownColumn<'a>],
        persons: &[Option<u32>],
        classes: &'a Classes,
    ) -> Self {
        let shown: Vec<&Codes> = columns.iter().map(|column| column.released.codes()).collect();
        let kinds = collapse(rows, &shown);
        let (starts, shown_by) = classes.showing(&kinds.kind_of, kinds.rows.len(), persons);
        Searched {
            columns: columns
                .iter()
                .map(|column| SearchedColumn::new(column, &kinds.rows))
                .collect(),
            starts,
            shown_by,
            sizes: &classes.sizes,
        }
    }

    /// Room for one search after the other.
    pub(super) fn scratch(&self) -> Scratch {
        let fits = self.columns.iter().map(|column| vec![false; column.kinds_with.len()]);
        Scratch {
            fits: fits.collect(),
            stands_for: vec![0; self.starts.len() - 1],
            kinds: Vec::new(),
            rows_for: vec![[0; SUBSETS]; self.sizes.len()],
            classes: Vec::new(),
        }
    }

    /// How many persons have different rows that can stand for these rows of the original.
    pub(super) fn candidates(&self, rows: impl ExactSizeIterator<Item = u32>, scratch: &mut Scratch) -> u64 {
        let known = rows.len();
        for (place, row) in rows.enumerate() {
            self.mark_kinds(row as usize, 1 << place, scratch);
        }
        for kind in scratch.kinds.drain(..) {
            let stands_for = std::mem::take(&mut scratch.stands_for[kind as usize]) as usize;
            let classes = &self.shown_by[self.starts[kind as usize]..self.starts[kind as usize + 1]];
            for &(class, rows) in classes {
                let rows_for = &mut scratch.rows_for[class as usize];
                if rows_for.iter().all(|&rows| rows == 0) {
                    scratch.classes.push(class);
                }
                rows_for[stands_for] += rows;
            }
        }
        let mut persons = 0;
        for class in scratch.classes.drain(..) {
            let rows_for = std::mem::take(&mut scratch.rows_for[class as usize]);
            persons += if can_stand_for(&rows_for, known) {
                self.sizes[class as usize]
            } else {
                0
            };
        }
        persons
    }

    /// Marks the kinds of rows that can stand for a row of the original.
    fn mark_kinds(&self, row: usize, mark: u8, scratch: &mut Scratch) {
        let Scratch {
            fits,
            stands_for,
            kinds,
            ..
        } = scratch;
        let mut mark_kind = |kind: u32| {
            let marks = &mut stands_for[kind as usize];
            if *marks == 0 {
                kinds.push(kind);
            }
            *marks |= mark;
        };
        let labels = self.columns.iter().map(|column| column.labels_of(row));
        let labels: Vec<Vec<u32>> = labels.collect();
        let columns = self.columns.iter().zip(&labels).enumerate();
        let Some((fewest, (column, own))) = columns.min_by_key(|(_, (column, labels))| column.kinds(labels).count())
        else {
            (0..self.starts.len() as u32 - 1).for_each(mark_kind);
            return;
        };
        let marked = || (0..).zip(&labels).filter(|&(place, _)| place != fewest);
        for (place, labels) in marked() {
            labels.iter().for_each(|&label| fits[place][label as usize] = true);
        }
        let others = || {
            self.columns
                .iter()
                .zip(fits.iter())
                .enumerate()
                .filter(|&(place, _)| place != fewest)
        };
        let fits_all = |kind: &u32| {
            let mut others = others();
            others.all(|(_, (column, fits))| fits[column.label_of[*kind as usize] as usize])
        };
        column.kinds(own).filter(fits_all).for_each(&mut mark_kind);
        for (place, labels) in marked() {
            labels.iter().for_each(|&label| fits[place][label as usize] = false);
        }
    }
}

/// Whether different rows can stand for all known ones, given how many can stand for each subset and no other known row.
fn can_stand_for(rows_for: &[u32; SUBSETS], known: usize) -> bool {
    let enough = |subset: usize| {
        let meeting = rows_for
            .iter()
            .enumerate()
            .filter(|(stands_for, _)| stands_for & subset != 0);
        meeting.map(|(_, &rows)| rows).sum::<u32>() >= subset.count_ones()
    };
    (1..1 << known).all(enough)
}

impl<'a> SearchedColumn<'a> {
    /// `rows` is a released row of each kind.
    fn new(column: &'a KnownColumn<'a>, rows: &[u32]) -> Self {
        let released = &column.released;
        let label_of: Vec<u32> = rows.iter().map(|&row| released.codes().at(row as usize)).collect();
        let mut kinds_with = vec![Vec::new(); released.dictionary().len()];
        for (&label, kind) in label_of.iter().zip(0..) {
            kinds_with[label as usize].push(kind);
        }
        SearchedColumn {
            values: column.values,
            labels: LabelIndex::new(released.dictionary(), column.forms),
            label_of,
            kinds_with,
        }
    }

    /// The labels that cover the value of a row of the original.
    fn labels_of(&self, row: usize) -> Vec<u32> {
        let value = self.values.dictionary().value(self.values.codes().at(row));
        // An empty text is a missing value: a reader sees an empty cell either way.
        self.labels.covering(value.filter(|text| !text.is_empty()))
    }

    /// The kinds of rows that show one of these labels.
    fn kinds(&self, labels: &[u32]) -> impl Iterator<Item = u32> {
        labels
            .iter()
            .flat_map(|&label| &self.kinds_with[label as usize])
            .copied()
    }
}

impl Classes {
    /// The classes that show each kind of row, with how many rows of it a person has: where those of each kind begin, and
    /// all of them.
    fn showing(&self, kind_of: &[u32], kinds: usize, persons: &[Option<u32>]) -> (Vec<usize>, Vec<(u32, u32)>) {
        // What one person of a class shows, all show.
        let of_one = kind_of.iter().zip(persons).filter_map(|(&kind, person)| {
            let person = (*person)?;
            let class = self.of_person[person as usize];
            (self.person[class as usize] == person).then_some((kind, class))
        });
        let mut pairs: Vec<(u32, u32)> = of_one.collect();
        pairs.sort_unstable();
        let mut starts = vec![0; kinds + 1];
        let mut shown_by = Vec::new();
        for same in pairs.chunk_by(|a, b| a == b) {
            let (kind, class) = same[0];
            starts[kind as usize + 1] += 1;
            shown_by.push((class, same.len() as u32));
        }
        for kind in 0..kinds {
            starts[kind + 1] += starts[kind];
        }
        (starts, shown_by)
    }
}
