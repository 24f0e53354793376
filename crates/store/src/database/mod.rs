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
mod driver;
mod order;
mod postgres;
mod rows;
mod schema;
mod source;
mod sqlite;

pub use connection::Connection;
pub use schema::{Reference, RowsOf, TableSchema};
pub use source::DatabaseSource;
