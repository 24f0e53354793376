//! The [`Program`]: `scumble` as a user starts it, once for each release.

use std::env::consts::EXE_SUFFIX;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::job::high_water_mark;
use crate::measure::on_threads;
use crate::{Result, workspace};

/// How often the memory of a process is looked at. Its high-water mark is kept for us, so only the last moment can be missed.
const LOOK_EVERY: Duration = Duration::from_millis(1);

/// The program, built from what is checked out.
#[derive(Debug)]
pub struct Program {
    path: PathBuf,
}

/// What one release took, and what it is.
#[derive(Clone, Debug, Serialize)]
pub struct Published {
    /// From the start of the program to its end, in seconds.
    pub whole: f64,
    /// The parts of that, as the program tells them.
    pub parts: Parts,
    /// The most memory that was resident, in bytes; unknown where there is no `/proc`.
    pub peak_memory: Option<u64>,
    /// LM.
    pub loss: f64,
    /// Students that are not released.
    pub left_out: u64,
    /// How many different trees students show.
    pub classes: u64,
}

/// The parts of a release, in seconds.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Parts {
    /// Reading the tables.
    pub load: f64,
    /// Finding the rows of each student.
    pub join: f64,
    /// Gathering students.
    pub search: f64,
    /// Masking, sorting and recounting.
    pub audit: f64,
    /// Writing and syncing.
    pub write: f64,
}

/// What the program prints, as far as it is of use here.
#[derive(Debug, Deserialize)]
struct Answer {
    seconds: Parts,
    certificate: Certificate,
}

#[derive(Debug, Deserialize)]
struct Certificate {
    persons: Counted,
    classes: u64,
    information_loss: f64,
}

#[derive(Debug, Deserialize)]
struct Counted {
    left_out: u64,
}

impl Program {
    /// Builds it as the bench itself was built, and finds it beside the bench.
    pub fn build() -> Result<Program> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut build = Command::new(cargo);
        build
            .args(["build", "--quiet", "-p", "scumble-cli"])
            .current_dir(workspace());
        if !cfg!(debug_assertions) {
            build.arg("--release");
        }
        if !build.status()?.success() {
            return Err("the program could not be built".into());
        }
        let path = std::env::current_exe()?.with_file_name(format!("scumble{EXE_SUFFIX}"));
        match path.is_file() {
            true => Ok(Program { path }),
            false => Err("the program is not beside the bench; start the bench with `cargo run`".into()),
        }
    }

    /// Publishes into a new folder, on so many threads; on as many as there are cores unless told.
    pub fn publish(&self, policy: &Path, out: &Path, threads: Option<usize>) -> Result<Published> {
        let mut command = Command::new(&self.path);
        command.arg("publish").arg(policy).arg("--json").arg("--out").arg(out);
        on_threads(&mut command, threads)
            .stdin(Stdio::null())
            .stdout(Stdio::piped());
        let start = Instant::now();
        let (output, peak_memory) = watched(command.spawn()?)?;
        let whole = start.elapsed().as_secs_f64();
        if !output.status.success() {
            let why = String::from_utf8_lossy(&output.stdout);
            return Err(format!("a release failed ({}): {why}", output.status).into());
        }
        Published::new(&output.stdout, whole, peak_memory)
    }
}

impl Published {
    fn new(printed: &[u8], whole: f64, peak_memory: Option<u64>) -> Result<Published> {
        let Answer { seconds, certificate } = serde_json::from_slice(printed)?;
        Ok(Published {
            whole,
            parts: seconds,
            peak_memory,
            loss: certificate.information_loss,
            left_out: certificate.persons.left_out,
            classes: certificate.classes,
        })
    }
}

/// Waits until a process ends; tells what it printed and the most memory that was resident in it.
fn watched(process: Child) -> Result<(Output, Option<u64>)> {
    let status = format!("/proc/{}/status", process.id());
    let ended = AtomicBool::new(false);
    thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            let mut peak = None;
            while !ended.load(Ordering::Relaxed) {
                let status = std::fs::read_to_string(&status).unwrap_or_default();
                peak = peak.max(high_water_mark(&status));
                thread::sleep(LOOK_EVERY);
            }
            peak
        });
        let output = process.wait_with_output();
        ended.store(true, Ordering::Relaxed);
        let peak = watcher.join().map_err(|_| "the watcher of a process panicked")?;
        Ok((output?, peak))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_from_what_the_program_prints() {
        let printed = br#"{
            "folder": "out",
            "certificate": {
                "version": 1,
                "persons": { "published": 998, "left_out": 2 },
                "classes": 180,
                "tables": [],
                "information_loss": 0.25,
                "discernibility": 5000
            },
            "seconds": { "load": 0.5, "join": 0.25, "search": 3.0, "audit": 1.0, "write": 0.125 }
        }"#;
        let published = Published::new(printed, 5.0, Some(1 << 20)).unwrap();
        assert_eq!(
            (published.whole, published.parts.search, published.loss),
            (5.0, 3.0, 0.25)
        );
        assert_eq!((published.left_out, published.classes), (2, 180));
        assert!(Published::new(b"{\"error\": \"no table\"}", 1.0, None).is_err());
    }

    /// A process that holds 64 MB for a while.
    #[cfg(target_os = "linux")]
    #[test]
    fn the_memory_of_a_process_is_seen_while_it_runs() {
        let script = "s = bytearray(64 << 20); import time; time.sleep(0.2); print(len(s))";
        let process = Command::new("python3")
            .args(["-c", script])
            .stdout(Stdio::piped())
            .spawn();
        // Where there is no Python, there is no process to look at.
        let Ok(process) = process else { return };
        let (output, peak) = watched(process).unwrap();
        assert_eq!(output.stdout, b"67108864\n");
        assert!(peak.unwrap() >= 64 << 20, "{peak:?}");
    }
}
