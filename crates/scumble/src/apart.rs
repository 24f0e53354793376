//! A release whose secrets are apart, as it lies on disk: two files, joined by the number of the group.
//!
//! Both are read as one table: each row of the first has one of the secrets that the second lists for its group, dealt by
//! lot. That is one of the matchings that fit, and no reader knows a better one. What holds of every group (its templates)
//! does not depend on the matching; what is measured row by row is measured on this one.
//!
//! Invariant: a table is read only if every group has as many rows in one file as in the other, and no column tells more of
//! a row than its group.

use crate::sources::header_of;
use std::path::Path;

use fastrand::Rng;
use scumble_privacy::{QuasiIdentifier, Template};
use scumble_store::{FileSource, Watch, secrets_beside};
use scumble_table::Reading;
use scumble_table::{Column, ColumnId, Table, ValueOrder};

use crate::error::Error;
use crate::errors::{InputError, ReleasedFilesError, TablesMisfit};
use crate::released::{Said, source_of_release};
use scumble_policy::{Approach, GROUP, Policy, Role};

/// The files of a release.
pub(crate) struct ReleasedFiles<'p> {
    main: FileSource,
    /// The file beside it with the secrets, if they are apart, and the policy that says so.
    secrets: Option<(FileSource, &'p Policy)>,
}

impl<'p> ReleasedFiles<'p> {
    /// A released file, and the one beside it if the policy has secrets published apart.
    pub fn new(released: &Path, policy: Option<&'p Policy>) -> Self {
        let apart = policy.filter(|policy| policy.method.approach == Approach::Anatomy);
        let source = |path: &Path| source_of_release(path, policy.map(Said::by));
        ReleasedFiles {
            main: source(released),
            secrets: apart.map(|policy| (source(&secrets_beside(released)), policy)),
        }
    }

    /// The file that was named.
    pub fn main(&self) -> &Path {
        &self.main.path
    }

    /// The columns of the file that was named.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn main_header(&self) -> Result<Vec<String>, Error> {
        Ok(header_of(&self.main)?)
    }

    /// Whether there are two.
    pub fn are_apart(&self) -> bool {
        self.secrets.is_some()
    }

    /// The columns of both, those of the first file before those of the second; the group once.
    ///
    /// # Errors
    /// A file that cannot be read, or has columns that belong in the other.
    pub fn header(&self) -> Result<Vec<String>, Error> {
        let mut names = header_of(&self.main)?;
        if let Some((secrets, policy)) = &self.secrets {
            let own = header_of(secrets)?;
            self.check_people(&names, policy)?;
            check_secrets(&secrets.path, &own, policy)?;
            names.extend(own.into_iter().filter(|name| name != GROUP));
        }
        Ok(names)
    }

    /// Reads both as one table, each column of [`header`](Self::header) as `readings` says. Where secrets are apart, the
    /// group is always read.
    ///
    /// # Errors
    /// Those of the header and of reading, and groups that differ in size between the two files.
    pub fn read(&self, names: &[String], readings: &[Reading], watch: &dyn Watch) -> Result<Table, Error> {
        let Some((secrets, _)) = &self.secrets else {
            return Ok(self.main.open(watch)?.read(readings, false, watch)?.table);
        };
        let reading = |name: &String| match names.iter().position(|other| other == name) {
            Some(place) if name != GROUP => readings[place],
            _ => Reading::Text,
        };
        let read = |source: &FileSource| -> Result<Table, Error> {
            let opened = source.open(watch)?;
            let readings: Vec<Reading> = opened.header().iter().map(reading).collect();
            Ok(opened.read(&readings, false, watch)?.table)
        };
        let people = read(&self.main)?;
        let secrets = read(secrets)?;
        let rows = people.rows().max(secrets.rows());
        if u32::try_from(rows).is_err() {
            return Err(InputError::TooManyRows(rows).into());
        }
        self.joined(people, secrets)
    }

    /// The first file has groups, and no secrets.
    fn check_people(&self, names: &[String], policy: &Policy) -> Result<(), Error> {
        check_group(self.main(), names)?;
        match names.iter().find(|name| is_sensitive(policy, name)) {
            None => Ok(()),
            Some(name) => {
                let column = name.clone();
                Err(do_not_fit(self.main(), TablesMisfit::SecretBesidePeople { column }))
            }
        }
    }

    fn joined(&self, people: Table, secrets: Table) -> Result<Table, Error> {
        let of_people = people.find(GROUP).ok_or_else(|| no_group(self.main()))?;
        let of_secrets = secrets.find(GROUP).ok_or_else(|| no_group(self.main()))?;
        let matched = matched(people.column(of_people), secrets.column(of_secrets)).map_err(|groups| {
            let other = secrets_beside(self.main());
            do_not_fit(self.main(), TablesMisfit::GroupsDiffer { groups, other })
        })?;
        let rows = people.rows();
        let mut columns = people.into_columns();
        let secret = secrets.columns().iter().filter(|column| column.name != GROUP);
        columns.extend(secret.map(|column| with_rows(column, &matched)));
        Ok(Table::new(rows, columns))
    }
}

