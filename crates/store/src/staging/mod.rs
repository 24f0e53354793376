//! Putting a release in place: which files it has, where they are written out of sight, and whose turn it is.

mod aside;
mod files;
mod lock;

pub use aside::Aside;
pub(crate) use aside::{create_parent, sync_folder_of};
pub use files::{CERTIFICATE, ReleasePart};
