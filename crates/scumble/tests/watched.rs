//! A run under a watch: it tells of every stage, comes out as one that nobody watches, and stops at whatever look it is told
//! to, with nothing written.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use rayon::{ThreadPool, ThreadPoolBuilder};
use scumble::{
    Adversary, Error, Evaluate, Event, Fault, Options, Policy, Questions, Stage, SudaSetting, Unwatched, Watch,
    attack_file, audit_database, audit_file, evaluate_database, evaluate_file, publish, read_any_policy,
};
use scumble_progress::Trial;
use tempfile::TempDir;

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// One thread, so that every run looks at the same places in the same order.
fn one_thread() -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(1).build().unwrap()
}

/// All that lies in a folder, by name.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let Ok(entries) = fs::read_dir(folder) else {
        return found;
    };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.insert(path.clone(), fs::read(&path).unwrap());
        }
    }
    found
}

fn names_and_bytes(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let inside = |path: PathBuf| path.strip_prefix(folder).unwrap().to_owned();
    files(folder)
        .into_iter()
        .map(|(path, bytes)| (inside(path), bytes))
        .collect()
}

/// Measures all there is.
fn everything() -> Evaluate {
    Evaluate {
        suda: SudaSetting::Always,
        ..Evaluate::default()
    }
}

fn publish_into(policy: &Policy, folder: &Path, watch: &dyn Watch) -> Result<(), Error> {
    let is_one = policy.persons.is_none();
    let options = Options {
        folder: Some(folder),
        questions: Questions {
            attack: true,
            evaluate: is_one.then(everything),
        },
        ..Options::default()
    };
    publish(policy, &options, watch).map(|_| ())
}

/// Some of the looks of a run: the first and the last, and some between.
fn tried(looks: usize) -> impl Iterator<Item = usize> {
    (0..looks).filter(move |look| *look < 2 || looks - look < 3 || look.is_multiple_of(looks / 9 + 1))
}

/// Publishes under a watch; then stops it at many looks.
fn watched(name: &str, policy: &Policy) {
    let threads = one_thread();
    let desk = TempDir::new().unwrap();
    let run = |folder: &str, watch: &dyn Watch| {
        let folder = desk.path().join(folder);
        threads
            .install(|| publish_into(policy, &folder, watch))
            .map(|()| folder)
    };
    let unwatched = run("unwatched", &Unwatched).unwrap_or_else(|error| panic!("{name}: {error}"));
    let patient = Trial::patient();
    let released = run("watched", &patient).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(names_and_bytes(&released), names_and_bytes(&unwatched), "{name}");
    assert_eq!(patient.fault(), None, "{name}");
    let has = |stage: Stage| {
        let begun = |event: &Event| matches!(event, Event::Begun { stage: begun, .. } if *begun == stage);
        patient.events().iter().any(begun)
    };
    let always = [
        Stage::Reading,
        Stage::Searching,
        Stage::Auditing,
        Stage::Attacking,
        Stage::Writing,
    ];
    assert!(always.into_iter().all(has), "{name}: {:?}", patient.events());
    let before = files(desk.path());
    for look in tried(patient.looks()) {
        let stopped = run("stopped", &Trial::with_patience(look));
        let fault = stopped.as_ref().err().map(Error::fault);
        assert_eq!(
            fault,
            Some(Fault::Interrupted),
            "{name} at look {look} of {}",
            patient.looks()
        );
        assert_eq!(files(desk.path()).len(), before.len(), "{name} at look {look}");
    }
}

fn policy_at(path: &Path) -> Policy {
    read_any_policy(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn every_example_tells_of_itself_and_stops_at_any_look() {
    for path in [
        "bank/policy.toml",
        "patients/policy.toml",
        "clinic/policy.toml",
        "clinic/anatomy.toml",
        "clinic/bounded.toml",
        "clinic/personal.toml",
        "clinic/population.toml",
        "clinic/ranges.toml",
        "releases/policy.toml",
        "university/policy.toml",
    ] {
        watched(path, &policy_at(&examples().join(path)));
    }
}

#[test]
fn every_method_tells_of_itself_and_stops_at_any_look() {
    let desk = TempDir::new().unwrap();
    let clinic = examples().join("clinic");
    for entry in fs::read_dir(&clinic).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "csv") {
            fs::copy(&path, desk.path().join(path.file_name().unwrap())).unwrap();
        }
    }
    let local = fs::read_to_string(clinic.join("local.toml")).unwrap();
    for method in [
        "local",
        "full-domain",
        "toc",
        "mondrian",
        "k-member",
        "microaggregation",
    ] {
        let path = desk.path().join("policy.toml");
        fs::write(
            &path,
            local.replace("name = \"local\"", &format!("name = \"{method}\"")),
        )
        .unwrap();
        watched(method, &policy_at(&path));
    }
}

