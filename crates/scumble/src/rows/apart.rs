//! [`Apart`]: a release in two tables, of which one shows the people without their secrets, the other the secrets by group.
//!
//! | age | sex | group | | group | disease |
//! |---|---|---|---|---|---|
//! | 23 | M | 1 | | 1 | dyspepsia |
//! | 27 | M | 1 | | 1 | pneumonia |
//! | 35 | M | 2 | | 2 | dyspepsia |
//! | 59 | M | 2 | | 2 | flu |
//!
//! In memory it is one table, in which the secrets of a group are dealt to its rows by lot, as a reader of both files would
//! deal them. Whose secret is whose is forgotten here, so nothing that is made of the release can tell it.
//!
//! Invariant: the numbers of the groups, and who is dealt what, follow from what both tables show. The order of the input
//! and the way of the search do not show.

use std::cmp::Ordering;

use rayon::prelude::*;
use scumble_progress::{Interrupted, Work};
use scumble_table::{Codes, Column, ColumnId, Labels, Mask, Released, ReleasedColumn, Table, collapse};

use crate::apart::{deal, with_rows};
use scumble_bind::Plan;
use scumble_policy::{GROUP, Role};

/// Groups of rows whose secrets are published apart.
#[derive(Debug)]
pub(crate) struct Apart {
    /// The rows of each group; every row is in one.
    groups: Vec<Vec<u32>>,
    /// Of each column of the table whether it is sensitive, and whether it is published.
    columns: Vec<(bool, bool)>,
}

/// A group as the two tables show it.
struct Shown {
    /// Its rows, in the order of the first table.
    people: Vec<u32>,
    /// The same rows, in the order of the second.
    secrets: Vec<u32>,
}

impl Apart {
    pub fn new(plan: &Plan, groups: Vec<Vec<u32>>) -> Self {
        let columns = plan.columns.iter();
        let columns = columns.map(|column| (column.role == Role::Sensitive, column.is_published()));
        Apart {
            groups,
            columns: columns.collect(),
        }
    }

    /// How many groups there are.
    pub fn groups(&self) -> usize {
        self.groups.len()
    }

    /// The column with the number of the group, which comes after those of the table.
    pub fn group(&self) -> ColumnId {
        ColumnId(self.columns.len())
    }

    /// The columns of the first table: people, and the group of each.
    pub fn people(&self) -> Vec<ColumnId> {
        self.ids(false).chain([self.group()]).collect()
    }

    /// The columns of the second table: groups, and the secrets in each.
    pub fn secrets(&self) -> Vec<ColumnId> {
        std::iter::once(self.group()).chain(self.ids(true)).collect()
    }

    fn ids(&self, secret: bool) -> impl Iterator<Item = ColumnId> {
        let columns = self.columns.iter().enumerate();
        columns
            .filter(move |(_, (is_secret, _))| *is_secret == secret)
            .map(|(id, _)| ColumnId(id))
    }

    /// Both tables as one.
    ///
    /// # Errors
    /// [`Interrupted`] if it should stop.
    pub fn release(&self, table: Table, work: Work) -> Result<Released, Interrupted> {
        let rows = table.rows();
        // In the value order of a reader, in which both files are sorted.
        let as_read = table.columns().par_iter().cloned().map(as_it_is(true));
        let as_read = as_read.map(|column| work.go_on().map(|()| column.as_read()));
        let as_read = as_read.collect::<Result<Vec<Column>, Interrupted>>()?;
        let mut group_of = vec![0; rows];
        let mut secret_of = vec![0; rows];
        for (number, group) in self.numbered(rows, &as_read, work)?.into_iter().enumerate() {
            for (person, secret) in group.people.into_iter().zip(deal(number, group.secrets)) {
                group_of[person as usize] = number as u32;
                secret_of[person as usize] = secret;
            }
        }
        work.go_on()?;
        // In the order that the columns have: a tree, too, orders its values, and an ordered distance goes by that.
        let columns = table.into_columns().into_par_iter().zip(&self.columns);
        let columns = columns.map(|(column, &(is_secret, published))| match is_secret {
            true => as_it_is(published)(with_rows(&column, &secret_of)),
            false => as_it_is(published)(column),
        });
        let numbers = (1..=self.groups()).map(|number| Some(number.to_string()));
        let group = ReleasedColumn::told(GROUP, false, Labels::from_iter(numbers), &group_of, 0.0);
        let mut columns: Vec<ReleasedColumn> = columns.collect();
        columns.push(group);
        Ok(Released::of_columns(rows, columns))
    }

    /// The groups in the order of their people, and where these look the same, of their secrets.
    fn numbered(&self, rows: usize, columns: &[Column], work: Work) -> Result<Vec<Shown>, Interrupted> {
        let codes = |secret: bool| {
            let published = self.ids(secret).filter(|id| self.columns[id.0].1);
            published.map(|id| columns[id.0].codes()).collect::<Vec<_>>()
        };
        let place_of_person = places(rows, &codes(false), work)?;
        let place_of_secret = places(rows, &codes(true), work)?;
        let sorted = |rows: &[u32], places: &[u32]| {
            let mut rows = rows.to_vec();
            rows.sort_by_key(|&row| places[row as usize]);
            rows
        };
        let shown = self.groups.par_iter().map(|rows| Shown {
            people: sorted(rows, &place_of_person),
            secrets: sorted(rows, &place_of_secret),
        });
        let mut groups: Vec<Shown> = shown.collect();
        work.go_on()?;
        let compare = |a: &[u32], b: &[u32], places: &[u32]| {
            let place = |row: &u32| places[*row as usize];
            a.iter().map(place).cmp(b.iter().map(place))
        };
        groups.par_sort_by(|a, b| {
            let by_people = compare(&a.people, &b.people, &place_of_person);
            by_people.then_with(|| compare(&a.secrets, &b.secrets, &place_of_secret))
        });
        work.go_on()?;
        Ok(groups)
    }
}

