//! A party that dies, is stopped or falls silent, at whatever moment, ends the run for all, and nobody writes anything.

use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use scumble::policy::Data;
use scumble::{Error, Event, Fault, Identity, Limits, Participation, Together, Watch, read_agreement, take_part};

use super::company::{Company, Running, free_address, wait_until};
use super::wire::{Harm, Wire};
use crate::desk::Ended;

/// Where a party of these tests writes down what happens.
const TRANSCRIPT: &str = "transcript.jsonl";

/// The lines of a transcript so far.
fn lines(company: &Company) -> Vec<String> {
    let text = fs::read_to_string(company.path(TRANSCRIPT)).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

/// A party was ended by what another did: it says so, and names a party.
#[track_caller]
fn ended_by_another(ended: &Ended, names: &[&str]) {
    assert_eq!(ended.code, Some(3), "{ended:?}");
    let is_named = names.iter().any(|name| ended.err.contains(&format!("`{name}`")));
    assert!(is_named, "none of {names:?} is named: {ended:?}");
}

/// Starts all parties, the victim with a transcript, and waits until that has so many lines.
fn start_until(company: &Company, victim: &str, so_many: usize) -> (Running, Vec<Running>) {
    let _ = fs::remove_file(company.path(TRANSCRIPT));
    let others = company.names.iter().filter(|name| *name != victim);
    let others = company.start_all(others, &[]);
    let mut victim = company.start(victim, &[("--transcript", TRANSCRIPT)]);
    wait_until("a line of the transcript", || {
        lines(company).len() >= so_many || victim.has_ended()
    });
    (victim, others)
}

/// From the first line, when all have met, to the last: killed while aligning, in a secure computation, between rounds, while telling, before
/// the last word.
#[test]
fn a_party_that_is_killed_at_any_moment() {
    let company = Company::small(3);
    let (victim, others) = start_until(&company, "clinic", usize::MAX);
    let all: Vec<Ended> = others.into_iter().chain([victim]).map(Running::end).collect();
    company.succeeded(&all);
    let (release, last) = (company.release_of("bank"), lines(&company).len());

    for so_many in (1..=last).step_by(last.div_ceil(9)) {
        let company = Company::small(3);
        let (victim, others) = start_until(&company, "clinic", so_many);
        victim.signal("KILL");
        assert!(matches!(victim.end().code, None | Some(0)));
        let had_agreed = lines(&company).iter().any(|line| line.contains("a last word"));
        for other in others {
            let name = other.name.clone();
            let ended = other.end();
            // Once it said that all had the same release, the others may have heard it.
            if had_agreed && ended.code == Some(0) {
                assert!(company.release_of(&name) == release);
                continue;
            }
            ended_by_another(&ended, &["clinic"]);
            assert!(!company.desk.has(&format!("out-{name}")), "after {so_many} lines");
        }
    }
}

/// How often a party is killed around the moment at which all write; more in `check-long`.
fn kills() -> u64 {
    let set = std::env::var("SCUMBLE_KILLS").ok();
    set.and_then(|set| set.parse().ok()).unwrap_or(20)
}

/// From the first digest of the release that the victim sends to after its goodbye. Whoever is left has the same release, and
/// names all who may not have it; or has none, names who broke off, and says that others may have it.
#[test]
fn a_party_that_is_killed_while_all_write() {
    let release = {
        let company = Company::small(3);
        company.must();
        company.release_of("bank")
    };
    let (mut all_wrote, mut some_wrote, mut none_wrote) = (0, 0, 0);
    for round in 0..kills() {
        let mut rng = fastrand::Rng::with_seed(round);
        let company = Company::small(3);
        let _ = fs::remove_file(company.path(TRANSCRIPT));
        let victim = company.names[rng.usize(0..3)].clone();
        let others = company.start_all(company.names.iter().filter(|name| **name != victim), &[]);
        let mut victim = company.start(&victim, &[("--transcript", TRANSCRIPT)]);
        let word = ["a digest of the release", "a last word", "agreed"][rng.usize(0..3)];
        wait_until("the end of the run", || {
            lines(&company).iter().any(|line| line.contains(word)) || victim.has_ended()
        });
        thread::sleep(Duration::from_micros(rng.u64(0..6_000)));
        victim.signal("KILL");
        let victim_name = victim.name.clone();
        let _ = victim.end();
        let ended: Vec<(String, Ended)> = others
            .into_iter()
            .map(|other| (other.name.clone(), other.end()))
            .collect();
        let wrote = |name: &str| company.desk.has(&format!("out-{name}"));
        for (name, ended) in &ended {
            let what = format!("round {round}, {victim_name} killed after {word}, {name}: {ended:?}");
            let without = company.names.iter().filter(|other| *other != name && !wrote(other));
            if wrote(name) {
                assert_eq!(ended.code, Some(0), "{what}");
                assert!(company.release_of(name) == release, "{what}");
                for other in without {
                    assert!(ended.err.contains(other.as_str()), "{other} is not named; {what}");
                    assert!(ended.err.contains("may not have written"), "{what}");
                }
                continue;
            }
            let names: Vec<&str> = company
                .names
                .iter()
                .filter(|other| *other != name)
                .map(String::as_str)
                .collect();
            ended_by_another(ended, &names);
            if names.iter().any(|other| wrote(other)) {
                assert!(ended.err.contains("may have written"), "{what}");
            }
        }
        match company.names.iter().filter(|name| wrote(name)).count() {
            0 => none_wrote += 1,
            3 => all_wrote += 1,
            _ => some_wrote += 1,
        }
    }
    println!("all wrote in {all_wrote} runs, some in {some_wrote}, none in {none_wrote}");
}

/// What was left behind is in nobody's way: the same command starts over, and ends with the same release.
#[test]
fn a_run_after_a_failure_starts_over() {
    let company = Company::small(2);
    let (victim, others) = start_until(&company, "clinic", 8);
    victim.signal("KILL");
    for other in others {
        ended_by_another(&other.end(), &["clinic"]);
    }
    drop(victim);
    assert_eq!(company.must(), Company::small(2).must());
}

/// A watch that wants to stop after so many events.
struct Impatient {
    left: AtomicUsize,
}

impl Watch for Impatient {
    fn event(&self, event: &Event) {
        // Every event of the transcript is heard with what was sent and received by then.
        if matches!(event, Event::Traffic { .. }) {
            let _ = self.left.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1));
        }
    }

    fn should_stop(&self) -> bool {
        self.left.load(Relaxed) == 0
    }
}

