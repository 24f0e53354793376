//! The same columns again: nobody who is in both versions is exposed, and the audit sees it, too.

use std::path::Path;

use crate::case::{Case, Next};
use crate::definitions::templates;
use crate::definitions::versions::{Person, changed_hold, stayed_hold};
use crate::findings::Findings;
use crate::policy::Role;
use crate::release::Release;
use crate::run::Program;

use super::audited::can_be_counted;
use super::inspect::{inspect_masked, released};
use super::levels::sight;

pub(super) fn check(case: &Case, program: &Program, folder: &Path, first: &Release, findings: &mut Findings) {
    let Some(next) = &case.next else { return };
    let mut arguments = vec!["publish", "policy.toml", "--data", "next.csv"];
    let own = ["--out", "two", "--ledger", "ledger", "--name", "two"];
    arguments.extend(own);
    if next.like {
        arguments.extend(["--like", "one"]);
    }
    if next.report_newcomers {
        arguments.extend(["--newcomers", "report"]);
    }
    let ran = program.run(folder, &arguments);
    findings.ran(&ran, case, "publish the next version");
    match released(&ran, folder, "two", findings) {
        Some(second) => {
            inspect_masked(case, &next.data, &second, &[], next.like.then_some(first), findings);
            if second.rows.is_empty() {
                return;
            }
            compare(case, next, first, &second, findings);
            if ran.said.contains("nobody is exposed") && !is_compared(case) {
                findings.fault("nobody is exposed, it says, and nothing was compared", ran.said);
            }
            let audit = [
                "audit",
                "two/released.csv",
                "policy.toml",
                "--data",
                "next.csv",
                "--ledger",
                "ledger",
            ];
            let audited = program.run(folder, &audit);
            findings.ran(&audited, case, "audit --ledger");
            let may_differ = next.report_newcomers || !can_be_counted(&sight(case, &next.data, &second, &[], None));
            if audited.code != Some(0) && !(may_differ && audited.code == Some(1)) {
                findings.fault("the audit with a ledger disagrees with publish", audited.said);
            }
        }
        None => refused(case, next, program, folder, first, findings),
    }
}

/// A version that the ledger refused, published without it, must not pass the audit with it if it exposes somebody.
fn refused(case: &Case, next: &Next, program: &Program, folder: &Path, first: &Release, findings: &mut Findings) {
    let ran = program.run(
        folder,
        &["publish", "policy.toml", "--data", "next.csv", "--out", "alone"],
    );
    findings.ran(&ran, case, "publish the next version without the ledger");
    let Some(second) = released(&ran, folder, "alone", findings) else {
        return;
    };
    if exposed(case, next, first, &second).is_none() {
        return;
    }
    let audit = ["audit", "alone/released.csv", "policy.toml", "--ledger", "ledger"];
    let audited = program.run(folder, &audit);
    findings.ran(&audited, case, "audit --ledger");
    if audited.code == Some(0) {
        findings.fault(
            "the audit with a ledger passes a version that exposes somebody",
            audited.said,
        );
    }
}

pub(super) fn compare(case: &Case, next: &Next, first: &Release, second: &Release, findings: &mut Findings) {
    if let Some(told) = exposed(case, next, first, second) {
        findings.fault("somebody in both versions is exposed", told);
    }
    let masks = first.masks();
    let is_mask = |mask: &serde_json::Value| mask["operation"] != "group";
    let alike = masks == second.masks() && masks.values().all(is_mask);
    if !alike || next.report_newcomers || left_out(first, second) {
        return;
    }
    let (old, new) = (
        sight(case, &case.data, first, &[], None),
        sight(case, &next.data, second, &[], None),
    );
    for template in templates(&case.policy) {
        if changed_hold(&template, &old, &new) == Some(false) {
            findings.fault("somebody who came or left is exposed", format!("{template:?}"));
        }
    }
}

fn left_out(first: &Release, second: &Release) -> bool {
    first.count("left_out") + second.count("left_out") > 0
}

/// The template that exposes somebody who is in both versions.
fn exposed(case: &Case, next: &Next, first: &Release, second: &Release) -> Option<String> {
    // Who was left out is in no version, and the files do not tell who it was. A centre covers nobody's values.
    if left_out(first, second) || case.policy.method.name == "microaggregation" {
        return None;
    }
    let policy = &case.policy;
    let quasi = policy.with_role(Role::Quasi);
    let stays = |person: usize| next.data.rows.iter().any(|row| row.person == person);
    let people: Vec<Person> = case
        .data
        .rows
        .iter()
        .filter(|row| stays(row.person))
        .map(|row| {
            let value = |name: &String| {
                let place = case.data.find(name)?;
                Some((name.clone(), policy.reading.cell(&row.cells[place])))
            };
            quasi.iter().filter_map(value).collect()
        })
        .collect();
    let (old, new) = (
        sight(case, &case.data, first, &[], None),
        sight(case, &next.data, second, &[], None),
    );
    let exposes = |template: &_| stayed_hold(template, &old, &new, &people) == Some(false);
    templates(policy)
        .iter()
        .find(|template| exposes(template))
        .map(|template| format!("{template:?}"))
}

/// Whether some template is of a kind by which versions are compared.
fn is_compared(case: &Case) -> bool {
    let compared = ["anonymity", "confidence", "diversity"];
    templates(&case.policy).iter().any(|template| {
        let of_all = template.any.is_none_or(|any| any >= template.of.len());
        of_all && compared.contains(&template.kind)
    })
}
