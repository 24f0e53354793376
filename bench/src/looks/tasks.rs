//! The [`Desk`]: a folder with a census, an earlier release of it and a school, and all that can be done with them.
//!
//! | file | holds |
//! |---|---|
//! | `census.csv` | the synthetic census |
//! | `earlier.csv` | other columns of the same people, as they are |
//! | `ages.csv` | a taxonomy over the ages |
//! | `school/` | students, their courses and books |
//!
//! A task publishes by a policy of its own, or does something with what was published by an earlier one. Each is done once.

use std::fs::{self, File};
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use scumble::{
    Adversary, Builder, Evaluate, FileSource, Options, Policy, Questions, Ranges, SudaSetting, Unwatched, Watch,
    attack_database, attack_file, attack_join, audit_database, audit_file, build_taxonomy, check_taxonomy,
    evaluate_file, inspect, publish,
};
use scumble_sample::census;

use crate::Result;
use crate::entities::{School, Way};

/// How many rows a student of the school has.
const ROWS_OF_A_STUDENT: usize = 19;

/// Something that can be done under a watch.
type Task<'d> = Box<dyn Fn(&dyn Watch) -> Result<()> + 'd>;

/// The methods that gather rows, but for `upc`, which has a requirement of its own.
const GATHERING: [&str; 6] = ["local", "toc", "mondrian", "microaggregation", "k-member", "k-member-p"];

/// The input of all tasks.
pub struct Desk {
    folder: PathBuf,
    school: School,
}

impl Desk {
    /// Writes all input into a folder.
    pub fn build(rows: usize, seed: u64, folder: &Path) -> Result<Desk> {
        census(
            rows,
            seed,
            &mut BufWriter::new(File::create_new(folder.join("census.csv"))?),
        )?;
        let desk = Desk {
            folder: folder.to_owned(),
            school: School::build((rows / ROWS_OF_A_STUDENT).max(50), seed, folder.join("school"))?,
        };
        let source = FileSource::new(desk.path("census.csv"));
        let ranges = Builder::EqualWidth(Ranges::new(16)?);
        let ages = build_taxonomy(&source, "age", &ranges, &Unwatched)?;
        fs::write(desk.path("ages.csv"), ages.to_levels())?;
        publish(
            &desk.policy(&earlier_policy())?,
            &desk.options("earlier", false),
            &Unwatched,
        )?;
        fs::rename(desk.path("earlier/released.csv"), desk.path("earlier.csv"))?;
        Ok(desk)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn policy(&self, text: &str) -> Result<Policy> {
        Ok(Policy::parse(text, "policy", &self.folder)?)
    }

    /// Everything that is measured, by name; what reads a release comes after what publishes it.
    pub fn tasks(&self) -> Vec<(String, Task<'_>)> {
        let mut tasks = self.publishing();
        tasks.extend(self.of_files());
        tasks.extend(self.of_persons());
        tasks
    }

    fn publishing(&self) -> Vec<(String, Task<'_>)> {
        let quasi = |method: &str, require: &str| policy_of("quasi", method, require);
        let mut policies: Vec<(&str, String)> = vec![
            ("refine", quasi("name = \"refine\"", K)),
            ("refine, secrets", policy_of("secret", "name = \"refine\"", CONFIDENCE)),
            (
                "refine, row budget",
                quasi("name = \"refine\"\nrows_suppressed_at_most = 0.02", K),
            ),
            (
                "refine, any 3 columns",
                quasi("name = \"refine\"", "anonymity = 20\nof = { any = 3 }"),
            ),
            (
                "refine, classification",
                quasi("name = \"refine\"\nobjective = \"classification\"", K),
            ),
            (
                "refine, population",
                quasi("name = \"refine\"", "k-map = 5\npopulation = \"census.csv\""),
            ),
            ("refine, join", joined_policy()),
            ("full-domain", quasi("name = \"full-domain\"", K)),
            ("anatomy", policy_of("secret", "name = \"anatomy\"", APART)),
            (
                "anatomy, closeness",
                policy_of(
                    "secret",
                    "name = \"anatomy\"",
                    "closeness = 0.1\nabout = \"marital-status\"",
                ),
            ),
            ("upc", policy_of("ranges", "name = \"upc\"", RANGES)),
        ];
        let gathered = GATHERING.map(|name| (name, policy_of("secret", &format!("name = \"{name}\""), DIVERSITY)));
        policies.extend(gathered);
        let task = |(name, text): (&'static str, String)| {
            // What takes longest is measured once for masks and once for groups.
            let is_measured = ["refine", "mondrian", "anatomy"].contains(&name);
            let task: Task = Box::new(move |watch| {
                let options = self.options(&folder_of(name), is_measured);
                publish(&self.policy(&text)?, &options, watch)?;
                Ok(())
            });
            (format!("publish, {name}"), task)
        };
        policies.into_iter().map(task).collect()
    }

    fn options(&self, folder: &str, is_measured: bool) -> Options<'static> {
        let folder: &Path = Box::leak(self.path(folder).into_boxed_path());
        Options {
            folder: Some(folder),
            questions: Questions {
                attack: is_measured,
                evaluate: is_measured.then(everything),
            },
            ..Options::default()
        }
    }