impl Impatient {
    fn after(events: usize) -> Impatient {
        Impatient {
            left: AtomicUsize::new(events),
        }
    }
}

/// Takes part within this process.
fn take_part_as(company: &Company, own: usize, watch: &Impatient) -> Result<Together, Error> {
    let name = &company.names[own];
    let key = |ending: &str| company.path(&format!("keys/{name}.{ending}"));
    take_part(
        &read_agreement(&company.path("agreement.toml"))?,
        &Participation {
            own,
            data: &Data::of_file(company.path(&format!("{name}.csv"))),
            identity: &Identity::read(&key("pem"), &key("key"), &company.path("keys/ca.pem"))?,
            listen: None,
            folder: &company.path(&format!("out-{name}")),
            replace: false,
            transcript: None,
            limits: &Limits::default(),
            watch,
        },
    )
}

/// Someone stops a party after each event of a run in turn, until there is none left: then, and only then, there is a release.
#[test]
fn a_party_that_is_stopped_after_any_event() {
    let mut is_published = false;
    // The first event comes when all have met; a party that is stopped before that is another test.
    let mut events = 1;
    while !is_published {
        let company = Company::small(2);
        let (patient, impatient) = (Impatient::after(usize::MAX), Impatient::after(events));
        let [bank, clinic] = thread::scope(|scope| {
            let bank = scope.spawn(|| take_part_as(&company, 0, &patient));
            let clinic = scope.spawn(|| take_part_as(&company, 1, &impatient));
            [bank, clinic].map(|party| party.join().unwrap())
        });
        is_published = clinic.is_ok();
        match (bank, clinic) {
            (Ok(_), Ok(_)) => assert!(company.release_of("bank") == company.release_of("clinic")),
            (Err(bank), Err(clinic)) => {
                assert_eq!(clinic.fault(), Fault::Interrupted, "after {events} events: {clinic}");
                assert!(bank.to_string().contains("`clinic`"), "after {events} events: {bank}");
                company.nothing_written();
            }
            ends => panic!("after {events} events: {ends:?}"),
        }
        events += 1;
    }
    assert!(events > 20, "{events} are too few events to be all states");
}

