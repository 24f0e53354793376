//! Progress on a terminal, silence in a pipe, and Ctrl-C as a polite request.

use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, HumanDuration, ProgressBar, ProgressStyle};
use scumble::{Amount, Event, Meter, RoundEnd, Standing, Watch};

/// How finely the bar shows a share.
const LINES: u64 = 1000;

/// Watches the work for the user.
pub struct Progress {
    /// What is shown of the present stage; `None` where nobody looks.
    shown: Option<Mutex<Shown>>,
    speaks: bool,
    stop: Arc<AtomicBool>,
}

/// A bar that follows the events of a run.
struct Shown {
    bar: ProgressBar,
    /// Whether the bar shows a share, or only that work goes on.
    has_share: bool,
    meter: Meter,
    start: Instant,
    /// The names of the parties, if there are any.
    parties: Vec<String>,
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
            shown: shows.then(|| Mutex::new(Shown::new())),
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

    /// From now on parties are called by these names, in the order of their agreement.
    pub fn name_parties(&self, names: Vec<String>) {
        if let Some(Ok(mut shown)) = self.shown.as_ref().map(Mutex::lock) {
            shown.parties = names;
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        if let Some(Ok(shown)) = self.shown.as_ref().map(Mutex::lock) {
            shown.bar.finish_and_clear();
        }
    }
}

impl Watch for Progress {
    fn event(&self, event: &Event) {
        if let Some(Ok(mut shown)) = self.shown.as_ref().map(Mutex::lock) {
            shown.note(event);
        }
    }

    fn should_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

impl Shown {
    fn new() -> Self {
        Shown {
            bar: ProgressBar::hidden(),
            has_share: false,
            meter: Meter::default(),
            start: Instant::now(),
            parties: Vec::new(),
        }
    }

    fn note(&mut self, event: &Event) {
        let now = self.start.elapsed();
        self.meter.note(event, now);
        let Some(standing) = self.meter.standing(now) else {
            return self.bar.finish_and_clear();
        };
        let is_other = matches!(event, Event::Begun { .. } | Event::Ended { .. });
        if is_other || standing.share.is_some() != self.has_share {
            self.begin(standing.share.is_some());
        }
        if let Some(share) = standing.share {
            self.bar.set_position((share * LINES as f64) as u64);
        }
        self.bar.set_message(line(&standing, &self.parties));
    }

    /// A new bar.
    fn begin(&mut self, has_share: bool) {
        self.bar.finish_and_clear();
        let (bar, template) = if has_share {
            (ProgressBar::new(LINES), "{bar:40} {msg}")
        } else {
            (ProgressBar::new_spinner(), "{spinner} {elapsed} {msg}")
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(100));
        (self.bar, self.has_share) = (bar, has_share);
    }
}

/// Where a run stands, in a line.
fn line(standing: &Standing, parties: &[String]) -> String {
    let mut line = standing.stage.to_string();
    if let Some(phase) = standing.phase {
        let _ = write!(line, ", {phase}");
    }
    match (standing.done, standing.total, standing.share) {
        (Some(done), Some(total), _) => {
            let _ = write!(line, ": {} of {}", amount(done), amount(total));
        }
        (Some(done), None, _) => {
            let _ = write!(line, ": {}", amount(done));
        }
        (None, _, Some(share)) => {
            let _ = write!(line, ": {:.0} %", share * 100.0);
        }
        (None, _, None) => {}
    }
    if let Some((number, loss)) = standing.step {
        let _ = write!(line, "; step {number}");
        if let Some(loss) = loss {
            let _ = write!(line, ", loss {loss:.4}");
        }
        for level in &standing.levels {
            let _ = write!(line, ", {} {:.4}", level.template, Trimmed(level.level));
        }
    }
    if let Some((number, party, came_to)) = standing.round {
        let name = parties.get(party).map_or("a party", String::as_str);
        let what = match came_to {
            RoundEnd::Won => "bids most",
            RoundEnd::Refused => "is refused",
            RoundEnd::Refined => "refines",
        };
        let _ = write!(line, "; round {number}: {name} {what}");
    }
    if let Some((sent, received)) = standing.traffic {
        let _ = write!(line, "; {} sent, {} received", HumanBytes(sent), HumanBytes(received));
    }
    if let Some(left) = standing.left {
        let _ = write!(line, "; {} left", HumanDuration(left));
    }
    line
}

fn amount(amount: Amount) -> String {
    match amount {
        Amount::Bytes(bytes) => HumanBytes(bytes).to_string(),
        Amount::Rows(rows) => format!("{rows} rows"),
    }
}

/// A number without digits that say nothing.
struct Trimmed(f64);

impl std::fmt::Display for Trimmed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let digits = f.precision().unwrap_or(4);
        if self.0.fract() == 0.0 {
            write!(f, "{:.0}", self.0)
        } else {
            write!(f, "{:.digits$}", self.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scumble::Stage;

    fn standing(events: &[Event], seconds: u64) -> String {
        let mut meter = Meter::default();
        events.iter().for_each(|event| meter.note(event, Duration::ZERO));
        let standing = meter.standing(Duration::from_secs(seconds)).unwrap();
        line(&standing, &["bank".to_owned(), "clinic".to_owned()])
    }

    fn begun(stage: Stage, total: Option<Amount>) -> Event {
        Event::Begun { stage, total }
    }

    #[test]
    fn a_line_says_how_far_reading_is_and_how_long_it_may_take() {
        let begun = begun(Stage::Reading, Some(Amount::Bytes(4096)));
        let by = Amount::Bytes(1024);
        assert_eq!(standing(std::slice::from_ref(&begun), 5), "reading");
        let line = standing(&[begun, Event::Advanced { by }], 5);
        assert_eq!(line, "reading: 1.00 KiB of 4.00 KiB; 15 seconds left");
    }

    #[test]
    fn a_line_says_what_a_long_method_does() {
        let phase = Event::Phase {
            phase: "improving groups",
            share: 0.5,
        };
        let line = standing(&[begun(Stage::Searching, None), phase], 7);
        assert_eq!(line, "searching, improving groups: 50 %; 7 seconds left");
    }

    #[test]
    fn a_line_says_which_step_a_search_has_taken() {
        let step = Event::Step {
            number: 41,
            loss: Some(0.25),
            levels: Vec::new(),
        };
        let line = standing(&[begun(Stage::Searching, None), step], 7);
        assert_eq!(line, "searching; step 41, loss 0.2500");
    }

    #[test]
    fn a_line_names_the_party_of_a_round() {
        let round = Event::Round {
            number: 3,
            party: 1,
            came_to: RoundEnd::Refused,
        };
        let traffic = Event::Traffic { sent: 10, received: 20 };
        let line = standing(&[begun(Stage::SearchingTogether, None), round, traffic], 7);
        let expected = "searching together; round 3: clinic is refused; 10 B sent, 20 B received";
        assert_eq!(line, expected);
    }
}
