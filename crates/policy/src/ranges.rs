//! `sensitive_ranges`: what must not be learnt of a sensitive value beside the value itself.
//!
//! Invariant: of a column without a taxonomy, ranges that were read fit what its values may be. Whether they fit a
//! taxonomy is known when that is read: [`ColumnPolicy::ranges`].

use std::sync::Arc;

use scumble_table::{SensitiveDomain, SensitiveRange, SensitiveRangeError, SensitiveRanges, Taxonomy};

use crate::column::{ColumnKind, ColumnPolicy};
use crate::problems::Problems;
use crate::spanned::Spanned;
use crate::taxonomies::Taxonomies;

/// The key.
pub(crate) const SENSITIVE_RANGES: &str = "sensitive_ranges";

/// Reports ranges that do not fit their column.
pub fn do_not_fit(range: &Spanned<SensitiveRange>, reason: &SensitiveRangeError, problems: &mut Problems) {
    problems.at(range.span(), format!("`{SENSITIVE_RANGES}`: {reason}"), None);
}

impl ColumnPolicy {
    /// Its sensitive ranges, if it has any, bound to what its values may be.
    pub fn ranges(&self, taxonomies: &Taxonomies) -> Option<Result<SensitiveRanges, SensitiveRangeError>> {
        let range = self.sensitive_ranges.as_ref()?.get_ref().clone();
        let domain = domain(&self.kind, taxonomies.shared(self).cloned());
        Some(SensitiveRanges::new(domain, range))
    }
}

/// What the values of a column of this kind may be.
pub(crate) fn domain(kind: &ColumnKind, taxonomy: Option<Arc<Taxonomy>>) -> SensitiveDomain {
    match (kind, taxonomy) {
        (ColumnKind::Continuous { range }, _) => SensitiveDomain::Numbers(*range),
        (ColumnKind::Categorical { .. }, Some(taxonomy)) => SensitiveDomain::Leaves(taxonomy),
        (ColumnKind::Categorical { .. }, None) => SensitiveDomain::Values,
    }
}
