//! [`Trial`]: a watch for tests, which keeps what it hears and asks to stop after so many looks.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::{Event, Stage, Watch};

/// Keeps what it hears, and asks to stop once it has been looked at so often.
#[derive(Debug)]
pub struct Trial {
    events: Mutex<Vec<Event>>,
    looks: AtomicUsize,
    patience: usize,
}

impl Trial {
    /// Never asks to stop.
    pub fn patient() -> Trial {
        Trial::with_patience(usize::MAX)
    }

    /// Asks to stop at every look after so many.
    pub fn with_patience(looks: usize) -> Trial {
        Trial {
            events: Mutex::new(Vec::new()),
            looks: AtomicUsize::new(0),
            patience: looks,
        }
    }

    /// How often it was looked at.
    pub fn looks(&self) -> usize {
        self.looks.load(Ordering::Relaxed)
    }

    /// What it heard.
    pub fn events(&self) -> Vec<Event> {
        self.events.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What is wrong with the stream: a stage that does not end, or ends and never began; a share that falls, or is not 1
    /// at the end of a stage. Only the first, in words.
    pub fn fault(&self) -> Option<String> {
        let mut open: Vec<(Stage, Option<f64>)> = Vec::new();
        for event in self.events() {
            match (event, open.last_mut()) {
                (Event::Begun { stage, .. }, _) => open.push((stage, None)),
                (Event::Ended { stage }, Some((last, share))) if *last == stage => {
                    if share.is_some_and(|share| share != 1.0) {
                        return Some(format!("{stage} ends at {share:?}"));
                    }
                    open.pop();
                }
                (Event::Phase { share, phase }, Some((stage, last))) => {
                    if !(last.unwrap_or(0.0)..=1.0).contains(&share) {
                        return Some(format!("{stage}, {phase}: {share} after {last:?}"));
                    }
                    *last = Some(share);
                }
                (Event::Ended { .. } | Event::Phase { .. }, _) | (_, None) => {
                    return Some("an event outside its stage".to_owned());
                }
                (
                    Event::Advanced { .. } | Event::Step { .. } | Event::Round { .. } | Event::Traffic { .. },
                    Some(_),
                ) => {}
            }
        }
        open.last().map(|(stage, _)| format!("{stage} does not end"))
    }
}

impl Watch for Trial {
    fn event(&self, event: &Event) {
        let mut events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        events.push(event.clone());
    }

    fn should_stop(&self) -> bool {
        self.looks.fetch_add(1, Ordering::Relaxed) >= self.patience
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(events: &[Event]) -> Option<String> {
        let trial = Trial::patient();
        events.iter().for_each(|event| trial.event(event));
        trial.fault()
    }

    #[test]
    fn a_stream_with_a_fault_is_found_out() {
        let stage = Stage::Searching;
        let (begun, ended) = (Event::Begun { stage, total: None }, Event::Ended { stage });
        let phase = |share| Event::Phase { phase: "one", share };
        let good = [begun.clone(), phase(0.5), phase(0.5), phase(1.0), ended.clone()];
        assert_eq!(fault(&good), None);
        assert_eq!(fault(&[begun.clone(), ended.clone()]), None);
        let bad: [&[Event]; 6] = [
            &good[..4],
            &[begun.clone(), phase(0.5), ended.clone()],
            &[begun.clone(), phase(1.0), phase(0.5), phase(1.0), ended.clone()],
            &[begun.clone(), phase(1.5), ended.clone()],
            &[phase(1.0)],
            &[begun, ended.clone(), ended],
        ];
        for events in bad {
            assert!(fault(events).is_some(), "{events:?}");
        }
    }

    #[test]
    fn it_asks_to_stop_after_so_many_looks() {
        let trial = Trial::with_patience(2);
        assert_eq!([(); 4].map(|()| trial.should_stop()), [false, false, true, true]);
        assert_eq!(trial.looks(), 4);
    }
}
