//! What a release of rows is still good for, what an adversary makes of it, and the page about both.

use std::path::Path;

use scumble_attack::AttackReport;
use scumble_progress::{Running, Stage, Watch};
use scumble_report::Page;

use super::pictures::{after_masking, lost, pictures};
use super::release::RowsRelease;
use crate::attack::attack_simulated;
use crate::cells::Declared;
use crate::error::Error;
use crate::errors::EvaluateError;
use crate::evaluate::{Beside, Evaluate};
use crate::evaluation::Evaluation;
use crate::files::name_of;
use crate::page::{Material, ReleaseFacts};
use crate::warning::Warning;

/// What was found of a release beside its levels.
#[derive(Debug, Default)]
pub(crate) struct RowsStudy {
    pub attack: Option<AttackReport>,
    pub evaluation: Option<Evaluation>,
}

impl RowsRelease {
    /// Attacks and measures it, as far as that is asked for.
    ///
    /// # Errors
    /// What was asked to be measured does not fit, or the data was let go of.
    pub fn study(&self, attacks: bool, evaluate: Option<&Evaluate>, watch: &dyn Watch) -> Result<RowsStudy, Error> {
        let mut attack = attacks
            .then(|| attack_simulated(self.audited.release(), &self.plan, self.group(), watch))
            .transpose()?;
        if let Some(attack) = &mut attack {
            attack.singled_out.clone_from(&self.certificate.singled_out);
        }
        let evaluation = evaluate
            .map(|settings| self.evaluate(settings, attack.as_ref(), watch))
            .transpose()?;
        Ok(RowsStudy { attack, evaluation })
    }

    fn evaluate(
        &self,
        settings: &Evaluate,
        attack: Option<&AttackReport>,
        watch: &dyn Watch,
    ) -> Result<Evaluation, Error> {
        let measuring = Running::begin(watch, Stage::Measuring, None);
        let data = self.data.as_ref().ok_or(EvaluateError::DataNotKept)?;
        let declared = Declared::new(&[], Some(&self.certificate), Some(&self.policy));
        let beside = Beside {
            policy: &self.policy,
            plan: &self.plan,
            data,
            release: &self.as_read(true),
            declared: &declared,
        };
        let evaluation = beside.evaluate(settings, &self.certificate.require, attack, measuring.work())?;
        measuring.done();
        Ok(evaluation)
    }

    /// The page for the person who decides whether it goes out.
    pub fn page(&self, study: &RowsStudy, warnings: &[Warning]) -> Page {
        let (certificate, decision) = (&self.certificate, &self.decision);
        let declared = Declared::new(&[], Some(certificate), Some(&self.policy));
        let after = after_masking(&self.before, self.audited.release());
        let groups = certificate.risks.as_ref().map_or(0, |risks| risks.groups);
        let lost = match study.evaluation {
            Some(_) => None,
            None => lost(&self.plan, &self.before, &after, &declared, self.rows_before, groups),
        };
        let material = Material {
            policy: &self.policy,
            plan: &self.plan,
            facts: ReleaseFacts {
                data: name_of(Path::new(&self.policy.data.name())),
                file: self.policy.release.format.file_name(),
                steps: decision.steps,
            },
            certificate,
            cover: &self.cover,
            versions: &self.versions,
            findings: self.audited.findings(),
            columns: pictures(&self.plan, decision, &self.before, &after),
            trace: decision.trace.as_ref(),
            stops: &decision.stops,
            notes: &decision.notes,
            frontier: decision.frontier.as_ref(),
            attack: study.attack.as_ref(),
            lost,
            evaluation: study.evaluation.as_ref(),
            warnings,
        };
        material.page()
    }
}
