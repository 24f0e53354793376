//! [`Error`]: whatever goes wrong behind the door, a thin sum of the errors of the rooms.
//!
//! Each room's error (`crate::errors`) has its parts, its message and whose it is to fix; this one passes that on. Whoever shows
//! an error asks its report ([`ErrorReport`](crate::ErrorReport)).

use miette::Diagnostic;
use scumble_bind::BindError;
use scumble_fault::{Blame, Fault};
#[cfg(feature = "mashup")]
use scumble_link::LinkError;
use scumble_policy::{Problem, Problems};
use scumble_progress::Interrupted;
use scumble_relational::{DatabaseError, SettingError};
use scumble_store::{LedgerError, ReadError, WriteError};

#[cfg(feature = "mashup")]
use crate::errors::MashupError;
use crate::errors::{
    AttackError, EvaluateError, InputError, PastError, PersonsError, ReleaseError, ReleasedFilesError, SearchError,
    TextError,
};

/// Why there is no release, or no answer.
#[derive(Debug, thiserror::Error, Diagnostic)]
pub enum Error {
    /// The policy or another text is wrong, or does not fit the data.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Text(#[from] TextError),
    /// The data cannot be read, or does not go with earlier releases.
    #[error(transparent)]
    Input(#[from] InputError),
    /// Nothing was found, or masks cannot be taken over.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// What was found does not pass.
    #[error(transparent)]
    Release(#[from] ReleaseError),
    /// Several tables are wrong, or their release does not pass.
    #[error(transparent)]
    Persons(#[from] PersonsError),
    /// What was published before stands in the way.
    #[error(transparent)]
    Past(#[from] PastError),
    /// The files of a release are not what they should be.
    #[error(transparent)]
    ReleasedFiles(#[from] ReleasedFilesError),
    /// The release cannot be measured as asked.
    #[error(transparent)]
    Evaluate(#[from] EvaluateError),
    /// The release cannot be attacked as asked.
    #[error(transparent)]
    Attack(#[from] AttackError),
    /// The release could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// Parties could not publish together.
    #[cfg(feature = "mashup")]
    #[error(transparent)]
    Mashup(#[from] MashupError),
    /// The user stopped the run.
    #[error("interrupted; nothing was written")]
    Interrupted,
}

impl Error {
    /// Whose it is to fix.
    pub fn fault(&self) -> Fault {
        match self {
            Error::Text(error) => error.fault(),
            Error::Input(error) => error.fault(),
            Error::Search(error) => error.fault(),
            Error::Release(error) => error.fault(),
            Error::Persons(error) => error.fault(),
            Error::Past(error) => error.fault(),
            Error::ReleasedFiles(error) => error.fault(),
            Error::Evaluate(error) => error.fault(),
            Error::Attack(error) => error.fault(),
            Error::Write(error) => error.fault(),
            #[cfg(feature = "mashup")]
            Error::Mashup(error) => error.fault(),
            Error::Interrupted => Fault::Interrupted,
        }
    }

    /// The single problems, where the error is a list of them.
    pub fn problems(&self) -> &[Problem] {
        if let Error::Text(TextError::Problems(problems)) = self {
            problems.list()
        } else {
            &[]
        }
    }
}

impl Blame for Error {
    fn fault(&self) -> Fault {
        Error::fault(self)
    }
}

impl From<Interrupted> for Error {
    fn from(_: Interrupted) -> Self {
        Error::Interrupted
    }
}

impl From<BindError> for Error {
    fn from(error: BindError) -> Self {
        match error {
            BindError::Problems(problems) => problems.into(),
            other @ BindError::TooManyMatches(_) => InputError::Bind(other).into(),
        }
    }
}

/// Errors of the crates below, each by way of the room that it is told in.
macro_rules! told_in {
    ($($error:ty => $room:ty,)*) => {$(
        impl From<$error> for Error {
            fn from(error: $error) -> Self {
                <$room>::from(error).into()
            }
        }
    )*};
}

told_in! {
    Problems => TextError,
    ReadError => InputError,
    DatabaseError => PersonsError,
    SettingError => PersonsError,
    LedgerError => PastError,
}

#[cfg(feature = "mashup")]
told_in! {
    LinkError => MashupError,
}
