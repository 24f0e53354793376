//! From persons to a release of their tables: gathered, masked, audited, certified.

use std::collections::BTreeMap;

use scumble_attack::EntityAttack;
use scumble_bind::{PlanWarning, TablesPlan, is_nearly_unique};
use scumble_policy::Policy;
use scumble_privacy::{Audited, EntityDemand, Originals, audit_entities_while};
use scumble_progress::{Stage, Watch};
use scumble_relational::{Order, PublishedTable, Release};
use scumble_report::{Certificate, CertifiedTables, Page};
use scumble_store::{ReleaseBatches, Source, lookup_batches, table_batches};
use scumble_table::{Released, RowOrder};

use super::attack::attack;
use super::certify::{Lost, certify};
use super::evaluate::Beside;
use super::load::{Rows, database, load, places};
use super::page::{Material, page};
use super::released::{originals, released, unchanged};
use super::search::{Found, search};
use super::words::{Described, described};
use crate::error::Error;
use crate::errors::{AttackError, EvaluateError, InputError, PersonsError};
use crate::evaluate::Evaluate;
use crate::evaluation::DatabaseEvaluation;
use crate::search::Search;
use crate::texts::read_taxonomies;
use crate::timings::{Timings, timed};
use crate::warning::Warning;

/// Several tables about persons. A copy shares their rows.
#[derive(Clone)]
pub(crate) struct PersonsInputs {
    pub policy: Policy,
    pub plan: TablesPlan,
    pub rows: Rows,
}

/// Persons who were gathered, and what their tables show.
pub(crate) struct PersonsFound {
    inputs: PersonsInputs,
    masked: Masked,
}

/// Tables that passed their audit, with all there is to say of them.
pub(crate) struct PersonsRelease {
    pub policy: Policy,
    plan: TablesPlan,
    places: Vec<usize>,
    demands: Vec<Described>,
    pub audited: Audited,
    /// Of which row of the data each row of each table is.
    pub rows_of: Vec<Vec<u32>>,
    pub certificate: Certificate,
    /// What the user should know of the policy on its data.
    pub warnings: Vec<PlanWarning>,
    /// The data, if it is kept to be compared with.
    data: Option<Rows>,
}

impl PersonsInputs {
    /// Reads everything.
    ///
    /// # Errors
    /// A table that cannot be read, and whatever does not fit.
    pub fn read(
        policy: &Policy,
        given: &BTreeMap<String, Source>,
        timings: &mut Timings,
        watch: &dyn Watch,
    ) -> Result<PersonsInputs, Error> {
        let taxonomies = read_taxonomies(policy)?;
        let (plan, rows) = timed(&mut timings.load, || load(policy, given, &taxonomies, watch))?;
        plan.check_unique(policy, |table, id| is_nearly_unique(rows.tables[table].column(id)))?;
        Ok(PersonsInputs {
            policy: policy.clone(),
            plan,
            rows,
        })
    }

    /// The same rows, of which another policy asks something else.
    ///
    /// # Errors
    /// A policy for which they would have to be read again.
    pub fn asking(&self, policy: &Policy) -> Result<PersonsInputs, Error> {
        let own = &self.policy;
        let reads_alike =
            policy.data == own.data && policy.persons == own.persons && policy.release.unlisted == own.release.unlisted;
        if !reads_alike {
            return Err(InputError::OtherInputs.into());
        }
        self.plan.check_orders(policy, &self.rows.tables)?;
        Ok(PersonsInputs {
            policy: policy.clone(),
            ..self.clone()
        })
    }
}

/// Tables that are masked, and what is left to know of how that was done. The database that persons were compared in, and
/// the clusters, are gone by then: with what follows they would not fit in memory as well.
struct Masked {
    /// For each table, parents before their children, its place in the policy.
    places: Vec<usize>,
    demands: Vec<Described>,
    settings: Vec<(&'static str, String)>,
    lost: Lost,
    tables: Vec<PublishedTable>,
}

impl PersonsFound {
    /// Gathers persons, and shows what they have in common.
    ///
    /// # Errors
    /// Tables that do not hang together, a search that was stopped.
    pub fn search(
        inputs: PersonsInputs,
        asked: &Search,
        timings: &mut Timings,
        watch: &dyn Watch,
    ) -> Result<PersonsFound, Error> {
        if asked.mask.is_some() || !asked.at_level.is_empty() {
            return Err(PersonsError::NoMasksNorLevels.into());
        }
        let masked = mask(&inputs, timings, watch)?;
        Ok(PersonsFound { inputs, masked })
    }

