//! Many cases, on two threads, in an order that does not matter.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use crate::draw::draw;
use crate::findings::Fault;
use crate::run::Program;

/// What many cases came to.
#[derive(Default)]
pub struct Summary {
    /// How many were run.
    pub cases: u64,
    /// In how many there was a release to check.
    pub published: u64,
    /// By promise: the seeds of the cases that break it, with what was seen in each.
    pub faults: BTreeMap<&'static str, Vec<(u64, Fault)>>,
}

const THREADS: usize = 2;

/// A folder for one case, in memory where that is possible: every release is synced to its disk, which takes longer than
/// all the rest.
///
/// # Errors
/// A folder that cannot be made.
pub fn scratch() -> io::Result<tempfile::TempDir> {
    match Path::new("/dev/shm") {
        memory if memory.is_dir() => tempfile::tempdir_in(memory).or_else(|_| tempfile::tempdir()),
        _ => tempfile::tempdir(),
    }
}

/// Runs the cases with these seeds.
///
/// # Errors
/// A folder that cannot be made.
pub fn run(program: &Program, seed: u64, cases: u64) -> io::Result<Summary> {
    let (next, summary) = (AtomicU64::new(0), Mutex::new(Summary::default()));
    let work = || -> io::Result<()> {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= cases {
                return Ok(());
            }
            // Runs with neighbouring seeds have no case in common.
            let seed = seed.wrapping_mul(1_000_000_007).wrapping_add(number);
            let folder = scratch()?;
            let findings = draw(seed).examine(program, &folder.path().join("case"));
            let mut summary = summary.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            summary.cases += 1;
            if summary.cases.is_multiple_of(1000) {
                eprintln!("{} cases, {} rules broken so far", summary.cases, summary.faults.len());
            }
            summary.published += u64::from(findings.published);
            let mut rules: Vec<&'static str> = Vec::new();
            for fault in findings.faults {
                if !rules.contains(&fault.rule) {
                    rules.push(fault.rule);
                    summary.faults.entry(fault.rule).or_default().push((seed, fault));
                }
            }
        }
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..THREADS).map(|_| scope.spawn(work)).collect();
        let mut done = workers
            .into_iter()
            .map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        done.try_for_each(|result| result)
    })?;
    let mut summary = summary.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    // Threads finish in any order.
    summary
        .faults
        .values_mut()
        .for_each(|seeds| seeds.sort_by_key(|(seed, _)| *seed));
    Ok(summary)
}
