//! A [`Tally`] of what one party sends and receives while the parties search together, from its transcript.
//!
//! A round begins with a secure maximum. It ends when the winner refines, is refused, or has nothing left to refine.
//!
//! | event | bytes | |
//! |---|---|---|
//! | the class was sent | 100 | before the first round, so not of it |
//! | secure maximum | 70 | round 1 begins |
//! | instruction received | 5 | |
//! | refined | | round 1: 75 bytes |

use std::path::Path;

use crate::Result;
use scumble::results::TranscriptEvent as Event;
use serde::{Deserialize, Serialize};

/// What was sent and received, by round and by question.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    /// The bytes of each round, both ways.
    pub rounds: Vec<u64>,
    /// The questions about secrets that took a secure computation.
    pub questions: Vec<Question>,
}

/// What it took to find out whether a refinement is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// How long it took.
    pub seconds: f64,
    /// Bytes, both ways.
    pub bytes: u64,
}

impl Tally {
    /// That of a transcript. Its first line says who took part, every other one is an event.
    pub fn of_transcript(path: &Path) -> Result<Tally> {
        let text = std::fs::read_to_string(path)?;
        let events = text.lines().skip(1).map(|line| Ok(serde_json::from_str(line)?));
        Ok(Tally::of(&events.collect::<Result<Vec<Event>>>()?))
    }

    fn of(events: &[Event]) -> Tally {
        let mut count = Count::default();
        events.iter().for_each(|event| count.note(event));
        count.tally
    }
}

/// A tally that is being kept.
#[derive(Default)]
struct Count {
    tally: Tally,
    /// The bytes so far of the round that goes on.
    open: Option<u64>,
}

impl Count {
    fn note(&mut self, event: &Event) {
        match event {
            Event::Computed {
                what,
                sent,
                received,
                seconds,
                ..
            } => self.computed(what, (sent + received) as u64, *seconds),
            Event::Sent { bytes, .. } | Event::Received { bytes, .. } => self.add(*bytes as u64),
            Event::Refined { .. } | Event::Refused { .. } | Event::Finished { .. } => {
                self.tally.rounds.extend(self.open.take());
            }
            _ => {}
        }
    }

    fn computed(&mut self, what: &str, bytes: u64, seconds: f64) {
        match what {
            Event::MAXIMUM => self.open = Some(0),
            Event::CONSENT => self.tally.questions.push(Question { seconds, bytes }),
            _ => {}
        }
        self.add(bytes);
    }

    fn add(&mut self, bytes: u64) {
        if let Some(open) = &mut self.open {
            *open += bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn computed(what: &str, bytes: usize) -> Event {
        Event::Computed {
            what: what.to_owned(),
            with: vec![1],
            messages: 2,
            sent: bytes - 1,
            received: 1,
            seconds: 0.5,
        }
    }

    fn sent(bytes: usize) -> Event {
        Event::Sent {
            to: 1,
            what: "something".to_owned(),
            bytes,
        }
    }

    fn received(bytes: usize) -> Event {
        Event::Received {
            from: 1,
            what: "something".to_owned(),
            bytes,
        }
    }

    /// Round 1 is refined, round 2 is refused after a question, round 3 is the last.
    #[test]
    fn a_round_has_the_bytes_from_its_maximum_to_its_end() {
        let refused = Event::Refused { round: 2, by: 0 };
        let refined = Event::Refined {
            round: 1,
            by: 1,
            followed: None,
        };
        let finished = Event::Finished {
            rounds: 3,
            refinements: 1,
        };
        let told = Tally::of(&[
            sent(100),
            computed(Event::MAXIMUM, 70),
            received(5),
            refined,
            computed(Event::MAXIMUM, 71),
            sent(3),
            computed(Event::CONSENT, 900),
            sent(1),
            refused,
            computed(Event::MAXIMUM, 72),
            received(1),
            finished,
            sent(5000),
        ]);
        assert_eq!(told.rounds, [75, 975, 73]);
        let question = Question {
            seconds: 0.5,
            bytes: 900,
        };
        assert_eq!(told.questions, [question]);
    }

    /// With a bound on the steps, the search ends between two rounds.
    #[test]
    fn a_search_that_stops_between_rounds_adds_none() {
        let finished = Event::Finished {
            rounds: 0,
            refinements: 0,
        };
        assert_eq!(Tally::of(&[sent(9), finished]), Tally::default());
    }
}