    fn of_files(&self) -> Vec<(String, Task<'_>)> {
        let refine = || self.policy(&policy_of("quasi", "name = \"refine\"", K));
        let released = self.path("refine/released.csv");
        let (census, ages) = (self.path("census.csv"), self.path("ages.csv"));
        let source = FileSource::new(census.clone());
        let joined = self.path("refine-join/released.csv");
        let apart = self.path("anatomy/released.csv");
        let tasks: [(&str, Task); 9] = [
            ("audit", {
                let released = released.clone();
                Box::new(move |watch| Ok(audit_file(&released, &refine()?, None, watch).map(|_| ())?))
            }),
            ("audit, secrets apart", {
                let policy = policy_of("secret", "name = \"anatomy\"", APART);
                Box::new(move |watch| Ok(audit_file(&apart, &self.policy(&policy)?, None, watch).map(|_| ())?))
            }),
            ("audit, join", {
                let joined = joined.clone();
                Box::new(
                    move |watch| Ok(audit_file(&joined, &self.policy(&joined_policy())?, None, watch).map(|_| ())?),
                )
            }),
            ("evaluate", {
                let (census, released) = (census.clone(), released.clone());
                Box::new(move |watch| {
                    Ok(evaluate_file(&census, &released, &refine()?, &everything(), watch).map(|_| ())?)
                })
            }),
            ("attack", {
                let known = source.clone();
                Box::new(move |watch| {
                    let policy = refine()?;
                    let adversary = Adversary {
                        policy: Some(&policy),
                        known: Some(known.clone()),
                        is_population: false,
                        quasi: Vec::new(),
                        sensitive: Vec::new(),
                        taxonomies: Vec::new(),
                        cells: Vec::new(),
                        recoding: None,
                        k: 5,
                        threshold: 0.5,
                    };
                    Ok(attack_file(&released, &adversary, watch).map(|_| ())?)
                })
            }),
            (
                "attack, join",
                Box::new(move |watch| {
                    Ok(attack_join(&joined, &self.policy(&joined_policy())?, None, watch).map(|_| ())?)
                }),
            ),
            ("inspect", {
                let source = source.clone();
                Box::new(move |watch| Ok(inspect(&source, watch).map(|_| ())?))
            }),
            ("taxonomy check", {
                let source = source.clone();
                Box::new(move |watch| Ok(check_taxonomy(&ages, Some((&source, "age")), watch).map(|_| ())?))
            }),
            (
                "taxonomy build",
                Box::new(move |watch| {
                    let ranges = Builder::EqualFrequency(Ranges::new(64)?);
                    Ok(build_taxonomy(&source, "final-weight", &ranges, watch).map(|_| ())?)
                }),
            ),
        ];
        tasks.into_iter().map(|(name, task)| (name.to_owned(), task)).collect()
    }

    fn of_persons(&self) -> Vec<(String, Task<'_>)> {
        let policy = |way: Way, secrets: &str| -> Result<Policy> {
            let text =
                fs::read_to_string(self.school.policy(way))?.replace("[method]", &format!("{secrets}\n[method]"));
            Ok(Policy::parse(&text, "policy", self.school.folder())?)
        };
        let mut tasks: Vec<(String, Task)> = Vec::new();
        for way in Way::ALL {
            for (kind, secrets) in [("", ""), (", secrets", SECRETS)] {
                let name = format!("persons, {way}{kind}");
                let folder = folder_of(&name);
                tasks.push((
                    format!("publish, {name}"),
                    Box::new(move |watch| {
                        publish(&policy(way, secrets)?, &self.persons_options(&folder), watch)?;
                        Ok(())
                    }),
                ));
            }
        }
        let released = self.path(&folder_of("persons, miraclex, secrets"));
        tasks.push(("audit, persons".to_owned(), {
            let released = released.clone();
            Box::new(move |watch| Ok(audit_database(&released, &policy(Way::MiracleX, SECRETS)?, watch).map(|_| ())?))
        }));
        tasks.push((
            "attack, persons".to_owned(),
            Box::new(move |watch| Ok(attack_database(&released, &policy(Way::MiracleX, SECRETS)?, watch).map(|_| ())?)),
        ));
        tasks
    }

