//! What is published at all: columns, numbers of rows, nothing planted.

use crate::case::Case;
use crate::findings::Findings;
use crate::policy::{Column, Role};
use crate::release::Release;
use crate::table::Table;

use super::originals::kept;

pub(super) fn check(case: &Case, data: &Table, release: &Release, findings: &mut Findings) {
    columns(case, data, release, findings);
    rows(case, data, release, findings);
    let planted = case.planted.as_deref().unwrap_or("\0");
    if release.files.iter().any(|file| file.contains(planted)) {
        findings.fault(
            "a cell that must not be published is",
            "the planted text is in a released file",
        );
    }
    match release.certificate["information_loss"].as_f64() {
        Some(loss) if (0.0..=1.0 + 1e-9).contains(&loss) => {}
        loss => findings.fault("the information loss is no share", format!("{loss:?}")),
    }
}

fn columns(case: &Case, data: &Table, release: &Release, findings: &mut Findings) {
    let mut shown: Vec<&String> = release.header.iter().collect();
    shown.extend(release.secrets.iter().flat_map(|(header, _)| header));
    for column in &case.policy.columns {
        let is_shown = shown.contains(&&column.name);
        let name = &column.name;
        match must_be_shown(case, data, column) {
            Some(true) if !is_shown => findings.fault("a column is lacking", name),
            Some(false) if is_shown && column.role == Role::Unlisted => {
                findings.fault("a column that is not listed is published", name);
            }
            Some(false) if is_shown => findings.fault("an identifier is published", name),
            _ => {}
        }
    }
}

/// Whether a column must be in the release, or must not. One that tells most rows apart is not published as `other`.
fn must_be_shown(case: &Case, data: &Table, column: &Column) -> Option<bool> {
    match column.role {
        Role::Identifier => Some(false),
        Role::Unlisted => (!case.policy.publish_unlisted).then_some(false),
        Role::Quasi | Role::Sensitive | Role::Class => Some(true),
        Role::Other => {
            let place = data.find(&column.name)?;
            let mut values: Vec<&String> = data.rows.iter().map(|row| &row.cells[place]).collect();
            values.sort();
            values.dedup();
            (values.len() * 2 < data.rows.len()).then_some(true)
        }
    }
}

fn rows(case: &Case, data: &Table, release: &Release, findings: &mut Findings) {
    let (published, left_out) = (release.count("published"), release.count("left_out"));
    let dropped = release.count("dropped");
    if published != release.rows.len() {
        findings.fault(
            "rows are miscounted",
            format!("{published} published, {} in the file", release.rows.len()),
        );
    }
    let (all, kept) = (data.rows.len(), kept(case, data).map(|rows| rows.len()));
    if published + left_out + dropped != all || kept.is_some_and(|kept| kept + dropped != all) {
        let told = format!("{published} published, {left_out} left out, {dropped} dropped of {all}");
        findings.fault("rows are miscounted", told);
    }
    let method = &case.policy.method;
    let unlimited = method.name == "upc" && method.budget.is_none();
    let share = f64::from(method.budget.unwrap_or(0)) / 100.0;
    if !unlimited && left_out as f64 > share * (all - dropped.min(all)) as f64 + 1e-9 {
        findings.fault(
            "more rows are left out than may be",
            format!("{left_out} of {}", all - dropped),
        );
    }
    if published == 0 && all > 0 {
        findings.fault("an empty release is published", format!("{all} rows were read"));
    }
}
