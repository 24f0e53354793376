//! A [`Release`] of [`People`], and its [`Figures`].

use scumble_grouping::{FullDomainFound, Grouping, Shape, recode};
use scumble_level::Contributions;
use scumble_progress::Work;
use scumble_table::{Column, ColumnId, Labels, Mask, Released, ReleasedColumn, Written};
use scumble_utility::{Compared, Comparison, QueryError, Role, Tally, Workload, information_loss, query_error};

use crate::Result;
use crate::summary::{largest, percent};

use super::people::People;

/// What a reader has: the known columns as they are shown, the secret ones as they are.
pub(super) struct Release<'p> {
    people: &'p People,
    columns: Vec<Column>,
}

/// How good a release is. The smaller each figure, the better; not a number if there is nothing to measure.
#[derive(Clone, Copy, Debug)]
pub(super) struct Figures {
    /// UM: what the known columns of a group lose, on average.
    pub utility: f64,
    /// WGU: what the group loses that is worst off.
    pub worst_utility: f64,
    /// DM, per row.
    pub discernibility: f64,
    /// MPM: how narrow the secrets of a group are, on average.
    pub protection: f64,
    /// WGP: the largest range diversity of a group.
    pub worst_protection: f64,
    /// Rows that are in no group, in percent.
    pub left_out: f64,
}

impl<'p> Release<'p> {
    /// Each group shown as one.
    pub fn of_groups(people: &'p People, grouping: &Grouping) -> Release<'p> {
        let groups = grouping.rows();
        let grouped = (0..people.table.rows()).filter_map(|row| Some((row as u32, grouping.group_of(row)?)));
        let (rows, group_of): (Vec<u32>, Vec<u32>) = grouped.unzip();
        let known = people.known().map(|(id, quasi)| {
            let shape = Shape {
                form: quasi.values.form(),
                taxonomy: quasi.values.taxonomy(),
                range: None,
            };
            let column = people.table.column(id);
            let shown = recode(column, shape, &groups);
            let labels: Vec<u32> = group_of
                .iter()
                .map(|&group| shown.label_of_group[group as usize])
                .collect();
            ReleasedColumn::told(
                &column.name,
                true,
                Labels::from_iter(shown.labels),
                &labels,
                shown.penalty,
            )
            .as_read()
        });
        let codes_of = |id: ColumnId| {
            let column = people.table.column(id);
            column.with_codes(column.codes().pick(&rows))
        };
        let columns = known.chain(people.secret().map(|(id, _)| codes_of(id))).collect();
        Release { people, columns }
    }

    /// Each column shown by its mask.
    pub fn of_masks(people: &'p People, found: &FullDomainFound) -> Release<'p> {
        let known = people.known().zip(&found.masks);
        let known = known.map(|((_, quasi), mask)| (mask.clone(), quasi.ladder.as_deref(), true));
        let masks: Vec<_> = known
            .chain(people.secret().map(|_| (Mask::Exact, None, true)))
            .collect();
        let released = Released::new(people.table.clone(), &masks, found.left_out.as_deref());
        let columns = released.columns().iter().map(ReleasedColumn::as_read).collect();
        Release { people, columns }
    }

    /// All figures.
    pub fn figures(&self) -> Figures {
        let comparison = self.comparison();
        let loss = information_loss(&comparison, None);
        let rows = comparison.rows_before() as f64;
        let or_none = |figure: Option<f64>| figure.unwrap_or(f64::NAN);
        let worst_protection = match comparison.groups().is_empty() || !self.has_ranges() {
            true => f64::NAN,
            false => largest(self.range_diversities(&comparison).into_iter().map(|(_, level)| level)),
        };
        Figures {
            utility: or_none(loss.utility_measure),
            worst_utility: or_none(loss.worst_group_utility),
            discernibility: loss.discernibility as f64 / rows,
            protection: or_none(loss.max_range_protection),
            worst_protection,
            left_out: percent(loss.rows_left_out as f64 / rows),
        }
    }

    /// The released rows whose group has a range diversity above this, in percent.
    pub fn unprotected(&self, at_most: f64) -> f64 {
        let groups = self.range_diversities(&self.comparison());
        let rows = |is_meant: &dyn Fn(f64) -> bool| -> u64 {
            let meant = groups.iter().filter(|(_, level)| is_meant(*level));
            meant.map(|&(rows, _)| u64::from(rows)).sum()
        };
        let above = rows(&|level| level > at_most + ROUNDING);
        percent(above as f64 / rows(&|_| true) as f64)
    }

    /// How far counts are off, of queries one in a line.
    pub fn query_error(&self, queries: &str) -> Result<QueryError> {
        let comparison = self.comparison();
        let workload = Workload::parse(queries, &comparison)?;
        Ok(query_error(
            &workload,
            &comparison,
            &self.people.table,
            Work::unwatched(),
        )?)
    }

    fn has_ranges(&self) -> bool {
        self.people.secrets.iter().any(|secret| secret.ranges.is_some())
    }

    /// The rows of each group, and the largest range diversity that it has in a secret.
    fn range_diversities(&self, comparison: &Comparison) -> Vec<(u32, f64)> {
        let groups = comparison.groups();
        let mut worst: Vec<(u32, f64)> = groups.sizes().map(|rows| (rows, 0.0)).collect();
        for (id, secret) in self.people.secret() {
            let Some(ranges) = &secret.ranges else { continue };
            let (before, after) = (self.people.table.column(id), &self.columns[id.0]);
            let pairs = Contributions::of_column(ranges, after.dictionary(), before.dictionary());
            let levels = groups.map_counts(after.codes(), |counts| pairs.range_diversity(counts.iter().copied()));
            worst
                .iter_mut()
                .zip(levels)
                .for_each(|(group, level)| group.1 = group.1.max(level));
        }
        worst
    }

    fn comparison(&self) -> Comparison<'_> {
        let table = &self.people.table;
        let known = self.people.known().map(|(id, quasi)| (id, Role::Quasi, &quasi.values));
        let secret = self
            .people
            .secret()
            .map(|(id, secret)| (id, Role::Sensitive, &secret.values));
        let compared = known.chain(secret).map(|(id, role, values)| Compared {
            name: &table.column(id).name,
            role,
            domain: values.domain(table.column(id)),
            before: Tally::of(table.column(id)),
            after: &self.columns[id.0],
            written: Written::Any,
        });
        let rows = self.columns.first().map_or(0, |column| column.codes().len());
        Comparison::new(table.rows() as u64, rows, compared.collect())
    }
}

/// A level that is above a bound by less is not.
const ROUNDING: f64 = 1e-9;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loukides::people::{LEVEL_2, Normal, normal_ranges};

