//! What a run tells, and what a meter makes of it.

use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use scumble_progress::{Amount, Event, Interrupted, Level, Meter, RoundEnd, Running, Stage, Unwatched, Watch, Work};
use serde_json::json;

/// Keeps what it hears; asks to stop once it has heard so much.
#[derive(Default)]
struct Heard {
    events: Mutex<Vec<Event>>,
    stop_after: Option<usize>,
}

impl Heard {
    fn events(&self) -> Vec<Event> {
        self.events.lock().unwrap().clone()
    }

    fn shares(&self) -> Vec<f64> {
        let share = |event| match event {
            Event::Phase { share, .. } => Some(share),
            _ => None,
        };
        self.events().into_iter().filter_map(share).collect()
    }
}

impl Watch for Heard {
    fn event(&self, event: &Event) {
        self.events.lock().unwrap().push(event.clone());
    }

    fn should_stop(&self) -> bool {
        self.stop_after
            .is_some_and(|most| self.events.lock().unwrap().len() > most)
    }
}

fn seconds(count: u64) -> Duration {
    Duration::from_secs(count)
}

#[test]
fn the_names_in_json_are_these() {
    let levels = vec![Level {
        template: "anonymity",
        level: 7.0,
    }];
    let events = [
        (
            Event::Begun {
                stage: Stage::ReadingEarlier,
                total: Some(Amount::Bytes(10)),
            },
            json!({ "event": "begun", "stage": "reading-earlier", "total": { "bytes": 10 } }),
        ),
        (
            Event::Advanced { by: Amount::Rows(3) },
            json!({ "event": "advanced", "by": { "rows": 3 } }),
        ),
        (
            Event::Phase {
                phase: "growing",
                share: 0.5,
            },
            json!({ "event": "phase", "phase": "growing", "share": 0.5 }),
        ),
        (
            Event::Step {
                number: 2,
                loss: Some(0.25),
                levels,
            },
            json!({
                "event": "step", "number": 2, "loss": 0.25,
                "levels": [{ "template": "anonymity", "level": 7.0 }],
            }),
        ),
        (
            Event::Round {
                number: 1,
                party: 0,
                came_to: RoundEnd::Won,
            },
            json!({ "event": "round", "number": 1, "party": 0, "came_to": "won" }),
        ),
        (
            Event::Traffic { sent: 1, received: 2 },
            json!({ "event": "traffic", "sent": 1, "received": 2 }),
        ),
        (
            Event::Ended { stage: Stage::Writing },
            json!({ "event": "ended", "stage": "writing" }),
        ),
    ];
    for (event, expected) in events {
        assert_eq!(serde_json::to_value(&event).unwrap(), expected);
    }
}

#[test]
fn every_stage_has_words_and_a_name_of_its_own() {
    let mut words: Vec<String> = Stage::ALL.iter().map(ToString::to_string).collect();
    let mut names: Vec<String> = Stage::ALL.iter().map(|stage| json!(stage).to_string()).collect();
    for told in [&mut words, &mut names] {
        told.sort();
        told.dedup();
        assert_eq!(told.len(), Stage::ALL.len());
    }
}

#[test]
fn shares_of_parts_are_shares_of_the_whole_and_end_at_one() {
    let heard = Heard::default();
    let outcome: Result<(), Interrupted> = Stage::Searching.run(&heard, |work| {
        let first = work.phase("first", 0.0..0.5);
        first.done(1, 2);
        let second = work.phase("second", 0.5..1.0);
        second.part(0.5..1.0).at(0.5);
        Ok(())
    });
    assert_eq!(outcome, Ok(()));
    let phase = |phase, share| Event::Phase { phase, share };
    let expected = [
        Event::Begun {
            stage: Stage::Searching,
            total: None,
        },
        phase("first", 0.0),
        phase("first", 0.25),
        phase("second", 0.5),
        phase("second", 0.875),
        phase("second", 1.0),
        Event::Ended {
            stage: Stage::Searching,
        },
    ];
    assert_eq!(heard.events(), expected);
}

#[test]
fn a_share_never_falls_whatever_is_told_by_whichever_thread() {
    let heard = Heard::default();
    let running = Running::begin(&heard, Stage::Searching, None);
    let work = running.work().phase("together", 0.0..1.0);
    let counter = work.count(40_000);
    thread::scope(|scope| {
        for thread in 0..4 {
            let counter = &counter;
            scope.spawn(move || {
                for turn in 0..10_000 {
                    counter.add(1);
                    // Nonsense is told too.
                    work.at([f64::NAN, -1.0, 0.001][(turn + thread) % 3]);
                }
            });
        }
    });
    running.done();
    let shares = heard.shares();
    assert!(shares.is_sorted(), "{shares:?}");
    assert_eq!(shares.last(), Some(&1.0));
    assert!(shares.len() < 1_000, "{} shares told", shares.len());
}

