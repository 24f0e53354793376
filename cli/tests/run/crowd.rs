//! Two publishers in one folder, and runs that are killed at any moment: nothing is mixed, nothing is lost, nothing stays.
//!
//! Each test does a few rounds. `SCUMBLE_ROUNDS=500` asks for more, `SCUMBLE_SEED` for others.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use fastrand::Rng;

use crate::desk::{Desk, Ended};

/// The files under a folder, with what they hold.
type Files = BTreeMap<String, Vec<u8>>;

/// What is in the folder of every release, and is not of it.
const STRANGER: &str = "notes.csv";

fn rounds() -> usize {
    let asked = std::env::var("SCUMBLE_ROUNDS").ok();
    asked.and_then(|rounds| rounds.parse().ok()).unwrap_or(20)
}

fn random() -> Rng {
    let asked = std::env::var("SCUMBLE_SEED").ok();
    Rng::with_seed(asked.and_then(|seed| seed.parse().ok()).unwrap_or(1))
}

fn files(folder: &Path) -> Files {
    fn walk(root: &Path, folder: &Path, found: &mut Files) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(root, &path, found);
            } else {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    let mut found = Files::new();
    walk(folder, folder, &mut found);
    found
}

/// A desk with three policies, of one table, of one table otherwise, and of several; and the release of each.
struct Crowd {
    desk: Desk,
    releases: Vec<Files>,
}

const POLICIES: [&str; 3] = ["policy.toml", "other.toml", "university/policy.toml"];

impl Crowd {
    fn new() -> Crowd {
        let desk = Desk::patients();
        desk.must(&["sample", "university", "--out", "university"]);
        let other = desk.read("policy.toml").replace("anonymity = 4", "anonymity = 8");
        desk.put("other.toml", other.as_bytes());
        let release = |policy: &str| {
            desk.must(&["publish", policy, "--out", "alone/out"]);
            let release = files(&desk.path().join("alone/out"));
            fs::remove_dir_all(desk.path().join("alone")).unwrap();
            release
        };
        let releases = POLICIES.map(release).into();
        Crowd { desk, releases }
    }