#[test]
fn every_method_for_several_tables_tells_of_itself_and_stops_at_any_look() {
    let folder = examples().join("university");
    let text = fs::read_to_string(folder.join("policy.toml")).unwrap();
    for method in ["miracle", "miraclex", "bitmap", "entities"] {
        let settings = if method == "entities" {
            ""
        } else {
            "threshold = 0.5\nclimit = 10\n"
        };
        let own = format!("name = \"{method}\"\n{settings}");
        let replaced = text.replace("name = \"miracle\"\nthreshold = 0.5\nclimit = 10\n", &own);
        assert!(replaced.contains(&own), "{replaced}");
        let policy = Policy::parse(&replaced, "policy.toml", &folder);
        watched(method, &policy.unwrap_or_else(|error| panic!("{method}: {error}")));
    }
}

/// Counts how often it is looked at in each stage.
#[derive(Default)]
struct LooksByStage {
    open: Mutex<Vec<Stage>>,
    looks: Mutex<Vec<Stage>>,
}

impl LooksByStage {
    fn in_stage(&self, stage: Stage) -> usize {
        let looks = self.looks.lock().unwrap();
        looks.iter().filter(|own| **own == stage).count()
    }
}

impl Watch for LooksByStage {
    fn event(&self, event: &Event) {
        let mut open = self.open.lock().unwrap();
        match event {
            Event::Begun { stage, .. } => open.push(*stage),
            Event::Ended { .. } => drop(open.pop()),
            _ => {}
        }
    }

    fn should_stop(&self) -> bool {
        self.looks.lock().unwrap().extend(self.open.lock().unwrap().last());
        false
    }
}

/// Between two looks there is the work of one column at most, however many there are: a look before and one after all of them
/// would let a large table go on for seconds.
#[test]
fn masking_and_auditing_look_once_for_every_column() {
    for (path, stage, columns) in [
        ("clinic/local.toml", Stage::Masking, 7),
        ("clinic/anatomy.toml", Stage::Masking, 7),
        ("university/policy.toml", Stage::Auditing, 5),
    ] {
        let desk = TempDir::new().unwrap();
        let watch = LooksByStage::default();
        publish_into(&policy_at(&examples().join(path)), &desk.path().join("out"), &watch).unwrap();
        let looks = watch.in_stage(stage);
        assert!(looks >= columns, "{path}: {looks} looks while {stage}");
    }
}

/// What is done with a release afterwards stops, too.
#[test]
fn an_audit_an_evaluation_and_an_attack_stop_at_any_look() {
    let threads = one_thread();
    let desk = TempDir::new().unwrap();
    let clinic = examples().join("clinic");
    let policy = &policy_at(&clinic.join("policy.toml"));
    let folder = desk.path().join("out");
    publish_into(policy, &folder, &Unwatched).unwrap();
    let released = folder.join("released.csv");
    let adversary = Adversary {
        policy: Some(policy),
        known: None,
        is_population: false,
        quasi: Vec::new(),
        sensitive: Vec::new(),
        taxonomies: Vec::new(),
        cells: Vec::new(),
        recoding: None,
        k: 5,
        threshold: 0.5,
    };
    let evaluate = everything();
    let check = |name: &str, run: &(dyn Fn(&dyn Watch) -> Result<(), Error> + Sync)| {
        let patient = Trial::patient();
        threads
            .install(|| run(&patient))
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(patient.fault(), None, "{name}");
        for look in tried(patient.looks()) {
            let stopped = threads.install(|| run(&Trial::with_patience(look)));
            let fault = stopped.as_ref().err().map(Error::fault);
            assert_eq!(
                fault,
                Some(Fault::Interrupted),
                "{name} at look {look} of {}",
                patient.looks()
            );
        }
    };
    check("audit", &|watch| audit_file(&released, policy, None, watch).map(|_| ()));
    check("evaluate", &|watch| {
        evaluate_file(&released, policy, &evaluate, watch).map(|_| ())
    });
    check("attack", &|watch| attack_file(&released, &adversary, watch).map(|_| ()));
    let university = policy_at(&examples().join("university/policy.toml"));
    let folder = desk.path().join("several");
    publish_into(&university, &folder, &Unwatched).unwrap();
    let drawn = Evaluate::default();
    check("evaluation of several tables", &|watch| {
        evaluate_database(&folder, &university, &drawn, watch).map(|_| ())
    });
    check("audit of several tables", &|watch| {
        audit_database(&folder, &university, watch).map(|_| ())
    });
}
