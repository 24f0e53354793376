//! The certificate of a release.

use std::collections::BTreeMap;

use scumble_attack::{risks, singled_out};
use scumble_privacy::Audited;
use scumble_report::{
    BoundedLoss, Certificate, CertifiedColumn, CertifiedEarlier, CertifiedReading, Counted, MethodSettings,
    SecretsFile, VERSION,
};
use scumble_table::ColumnId;

use super::decision::Decision;
use crate::cover::{Cover, JoinedRelease};
use crate::loss::is_declared;
use scumble_bind::Plan;
use scumble_policy::{GROUP, Method, Policy};

/// What goes out with a release.
pub(crate) fn certify(
    policy: &Policy,
    plan: &Plan,
    decision: &Decision,
    audited: &Audited,
    cover: &Cover,
    rows_left_out: usize,
    rows_dropped: usize,
) -> Certificate {
    let release = audited.release();
    let counted = decision.recoding.counted(&plan.requirement);
    let findings = audited
        .findings_of(&counted)
        .expect("a release is certified for what it was audited for");
    let quasi = plan.quasi.iter().map(|quasi| release.columns()[quasi.0].penalty());
    Certificate {
        version: VERSION,
        method: MethodSettings {
            name: if decision.is_taken_over {
                "mask"
            } else {
                policy.method.approach.word()
            }
            .to_owned(),
            objective: decision
                .objective
                .map(|objective| Method::word_of_one(objective).to_owned()),
            settings: match decision.is_taken_over {
                true => BTreeMap::new(),
                false => policy
                    .method
                    .approach
                    .settings()
                    .into_iter()
                    .map(|(key, value)| (key.to_owned(), value))
                    .collect(),
            },
            rows_suppressed_at_most: policy.method.rows_suppressed_at_most,
            steps: decision.steps,
        },
        rows: Counted {
            published: release.rows() as u64,
            left_out: rows_left_out as u64,
            dropped: rows_dropped as u64,
        },
        require: plan.certify(findings.iter().map(Some)),
        columns: plan
            .columns
            .iter()
            .zip(release.columns())
            .enumerate()
            .filter(|(_, (_, released))| released.published)
            .map(|(id, (column, released))| CertifiedColumn {
                name: column.name.clone(),
                role: column.role.word().to_owned(),
                mask: decision.recoding.certified(plan, ColumnId(id), released),
            })
            .collect(),
        several: None,
        reading: CertifiedReading::of(policy.data.trim),
        secrets: decision.recoding.apart().map(|apart| SecretsFile {
            file: policy.release.format.secrets_file_name().to_owned(),
            rows: release.rows() as u64,
            by: GROUP.to_owned(),
            groups: apart.groups() as u64,
        }),
        formulas: policy.release.formulas_certified(),
        loss_per_group: audited.loss_per_group().map(|(bound, found)| BoundedLoss {
            bound: bound.at_most,
            level: (rows_left_out == 0 || is_declared(plan)).then_some(found.level),
        }),
        earlier: cover.releases.iter().map(certified_release).collect(),
        information_loss: quasi.sum::<f64>() / (plan.quasi.len() as f64).max(1.0),
        risks: Some(risks(release, &plan.quasi)),
        singled_out: singled_out(
            release,
            &plan.shown_columns(decision.recoding.apart().is_some()),
            plan.group_asked(),
        ),
    }
}

/// An earlier release that the requirement is about. How many records dangle is nobody's business.
fn certified_release(release: &JoinedRelease) -> CertifiedEarlier {
    CertifiedEarlier {
        name: release.name.clone(),
        rows: release.records as u64,
    }
}
