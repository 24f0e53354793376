//! [`Audited`]: a release that passed its audit, of one table or of several.

use scumble_table::Released;

use crate::database::{LookupTable, ReleasedDatabase, ReleasedTable};
use crate::entity_demand::EntityDemand;
use crate::finding::{Finding, LossFinding};
use crate::loss::LossPerGroup;
use crate::template::Requirement;

/// All that is promised of a release: templates, and what a method keeps beside them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Promises {
    /// The templates of one table.
    pub requirement: Requirement,
    /// What must hold of persons, if there are several tables.
    pub demands: Vec<EntityDemand>,
    /// The most that a group may lose, if the method keeps such a bound.
    pub loss_per_group: Option<LossPerGroup>,
}

impl From<&Requirement> for Promises {
    fn from(requirement: &Requirement) -> Self {
        Promises {
            requirement: requirement.clone(),
            ..Promises::default()
        }
    }
}

/// A release that passed. Only [`audit`](crate::audit()) and [`audit_entities`](crate::audit_entities) make one, so what takes it
/// cannot be given an unaudited release:
///
/// ```compile_fail,E0451
/// fn unaudited(release: scumble_privacy::ReleasedDatabase) -> scumble_privacy::Audited {
///     scumble_privacy::Audited { release, promises: Default::default(), findings: vec![], loss: None, classes: vec![] }
/// }
/// ```
///
/// Invariant: it is audited for something, and carries what for. There is a table.
#[derive(Debug)]
pub struct Audited {
    release: ReleasedDatabase,
    promises: Promises,
    findings: Vec<Finding>,
    loss: Option<LossFinding>,
    classes: Vec<u32>,
}

impl Audited {
    pub(crate) fn of_table(
        release: Released,
        promises: Promises,
        findings: Vec<Finding>,
        loss: Option<LossFinding>,
    ) -> Self {
        let table = ReleasedTable {
            name: String::new(),
            release,
            key: Vec::new(),
            parent: None,
            quasi: Vec::new(),
            refers: Vec::new(),
        };
        Audited {
            release: ReleasedDatabase {
                tables: vec![table],
                lookups: Vec::new(),
            },
            promises,
            findings,
            loss,
            classes: Vec::new(),
        }
    }

    pub(crate) fn of_tables(
        release: ReleasedDatabase,
        demands: Vec<EntityDemand>,
        findings: Vec<Finding>,
        classes: Vec<u32>,
    ) -> Self {
        Audited {
            release,
            promises: Promises {
                demands,
                ..Promises::default()
            },
            findings,
            loss: None,
            classes,
        }
    }

    /// The one table, or that of persons.
    pub fn release(&self) -> &Released {
        &self.release.tables[0].release
    }

    /// All tables, and those that rows refer to.
    pub fn database(&self) -> &ReleasedDatabase {
        &self.release
    }

    /// The tables, that of persons first.
    pub fn tables(&self) -> &[ReleasedTable] {
        &self.release.tables
    }

    /// The tables that rows refer to.
    pub fn lookups(&self) -> &[LookupTable] {
        &self.release.lookups
    }

    /// The templates that it was audited for, if it is of one table.
    pub fn requirement(&self) -> &Requirement {
        &self.promises.requirement
    }

    /// What it was audited for, if it is of several tables.
    pub fn demands(&self) -> &[EntityDemand] {
        &self.promises.demands
    }

    /// What was found, one per template or demand.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// What was found for the templates of a requirement; `None` if it is another one than it was audited for. A
    /// certificate is made of this, so that it can promise nothing else.
    pub fn findings_of(&self, requirement: &Requirement) -> Option<&[Finding]> {
        (requirement == self.requirement()).then_some(&self.findings[..])
    }

    /// The bound on what a group loses, if there was one, and what was found.
    pub fn loss_per_group(&self) -> Option<(&LossPerGroup, LossFinding)> {
        self.promises.loss_per_group.as_ref().zip(self.loss)
    }

    /// The class of each person of several tables: persons with the same tree have the same number, and no number is left
    /// out.
    pub fn classes(&self) -> &[u32] {
        &self.classes
    }
}
