//! [`Links`]: which released rows can be whose.
//!
//! Both tables are first collapsed to the rows that differ on the shared columns; a *kind* is such a row. What is found
//! for one kind of person holds for everyone of that kind.
//!
//! | known: job | age | as labels | | released: job | age |
//! |---|---|---|---|---|---|
//! | Lawyer | 38 | Professional, [30, 40) | ─► | Professional | [30, 40) |
//! | Engineer | 31 | Professional, [30, 40) | ─► | Professional | [30, 40) |
//! | Janitor | 20 | Janitor, none | | Janitor | [40, 60) |
//!
//! # Cost
//! Under a global recoding a value has one label, so people become rows of labels before they are collapsed, and one more
//! grouping joins the two sides. Under a local recoding a value may have several labels, and each kind of person is
//! compared with the released kinds that fit it on the column where the fewest do: at worst the product of the kinds on
//! the two sides.

use rayon::prelude::*;
use scumble_progress::{Interrupted, Work};
use scumble_table::{
    Codes, ColumnId, Dictionary, FormsOf, Label, Meaning, SUPPRESSED, Table, collapse, cover, cover_all, with_codes,
};

use crate::{Recoding, SharedColumn};

/// The kinds of people and the kinds of released rows, and which match.
pub(crate) struct Links<'w> {
    people: Side,
    rows: Side,
    join: Join,
    /// Once it should stop, nobody is found any more.
    work: Work<'w>,
}

/// The rows of one table that differ, with how many there are of each.
struct Side {
    /// One code per kind, for each column.
    codes: Vec<Codes>,
    weights: Vec<u64>,
    /// The kind of each row from which this side was collapsed.
    kind_of: Vec<u32>,
}

/// How the released kinds that match a person are found.
enum Join {
    /// By looking up the one that shows the labels of this kind of person.
    Global { row: Vec<Option<u32>> },
    /// By comparing column by column.
    Local { columns: Vec<LocalColumn> },
}

/// One shared column of a locally recoded release.
struct LocalColumn {
    /// For each value, the labels that cover it, ascending.
    labels: Vec<Vec<u32>>,
    /// For each label, the released kinds that show it.
    shown_by: Vec<Vec<u32>>,
}

impl<'w> Links<'w> {
    /// Links the people of `known` to the rows of `released`.
    pub(crate) fn new(
        known: &Table,
        released: &Table,
        shared: &[SharedColumn],
        recoding: Recoding,
        work: Work<'w>,
    ) -> Result<Self, Interrupted> {
        let shown: Vec<&Codes> = shared.iter().map(|on| released.column(on.released).codes()).collect();
        let rows = Side::collapse(released.rows(), &shown, None);
        work.go_on()?;
        let links = match recoding {
            Recoding::Global => {
                let labels: Vec<Codes> = shared.iter().map(|on| on.labels_of_people(known, released)).collect();
                work.go_on()?;
                let people = Side::collapse(known.rows(), &labels.iter().collect::<Vec<_>>(), None);
                work.go_on()?;
                Links::global(people, rows, work)
            }
            Recoding::Local => {
                let values: Vec<&Codes> = shared.iter().map(|on| known.column(on.known).codes()).collect();
                let people = Side::collapse(known.rows(), &values, None);
                let labels = shared.iter().map(|on| {
                    work.go_on()?;
                    let (values, labels) = on.dictionaries(known, released);
                    Ok(cover_all(values, labels, on.forms))
                });
                let labels = labels.collect::<Result<_, Interrupted>>()?;
                Links::local(people, rows, labels, work)
            }
        };
        work.go_on()?;
        Ok(links)
    }

