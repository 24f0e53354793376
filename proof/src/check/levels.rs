//! The levels of a certificate beside those of the definitions.

use serde_json::Value;

use crate::case::Case;
use crate::definitions::Past;
use crate::definitions::{Sight, Template, templates};
use crate::findings::Findings;
use crate::policy::Policy;
use crate::release::{Release, canonical};
use crate::table::{Cell, Table};

use super::originals::lineage;

/// What can be counted of a release: what it shows, and where it is known who a row is, what it does not show.
pub(super) fn sight<'a>(
    case: &'a Case,
    data: &Table,
    release: &Release,
    earlier: &'a [Past],
    lineage: Option<&[usize]>,
) -> Sight<'a> {
    let policy = &case.policy;
    let (mut header, mut rows, by_group) = match &release.secrets {
        Some((header, rows)) => (header.clone(), rows.clone(), Some("group".to_owned())),
        None => (release.header.clone(), release.rows.clone(), None),
    };
    for (place, name) in header.iter().enumerate() {
        for row in &mut rows {
            row[place] = canonical(policy, name, row[place].take());
        }
    }
    if let Some(lineage) = lineage {
        for (from, name) in data
            .header
            .iter()
            .enumerate()
            .filter(|(_, name)| !release.header.contains(name))
        {
            header.push(name.clone());
            for (row, &original) in rows.iter_mut().zip(lineage) {
                row.push(read(policy, name, &data.rows[original].cells[from]));
            }
        }
    }
    let masks = release.masks();
    let masked = |is: &dyn Fn(&Value) -> bool| -> Vec<String> {
        let columns = masks.iter().filter(|(_, mask)| is(mask));
        columns.map(|(name, _)| name.clone()).collect()
    };
    Sight {
        policy,
        as_they_are: masked(&Value::is_null),
        suppressed: masked(&|mask| mask["operation"] == "suppress"),
        borrowed: None,
        header,
        rows,
        population: case.population.as_ref(),
        earlier,
        by_group,
    }
}

fn read(policy: &Policy, name: &str, text: &str) -> Cell {
    canonical(policy, name, policy.reading.cell(text))
}

/// Checks the levels of a release; `lender` is the one whose masks it has.
pub(super) fn check(
    case: &Case,
    data: &Table,
    release: &Release,
    earlier: &[Past],
    lender: Option<&Release>,
    findings: &mut Findings,
) {
    let lineage = lineage(data, release);
    let sight = Sight {
        borrowed: lender.map(Release::masks),
        ..sight(case, data, release, earlier, lineage.as_deref())
    };
    let mut entries = release.certificate["require"].as_array().cloned().unwrap_or_default();
    // A bound of one method, such as a loss, is no template of the policy.
    entries.retain(|entry| entry["kind"].as_str().is_some_and(|kind| KINDS.contains(&kind)));
    let templates = templates(&case.policy);
    if entries.len() != templates.len() {
        let told = format!("{} templates, {} entries", templates.len(), entries.len());
        findings.fault("the certificate has other templates", told);
        return;
    }
    for (template, entry) in templates.iter().zip(&entries) {
        let same = entry["kind"] == template.kind && is_close(entry["bound"].as_f64(), template.bound);
        if !same {
            findings.fault(
                "the certificate has other templates",
                format!("{entry} for {template:?}"),
            );
        }
        if entry["holds"] != true {
            findings.fault("a release is certified that does not hold", entry.to_string());
        }
        let Some(level) = template.level(&sight) else { continue };
        if !template.holds(level) {
            let rule = broken(template);
            findings.fault(
                rule,
                format!("bound {}, level {level}, certified {}", template.bound, entry["level"]),
            );
        } else if !is_level(&entry["level"], level) {
            findings.fault(wrong(template), format!("level {level}, certified {}", entry["level"]));
        }
    }
}

/// The words of all kinds.
const KINDS: [&str; 9] = [
    "anonymity",
    "k-map",
    "confidence",
    "diversity",
    "closeness",
    "delta-disclosure",
    "beta-likeness",
    "personal",
    "range-diversity",
];

/// Whether a level of the program is this one. No end is written as null.
pub(super) fn is_level(told: &Value, level: f64) -> bool {
    if told.is_null() {
        level.is_infinite()
    } else {
        is_close(told.as_f64(), level)
    }
}

fn is_close(told: Option<f64>, expected: f64) -> bool {
    told.is_some_and(|told| (told - expected).abs() <= 1e-9 * expected.abs().max(1.0))
}

/// The rule that a level below its bound breaks, by kind.
pub(super) fn broken(template: &Template) -> &'static str {
    match template.kind {
        "anonymity" => "anonymity is broken",
        "k-map" => "k-map is broken",
        "confidence" => "confidence is broken",
        "diversity" => "diversity is broken",
        "closeness" => "closeness is broken",
        "delta-disclosure" => "delta-disclosure is broken",
        "beta-likeness" => "beta-likeness is broken",
        "personal" => "personal is broken",
        _ => "range-diversity is broken",
    }
}

fn wrong(template: &Template) -> &'static str {
    match template.kind {
        "anonymity" => "the level of anonymity is wrong",
        "k-map" => "the level of k-map is wrong",
        "confidence" => "the level of confidence is wrong",
        "diversity" => "the level of diversity is wrong",
        "closeness" => "the level of closeness is wrong",
        "delta-disclosure" => "the level of delta-disclosure is wrong",
        "beta-likeness" => "the level of beta-likeness is wrong",
        "personal" => "the level of personal is wrong",
        _ => "the level of range-diversity is wrong",
    }
}
