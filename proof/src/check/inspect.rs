//! What is checked of one release, by what its files show.

use std::path::Path;

use super::{levels, originals, published};
use crate::case::Case;
use crate::definitions::Past;
use crate::findings::Findings;
use crate::release::Release;
use crate::run::Ran;
use crate::table::Table;

/// Checks a release of some data by what its files show.
pub fn inspect(case: &Case, data: &Table, release: &Release, earlier: &[Past], findings: &mut Findings) {
    inspect_masked(case, data, release, earlier, None, findings);
}

/// The same of a release that has the masks of `lender`.
pub fn inspect_masked(
    case: &Case,
    data: &Table,
    release: &Release,
    earlier: &[Past],
    lender: Option<&Release>,
    findings: &mut Findings,
) {
    published::check(case, data, release, findings);
    if release.rows.is_empty() {
        // There is nothing to count, and that it was published is told.
        return;
    }
    levels::check(case, data, release, earlier, lender, findings);
    originals::check(case, data, release, findings);
}

/// The release of a run, if it made one; nothing may be there if it failed.
pub(super) fn released(ran: &Ran, folder: &Path, out: &str, findings: &mut Findings) -> Option<Release> {
    let folder = folder.join(out);
    if ran.code != Some(0) {
        if folder.join("released.csv").exists() || folder.join("certificate.json").exists() {
            findings.fault("a run that failed leaves a release", ran.said.clone());
        }
        return None;
    }
    match Release::read(&folder) {
        Ok(release) => Some(release),
        Err(error) => {
            findings.fault("a release cannot be read", error);
            None
        }
    }
}