    /// The same people and rows, linked on some of the columns only.
    pub(crate) fn on(&self, columns: &[usize]) -> Links<'w> {
        let work = self.work.silent();
        let (people, rows) = (self.people.on(columns), self.rows.on(columns));
        match &self.join {
            Join::Global { .. } => Links::global(people, rows, work),
            Join::Local { columns: all } => {
                let labels = columns.iter().map(|&column| all[column].labels.clone());
                Links::local(people, rows, labels.collect(), work)
            }
        }
    }

    fn global(people: Side, rows: Side, work: Work<'w>) -> Self {
        let row = lookup(&people, &rows);
        Links {
            people,
            rows,
            join: Join::Global { row },
            work,
        }
    }

    fn local(people: Side, rows: Side, labels: Vec<Vec<Vec<u32>>>, work: Work<'w>) -> Self {
        let columns = labels.into_iter().zip(&rows.codes);
        let columns = columns.map(|(labels, shown)| LocalColumn::new(labels, shown)).collect();
        Links {
            people,
            rows,
            join: Join::Local { columns },
            work,
        }
    }

    /// Whether to stop.
    pub(crate) fn should_stop(&self) -> bool {
        self.work.should_stop()
    }

    /// How many people there are of each kind.
    pub(crate) fn people(&self) -> &[u64] {
        &self.people.weights
    }

    /// How many released rows there are of each kind.
    pub(crate) fn rows(&self) -> &[u64] {
        &self.rows.weights
    }

    /// The kind of each person, in the order of the known table.
    pub(crate) fn kind_of_person(&self) -> &[u32] {
        &self.people.kind_of
    }

    /// The kind of each released row.
    pub(crate) fn kind_of_row(&self) -> &[u32] {
        &self.rows.kind_of
    }

    /// For each kind of person, what `measure` makes of the released kinds that match.
    pub(crate) fn measure<T: Send>(&self, measure: impl Fn(&[u32]) -> T + Sync) -> Vec<T> {
        let kinds = 0..self.people().len();
        let done = self.work.count(kinds.len());
        let of_kind = |found: &mut Vec<u32>, kind: usize| {
            found.clear();
            if !self.work.should_stop() {
                self.find(kind, found);
            }
            done.add(1);
            measure(found)
        };
        kinds.into_par_iter().map_init(Vec::new, of_kind).collect()
    }

    /// For each kind of person, how many released rows match.
    pub(crate) fn matching_rows(&self) -> Vec<u64> {
        self.measure(|found| found.iter().map(|&row| self.rows.weights[row as usize]).sum())
    }

    /// For each released kind, how many people match.
    pub(crate) fn people_of_groups(&self) -> Vec<u64> {
        let mut people = vec![0; self.rows().len()];
        let mut found = Vec::new();
        for (kind, weight) in self.people().iter().enumerate() {
            if self.work.should_stop() {
                break;
            }
            found.clear();
            self.find(kind, &mut found);
            found.iter().for_each(|&row| people[row as usize] += weight);
        }
        people
    }

    /// Appends the released kinds that match a kind of person.
    fn find(&self, kind: usize, found: &mut Vec<u32>) {
        match &self.join {
            Join::Global { row } => found.extend(row[kind]),
            Join::Local { columns } => {
                let value = |column: usize| self.people.codes[column].at(kind) as usize;
                let fewest = (0..columns.len()).min_by_key(|&column| columns[column].fitting(value(column)).count());
                let Some(fewest) = fewest else {
                    found.extend(0..self.rows().len() as u32);
                    return;
                };
                let fits = |row: u32, column: usize| {
                    let label = self.rows.codes[column].at(row as usize);
                    columns[column].labels[value(column)].binary_search(&label).is_ok()
                };
                let candidates = columns[fewest].fitting(value(fewest));
                found.extend(candidates.filter(|&row| (0..columns.len()).all(|column| fits(row, column))));
            }
        }
    }
}

