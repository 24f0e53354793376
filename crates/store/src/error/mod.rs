//! Why something could not be read: the words of files, of databases and of record batches, in one place below all
//! readers.

mod connection;
mod origin;
mod read;

pub use connection::{ConnectionError, SelectFault, UrlFault, WhyRefused};
pub use origin::Origin;
pub use read::{ColumnProblem, Fault, Place, ReadError};
