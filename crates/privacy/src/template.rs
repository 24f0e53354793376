//! [`Template`]s: conditions on the groups of a release.

use scumble_table::ColumnId;

/// A list of templates that must all hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Requirement {
    /// The templates, in policy order.
    pub templates: Vec<Template>,
}

/// One condition on a release.
#[derive(Clone, Debug, PartialEq)]
pub enum Template {
    /// Enough records, or enough different `per` values, in every group.
    Anonymity(Anonymity),
}

/// Every combination of values on `of` that occurs in the release occurs in at least `k` records (or, with `per`,
/// with at least `k` different combinations of values on `per`).
#[derive(Clone, Debug, PartialEq)]
pub struct Anonymity {
    /// The bound.
    pub k: u64,
    /// The quasi-identifier X.
    pub of: Vec<ColumnId>,
    /// Y: the columns whose different combinations are counted; empty for records.
    pub per: Vec<ColumnId>,
}

impl Template {
    /// The quasi-identifier X.
    pub fn of(&self) -> &[ColumnId] {
        match self {
            Template::Anonymity(anonymity) => &anonymity.of,
        }
    }

    /// Whether `wider`, holding, makes this one hold too: the same kind and Y, on a superset of the columns, with a
    /// bound at least as strict (Theorem 4.1.1, with the inequality that its proof uses).
    pub fn implied_by(&self, wider: &Template) -> bool {
        let (Template::Anonymity(this), Template::Anonymity(wider)) = (self, wider);
        let within = |a: &[ColumnId], b: &[ColumnId]| a.iter().all(|column| b.contains(column));
        let same_per = within(&this.per, &wider.per) && within(&wider.per, &this.per);
        same_per && within(&this.of, &wider.of) && this.k <= wider.k
    }
}
