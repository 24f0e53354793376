//! Stage 1, [`Inputs`]: all that a release is made from, read.
//!
//! Invariant: after this stage nothing touches a file until the release is written.

use std::collections::BTreeMap;

use scumble_policy::Policy;
use scumble_progress::Watch;
use scumble_report::Certificate;
use scumble_store::Source;

use crate::error::Error;
use crate::errors::{EntryFault, PastError};
use crate::found::Found;
use crate::ledger::OpenLedger;
use crate::persons::{PersonsFound, PersonsInputs};
use crate::rows::{RowsFound, RowsInputs};
use crate::search::Search;
use crate::sources::checked_source;
use crate::timings::{Timings, timed};

/// Policy, taxonomies, rows, populations and past releases. A copy shares the rows, so the same inputs may be searched
/// again and again: with other bounds, by other methods, for other levels.
#[derive(Clone)]
pub struct Inputs {
    of: InputsOf,
    timings: Timings,
}

#[derive(Clone)]
enum InputsOf {
    Rows(Box<RowsInputs>),
    Persons(Box<PersonsInputs>),
}

/// Where rows are read from, if not from where the policy says.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// The data of one table.
    pub data: Option<Source>,
    /// Some or all of several tables, by name.
    pub tables: BTreeMap<String, Source>,
}

impl Sources {
    /// The data of one table.
    pub fn of_data(data: impl Into<Source>) -> Sources {
        Sources {
            data: Some(data.into()),
            ..Sources::default()
        }
    }
}

impl Inputs {
    /// Reads everything that a policy asks for.
    ///
    /// # Errors
    /// What cannot be read, and whatever does not fit.
    pub fn read(
        policy: &Policy,
        sources: &Sources,
        ledger: Option<&OpenLedger>,
        watch: &dyn Watch,
    ) -> Result<Inputs, Error> {
        let mut timings = Timings::default();
        let of = if policy.persons.is_some() {
            if ledger.is_some() {
                return Err(PastError::NotForPersons.into());
            }
            InputsOf::Persons(Box::new(PersonsInputs::read(
                policy,
                &sources.tables,
                &mut timings,
                watch,
            )?))
        } else {
            let source = match &sources.data {
                Some(source) => source.clone(),
                None => checked_source(policy)?,
            };
            let inputs = RowsInputs::read(policy, &source, ledger, &mut timings, watch)?;
            InputsOf::Rows(Box::new(inputs))
        };
        Ok(Inputs { of, timings })
    }

    /// The same inputs, of which another policy asks something else. Nothing is read.
    ///
    /// # Errors
    /// A policy for which they would have to be read again, or that does not fit them.
    pub fn asking(&self, policy: &Policy) -> Result<Inputs, Error> {
        let of = match &self.of {
            InputsOf::Rows(inputs) => InputsOf::Rows(Box::new(inputs.asking(policy)?)),
            InputsOf::Persons(inputs) => InputsOf::Persons(Box::new(inputs.asking(policy)?)),
        };
        Ok(Inputs {
            of,
            timings: self.timings,
        })
    }

    /// The certificate of an earlier version of the same columns, which the ledger knows.
    ///
    /// # Errors
    /// If there is none with this name.
    pub fn version(&self, name: &str) -> Result<&Certificate, Error> {
        match &self.of {
            InputsOf::Rows(inputs) => inputs.version(name),
            InputsOf::Persons(_) => Err(PastError::entry(name, EntryFault::OfPersons).into()),
        }
    }

    /// Looks for a release.
    ///
    /// # Errors
    /// A requirement that cannot be met, a search that was stopped.
    pub fn search(self, asked: &Search, watch: &dyn Watch) -> Result<Found, Error> {
        let mut timings = self.timings;
        Ok(match self.of {
            InputsOf::Rows(inputs) => {
                let found = timed(&mut timings.search, || RowsFound::search(*inputs, asked, watch))?;
                Found::rows(found, timings)
            }
            InputsOf::Persons(inputs) => {
                let found = PersonsFound::search(*inputs, asked, &mut timings, watch)?;
                Found::persons(found, timings)
            }
        })
    }
}
