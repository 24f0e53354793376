//! [`Probe`]: a watch that notes the longest time between two looks, in each stage.
//!
//! | time | what happens | noted |
//! |---|---|---|
//! | 0.0 s | auditing begins | |
//! | 0.1 s | a look | auditing: 0.1 s |
//! | 0.4 s | a look on another thread | auditing: 0.3 s |
//! | 0.5 s | auditing ends | |
//! | 0.9 s | a look in no stage | between stages: 0.5 s |
//!
//! Invariant: a look costs no lock, so that looking does not make what is measured slower.

use std::backtrace::Backtrace;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use scumble::{Event, Stage, Watch};
use serde::Serialize;

/// A gap of this length is told as it is met, with where it ended.
const TOLD: Duration = Duration::from_millis(300);

/// So many functions are named.
const FRAMES: usize = 4;

/// The place of what is in no stage.
const BETWEEN: usize = Stage::ALL.len();

/// Notes the gaps between looks; asks to stop when its patience is over.
pub struct Probe {
    start: Instant,
    patience: Duration,
    /// When it was last looked at, in nanoseconds since the start.
    last: AtomicU64,
    /// Whether it asked to stop, which ends the measuring.
    has_asked: AtomicBool,
    /// The place of the present stage.
    stage: AtomicUsize,
    /// Of each stage, and of what is in none.
    looks: [AtomicU64; BETWEEN + 1],
    longest: [AtomicU64; BETWEEN + 1],
    /// The stages that go on, each within the one before it.
    open: Mutex<Vec<Stage>>,
}

/// What was seen of a stage.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Seen {
    /// Which stage; `None` for what is in none.
    pub stage: Option<Stage>,
    /// How often it looked.
    pub looks: u64,
    /// The longest time without a look, in seconds.
    pub longest: f64,
}

impl Probe {
    /// Begins to measure; asks to stop after so long.
    pub fn new(patience: Duration) -> Probe {
        Probe {
            start: Instant::now(),
            patience,
            last: AtomicU64::new(0),
            has_asked: AtomicBool::new(false),
            stage: AtomicUsize::new(BETWEEN),
            looks: [const { AtomicU64::new(0) }; BETWEEN + 1],
            longest: [const { AtomicU64::new(0) }; BETWEEN + 1],
            open: Mutex::new(Vec::new()),
        }
    }

    /// How long the run went on after it was asked to stop, in seconds; `None` if it was not asked.
    pub fn late(&self) -> Option<f64> {
        let after = self.start.elapsed().saturating_sub(self.patience);
        self.has_asked.load(Ordering::Relaxed).then_some(after.as_secs_f64())
    }

    /// What was seen. The time since the last look is a gap, too.
    pub fn seen(&self) -> Vec<Seen> {
        self.note(self.start.elapsed());
        let stages = Stage::ALL.into_iter().map(Some).chain([None]);
        let seen = stages.zip(&self.looks).zip(&self.longest);
        let seen = seen.map(|((stage, looks), longest)| Seen {
            stage,
            looks: looks.load(Ordering::Relaxed),
            longest: Duration::from_nanos(longest.load(Ordering::Relaxed)).as_secs_f64(),
        });
        seen.filter(|seen| seen.looks > 0 || seen.longest > 0.0).collect()
    }

    /// Notes the gap that ends now, unless the run is only coming to its end.
    fn note(&self, now: Duration) -> Duration {
        let nanos = now.as_nanos() as u64;
        let gap = nanos.saturating_sub(self.last.fetch_max(nanos, Ordering::Relaxed));
        if !self.has_asked.load(Ordering::Relaxed) {
            self.longest[self.stage.load(Ordering::Relaxed)].fetch_max(gap, Ordering::Relaxed);
        }
        Duration::from_nanos(gap)
    }
}

impl Watch for Probe {
    fn event(&self, event: &Event) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::Begun { stage, .. } => open.push(*stage),
            Event::Ended { .. } => drop(open.pop()),
            Event::Advanced { .. }
            | Event::Phase { .. }
            | Event::Step { .. }
            | Event::Round { .. }
            | Event::Traffic { .. } => return,
        }
        let place = |stage: &Stage| Stage::ALL.iter().position(|other| other == stage);
        let stage = open.last().and_then(place).unwrap_or(BETWEEN);
        self.stage.store(stage, Ordering::Relaxed);
    }

    fn should_stop(&self) -> bool {
        let now = self.start.elapsed();
        self.looks[self.stage.load(Ordering::Relaxed)].fetch_add(1, Ordering::Relaxed);
        let gap = self.note(now);
        if gap > TOLD {
            eprintln!("  {:.2} s until {}", gap.as_secs_f64(), caller());
        }
        let stops = now > self.patience;
        if stops {
            self.has_asked.store(true, Ordering::Relaxed);
        }
        stops
    }
}

/// The functions of this workspace that the present look is made in, the innermost first.
fn caller() -> String {
    let trace = Backtrace::force_capture().to_string();
    let named = trace.lines().filter_map(|line| line.trim().split_once(": "));
    let ours = named.map(|(_, function)| function).filter(|function| {
        let is_ours = function.starts_with("scumble") || function.starts_with("<scumble");
        is_ours && !function.contains("_bench::") && !function.contains("scumble_progress::")
    });
    ours.take(FRAMES).collect::<Vec<_>>().join(", in ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_noted_in_their_stage_until_the_run_is_asked_to_stop() {
        let probe = Probe::new(Duration::from_secs(10));
        probe.event(&Event::Begun {
            stage: Stage::Auditing,
            total: None,
        });
        for seconds in [1, 4, 5] {
            probe.note(Duration::from_secs(seconds));
        }
        probe.event(&Event::Ended { stage: Stage::Auditing });
        probe.note(Duration::from_secs(7));
        probe.has_asked.store(true, Ordering::Relaxed);
        probe.note(Duration::from_secs(100));
        let seen = probe.seen().into_iter().map(|seen| (seen.stage, seen.longest));
        assert_eq!(seen.collect::<Vec<_>>(), [(Some(Stage::Auditing), 3.0), (None, 2.0)]);
    }
}
