//! The study of stopping: how long a run may go on before it looks whether to stop.
//!
//! Every method and every command runs under a `Probe`, which notes the longest time between two looks, whichever threads
//! make them. Who asks a run to stop waits for at most that long, and for what it then still does, which is measured by
//! stopping runs that take too long.
//!
//! Invariant: a task has a process of its own only as far as its files go; one runs after the other, so that no gap is that of
//! another task.

mod probe;
mod run;
mod summary;
mod tasks;

pub use run::run;
pub use summary::summary;
