//! Files in and out: table formats, atomic writing.

mod aside;
mod read;
mod watch;
mod write;

pub use aside::{Aside, CERTIFICATE};
pub use read::{ColumnProblem, Fault, Format, Loaded, Place, ReadError, Reading, Source, header, read};
pub use watch::{Unwatched, Watch};
pub use write::{ReleaseFormat, RowOrder, WriteError, write_release};
