//! Parsing side by side: every worker takes the next block of a file, cuts it itself and parses it.
//!
//! Cutting is under a lock, so there is no thread that only reads, and there are no more blocks in memory than
//! workers. Blocks are handed out in order, and none after a failure; so every block before a failed one is parsed,
//! and the failure that is reported is the first of the file, on any number of threads.

use std::{
    panic,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use super::blocks::{Block, Blocks};
use super::keep::{Keep, Worker};
use crate::Watch;
use crate::error::ReadError;

/// Parses all blocks of a file into as many workers as the thread pool has threads.
pub(super) fn parse_blocks<'k>(
    blocks: &mut Blocks,
    keep: &'k Keep<'k>,
    watch: &dyn Watch,
    parse: impl Fn(&Block, &mut Worker<'k>) -> Result<(), ReadError> + Sync,
) -> Result<Vec<Worker<'k>>, ReadError> {
    let threads = rayon::current_num_threads().min(blocks.expected());
    let queue = Queue {
        blocks: Mutex::new(blocks),
        failed: AtomicBool::new(false),
        watch,
    };
    let work = || queue.work(keep.worker(), &parse);
    let outcomes: Vec<_> = thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let own = work();
        let others = others
            .into_iter()
            .map(|other| other.join().unwrap_or_else(|cause| panic::resume_unwind(cause)));
        std::iter::once(own).chain(others).collect()
    });
    let first_failure = |a: Failure, b: Failure| if b.place < a.place { b } else { a };
    let (workers, failures): (Vec<_>, Vec<_>) = outcomes.into_iter().partition(Result::is_ok);
    match failures.into_iter().filter_map(Result::err).reduce(first_failure) {
        Some(failure) => Err(failure.error),
        None => Ok(workers.into_iter().flatten().collect()),
    }
}

/// The blocks that no worker has taken yet.
struct Queue<'q> {
    blocks: Mutex<&'q mut Blocks>,
    failed: AtomicBool,
    watch: &'q dyn Watch,
}

/// What went wrong with the block at a place.
struct Failure {
    place: usize,
    error: ReadError,
}

impl Queue<'_> {
    fn work<'k>(
        &self,
        mut worker: Worker<'k>,
        parse: &impl Fn(&Block, &mut Worker<'k>) -> Result<(), ReadError>,
    ) -> Result<Worker<'k>, Failure> {
        let mut block = Block::default();
        let mut parse_all = || {
            while self.take(&mut block)? {
                parse(&block, &mut worker)?;
                worker.end_block(block.place);
            }
            Ok(())
        };
        let outcome = parse_all();
        match outcome {
            Ok(()) => Ok(worker),
            Err(error) => {
                self.failed.store(true, Ordering::Relaxed);
                Err(Failure {
                    place: block.place,
                    error,
                })
            }
        }
    }

    /// Replaces `block` by the next one; `false` if there is none or another worker has failed.
    fn take(&self, block: &mut Block) -> Result<bool, ReadError> {
        let mut blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        block.place = blocks.next_place();
        if self.watch.should_stop() {
            let origin = blocks.origin().clone();
            return Err(ReadError::Interrupted { origin });
        }
        let is_taken = !self.failed.load(Ordering::Relaxed) && blocks.next_into(block)?;
        blocks.tell(self.watch);
        Ok(is_taken)
    }
}