    fn people(rows: usize) -> People {
        People::normal(&Normal {
            rows,
            quasi: 2,
            secrets: 1,
            deviation: 5.0,
            ranges: Some(normal_ranges(&LEVEL_2).unwrap()),
        })
        .unwrap()
    }

    #[test]
    fn one_group_of_all_rows_tells_nothing_of_them() {
        let people = people(200);
        let all = Grouping::new(200, &[(0..200).collect()]);
        let figures = Release::of_groups(&people, &all).figures();
        assert_eq!((figures.utility, figures.worst_utility), (1.0, 1.0));
        assert_eq!((figures.discernibility, figures.left_out), (200.0, 0.0));
        assert_eq!(figures.protection, 0.0, "its secrets span all of their domain");
    }

    /// Two rows shown as one group, and one that is left out: a row alone would have a range diversity of 1.
    #[test]
    fn rows_in_no_group_are_left_out() {
        let people = people(3);
        let release = Release::of_groups(&people, &Grouping::new(3, &[vec![0, 2]]));
        let figures = release.figures();
        assert!((figures.left_out - 100.0 / 3.0).abs() < 1e-9);
        assert!(figures.worst_protection >= 0.5);
        assert_eq!(release.unprotected(1.0), 0.0);
        assert_eq!(release.unprotected(0.4), 100.0);
    }

    #[test]
    fn a_query_is_answered_by_both() {
        let people = people(200);
        let alone: Vec<Vec<u32>> = (0..200).map(|row| vec![row]).collect();
        let release = Release::of_groups(&people, &Grouping::new(200, &alone));
        let error = release.query_error("q1 in [4.5, 9.5) and s1 in [9.5, 19.5)").unwrap();
        assert_eq!((error.answered, error.average), (1, Some(0.0)));
    }
}