impl SharedColumn<'_> {
    fn dictionaries<'t>(&self, known: &'t Table, released: &'t Table) -> (&'t Dictionary, &'t Dictionary) {
        let of = |table: &'t Table, id: ColumnId| table.column(id).dictionary();
        (of(known, self.known), of(released, self.released))
    }

    /// Whether some known value is behind two labels that are not `*`.
    pub(crate) fn overlaps(&self, known: &Table, released: &Table) -> bool {
        let (values, labels) = self.dictionaries(known, released);
        // In a column that hides nothing, a star is a value.
        let hides = |label: Option<&str>| {
            let means = || *Label::parse(label, self.forms).meaning() != Meaning::Itself;
            label == Some(SUPPRESSED) && means()
        };
        let tells = |label: &&u32| !hides(labels.value(**label));
        let covering = cover_all(values, labels, self.forms);
        covering.iter().any(|labels| labels.iter().filter(tells).count() > 1)
    }

    /// The label of each person, or one code more than there are labels where no label covers the value.
    fn labels_of_people(&self, known: &Table, released: &Table) -> Codes {
        let (values, labels) = self.dictionaries(known, released);
        let none = labels.len() as u32;
        let label = labels_of(values, labels, self.forms, none);
        with_codes!(known.column(self.known).codes(), |codes| {
            Codes::collect(labels.len() + 1, codes.iter().map(|&code| label[code as usize]))
        })
    }
}

/// For each value its label in a globally recoded column, or `none`.
pub(crate) fn labels_of(values: &Dictionary, labels: &Dictionary, forms: FormsOf, none: u32) -> Vec<u32> {
    let label = cover(values, labels, forms).into_iter();
    label.map(|label| label.unwrap_or(none)).collect()
}

impl Side {
    /// Collapses rows, each counted once or as often as `weights` says.
    fn collapse(rows: usize, columns: &[&Codes], weights: Option<&[u64]>) -> Side {
        let collapsed = collapse(rows, columns);
        let kinds = collapsed.rows.len();
        let first = |codes: &&Codes| {
            let distinct = with_codes!(codes, |codes| codes.iter().max().map_or(0, |&most| most as usize + 1));
            Codes::collect(distinct, collapsed.rows.iter().map(|&row| codes.at(row as usize)))
        };
        let weights = match weights {
            None => collapsed.weights.iter().map(|&weight| u64::from(weight)).collect(),
            Some(weights) => {
                let mut sums = vec![0; kinds];
                let of_row = collapsed.kind_of.iter().zip(weights);
                of_row.for_each(|(&kind, weight)| sums[kind as usize] += weight);
                sums
            }
        };
        Side {
            codes: columns.iter().map(first).collect(),
            weights,
            kind_of: collapsed.kind_of,
        }
    }

    fn on(&self, columns: &[usize]) -> Side {
        let codes: Vec<&Codes> = columns.iter().map(|&column| &self.codes[column]).collect();
        Side::collapse(self.weights.len(), &codes, Some(&self.weights))
    }
}

/// For each kind of person, given by labels, the released kind that shows the same labels.
///
/// Both sides are stacked and grouped: a person and a released row that share a group agree on everything.
fn lookup(people: &Side, rows: &Side) -> Vec<Option<u32>> {
    let (person_kinds, row_kinds) = (people.weights.len(), rows.weights.len());
    let stacked: Vec<Codes> = people.codes.iter().zip(&rows.codes).map(|(a, b)| stack(a, b)).collect();
    let groups = collapse(person_kinds + row_kinds, &stacked.iter().collect::<Vec<_>>());
    let (of_people, of_rows) = groups.kind_of.split_at(person_kinds);
    let mut row_of_group = vec![None; groups.rows.len()];
    for (row, &group) in of_rows.iter().enumerate() {
        row_of_group[group as usize] = Some(row as u32);
    }
    of_people.iter().map(|&group| row_of_group[group as usize]).collect()
}

fn stack(above: &Codes, below: &Codes) -> Codes {
    Codes::U32(above.iter().chain(below.iter()).collect())
}

impl LocalColumn {
    fn new(labels: Vec<Vec<u32>>, shown: &Codes) -> Self {
        let most = labels.iter().flatten().copied().chain(shown.iter()).max();
        let mut shown_by = vec![Vec::new(); most.map_or(0, |most| most as usize + 1)];
        for (row, label) in shown.iter().enumerate() {
            shown_by[label as usize].push(row as u32);
        }
        LocalColumn { labels, shown_by }
    }

    /// The released kinds that fit a value.
    fn fitting(&self, value: usize) -> impl Iterator<Item = u32> {
        let labels = self.labels[value].iter();
        labels.flat_map(|&label| &self.shown_by[label as usize]).copied()
    }
}
