//! How a job may fail.

/// A result whose error is only ever shown.
pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;