/// The wire between two parties is cut in the middle of any frame: of the handshake, of a greeting, of a message.
#[test]
fn a_connection_that_is_cut_at_any_byte() {
    let all = bytes_of_a_run();
    let cuts = [0, 1, 700, 2_500, 4_000, all / 4, all / 2, all * 3 / 4, all * 9 / 10];
    for good in cuts {
        let company = Company::small(2);
        for ended in run_over(&company, good, Harm::Cut, &[("--wait", "3")]) {
            ended_by_another(&ended, &["bank", "clinic"]);
        }
        company.nothing_written();
    }
}

#[test]
fn bytes_that_change_on_the_way() {
    let company = Company::small(2);
    for ended in run_over(&company, bytes_of_a_run() / 2, Harm::Garble, &[]) {
        ended_by_another(&ended, &["bank", "clinic"]);
    }
    company.nothing_written();
}

#[test]
fn a_wire_on_which_nothing_arrives_any_more() {
    let company = Company::small(2);
    for ended in run_over(&company, bytes_of_a_run() / 2, Harm::Hold, &[("--silence", "1")]) {
        ended_by_another(&ended, &["bank", "clinic"]);
        assert!(ended.err.contains("has been silent for 1s"), "{ended:?}");
    }
    company.nothing_written();
}

/// Runs two parties, the first of which listens behind a wire.
fn run_over(company: &Company, good: usize, harm: Harm, flags: &[(&str, &str)]) -> [Ended; 2] {
    run_on_wire(company, good, harm, flags).0
}

fn run_on_wire(company: &Company, good: usize, harm: Harm, flags: &[(&str, &str)]) -> ([Ended; 2], Wire) {
    let behind = free_address();
    let wire = Wire::new(&company.address(0), &behind, good, harm);
    let bank = company.start("bank", &[flags, &[("--listen", &behind)]].concat());
    let clinic = company.start("clinic", flags);
    ([bank, clinic].map(Running::end), wire)
}

/// The bytes of a run that is not harmed.
fn bytes_of_a_run() -> usize {
    let company = Company::small(2);
    let (ended, wire) = run_on_wire(&company, usize::MAX, Harm::Cut, &[]);
    company.succeeded(&ended);
    wire.passed()
}

/// Its process stands still, and so do its signs of life.
#[test]
fn a_party_that_stands_still() {
    let company = Company::small(3);
    let patience = [("--silence", "1")];
    let others = company.start_all(["bank", "shop"].map(str::to_owned).iter(), &patience);
    let clinic = company.start("clinic", &[patience[0], ("--transcript", TRANSCRIPT)]);
    wait_until("a line of the transcript", || lines(&company).len() >= 6);
    clinic.signal("STOP");
    for other in others {
        ended_by_another(&other.end(), &["clinic"]);
    }
    clinic.signal("CONT");
    ended_by_another(&clinic.end(), &["bank", "shop"]);
    company.nothing_written();
}

#[test]
fn ctrl_c_while_waiting_for_the_others() {
    let company = Company::small(3);
    let bank = company.start("bank", &[]);
    let is_aside = || company.desk.list().iter().any(|name| name.starts_with('.'));
    wait_until("the folder for files on their way", is_aside);
    thread::sleep(Duration::from_millis(200));
    bank.signal("INT");
    let ended = bank.end();
    assert_eq!(ended.code, Some(130), "{ended:?}");
    company.nothing_written();
}

#[test]
fn ctrl_c_while_searching() {
    let company = Company::sample();
    let (employer, others) = start_until(&company, "employer", 0);
    wait_until("the second round", || {
        lines(&company).iter().any(|line| line.contains("refined"))
    });
    employer.signal("INT");
    let ended = employer.end();
    assert_eq!(ended.code, Some(130), "{ended:?}");
    for other in others {
        let ended = other.end();
        ended_by_another(&ended, &["employer"]);
        assert!(ended.err.contains("`employer` gave up: it was stopped"), "{ended:?}");
    }
    company.nothing_written();
}

/// Eight processes; a secure computation among so many takes a while, so there is one refinement.
#[test]
fn eight_parties() {
    let company = Company::small(8);
    company.amend("agreement.toml", "steps = 2", "steps = 1");
    company.must();
}
