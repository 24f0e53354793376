//! The audit: every template recounted from the labels that a reader of the release will see.
//!
//! It numbers groups by pairing columns one after the other, an algorithm that the search does not use.
//!
//! | released | | group after `job` | after `job`, `sex` |
//! |---|---|---|---|
//! | Professional | F | 0 | 0 |
//! | Professional | M | 0 | 1 |
//! | Professional | F | 0 | 0 |
//!
//! Two rows share a number exactly if they show the same labels on all columns, so the counts per number are the
//! sizes of the groups: here 2 and 1, and 2-anonymity on {job, sex} fails with level 1.

use hashbrown::HashMap;
use scumble_table::{ColumnId, Released, with_codes};

use crate::{Requirement, Template};

/// What the audit found for one template.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The smallest group (or fewest different `per` values); 0 if nothing is released.
    pub level: u64,
    /// Whether the template holds.
    pub holds: bool,
}

/// A release that passed. Only [`audit`] makes one, so what takes it cannot be given an unaudited release:
///
/// ```compile_fail,E0451
/// fn unaudited(release: scumble_table::Released) -> scumble_privacy::Audited {
///     scumble_privacy::Audited { release, findings: vec![] }
/// }
/// ```
#[derive(Debug)]
pub struct Audited {
    release: Released,
    findings: Vec<Finding>,
}

impl Audited {
    /// The release.
    pub fn release(&self) -> &Released {
        &self.release
    }

    /// What was found, one per template.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }
}

/// A release that did not pass: at least one template does not hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Failed {
    /// What was found, one per template.
    pub findings: Vec<Finding>,
}

/// Recounts every template; only a release of which all hold comes back.
pub fn audit(release: Released, requirement: &Requirement) -> Result<Audited, Failed> {
    let findings = recount(&release, requirement);
    if findings.iter().all(|finding| finding.holds) {
        Ok(Audited { release, findings })
    } else {
        Err(Failed { findings })
    }
}

/// Recounts every template and reports, whether or not they hold.
pub fn recount(release: &Released, requirement: &Requirement) -> Vec<Finding> {
    requirement
        .templates
        .iter()
        .map(|template| match template {
            Template::Anonymity(anonymity) => {
                let level = match &anonymity.per[..] {
                    [] => smallest(&number_groups(release, &anonymity.of)),
                    per => fewest_distinct(release, &anonymity.of, per),
                };
                // Nothing released gives nobody away.
                Finding {
                    level,
                    holds: level >= anonymity.k || release.rows() == 0,
                }
            }
        })
        .collect()
}

/// Group numbers per row, counted from 0 without gaps.
struct Groups {
    of_row: Vec<u32>,
    count: usize,
}

/// Numbers the groups of rows that show the same labels on `columns`.
fn number_groups(release: &Released, columns: &[ColumnId]) -> Groups {
    let mut groups = Groups {
        of_row: vec![0; release.rows()],
        count: 1,
    };
    for &ColumnId(column) in columns {
        pair(&mut groups, release, column);
    }
    groups
}

/// Splits every group by the labels of one more column.
fn pair(groups: &mut Groups, release: &Released, column: usize) {
    let column = &release.columns()[column];
    let labels = column.labels().len();
    if labels <= 1 {
        return;
    }
    let label_of = column.label_of_code();
    let mut seen = Pairs::new(groups.count, labels);
    with_codes!(
        column.codes(),
        |codes| for (group, &code) in groups.of_row.iter_mut().zip(codes) {
            *group = seen.number(*group, label_of[code as usize]);
        }
    );
    groups.count = seen.count as usize;
}

/// New numbers for pairs (group, label), given in the order they are first met.
struct Pairs {
    labels: usize,
    count: u32,
    table: PairTable,
}

enum PairTable {
    /// One place per possible pair, 0 for not met, else the number plus one.
    Dense(Vec<u32>),
    Sparse(HashMap<u64, u32>),
}

impl Pairs {
    fn new(groups: usize, labels: usize) -> Self {
        // Up to 16 MiB directly indexed; a larger product is mostly pairs that never occur.
        let table = match groups.checked_mul(labels) {
            Some(places) if places <= 1 << 22 => PairTable::Dense(vec![0; places]),
            _ => PairTable::Sparse(HashMap::new()),
        };
        Pairs {
            labels,
            count: 0,
            table,
        }
    }

    #[inline]
    fn number(&mut self, group: u32, label: u32) -> u32 {
        let place = group as u64 * self.labels as u64 + u64::from(label);
        let number = match &mut self.table {
            PairTable::Dense(places) => &mut places[place as usize],
            PairTable::Sparse(places) => places.entry(place).or_insert(0),
        };
        if *number == 0 {
            self.count += 1;
            *number = self.count;
        }
        *number - 1
    }
}

/// The size of the smallest group.
fn smallest(groups: &Groups) -> u64 {
    let mut sizes = vec![0u64; groups.count];
    for &group in &groups.of_row {
        sizes[group as usize] += 1;
    }
    sizes.into_iter().filter(|&size| size > 0).min().unwrap_or(0)
}

/// The fewest different combinations on `per` in a group on `of`.
fn fewest_distinct(release: &Released, of: &[ColumnId], per: &[ColumnId]) -> u64 {
    let outer = number_groups(release, of);
    let both: Vec<ColumnId> = of.iter().chain(per).copied().collect();
    let inner = number_groups(release, &both);
    let mut counted = vec![false; inner.count];
    let mut distinct = vec![0u64; outer.count];
    for (&outer, &inner) in outer.of_row.iter().zip(&inner.of_row) {
        if !std::mem::replace(&mut counted[inner as usize], true) {
            distinct[outer as usize] += 1;
        }
    }
    distinct.into_iter().filter(|&count| count > 0).min().unwrap_or(0)
}
