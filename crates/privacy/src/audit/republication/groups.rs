//! The [`Groups`] of two versions, and which of them may have a person in common.
//!
//! Invariant: groups are numbered without gaps, all new ones before all old ones.

use std::ops::Range;

use scumble_table::ColumnId;

use super::super::numbering::Numbering;
use super::super::rows::Rows;
use super::Republication;
use super::meeting::Meeting;

/// The groups of both versions.
pub(super) struct Groups {
    numbering: Numbering,
    new: usize,
    common: Common,
}

/// Which groups may have a person in common.
enum Common {
    /// Those that show the same, as the versions are masked alike: the other group of each, if there is one.
    Same(Vec<Option<usize>>),
    /// Those whose labels meet.
    Meeting(Meeting),
}

impl Groups {
    /// The groups on some columns, of rows in which those of the new version come first.
    pub(super) fn new(versions: &Republication, columns: &[ColumnId], rows: &Rows) -> Self {
        let shown = rows.number(columns);
        let numbering = shown.clone().and(&version_of_row(versions));
        let first_rows = first_rows(&numbering);
        let new = first_rows.partition_point(|&row| row < versions.new.rows());
        let common = match versions.are_alike(columns) {
            true => Common::Same(same(&shown, &first_rows)),
            false => Common::Meeting(Meeting::new(versions, columns, first_rows.split_at(new))),
        };
        Groups { numbering, new, common }
    }

    /// The number of the group of each row.
    pub(super) fn numbering(&self) -> &Numbering {
        &self.numbering
    }

    /// The numbers of the groups of the new version.
    pub(super) fn new_ones(&self) -> Range<usize> {
        0..self.new
    }

    /// Calls `found` with the number of each old group that may have a person in common with a new one.
    pub(super) fn for_each_old(&self, new: usize, mut found: impl FnMut(usize)) {
        match &self.common {
            Common::Same(others) => others[new].into_iter().for_each(found),
            Common::Meeting(meeting) => meeting.for_each_old(new, |old| found(self.new + old)),
        }
    }

    /// If the versions are masked alike: for each group, the one of the other version that shows the same.
    pub(super) fn others(&self) -> Option<&[Option<usize>]> {
        match &self.common {
            Common::Same(others) => Some(others),
            Common::Meeting(_) => None,
        }
    }
}

/// Numbers the rows of the new version 0, those of the old one 1.
fn version_of_row(versions: &Republication) -> Numbering {
    let mut version = vec![0; versions.new.rows()];
    version.resize(versions.new.rows() + versions.old.rows(), 1);
    Numbering::new(version, 2)
}

/// The first row of each number, of numbers without gaps in the order they are first met.
fn first_rows(numbering: &Numbering) -> Vec<usize> {
    let mut first = Vec::with_capacity(numbering.count());
    for (row, &number) in numbering.of_row().iter().enumerate() {
        if number as usize == first.len() {
            first.push(row);
        }
    }
    first
}

/// For each group, the other one whose rows show the same: at most one, because there are two versions.
fn same(shown: &Numbering, first_rows: &[usize]) -> Vec<Option<usize>> {
    let mut others = vec![None; first_rows.len()];
    let mut group_that_shows = vec![None; shown.count()];
    for (group, &row) in first_rows.iter().enumerate() {
        if let Some(earlier) = group_that_shows[shown.of_row()[row] as usize].replace(group) {
            others[earlier] = Some(group);
            others[group] = Some(earlier);
        }
    }
    others
}
