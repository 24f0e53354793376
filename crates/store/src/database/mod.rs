//! Tables of databases, all of one database as they were at one moment.
//!
//! | students | sid (key) | gpa |
//! |---|---|---|
//! | stored | S10 | NULL |
//! | | S2 | 3.5 |
//!
//! is read as the file `sid,gpa`, `S2,3.5`, `S10,` would be: every cell as text, NULL as a missing one, rows in the
//! [`order`] of their key. The rows then go the way of those of any file.
//!
//! Invariant: nothing is written, everything is read in one read-only transaction, and the same data gives the same
//! table, however the database stores it.

mod connection;
#[cfg_attr(
    not(any(feature = "postgres", feature = "sqlite")),
    expect(dead_code, reason = "a build without databases has nothing that gives rows")
)]
mod driver;
mod order;
#[cfg(feature = "postgres")]
mod postgres;
mod rows;
mod rows_of;
mod source;
#[cfg(any(feature = "postgres", feature = "sqlite"))]
mod sql;
#[cfg(feature = "sqlite")]
mod sqlite;

pub use connection::Connection;
pub use rows_of::RowsOf;
pub use source::DatabaseSource;