/// The second file has groups and secrets, and nothing else.
fn check_secrets(path: &Path, names: &[String], policy: &Policy) -> Result<(), Error> {
    check_group(path, names)?;
    let mut others = names.iter().filter(|name| *name != GROUP);
    match others.all(|name| is_sensitive(policy, name)) {
        true => Ok(()),
        false => Err(do_not_fit(path, TablesMisfit::OtherBesideSecrets)),
    }
}

fn check_group(path: &Path, names: &[String]) -> Result<(), Error> {
    match names.iter().any(|name| name == GROUP) {
        true => Ok(()),
        false => Err(no_group(path)),
    }
}

fn no_group(path: &Path) -> Error {
    do_not_fit(path, TablesMisfit::NoGroup)
}

fn do_not_fit(path: &Path, reason: TablesMisfit) -> Error {
    let path = path.to_owned();
    ReleasedFilesError::TablesDoNotFit { path, reason }.into()
}

fn is_sensitive(policy: &Policy, name: &str) -> bool {
    policy.column(name).is_some_and(|column| column.role == Role::Sensitive)
}

/// For each row of the first file the row of the second whose secrets it is dealt; or how many groups differ in size.
fn matched(of_people: &Column, of_secrets: &Column) -> Result<Vec<u32>, usize> {
    let mut both = [of_people.clone(), of_secrets.clone()];
    let [people, secrets] = &mut both;
    Column::unite(&mut [people, secrets], ValueOrder::Natural);
    let [people, secrets] = both.map(|column| rows_by_value(&column));
    let differ = people.iter().zip(&secrets).filter(|(a, b)| a.len() != b.len()).count();
    if differ > 0 {
        return Err(differ);
    }
    let mut matched = vec![0; of_people.codes().len()];
    for (number, (people, secrets)) in people.into_iter().zip(secrets).enumerate() {
        for (person, secret) in people.into_iter().zip(deal(number, secrets)) {
            matched[person as usize] = secret;
        }
    }
    Ok(matched)
}

/// The rows of each value, ascending.
fn rows_by_value(column: &Column) -> Vec<Vec<u32>> {
    let mut rows = vec![Vec::new(); column.dictionary().len()];
    for (row, code) in column.codes().iter().enumerate() {
        rows[code as usize].push(row as u32);
    }
    rows
}

/// The secrets of a group, by its number from 0, in the order in which its rows are dealt them. By lot: dealt in the
/// order of the file, the first row would always get the smallest, and columns would seem to go together that do not.
pub(crate) fn deal(number: usize, mut secrets: Vec<u32>) -> Vec<u32> {
    Rng::with_seed(number as u64).shuffle(&mut secrets);
    secrets
}

/// A column with its rows in another order.
pub(crate) fn with_rows(column: &Column, rows: &[u32]) -> Column {
    column.with_codes(column.codes().pick(rows))
}

/// A template as it is counted where secrets are apart: in every group. Whoever knows the columns of `of` finds one group,
/// or several; and templates that a policy may ask for then hold for any mixture of groups in which they hold.
pub(crate) fn by_group(template: &Template, group: ColumnId) -> Template {
    Template {
        of: QuasiIdentifier::all(vec![group]),
        demand: template.demand.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(of_rows: &[&str]) -> Column {
        Column::from_cells(GROUP, ValueOrder::Natural, of_rows.iter().copied().map(Some))
    }

    /// Every row of the second file goes to one row of the first, of its group.
    #[test]
    fn secrets_are_dealt_within_their_group() {
        let people = ["2", "1", "2", "10", "1", "2"];
        let secrets = ["1", "1", "2", "2", "2", "10"];
        let matched = matched(&groups(&people), &groups(&secrets)).unwrap();
        for (person, secret) in people.iter().zip(&matched) {
            assert_eq!(*person, secrets[*secret as usize]);
        }
        let mut all = matched;
        all.sort_unstable();
        assert_eq!(all, [0, 1, 2, 3, 4, 5]);
    }

    /// Group 1 has a row too many, group 2 one too few, and group 4 is in one file alone.
    #[test]
    fn groups_that_differ_in_size_are_counted() {
        let people = groups(&["1", "1", "2", "2", "3", "4"]);
        let secrets = groups(&["1", "1", "1", "2", "3"]);
        assert_eq!(matched(&people, &secrets), Err(3));
        assert_eq!(matched(&secrets, &people), Err(3));
    }
}
