//! A [`Work`] is the view that long work has of its watch: how much of it is done, and whether to go on.
//!
//! Work has parts, and each knows its place in the whole, so that whoever does a part tells its share of that part alone. Told
//! shares of a stage never fall, whatever parts and threads tell them, and the last one of a stage that is done is 1.
//!
//! ```text
//! stage   0 ─────────────────────────────── 1
//! phases  │ cells 0..0.4 │ improving 0.4..1 │
//! told                        at(0.5) of improving: 0.7
//! ```

use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::{Amount, Event, Interrupted, Level, Stage, Unwatched, Watch};

/// By how much a share must grow to be told again: a bar has no finer lines, and telling takes time.
const GROWTH: f64 = 1.0 / 512.0;

/// What was told of a stage so far.
struct Told<'w> {
    watch: &'w dyn Watch,
    /// The phase and share that were told last.
    last: Mutex<Option<(&'static str, f64)>>,
    /// Whether it was to stop once: then it stops, whatever the watch says later.
    stops: AtomicBool,
}

impl Told<'_> {
    fn should_stop(&self) -> bool {
        let stops = self.stops.load(Ordering::Relaxed) || self.watch.should_stop();
        if stops {
            self.stops.store(true, Ordering::Relaxed);
        }
        stops
    }
}

static NOBODY: Told<'static> = Told {
    watch: &Unwatched,
    last: Mutex::new(None),
    stops: AtomicBool::new(false),
};

/// A stage that goes on. It ends when this is dropped.
pub struct Running<'w> {
    told: Told<'w>,
    stage: Stage,
}

impl<'w> Running<'w> {
    /// A stage begins.
    pub fn begin(watch: &'w dyn Watch, stage: Stage, total: Option<Amount>) -> Self {
        watch.event(&Event::Begun { stage, total });
        Running {
            told: Told {
                watch,
                last: Mutex::new(None),
                stops: AtomicBool::new(false),
            },
            stage,
        }
    }

    /// So much more is done.
    pub fn advance(&self, by: Amount) {
        self.told.watch.event(&Event::Advanced { by });
    }

    /// All of its work.
    pub fn work(&self) -> Work<'_> {
        Work {
            told: &self.told,
            from: 0.0,
            length: 1.0,
            phase: None,
        }
    }

    /// Ends a stage whose work is done.
    pub fn done(self) {
        let last = *self.told.last();
        if let Some((phase, share)) = last
            && share < 1.0
        {
            self.told.watch.event(&Event::Phase { phase, share: 1.0 });
        }
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.told.watch.event(&Event::Ended { stage: self.stage });
    }
}

impl Stage {
    /// Does the work of this stage, from its beginning to its end.
    ///
    /// # Errors
    /// Those of the work.
    pub fn run<T, E>(self, watch: &dyn Watch, work: impl FnOnce(Work<'_>) -> Result<T, E>) -> Result<T, E> {
        let running = Running::begin(watch, self, None);
        let outcome = work(running.work())?;
        running.done();
        Ok(outcome)
    }
}

impl Told<'_> {
    fn last(&self) -> MutexGuard<'_, Option<(&'static str, f64)>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, phase: &'static str, share: f64) {
        // Who finds another thread telling has nothing newer to say, or will soon say it again.
        let Ok(mut last) = self.last.try_lock() else {
            return;
        };
        let (said, highest) = last.unwrap_or(("", 0.0));
        let share = if share > highest { share.min(1.0) } else { highest };
        let is_news = said != phase || share >= highest + GROWTH || (share >= 1.0 && highest < 1.0);
        if is_news {
            self.watch.event(&Event::Phase { phase, share });
            *last = Some((phase, share));
        }
    }
}

/// A part of the work of a stage.
#[derive(Clone, Copy)]
pub struct Work<'w> {
    told: &'w Told<'w>,
    /// Where the part begins, as a share of the stage.
    from: f64,
    length: f64,
    /// What is done here; `None` where no share can be told.
    phase: Option<&'static str>,
}

impl fmt::Debug for Work<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shares = self.from..self.from + self.length;
        f.debug_struct("Work")
            .field("phase", &self.phase)
            .field("shares", &shares)
            .finish()
    }
}

impl<'w> Work<'w> {
    /// Work that nobody watches.
    pub fn unwatched() -> Work<'static> {
        Work {
            told: &NOBODY,
            from: 0.0,
            length: 1.0,
            phase: None,
        }
    }

    /// A part of this work, given as shares of it.
    #[must_use]
    pub fn part(self, shares: Range<f64>) -> Work<'w> {
        Work {
            from: self.from + shares.start * self.length,
            length: (shares.end - shares.start) * self.length,
            ..self
        }
    }

    /// A part of this work that has a name. It begins now.
    #[must_use]
    pub fn phase(self, name: &'static str, shares: Range<f64>) -> Work<'w> {
        let phase = Work {
            phase: Some(name),
            ..self.part(shares)
        };
        phase.at(0.0);
        phase
    }

    /// The same part, of which no share is told.
    #[must_use]
    pub fn silent(self) -> Work<'w> {
        Work { phase: None, ..self }
    }

    /// Tells which share of this part is done. Heard only in a phase.
    pub fn at(self, share: f64) {
        if let Some(phase) = self.phase {
            self.told.tell(phase, self.from + share.clamp(0.0, 1.0) * self.length);
        }
    }

    /// Tells that so many of all are done.
    pub fn done(self, done: usize, all: usize) {
        self.at(done as f64 / all.max(1) as f64);
    }

    /// Tells of a step of a search.
    pub fn step(self, number: u64, loss: Option<f64>, levels: Vec<Level>) {
        self.told.watch.event(&Event::Step { number, loss, levels });
    }

    /// Whether the work should stop.
    pub fn should_stop(self) -> bool {
        self.told.should_stop()
    }

    /// Asks whether to go on.
    ///
    /// # Errors
    /// [`Interrupted`] if the work should stop.
    pub fn go_on(self) -> Result<(), Interrupted> {
        if self.should_stop() { Err(Interrupted) } else { Ok(()) }
    }

    /// Counts towards all of this part, from any thread.
    pub fn count(self, all: usize) -> Counter<'w> {
        Counter {
            work: self,
            done: AtomicUsize::new(0),
            all,
        }
    }
}

/// Counts what is done of a part of the work, from any thread.
pub struct Counter<'w> {
    work: Work<'w>,
    done: AtomicUsize,
    all: usize,
}

impl Counter<'_> {
    /// So many more are done.
    pub fn add(&self, more: usize) {
        let done = self.done.fetch_add(more, Ordering::Relaxed) + more;
        self.work.done(done, self.all);
    }

    /// So many more are done; asks whether to go on.
    ///
    /// # Errors
    /// [`Interrupted`] if the work should stop.
    pub fn go_on(&self, more: usize) -> Result<(), Interrupted> {
        self.add(more);
        self.work.go_on()
    }

    /// Whether the work should stop.
    pub fn should_stop(&self) -> bool {
        self.work.should_stop()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parts of a search are left undone once it is to stop, so it must not go on after that.
    #[test]
    fn a_watch_that_changes_its_mind_has_stopped_the_work() {
        let looks = AtomicUsize::new(0);
        let hesitant = || looks.fetch_add(1, Ordering::Relaxed) == 1;
        let running = Running::begin(&hesitant, Stage::Searching, None);
        let work = running.work();
        assert_eq!(work.go_on(), Ok(()));
        assert!(work.should_stop());
        assert_eq!(work.phase("later", 0.5..1.0).go_on(), Err(Interrupted));
    }
}
