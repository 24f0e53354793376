//! Stage 2, [`Found`]: how rows become a release, before any of them is shown.

use scumble_progress::Watch;

use crate::error::Error;
use crate::persons::PersonsFound;
use crate::release::Release;
use crate::rows::RowsFound;
use crate::timings::{Timings, timed};

/// What a search found: masks or groups, rows to leave out, and the way there.
pub struct Found {
    of: FoundOf,
    timings: Timings,
}

enum FoundOf {
    Rows(Box<RowsFound>),
    Persons(Box<PersonsFound>),
}

/// What becomes of the data when a release is made of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Data {
    /// It is let go of: what it takes is free again.
    #[default]
    LetGo,
    /// It is kept, to attack the release with it and to measure what was lost.
    Kept,
}

impl Found {
    pub(crate) fn rows(found: RowsFound, timings: Timings) -> Found {
        Found {
            of: FoundOf::Rows(Box::new(found)),
            timings,
        }
    }

    pub(crate) fn persons(found: PersonsFound, timings: Timings) -> Found {
        Found {
            of: FoundOf::Persons(Box::new(found)),
            timings,
        }
    }

    /// Masks, audits, certifies.
    ///
    /// # Errors
    /// A release that does not pass its audit.
    pub fn release(self, data: Data, watch: &dyn Watch) -> Result<Release, Error> {
        let mut timings = self.timings;
        let keeps_data = data == Data::Kept;
        let mut recounting = std::time::Duration::default();
        let of = timed(&mut recounting, || {
            Ok::<_, Error>(match self.of {
                FoundOf::Rows(found) => crate::release::Of::Rows(Box::new(found.release(keeps_data, watch)?)),
                FoundOf::Persons(found) => crate::release::Of::Persons(Box::new(found.release(keeps_data, watch)?)),
            })
        })?;
        timings.audit += recounting;
        Ok(Release { of, timings })
    }
}