#[test]
fn work_that_fails_ends_without_being_done() {
    let heard = Heard {
        stop_after: Some(2),
        ..Heard::default()
    };
    let stopped: Result<(), Interrupted> = Stage::Searching.run(&heard, |work| {
        let work = work.phase("only", 0.0..1.0);
        (0..10).try_for_each(|turn| {
            work.done(turn, 10);
            work.go_on()
        })
    });
    assert_eq!(stopped, Err(Interrupted));
    assert!(heard.shares().iter().all(|&share| share < 1.0));
    let ended = Event::Ended {
        stage: Stage::Searching,
    };
    assert_eq!(heard.events().last(), Some(&ended));
}

#[test]
fn work_without_a_phase_tells_no_share() {
    let heard = Heard::default();
    let running = Running::begin(&heard, Stage::Auditing, None);
    running.work().part(0.0..0.5).at(0.5);
    running.done();
    assert_eq!(heard.shares(), [] as [f64; 0]);
}

#[test]
fn nobody_stops_work_that_nobody_watches() {
    assert_eq!(Work::unwatched().go_on(), Ok(()));
    assert!(!Unwatched.should_stop());
}

#[test]
fn a_meter_goes_on_as_the_stage_went_so_far() {
    let mut meter = Meter::default();
    assert_eq!(meter.standing(seconds(0)), None);
    let begun = Event::Begun {
        stage: Stage::Reading,
        total: Some(Amount::Bytes(100)),
    };
    meter.note(&begun, seconds(1));
    assert_eq!(meter.standing(seconds(2)).unwrap().left, None);
    meter.note(&Event::Advanced { by: Amount::Bytes(60) }, seconds(3));
    let standing = meter.standing(seconds(7)).unwrap();
    assert_eq!(standing.done, Some(Amount::Bytes(60)));
    assert_eq!(standing.share, Some(0.6));
    assert_eq!((standing.elapsed, standing.left), (seconds(6), Some(seconds(4))));
    meter.note(&Event::Ended { stage: Stage::Reading }, seconds(8));
    assert_eq!(meter.standing(seconds(9)), None);
}

#[test]
fn a_meter_comes_back_to_the_stage_around_one_that_ended() {
    let begun = |stage| Event::Begun { stage, total: None };
    let mut meter = Meter::default();
    meter.note(&begun(Stage::ReadingEarlier), seconds(0));
    meter.note(&begun(Stage::Reading), seconds(1));
    assert_eq!(meter.standing(seconds(2)).unwrap().stage, Stage::Reading);
    meter.note(&Event::Ended { stage: Stage::Reading }, seconds(3));
    let standing = meter.standing(seconds(4)).unwrap();
    assert_eq!((standing.stage, standing.elapsed), (Stage::ReadingEarlier, seconds(4)));
    // An end that was never heard of is that of all within.
    meter.note(&begun(Stage::Reading), seconds(5));
    let ended = Event::Ended {
        stage: Stage::ReadingEarlier,
    };
    meter.note(&ended, seconds(6));
    assert_eq!(meter.standing(seconds(6)), None);
}

#[test]
fn a_total_of_another_kind_or_of_nothing_gives_no_share() {
    for total in [None, Some(Amount::Rows(5)), Some(Amount::Bytes(0))] {
        let mut meter = Meter::default();
        let stage = Stage::Reading;
        meter.note(&Event::Begun { stage, total }, seconds(0));
        meter.note(&Event::Advanced { by: Amount::Bytes(5) }, seconds(1));
        let standing = meter.standing(seconds(2)).unwrap();
        assert_eq!((standing.share, standing.left), (None, None), "{total:?}");
    }
}

#[test]
fn a_meter_keeps_the_last_step_and_round() {
    let mut meter = Meter::default();
    let stage = Stage::SearchingTogether;
    meter.note(&Event::Begun { stage, total: None }, seconds(0));
    let levels = vec![Level {
        template: "diversity",
        level: 2.0,
    }];
    let step = Event::Step {
        number: 9,
        loss: None,
        levels: levels.clone(),
    };
    meter.note(&step, seconds(1));
    let round = Event::Round {
        number: 3,
        party: 1,
        came_to: RoundEnd::Refined,
    };
    meter.note(&round, seconds(1));
    meter.note(&Event::Traffic { sent: 4, received: 5 }, seconds(1));
    let standing = meter.standing(seconds(2)).unwrap();
    assert_eq!(standing.step, Some((9, None)));
    assert_eq!(standing.levels, levels);
    assert_eq!(standing.round, Some((3, 1, RoundEnd::Refined)));
    assert_eq!(standing.traffic, Some((4, 5)));
}
