//! Stage 4, [`Study`]: a release with what an adversary makes of it and what it is still good for.

use scumble_attack::{AttackReport, EntityAttack};
use scumble_progress::Watch;
use serde::Serialize;

use crate::error::Error;
use crate::evaluate::Evaluate;
use crate::evaluation::{DatabaseEvaluation, Evaluation};
use crate::release::{Of, Release};
use crate::rows::RowsStudy;

/// A release that was attacked and measured, as far as that was asked for.
pub struct Study {
    /// The release.
    pub release: Release,
    /// What an adversary makes of it, if that was asked for.
    pub attack: Option<Attacked>,
    /// What was measured of it, if that was asked for.
    pub evaluation: Option<Measured>,
}

/// What was measured of a release.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Measured {
    /// Of one table.
    Rows(Box<Evaluation>),
    /// Of several, each by itself.
    Persons(Box<DatabaseEvaluation>),
}

impl Measured {
    /// What was measured of one table.
    pub fn of_rows(&self) -> Option<&Evaluation> {
        match self {
            Measured::Rows(evaluation) => Some(evaluation),
            Measured::Persons(_) => None,
        }
    }

    /// What was measured of several tables.
    pub fn of_persons(&self) -> Option<&DatabaseEvaluation> {
        match self {
            Measured::Rows(_) => None,
            Measured::Persons(evaluation) => Some(evaluation),
        }
    }
}

/// What an adversary makes of a release.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Attacked {
    /// Of one table.
    Rows(Box<AttackReport>),
    /// Of several.
    Persons(Box<EntityAttack>),
}

impl Attacked {
    pub(crate) fn of_rows(&self) -> Option<&AttackReport> {
        match self {
            Attacked::Rows(report) => Some(report),
            Attacked::Persons(_) => None,
        }
    }

    pub(crate) fn of_persons(&self) -> Option<&EntityAttack> {
        match self {
            Attacked::Rows(_) => None,
            Attacked::Persons(report) => Some(report),
        }
    }
}

/// What to find out of a release beside its levels.
#[derive(Clone, Debug, Default)]
pub struct Questions {
    /// Whether to attack it, as someone would who knows every quasi column or, of several tables, some rows of a person.
    pub attack: bool,
    /// What to measure beside the information loss, if anything.
    pub evaluate: Option<Evaluate>,
}

impl Questions {
    /// Whether the data is needed to answer them.
    pub fn need_data(&self) -> bool {
        self.attack || self.evaluate.is_some()
    }
}

impl Release {
    /// Attacks it and measures what was lost, as far as that is asked for.
    ///
    /// # Errors
    /// What was asked to be measured does not fit, or the data was let go of.
    pub fn study(self, questions: &Questions, watch: &dyn Watch) -> Result<Study, Error> {
        let (attack, evaluation) = match &self.of {
            Of::Rows(release) => {
                let RowsStudy { attack, evaluation } =
                    release.study(questions.attack, questions.evaluate.as_ref(), watch)?;
                let evaluation = evaluation.map(|evaluation| Measured::Rows(Box::new(evaluation)));
                (attack.map(|attack| Attacked::Rows(Box::new(attack))), evaluation)
            }
            Of::Persons(release) => {
                let attack = questions.attack.then(|| release.attack(watch)).transpose()?;
                let settings = questions.evaluate.as_ref();
                let evaluation = settings.map(|settings| release.evaluate(settings, watch)).transpose()?;
                let evaluation = evaluation.map(|evaluation| Measured::Persons(Box::new(evaluation)));
                (attack.map(|attack| Attacked::Persons(Box::new(attack))), evaluation)
            }
        };
        Ok(Study {
            release: self,
            attack,
            evaluation,
        })
    }
}