    fn start(&self, policy: usize, folder: &str, force: bool) -> Child {
        let mut command = self.desk.command();
        command.args(["publish", POLICIES[policy], "--out", folder]);
        command.args(force.then_some("--force"));
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    fn publish(&self, policy: usize, folder: &str, force: bool) -> Ended {
        Ended::of(self.start(policy, folder, force).wait_with_output().unwrap())
    }

    /// Puts a file into a folder that is not of any release.
    fn meet_a_stranger(&self, folder: &str) {
        fs::create_dir_all(self.desk.path().join(folder)).unwrap();
        self.desk.put(&format!("{folder}/{STRANGER}"), b"mine");
    }

    /// What is in a folder, the stranger aside, who must still be there if there was one.
    #[track_caller]
    fn found(&self, folder: &str, has_stranger: bool) -> Files {
        let mut found = files(&self.desk.path().join(folder));
        let stranger = found.remove(STRANGER);
        assert_eq!(stranger.as_deref(), has_stranger.then_some(&b"mine"[..]));
        found
    }

    /// What is in a folder but for what is hidden.
    #[track_caller]
    fn visible(&self, folder: &str, has_stranger: bool) -> Files {
        let mut found = self.found(folder, has_stranger);
        found.retain(|name, _| !name.starts_with(".scumble-"));
        found
    }

    /// Checks that there is one of these releases and nothing else, and clears the place.
    #[track_caller]
    fn whole(&self, home: &str, has_stranger: bool, of: &[usize], told: &str) {
        let found = self.found(&format!("{home}/out"), has_stranger);
        let is_whole = of.iter().any(|&policy| self.releases[policy] == found);
        assert!(is_whole, "{told}: {:?}", found.keys().collect::<Vec<_>>());
        let beside = fs::read_dir(self.desk.path().join(home)).unwrap().count();
        assert_eq!(beside, 1, "{told}: something is left beside the folder");
        fs::remove_dir_all(self.desk.path().join(home)).unwrap();
    }
}

#[test]
fn of_two_publishers_in_one_folder_one_at_a_time_succeeds_and_nothing_is_mixed() {
    let crowd = Crowd::new();
    let mut random = random();
    let (mut both, mut late) = (0, 0);
    for round in 0..rounds() {
        let (force, has_stranger) = (random.bool(), random.bool());
        let policies = [random.usize(..3), random.usize(..3)];
        if has_stranger {
            crowd.meet_a_stranger("home/out");
        } else {
            fs::create_dir(crowd.desk.path().join("home")).unwrap();
        }
        let first = crowd.start(policies[0], "home/out", force);
        thread::sleep(Duration::from_micros(random.u64(..20_000)));
        let second = crowd.start(policies[1], "home/out", force);
        let ended = [first, second].map(|child| Ended::of(child.wait_with_output().unwrap()));
        let told = format!("round {round}, {policies:?}, force {force}, stranger {has_stranger}: {ended:?}");
        for one in &ended {
            match one.code {
                Some(0) => {}
                Some(3) => assert!(one.err.contains("another run is publishing"), "{told}"),
                Some(2) => {
                    assert!(one.err.contains("already exists") && !force, "{told}");
                    late += 1;
                }
                _ => panic!("{told}"),
            }
        }
        let succeeded: Vec<usize> = (0..2).filter(|&one| ended[one].code == Some(0)).collect();
        // With --force the one may replace what the other has just put there.
        assert!(succeeded.len() == 1 || (force && succeeded.len() == 2), "{told}");
        both += succeeded.len() - 1;
        let of: Vec<usize> = succeeded.iter().map(|&one| policies[one]).collect();
        crowd.whole("home", has_stranger, &of, &told);
    }
    println!(
        "{} rounds: {both} times one replaced the other as told, {late} times one came late",
        rounds()
    );
}

/// The first run reads a large table meanwhile. Killed, it leaves its lock and its staging folder, which the next removes.
#[test]
fn a_second_publisher_fails_at_once_and_names_the_folder() {
    let desk = Desk::patients();
    desk.must(&["sample", "census", "--rows", "100000", "--out", "census"]);
    let mut first = desk.command();
    first.args(["publish", "census/policy.toml", "--out", "out"]);
    let mut first = first.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let is_hidden = |name: &String| name.starts_with(".scumble-");
    let begun = Instant::now();
    while !desk
        .list()
        .iter()
        .any(|name| is_hidden(name) && !name.ends_with(".lock"))
    {
        assert!(begun.elapsed() < Duration::from_secs(60), "the first run did not begin");
        thread::sleep(Duration::from_millis(1));
    }
    let second = desk.run(&["publish", "policy.toml", "--force"]);
    assert_eq!(second.code, Some(3), "{second:?}");
    assert!(
        second.err.contains("out: another run is publishing into this folder"),
        "{second:?}"
    );
    first.kill().unwrap();
    first.wait().unwrap();
    assert!(desk.list().iter().any(is_hidden) && !desk.has("out"));
    desk.must(&["publish", "policy.toml"]);
    assert!(!desk.list().iter().any(is_hidden), "{:?}", desk.list());
}

#[test]
fn a_run_that_is_killed_leaves_the_old_release_or_the_new_one_or_no_certificate() {
    let crowd = Crowd::new();
    let mut random = random();
    let (mut old_stayed, mut new_came, mut none, mut done) = (0, 0, 0, 0);
    for round in 0..rounds() {
        let (old, new) = (random.usize(..4), random.usize(..3));
        let (old, has_stranger) = (POLICIES.get(old).map(|_| old), random.bool());
        if has_stranger {
            crowd.meet_a_stranger("home/out");
        } else {
            fs::create_dir(crowd.desk.path().join("home")).unwrap();
        }
        if let Some(old) = old {
            assert_eq!(crowd.publish(old, "home/out", false).code, Some(0));
        }
        let child = crowd.start(new, "home/out", true);
        let was_done = kill(child, &crowd.desk.path().join("home/out"), &mut random);
        done += usize::from(was_done);

        let told = format!("round {round}, {old:?} to {new}, stranger {has_stranger}");
        let visible = if crowd.desk.has("home/out") {
            crowd.visible("home/out", has_stranger)
        } else {
            Files::new()
        };
        if old.is_some_and(|old| visible == crowd.releases[old]) {
            old_stayed += 1;
        } else if visible == crowd.releases[new] {
            new_came += 1;
        } else {
            assert!(
                !visible.contains_key("certificate.json"),
                "{told}: {:?}",
                visible.keys()
            );
            none += 1;
        }
        // What was left without a certificate is no release, so it need not be replaced by force.
        let force = visible.contains_key("certificate.json") || random.bool();
        let next = crowd.publish(new, "home/out", force);
        assert_eq!(next.code, Some(0), "{told}: {next:?}");
        crowd.whole("home", has_stranger, &[new], &told);
    }
    println!(
        "{} rounds: the old release stayed {old_stayed} times, the new one was there {new_came} times, neither {none} \
         times; {done} runs were done before they were killed",
        rounds()
    );
}

/// Kills a run: at any moment, or as soon as it begins to put files in place. Tells whether it was done by then.
fn kill(mut child: Child, folder: &Path, random: &mut Rng) -> bool {
    let wait = if random.bool() {
        Duration::from_micros(random.u64(..150_000))
    } else {
        let begun = Instant::now();
        let unfinished = folder.join(".scumble-unfinished");
        while !unfinished.exists() && begun.elapsed() < Duration::from_secs(20) && child.try_wait().unwrap().is_none() {
            std::hint::spin_loop();
        }
        Duration::from_micros(random.u64(..3_000))
    };
    thread::sleep(wait);
    // It may be done by now, and then there is nobody to kill.
    let _ = child.kill();
    child.wait().unwrap().success()
}