/// A column shown as it is.
fn as_it_is(published: bool) -> impl Fn(Column) -> ReleasedColumn {
    move |column| ReleasedColumn::new(column, &Mask::Exact, None, published)
}

/// The place of each row among the different rows, in the order in which a table of these columns is sorted.
fn places(rows: usize, columns: &[&Codes], work: Work) -> Result<Vec<u32>, Interrupted> {
    let kinds = collapse(rows, columns);
    work.go_on()?;
    let compare = |&a: &u32, &b: &u32| {
        let mut cells = columns.iter().map(|codes| {
            let cell = |kind: u32| codes.at(kinds.rows[kind as usize] as usize);
            cell(a).cmp(&cell(b))
        });
        // The first column that differs decides; to look at all of them takes many times as long.
        cells.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    };
    let mut order: Vec<u32> = (0..kinds.rows.len() as u32).collect();
    order.par_sort_unstable_by(compare);
    work.go_on()?;
    let mut place_of_kind = vec![0; order.len()];
    for (place, kind) in order.into_iter().enumerate() {
        place_of_kind[kind as usize] = place as u32;
    }
    Ok(kinds.kind_of.iter().map(|&kind| place_of_kind[kind as usize]).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use scumble_table::ValueOrder;

    use super::*;

    /// What each row shows: person, group, secret.
    type Rows = Vec<[String; 3]>;

    fn column(name: &str, cells: &[u8]) -> Column {
        let cells: Vec<String> = cells.iter().map(u8::to_string).collect();
        Column::from_cells(name, ValueOrder::Natural, cells.iter().map(|cell| Some(&cell[..])))
    }

    /// The release of people with a secret each, in these groups; its rows sorted.
    fn released(people: &[u8], secrets: &[u8], groups: Vec<Vec<u32>>) -> Rows {
        let apart = Apart {
            groups,
            columns: vec![(false, true), (true, true)],
        };
        let table = Table::new(people.len(), vec![column("person", people), column("secret", secrets)]);
        let release = apart.release(table, Work::unwatched()).unwrap();
        let columns: Vec<Column> = release.columns().iter().map(ReleasedColumn::as_read).collect();
        let cell = |id: usize, row: usize| {
            let column = &columns[id];
            let text = column.dictionary().value(column.codes().at(row));
            text.unwrap_or_default().to_owned()
        };
        let rows = (0..people.len()).map(|row| [cell(0, row), cell(2, row), cell(1, row)]);
        let mut rows: Rows = rows.collect();
        rows.sort();
        rows
    }

    /// The secrets of each group, sorted, by its number.
    fn secrets_by_group(rows: &Rows) -> Vec<Vec<&str>> {
        let mut by_group: Vec<Vec<&str>> = Vec::new();
        for [_, group, secret] in rows {
            let number: usize = group.parse().unwrap();
            by_group.resize(by_group.len().max(number), Vec::new());
            by_group[number - 1].push(secret);
        }
        by_group.iter_mut().for_each(|secrets| secrets.sort_unstable());
        by_group
    }

    /// The group of person 1 is the first, though the search found it last.
    #[test]
    fn groups_are_numbered_by_their_people() {
        let rows = released(&[4, 3, 1, 2], &[10, 11, 12, 13], vec![vec![0, 1], vec![2, 3]]);
        let groups: Vec<[&str; 2]> = rows
            .iter()
            .map(|[person, group, _]| [&person[..], &group[..]])
            .collect();
        assert_eq!(groups, [["1", "1"], ["2", "1"], ["3", "2"], ["4", "2"]]);
        assert_eq!(secrets_by_group(&rows), [["12", "13"], ["10", "11"]]);
    }

    /// Of two groups of the same people the one with the smaller secrets comes first: there is no other way to tell them
    /// apart than the order of the input.
    #[test]
    fn groups_that_look_the_same_are_numbered_by_their_secrets() {
        let rows = released(&[1, 1, 1, 1], &[7, 8, 5, 6], vec![vec![0, 1], vec![2, 3]]);
        assert_eq!(secrets_by_group(&rows), [["5", "6"], ["7", "8"]]);
    }

    proptest! {
        /// The same people in the same groups, read in another order and found in another order, are the same release.
        #[test]
        fn the_order_of_the_input_does_not_show(
            rows in prop::collection::vec((0..3u8, 0..4u8, 0..3usize), 1..12),
            seed: u64,
        ) {
            let mut order: Vec<usize> = (0..rows.len()).collect();
            let mut names = [0, 1, 2];
            let mut lot = fastrand::Rng::with_seed(seed);
            lot.shuffle(&mut order);
            lot.shuffle(&mut names);
            let release = |order: &[usize], names: [usize; 3]| {
                let rows: Vec<_> = order.iter().map(|&row| rows[row]).collect();
                let mut groups = vec![Vec::new(); 3];
                for (row, (_, _, group)) in (0..).zip(&rows) {
                    groups[names[*group]].push(row);
                }
                groups.retain(|group| !group.is_empty());
                let people: Vec<u8> = rows.iter().map(|row| row.0).collect();
                let secrets: Vec<u8> = rows.iter().map(|row| row.1).collect();
                released(&people, &secrets, groups)
            };
            let as_read: Vec<usize> = (0..rows.len()).collect();
            prop_assert_eq!(release(&order, names), release(&as_read, [0, 1, 2]));
        }
    }
}
