//! A watcher that counts what it hears of a reading.

use std::sync::atomic::{AtomicU64, Ordering};

use scumble_progress::{Amount, Event, Stage, Watch};

/// Bytes that there are, and bytes that are done.
#[derive(Default)]
pub struct Counting {
    pub total: AtomicU64,
    pub done: AtomicU64,
    /// Whether it asks to stop.
    pub stop: bool,
}

impl Watch for Counting {
    fn event(&self, event: &Event) {
        match event {
            Event::Begun { stage, total } => {
                assert_eq!(*stage, Stage::Reading);
                let total = total.expect("its size is known").count();
                self.total.store(total, Ordering::Relaxed);
            }
            Event::Advanced {
                by: Amount::Bytes(bytes),
            } => {
                self.done.fetch_add(*bytes, Ordering::Relaxed);
            }
            Event::Ended { stage } => assert_eq!(*stage, Stage::Reading),
            other => panic!("{other:?}"),
        }
    }

    fn should_stop(&self) -> bool {
        self.stop
    }
}
