//! A [`Connection`] is the way to a database, which is gone when it is first needed.
//!
//! To name a database touches nothing, so a source can be described before anything is read. All copies of a connection
//! share what was opened, and with it the moment at which they see the data.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use super::driver::Driver;
#[cfg(feature = "postgres")]
use super::postgres::Postgres;
#[cfg(feature = "sqlite")]
use super::sqlite::Sqlite;
use crate::error::ConnectionError;
use scumble_table::TableSchema;

/// A way to read a database.
#[derive(Clone)]
pub struct Connection {
    to: Arc<Address>,
    driver: Arc<Mutex<Option<OpenDriver>>>,
}

type OpenDriver = Box<dyn Driver + Send>;

enum Address {
    Sqlite(PathBuf),
    #[cfg_attr(
        not(feature = "postgres"),
        expect(dead_code, reason = "a build without PostgreSQL does not look at the URL")
    )]
    Postgres(String),
}

impl Connection {
    /// To a SQLite file.
    pub fn sqlite(path: impl Into<PathBuf>) -> Self {
        Connection::to(Address::Sqlite(path.into()))
    }

    /// To a PostgreSQL database: `postgres://user:password@host:port/name`. A URL without password takes that of the
    /// environment variable `PGPASSWORD`.
    ///
    /// The connection is encrypted if the URL asks for it: `sslmode=require`, `verify-ca` and `verify-full` all check
    /// the server's certificate, against the authorities that the system trusts or those of the file `sslrootcert`.
    pub fn postgres(url: impl Into<String>) -> Self {
        Connection::to(Address::Postgres(url.into()))
    }

    fn to(address: Address) -> Self {
        Connection {
            to: Arc::new(address),
            driver: Arc::default(),
        }
    }

    /// Opens the database, if it is not open. From now on everything is read as it is at this moment.
    ///
    /// # Errors
    /// A file that is not there, or is no SQLite database; a URL that is not understood, a server that does not answer or
    /// refuses. No message holds the password.
    pub fn open(&self) -> Result<(), ConnectionError> {
        self.with(|_| Ok(()))
    }

    /// What the database says of a table or view. `None` if it has none of this name.
    ///
    /// A name is a name and not SQL: it needs no quotes. A PostgreSQL table outside the search path is `schema.table`.
    pub fn describe(&self, table: &str) -> Result<Option<TableSchema>, ConnectionError> {
        self.with(|driver| driver.describe(table))
    }

    /// The tables and views, by name.
    pub fn tables(&self) -> Result<Vec<String>, ConnectionError> {
        self.with(|driver| driver.tables())
    }

    /// Asks something of the database, which is opened first. Whoever asks at the same time waits.
    pub(super) fn with<T, E: From<ConnectionError>>(
        &self,
        ask: impl FnOnce(&mut dyn Driver) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut driver = self.driver.lock().unwrap_or_else(PoisonError::into_inner);
        let open = match &mut *driver {
            Some(open) => open,
            closed => closed.insert(self.to.open()?),
        };
        ask(&mut **open)
    }
}

impl Address {
    fn open(&self) -> Result<OpenDriver, ConnectionError> {
        match self {
            #[cfg(feature = "sqlite")]
            Address::Sqlite(path) => Ok(Box::new(Sqlite::open(path)?)),
            #[cfg(feature = "postgres")]
            Address::Postgres(url) => Ok(Box::new(Postgres::open(url)?)),
            #[cfg(not(feature = "sqlite"))]
            Address::Sqlite(_) => Err(ConnectionError::NotBuilt {
                kind: "SQLite",
                feature: "sqlite",
            }),
            #[cfg(not(feature = "postgres"))]
            Address::Postgres(_) => Err(ConnectionError::NotBuilt {
                kind: "PostgreSQL",
                feature: "postgres",
            }),
        }
    }
}

/// Without the URL, which may hold a password.
impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.to {
            Address::Sqlite(path) => f.debug_tuple("Sqlite").field(path).finish(),
            Address::Postgres(_) => f.write_str("Postgres"),
        }
    }
}
