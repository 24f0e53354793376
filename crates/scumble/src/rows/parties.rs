//! A release that several parties put together: audited and certified as that of one table.

use scumble_bind::Plan;
use scumble_policy::{Policy, Taxonomies};
use scumble_privacy::{History, audit_while};
use scumble_progress::{Stage, Watch};
use scumble_table::Released;

use super::certify::certify;
use super::decision::Decision;
use super::release::{FoundBy, RowsRelease, did_not_pass};
use crate::cover::Cover;
use crate::error::Error;

impl RowsRelease {
    /// A release that several parties put together, of which nobody has the data.
    ///
    /// # Errors
    /// A release that does not pass.
    pub fn of_parties(
        policy: &Policy,
        taxonomies: &Taxonomies,
        plan: &Plan,
        decision: Decision,
        released: Released,
        watch: &dyn Watch,
    ) -> Result<RowsRelease, Error> {
        let released = released.with_formulas_as_text(policy.release.formulas_as_text());
        let audited = Stage::Auditing.run(watch, |work| {
            audit_while(released, &plan.requirement, &[], &History::default(), work)
        })?;
        let audited = audited.map_err(|failed| did_not_pass(policy, plan, FoundBy::Search, &failed))?;
        let cover = Cover::default();
        let certificate = certify(policy, plan, &decision, &audited, &cover, 0, 0);
        Ok(RowsRelease {
            policy: policy.clone(),
            taxonomies: taxonomies.clone(),
            plan: plan.clone(),
            rows_before: audited.release().rows() as u64,
            decision,
            audited,
            certificate,
            cover,
            versions: Vec::new(),
            before: Vec::new(),
            data: None,
            knows_past: false,
        })
    }
}
