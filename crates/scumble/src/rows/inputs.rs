//! [`RowsInputs`]: all that a release of one table is made from.

use scumble_bind::{Head, Plan, bind, check_data, check_unique, is_nearly_unique};
use scumble_policy::{Policy, Taxonomies};
use scumble_progress::Watch;
use scumble_report::Certificate;
use scumble_store::{Loaded, Source};
use scumble_table::Table;

use crate::compared::Newcomers;
use crate::earlier::read_heads;
use crate::error::Error;
use crate::errors::{EntryFault, InputError, PastError};
use crate::join::{Join, join};
use crate::ledger::{OpenLedger, Past, ReadVersion};
use crate::load::load_rows;
use crate::population::{People, read_populations};
use crate::texts::read_taxonomies;
use crate::timings::{Timings, timed};

/// One table, and all that its release is compared with. A copy shares its rows.
#[derive(Clone)]
pub(crate) struct RowsInputs {
    /// What is asked, after the releases of the ledger.
    pub policy: Policy,
    pub taxonomies: Taxonomies,
    /// The names of all columns of the data.
    header: Vec<String>,
    /// What is known of earlier releases before their rows.
    heads: Vec<Head>,
    pub plan: Plan,
    pub table: Table,
    pub rows_read: usize,
    pub rows_dropped: usize,
    pub populations: Vec<People>,
    pub joined: Join,
    /// Earlier versions of the same columns.
    pub versions: Vec<ReadVersion>,
    /// What to do about people who came or left; `None` if no ledger told of the past.
    pub newcomers: Option<Newcomers>,
}

impl RowsInputs {
    /// Reads everything.
    ///
    /// # Errors
    /// A file that cannot be read, and whatever does not fit.
    pub fn read(
        policy: &Policy,
        source: &Source,
        ledger: Option<&OpenLedger>,
        timings: &mut Timings,
        watch: &dyn Watch,
    ) -> Result<RowsInputs, Error> {
        let taxonomies = read_taxonomies(policy)?;
        let opened = source.open(watch)?;
        let header = opened.header().to_vec();
        let past = ledger.map(|ledger| ledger.past(policy, &header, &taxonomies));
        let Past { joined, versions } = past.transpose()?.unwrap_or_default();
        let policy = policy.after(&joined);
        let heads = read_heads(&policy)?;
        let (plan, loaded) = timed(&mut timings.load, || {
            load_rows(&policy, opened, &heads, &taxonomies, watch)
        })?;
        let Loaded {
            mut table,
            rows_read,
            rows_dropped,
            ..
        } = loaded;
        check_unique(&policy, &plan, |id| is_nearly_unique(table.column(id)))?;
        let populations = read_populations(&policy, &plan, &mut table, watch)?;
        let (plan, joined) = timed(&mut timings.join, || join(&policy, plan, &table, watch))?;
        let versions = versions
            .into_iter()
            .map(|version| ReadVersion::read(version, &policy, watch));
        Ok(RowsInputs {
            versions: versions.collect::<Result<_, Error>>()?,
            newcomers: ledger.map(OpenLedger::newcomers),
            policy,
            taxonomies,
            header,
            heads,
            plan,
            table,
            rows_read,
            rows_dropped,
            populations,
            joined,
        })
    }

    /// The same rows, of which another policy asks something else.
    ///
    /// # Errors
    /// A policy for which they would have to be read again, or that does not fit them.
    pub fn asking(&self, policy: &Policy) -> Result<RowsInputs, Error> {
        let earlier = self
            .policy
            .earlier
            .iter()
            .filter(|earlier| earlier.from_ledger)
            .cloned();
        let policy = policy.after(&earlier.collect::<Vec<_>>());
        let own = &self.policy;
        let reads_alike = policy.persons.is_none()
            && policy.data == own.data
            && policy.columns == own.columns
            && policy.earlier == own.earlier
            && policy.release.unlisted == own.release.unlisted;
        if !reads_alike {
            return Err(InputError::OtherInputs.into());
        }
        let plan = bind(&policy, &self.header, &self.heads, &self.taxonomies)?;
        if !plan.columns.are_those_of(&self.plan.columns) || plan.populations != self.plan.populations {
            return Err(InputError::OtherInputs.into());
        }
        check_data(&policy, &plan, &self.taxonomies, &self.table)?;
        let tables = self.joined.history.earlier.iter().map(|earlier| earlier.table.clone());
        let mut joined = self.joined.clone();
        let plan = if policy.earlier.is_empty() {
            plan
        } else {
            let (plan, history) = plan.with_history(&policy, self.table.rows(), tables.collect())?;
            joined.history = history;
            plan
        };
        Ok(RowsInputs {
            policy,
            plan,
            joined,
            ..self.clone()
        })
    }

    /// The certificate of an earlier version.
    ///
    /// # Errors
    /// If there is none with this name.
    pub fn version(&self, name: &str) -> Result<&Certificate, Error> {
        let entry = |read: &ReadVersion| read.version.entry.name.clone();
        let found = self.versions.iter().find(|read| entry(read) == name);
        found.map(|read| &read.version.certificate).ok_or_else(|| {
            let versions = self.versions.iter().map(entry).collect();
            PastError::entry(name, EntryFault::NoVersion { versions }).into()
        })
    }

    /// How many rows may be left out.
    pub fn row_budget(&self) -> u64 {
        (self.policy.method.rows_suppressed_at_most * self.table.rows() as f64) as u64
    }
}
