//! [`Limits`]: how much a peer may send at once, and how long it may keep the others waiting.

use std::time::Duration;

/// What is asked of every peer. All parties of a run should have the same limits.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The bytes of the largest message. Protects the memory of this party.
    pub message: usize,
    /// The bytes of the largest frame. A longer message goes in several.
    pub frame: usize,
    /// The bytes that may wait in one direction of one link before whoever sends has to wait. A message that is larger
    /// waits until the queue is empty, and then goes in alone.
    pub queue: usize,
    /// How long to wait until all parties have met.
    pub connect: Duration,
    /// How long a peer may send nothing at all, or accept nothing of what is sent to it.
    ///
    /// A party that is only busy is not silent: its links tell the others four times in this span that it is alive. But
    /// one that does not [`receive`](crate::Links::receive) what it is sent stops accepting once its queue is full.
    ///
    /// Also how long a peer may take to accept one frame, four times over: a trickle is no more than nothing.
    pub silence: Duration,
    /// How long a peer may send no message that is waited for, whatever signs of life it gives. Of a message that is larger
    /// than a frame, each frame counts. A peer that says that it waits for a third party has longer, so that this party
    /// hears of that one first.
    pub progress: Duration,
    /// How long a run may take from when all parties have met, if there is an end to it.
    pub deadline: Option<Duration>,
}

impl Default for Limits {
    /// 1 GiB a message, 1 MiB a frame, 64 MiB a queue; one minute to meet, one minute of silence, ten minutes for a
    /// message, a day for a run.
    fn default() -> Limits {
        Limits {
            message: 1 << 30,
            frame: 1 << 20,
            queue: 64 << 20,
            connect: Duration::from_secs(60),
            silence: Duration::from_secs(60),
            progress: Duration::from_secs(600),
            deadline: Some(Duration::from_secs(24 * 60 * 60)),
        }
    }
}

impl Limits {
    /// After how long without anything to send a peer is told that this party is alive.
    pub(crate) fn keep_alive(&self) -> Duration {
        self.silence.min(self.progress) / 4
    }
}
