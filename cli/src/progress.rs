//! Progress on a terminal, silence in a pipe, and Ctrl-C as a polite request.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use scumble_publish::Watch;

/// Watches the work for the user.
pub struct Progress {
    /// The bar of the present work; `None` where nobody looks.
    bar: Option<Mutex<ProgressBar>>,
    speaks: bool,
    stop: Arc<AtomicBool>,
}

impl Progress {
    /// From now on Ctrl-C asks the work to stop, which leaves nothing half-written.
    pub fn new(speaks: bool) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&stop);
        // A second one ends the program at once; files still appear whole or not at all.
        let handler = move || {
            if seen.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        };
        // Without a handler Ctrl-C ends the program at once, which is safe too.
        let _ = ctrlc::set_handler(handler);
        let shows = speaks && std::io::stderr().is_terminal();
        Progress {
            bar: shows.then(|| Mutex::new(ProgressBar::hidden())),
            speaks,
            stop,
        }
    }

    /// Tells something that is no error.
    pub fn warn(&self, warning: &impl std::fmt::Display) {
        if self.speaks {
            self.finish();
            eprintln!("warning: {warning}");
        }
    }

    /// Tells how far the present work is.
    pub fn say(&self, words: &str) {
        if let Some(Ok(bar)) = self.bar.as_ref().map(Mutex::lock) {
            bar.set_message(words.to_owned());
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar
            && let Ok(bar) = bar.lock()
        {
            bar.finish_and_clear();
        }
    }
}

impl Watch for Progress {
    fn started(&self, work: &str, total_bytes: Option<u64>) {
        let Some(Ok(mut bar)) = self.bar.as_ref().map(Mutex::lock) else {
            return;
        };
        bar.finish_and_clear();
        let (next, template) = match total_bytes {
            Some(total) => (ProgressBar::new(total), "{msg:12} {bar:40} {bytes}/{total_bytes} {eta}"),
            None => (ProgressBar::new_spinner(), "{msg:12} {spinner} {elapsed}"),
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            next.set_style(style);
        }
        next.set_message(work.to_owned());
        next.enable_steady_tick(Duration::from_millis(100));
        *bar = next;
    }

    fn advanced(&self, bytes: u64) {
        if let Some(Ok(bar)) = self.bar.as_ref().map(Mutex::lock) {
            bar.inc(bytes);
        }
    }

    fn should_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
