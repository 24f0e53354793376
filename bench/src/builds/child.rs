//! [`Spent`]: what one program took, of time and memory.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use nix::sys::resource::{Usage, UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use serde::{Deserialize, Serialize};

use crate::Result;

/// What one program took.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Spent {
    /// Time on the processor, by the program and by the system for it, in seconds.
    pub cpu: f64,
    /// From its start to its end, in seconds.
    pub wall: f64,
    /// The most memory that was resident, in bytes.
    pub peak_memory: u64,
}

/// Lets a program publish once, and tells what it took. To be called once in a process.
pub fn run_once(program: &Path, policy: &Path, folder: &Path) -> Result<Spent> {
    let start = Instant::now();
    let status = Command::new(program)
        .args(["publish", "--quiet", "--out"])
        .arg(folder)
        .arg(policy)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status()?;
    let wall = start.elapsed().as_secs_f64();
    if !status.success() {
        return Err(format!("{} did not publish ({status})", program.display()).into());
    }
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    Ok(Spent {
        cpu: cpu(&usage),
        wall,
        peak_memory: u64::try_from(usage.max_rss())? * RSS_UNIT,
    })
}

/// Memory is told in KiB, but for one system.
const RSS_UNIT: u64 = if cfg!(target_vendor = "apple") { 1 } else { 1024 };

fn cpu(usage: &Usage) -> f64 {
    let micros = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    micros as f64 / 1e6
}