    fn persons_options(&self, folder: &str) -> Options<'static> {
        let options = self.options(folder, false);
        Options {
            questions: Questions {
                attack: true,
                evaluate: None,
            },
            ..options
        }
    }
}

fn everything() -> Evaluate {
    Evaluate {
        suda: SudaSetting::Always,
        ..Evaluate::default()
    }
}

/// A folder for a task: letters and hyphens.
fn folder_of(name: &str) -> String {
    name.replace(", ", "-").replace(' ', "-")
}

const K: &str = "anonymity = 50";
const DIVERSITY: &str = "anonymity = 5\n[[require]]\ndiversity = 2\nabout = \"marital-status\"";
const CONFIDENCE: &str = "confidence = 0.7\nabout = { marital-status = \"*\" }";
const APART: &str = "diversity = 2\nabout = \"marital-status\"";
const RANGES: &str = "anonymity = 5\n[[require]]\nrange-diversity = 0.8\nabout = \"hours-per-week\"";
const SECRETS: &str = "[[require]]\ndiversity = 2\nabout = \"courses.grade\"\n\n[[require]]\ncloseness = 0.6\nabout = \"courses.grade\"\n";

/// The columns that have the same role in every policy.
const COLUMNS: &str = r#"
age = { role = "quasi", taxonomy = "ages.csv" }
workclass = { role = "quasi" }
final-weight = { role = "quasi", type = "continuous", range = [0, 500000] }
education = { role = "quasi" }
occupation = { role = "quasi" }
relationship = { role = "quasi" }
race = { role = "quasi" }
sex = { role = "quasi" }
native-country = { role = "quasi" }
class = { role = "class" }
"#;

/// A policy by what is secret, the settings of the method and the requirement.
fn policy_of(secret: &str, method: &str, require: &str) -> String {
    let marital = if secret == "secret" { "sensitive" } else { "quasi" };
    let hours = match secret {
        "ranges" => "{ role = \"sensitive\", type = \"continuous\", range = [0, 100], sensitive_ranges = 10 }",
        _ => "{ role = \"quasi\", type = \"continuous\", range = [0, 100] }",
    };
    format!(
        "data = {{ file = \"census.csv\" }}\n[columns]{COLUMNS}marital-status = {{ role = \"{marital}\" }}\n\
         hours-per-week = {hours}\n[[require]]\n{require}\n[method]\n{method}\n"
    )
}

/// Other columns of the same people, as they are.
fn earlier_policy() -> String {
    "data = { file = \"census.csv\" }\n[columns]\nsex = { role = \"quasi\" }\nrace = { role = \"quasi\" }\n\
     relationship = { role = \"quasi\" }\nnative-country = { role = \"quasi\" }\n[[require]]\nanonymity = 1\n"
        .to_owned()
}

/// This table beside the earlier release.
fn joined_policy() -> String {
    "data = { file = \"census.csv\" }\n[columns]\neducation = { role = \"quasi\" }\nworkclass = { role = \"quasi\" }\n\
     occupation = { role = \"quasi\" }\nrelationship = { role = \"quasi\" }\nsex = { role = \"quasi\" }\n\
     marital-status = { role = \"sensitive\" }\nclass = { role = \"class\" }\n\
     [[earlier]]\nname = \"before\"\nfile = \"earlier.csv\"\non_dangling = \"report\"\n\
     cells = { sex = \"values\", relationship = \"values\" }\n\
     [[require]]\nanonymity = 20\nof = [\"education\", \"workclass\", \"occupation\", \"relationship\", \"sex\", \
     \"before.race\", \"before.native-country\"]\n\
     [[require]]\nconfidence = 0.9\nof = [\"education\", \"occupation\", \"before.race\"]\n\
     about = { marital-status = \"*\" }\n"
        .to_owned()
}