    /// Recounts and certifies. The data is let go of, unless it is to be compared with.
    ///
    /// # Errors
    /// A release that does not pass, or is of nobody.
    pub fn release(self, keeps_data: bool, watch: &dyn Watch) -> Result<PersonsRelease, Error> {
        let PersonsInputs { policy, plan, rows, .. } = self.inputs;
        let Masked {
            places,
            demands,
            settings,
            lost,
            tables,
        } = self.masked;
        let as_text = policy.release.formulas_as_text();
        let (releases, rows_of): (Vec<Released>, Vec<Vec<u32>>) = tables
            .into_iter()
            .map(|PublishedTable { release, rows }| (release.with_formulas_as_text(as_text), rows))
            .unzip();
        let lookups = rows.lookups.iter().cloned().map(unchanged);
        let lookups = lookups.map(|lookup| lookup.with_formulas_as_text(as_text)).collect();
        let released = released(&plan, &places, releases, lookups);
        let originals = originals(&plan, &rows, &places);
        let originals = Originals {
            tables: &originals,
            rows: &rows_of,
        };
        let asked: Vec<EntityDemand> = demands.iter().map(|described| described.demand.clone()).collect();
        let audited = Stage::Auditing.run(watch, |work| {
            audit_entities_while(released, &asked, Some(originals), work)
        })?;
        let audited = audited.map_err(|failed| {
            let findings = demands.iter().zip(&failed.findings);
            let failing = findings.filter(|(_, finding)| !finding.holds);
            PersonsError::AuditFailed {
                shortfalls: failing.map(|(demand, finding)| demand.shortfall(finding)).collect(),
                faults: failed.faults,
            }
        })?;
        if audited.tables()[0].release.rows() == 0 {
            let (persons, k) = (rows.tables[0].rows(), policy.persons_alike());
            return Err(PersonsError::NobodyReleased { persons, k }.into());
        }
        // Without the rows that were removed, what is published may be nearer to unique than the data.
        plan.check_unique(&policy, |table, id| {
            let released = places.iter().zip(audited.tables()).find(|(place, _)| **place == table);
            released.is_some_and(|(_, table)| is_nearly_unique(&table.release.columns()[id.0].as_read()))
        })?;
        let certificate = certify(&policy, &plan, &places, &lost, &settings, &demands, &audited);
        Ok(PersonsRelease {
            warnings: plan.warnings(&policy, &rows.tables),
            data: keeps_data.then_some(rows),
            policy,
            plan,
            places,
            demands,
            audited,
            rows_of,
            certificate,
        })
    }
}

/// Gathers persons, and shows what they have in common.
fn mask(inputs: &PersonsInputs, timings: &mut Timings, watch: &dyn Watch) -> Result<Masked, Error> {
    let PersonsInputs { policy, plan, rows, .. } = inputs;
    let database = timed(&mut timings.join, || database(plan, rows))?;
    let places = places(plan, &database);
    let demands = described(policy, plan, plan.demands(policy, &places));
    let found = timed(&mut timings.search, || search(policy, &database, &demands, watch))?;
    let order = match policy.release.order {
        RowOrder::Sorted => Order::Sorted,
        RowOrder::Input => Order::Input,
    };
    let Found { clusters, settings } = found;
    let (lost, tables) = timed(&mut timings.audit, || {
        Stage::Masking.run(watch, |work| {
            let release = Release::new(&database, &clusters);
            drop(clusters);
            work.go_on()?;
            let lost = Lost::of(&release);
            work.go_on()?;
            let masked = (lost, release.tables(order, |_, _| true));
            work.go_on()?;
            Ok::<_, Error>(masked)
        })
    })?;
    Ok(Masked {
        places,
        demands,
        settings,
        lost,
        tables,
    })
}

impl PersonsRelease {
    /// Each template with its level, in words: `anonymity of students: 6 (at least 5)`.
    pub fn levels(&self) -> Vec<String> {
        let found = self.demands.iter().zip(self.audited.findings());
        found
            .map(|(demand, finding)| demand.level_words(finding.level))
            .collect()
    }

    /// Attacks it, as someone would who knows some rows of a person.
    ///
    /// # Errors
    /// An attack that was stopped, or the data was let go of.
    pub fn attack(&self, watch: &dyn Watch) -> Result<EntityAttack, Error> {
        let data = self.data.as_ref().ok_or(AttackError::DataNotKept)?;
        let originals = originals(&self.plan, data, &self.places);
        let found = attack(self.audited.database(), &originals, self.policy.method.seed, watch)?;
        Ok(EntityAttack {
            singled_out: self.certificate.singled_out.clone(),
            ..found
        })
    }

    /// Measures each of its tables.
    ///
    /// # Errors
    /// What was asked for has no meaning for several tables, or the data was let go of.
    pub fn evaluate(&self, settings: &Evaluate, watch: &dyn Watch) -> Result<DatabaseEvaluation, Error> {
        let data = self.data.as_ref().ok_or(EvaluateError::DataNotKept)?;
        let beside = Beside {
            policy: &self.policy,
            plan: &self.plan,
            places: &self.places,
            rows: data,
            released: self.audited.database(),
        };
        Stage::Measuring.run(watch, |work| beside.evaluate(settings, work))
    }

    /// The page for the person who decides whether it goes out.
    pub fn page(
        &self,
        several: &CertifiedTables,
        attack: Option<&EntityAttack>,
        evaluation: Option<&DatabaseEvaluation>,
        warnings: &[Warning],
    ) -> Page {
        page(&Material {
            policy: &self.policy,
            certificate: &self.certificate,
            several,
            demands: &self.demands,
            findings: self.audited.findings(),
            attack,
            evaluation,
            warnings,
        })
    }

    /// All tables in memory, by name, look-ups last.
    ///
    /// # Errors
    /// A watcher that asks to stop.
    pub fn batches(&self, watch: &dyn Watch) -> Result<Vec<(String, ReleaseBatches)>, Error> {
        let mut tables = Vec::new();
        for (place, table) in self.audited.tables().iter().enumerate() {
            tables.push((table.name.clone(), table_batches(&self.audited, place, watch)?));
        }
        for (place, lookup) in self.audited.lookups().iter().enumerate() {
            tables.push((lookup.name.clone(), lookup_batches(&self.audited, place, watch)?));
        }
        Ok(tables)
    }
}
