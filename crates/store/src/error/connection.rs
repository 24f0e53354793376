//! [`ConnectionError`]: why a database could not be read.
//!
//! Messages name the file or server, the table, the column and the row. They hold neither a cell nor a password: what a
//! database itself says is passed on only where it cannot have seen a cell yet.

use std::{io, path::PathBuf};

use scumble_fault::{Blame, Fault};

/// Why a database could not be opened, or rows of it could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectionError {
    /// The system did not let us open the file.
    #[error("{}: cannot be read: {}; check the path and its permissions", path.display(), source.kind())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file that is something else.
    #[error("{}: not a readable SQLite file; check that it is whole, and a SQLite database", path.display())]
    NotSqlite {
        /// The file.
        path: PathBuf,
    },
    /// A kind of database that this build leaves out.
    #[error("this build does not read {kind} databases; build it with the cargo feature `{feature}`")]
    NotBuilt {
        /// The kind.
        kind: &'static str,
        /// What to build with.
        feature: &'static str,
    },
    /// A URL that does not say where a database is.
    #[error("the URL of the database is not understood: {0}")]
    Url(UrlFault),
    /// A server that does not let us in.
    #[error("cannot connect to the PostgreSQL database at {server}: {reason}")]
    Refused {
        /// Host, port and name of the database.
        server: String,
        /// Why.
        reason: WhyRefused,
    },
    /// A server that is gone.
    #[error("the connection to the PostgreSQL database at {server} is lost; check the server, then try again")]
    Lost {
        /// Host, port and name of the database.
        server: String,
    },
    /// A table that is not there.
    #[error("the database has no table `{table}`")]
    NoTable {
        /// The name.
        table: String,
    },
    /// Rows that the database does not give.
    #[error("{rows}: the database does not give its rows: {reason}")]
    Rows {
        /// The table, or `the query`.
        rows: String,
        /// What the database says, without a cell.
        reason: String,
    },
    /// Not one SELECT.
    #[error("{rows}: {reason}; write one SELECT, which changes nothing")]
    NotSelect {
        /// `the query`.
        rows: String,
        /// What it is instead.
        reason: SelectFault,
    },
    /// The system of tables, keys and views could not be read.
    #[error("the database does not tell its tables: {reason}")]
    Schema {
        /// What the database says.
        reason: String,
    },
    /// A cell that has no text.
    #[error(
        "{rows}: row {row}: column `{column}` holds bytes that are no text; make the column an identifier, or convert it"
    )]
    NotText {
        /// The table, or `the query`.
        rows: String,
        /// The first such row, counted from 1 in the order of the key, or of the columns if there is none.
        row: usize,
        /// The column.
        column: String,
    },
    /// More rows than can be numbered.
    #[error("{rows} has more rows than can be counted ({max})", max = u32::MAX)]
    TooManyRows {
        /// The table, or `the query`.
        rows: String,
    },
}

/// What is wrong with a URL, without any part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UrlFault {
    /// It is none.
    #[error(
        "write it as postgres://user:password@host:port/name, with %40 for @, %2F for / and %25 for % in the password"
    )]
    Form,
    /// It leads nowhere.
    #[error("it names no host")]
    NoHost,
    /// An option is not Unicode.
    #[error("an option is no text")]
    OptionNotText,
    /// Authorities for a connection that is not encrypted.
    #[error("`sslrootcert` goes with `sslmode=require`")]
    RootsWithoutEncryption,
    /// Nobody said whether to encrypt a connection that leaves this machine.
    #[error(
        "its host is another machine and it has no `sslmode`; add ?sslmode=require to encrypt the connection, or \
         ?sslmode=disable if everybody on the way may read the data"
    )]
    NoMode,
    /// A connection that may or may not be encrypted.
    #[error("`sslmode` is none of disable, require, verify-ca and verify-full: a connection is encrypted or is not")]
    UnknownMode,
}

/// Why a server does not let us in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WhyRefused {
    /// What it says, or the system.
    #[error("{0}")]
    Said(String),
    /// Nobody says whose certificates to believe.
    #[error("there is no authority to trust; name a file of certificates as `sslrootcert`")]
    NoAuthority,
    /// The file with the authorities is something else.
    #[error("{}: not a readable file of PEM certificates", file.display())]
    NoCertificates {
        /// The file.
        file: PathBuf,
    },
}

/// What a query is that is not one SELECT.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SelectFault {
    /// What the database says of it.
    #[error("{0}")]
    Said(String),
    /// Another statement, or several.
    #[error("it is no SELECT")]
    OtherStatement,
    /// It asks to be completed.
    #[error("it has parameters")]
    Parameters,
}

impl Blame for ConnectionError {
    fn fault(&self) -> Fault {
        match self {
            ConnectionError::Io { source, .. } => Fault::of_opening(source),
            ConnectionError::Refused { .. } | ConnectionError::Lost { .. } => Fault::Environment,
            ConnectionError::NotSqlite { .. }
            | ConnectionError::NotBuilt { .. }
            | ConnectionError::Url(_)
            | ConnectionError::NoTable { .. }
            | ConnectionError::Rows { .. }
            | ConnectionError::NotSelect { .. }
            | ConnectionError::Schema { .. }
            | ConnectionError::NotText { .. }
            | ConnectionError::TooManyRows { .. } => Fault::Input,
        }
    }
}
