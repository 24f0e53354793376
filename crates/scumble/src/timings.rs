//! How long each stage took.

use std::time::{Duration, Instant};

use serde::{Serialize, Serializer};

/// How long each part of the flow took.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Timings {
    /// Reading the data.
    #[serde(serialize_with = "in_seconds")]
    pub load: Duration,
    /// Reading earlier releases, and what they cover.
    #[serde(serialize_with = "in_seconds")]
    pub join: Duration,
    /// Finding the masks.
    #[serde(serialize_with = "in_seconds")]
    pub search: Duration,
    /// Applying them and recounting the result.
    #[serde(serialize_with = "in_seconds")]
    pub audit: Duration,
    /// Writing, and making sure that it is on disk.
    #[serde(serialize_with = "in_seconds")]
    pub write: Duration,
}

/// For a result: a duration as a number of seconds.
pub(crate) fn in_seconds<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(duration.as_secs_f64())
}

/// Does some work, and says how long it took.
pub(crate) fn timed<T>(duration: &mut Duration, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    *duration = start.elapsed();
    result
}
