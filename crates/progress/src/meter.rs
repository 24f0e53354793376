//! A [`Meter`] makes of the events of a run where it stands: how far it is, and how long the present stage may still take.
//!
//! The clock is given, so that the same events and times give the same answer. The estimate goes on as the stage went so far:
//! half done after 10 s, 10 s are left. It is given once a share is known that says anything.
//!
//! | time | event | shows |
//! |---|---|---|
//! | 0 s | reading begins, 100 bytes in all | reading, 0 of 100 bytes |
//! | 6 s | 60 more bytes | 60 of 100 bytes, 4 s left |
//! | 7 s | reading ends | nothing |

use std::time::Duration;

use serde::Serialize;

use crate::{Amount, Event, Level, RoundEnd, Stage};

/// Below this share, an estimate would be a guess.
const ENOUGH: f64 = 0.01;

/// Follows the events of one run.
#[derive(Clone, Debug, Default)]
pub struct Meter {
    /// The stages that go on, each a part of the one before it.
    stages: Vec<Measured>,
}

#[derive(Clone, Debug)]
struct Measured {
    since: Duration,
    standing: Standing,
}

/// Where a run stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// The stage that goes on.
    pub stage: Stage,
    /// What a long method does just now.
    pub phase: Option<&'static str>,
    /// How much is done.
    pub done: Option<Amount>,
    /// How much there is in all, if that is known.
    pub total: Option<Amount>,
    /// The share of the stage that is done, if that is known.
    pub share: Option<f64>,
    /// The last step of the search: its number and the information loss after it.
    pub step: Option<(u64, Option<f64>)>,
    /// What each template measures after it.
    pub levels: Vec<Level>,
    /// The last round of a mashup: its number, whose refinement it was about, and what it came to.
    pub round: Option<(u64, usize, RoundEnd)>,
    /// Bytes sent to and received from the other parties.
    pub traffic: Option<(u64, u64)>,
    /// How long the stage goes on already.
    pub elapsed: Duration,
    /// How long it may still take, where that can be told.
    pub left: Option<Duration>,
}

impl Meter {
    /// Takes note of an event at a time since the run began.
    pub fn note(&mut self, event: &Event, now: Duration) {
        match event {
            Event::Begun { stage, total } => self.stages.push(Measured::new(*stage, *total, now)),
            Event::Ended { stage } => {
                // Whatever began within it is over too.
                if let Some(place) = self.stages.iter().rposition(|open| open.standing.stage == *stage) {
                    self.stages.truncate(place);
                }
            }
            Event::Advanced { .. }
            | Event::Phase { .. }
            | Event::Step { .. }
            | Event::Round { .. }
            | Event::Traffic { .. } => {
                if let Some(stage) = self.stages.last_mut() {
                    stage.note(event);
                }
            }
        }
    }

    /// Where the run stands at a time since it began; `None` between two stages.
    pub fn standing(&self, now: Duration) -> Option<Standing> {
        let stage = self.stages.last()?;
        let elapsed = now.saturating_sub(stage.since);
        Some(Standing {
            elapsed,
            left: stage.standing.share.and_then(|share| left(share, elapsed)),
            ..stage.standing.clone()
        })
    }
}

impl Standing {
    fn rise_to(&mut self, share: Option<f64>) {
        self.share = share.into_iter().chain(self.share).reduce(f64::max);
    }
}

/// How long it still takes if all goes on as it went.
fn left(share: f64, elapsed: Duration) -> Option<Duration> {
    if share < ENOUGH {
        return None;
    }
    Duration::try_from_secs_f64(elapsed.as_secs_f64() * (1.0 - share) / share).ok()
}

impl Measured {
    fn new(stage: Stage, total: Option<Amount>, since: Duration) -> Self {
        Measured {
            since,
            standing: Standing {
                stage,
                phase: None,
                done: None,
                total,
                share: None,
                step: None,
                levels: Vec::new(),
                round: None,
                traffic: None,
                elapsed: Duration::ZERO,
                left: None,
            },
        }
    }

    fn note(&mut self, event: &Event) {
        let standing = &mut self.standing;
        match event {
            Event::Advanced { by } => {
                standing.done = standing.done.map_or(Some(*by), |done| done.plus(*by).or(Some(done)));
                standing.rise_to(share_of(standing.done, standing.total));
            }
            Event::Phase { phase, share } => {
                standing.phase = Some(phase);
                standing.rise_to(Some(share.clamp(0.0, 1.0)));
            }
            Event::Step { number, loss, levels } => {
                standing.step = Some((*number, *loss));
                standing.levels.clone_from(levels);
            }
            Event::Round { number, party, came_to } => standing.round = Some((*number, *party, *came_to)),
            Event::Traffic { sent, received } => standing.traffic = Some((*sent, *received)),
            Event::Begun { .. } | Event::Ended { .. } => {}
        }
    }
}

/// The share that is done, of a total that is not nothing and of the same kind.
fn share_of(done: Option<Amount>, total: Option<Amount>) -> Option<f64> {
    match (done?, total?) {
        (Amount::Bytes(done), Amount::Bytes(total)) | (Amount::Rows(done), Amount::Rows(total)) if total > 0 => {
            Some((done as f64 / total as f64).min(1.0))
        }
        (Amount::Bytes(_) | Amount::Rows(_), Amount::Bytes(_) | Amount::Rows(_)) => None,
    }
}
