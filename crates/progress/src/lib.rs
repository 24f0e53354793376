//! What a run tells of itself: one stream of [`Event`]s that a terminal bar, a Python callback, a page and a log can each
//! show, and one question, whether to stop.
//!
//! Long work is given a [`Work`], the view of a part of a stage: it tells how much of that part is done and asks whether to go
//! on. A [`Meter`] makes of the events how far a run is and how long it may still take.
//!
//! Invariant: no event holds a cell. Its texts are those of the program, which the types say: they are `'static`.

mod event;
mod meter;
mod trial;
mod watch;
mod work;

pub use event::{Amount, Event, Level, RoundEnd, Stage};
pub use meter::{Meter, Standing};
pub use trial::Trial;
pub use watch::{Interrupted, Unwatched, Watch};
pub use work::{Counter, Running, Work};
