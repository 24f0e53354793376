//! A [`Run`]: every job measured at every size, in turns.

use std::fs;
use std::path::{Path, PathBuf};

use fastrand::Rng;
use scumble_table::ReleaseFormat;
use serde::Serialize;

use crate::census::Census;
use crate::contenders::Contender;
use crate::enlarge::build;
use crate::facts::Facts;
use crate::job::Published;
use crate::measure::{self, same_bytes};
use crate::requirements::Requirement;
use crate::{Result, Settings, Study};

/// The sensitive column: the one at the top of a decision tree (Top1 of section 5.4.1).
pub const SECRET: &str = "marital-status";

/// The columns of the table and of the earlier release in the study of sequential releases (Set A of section 6.4).
const THIS: [&str; 6] = [
    "education",
    "occupation",
    "workclass",
    "marital-status",
    "relationship",
    "sex",
];
const EARLIER: [&str; 5] = ["marital-status", "relationship", "sex", "native-country", "race"];

/// All that was measured.
#[derive(Debug, Serialize)]
pub struct Run {
    /// Where it was made.
    pub facts: Facts,
    /// What was asked for.
    pub settings: Settings,
    /// The table that was enlarged.
    pub census: &'static str,
    /// One per size, in the order asked for.
    pub sizes: Vec<Size>,
}

/// What was measured on one enlarged table.
#[derive(Debug, Serialize)]
pub struct Size {
    /// Its rows.
    pub rows: usize,
    /// The bytes of its file.
    pub file_bytes: u64,
    /// The bytes of the earlier release, if there is one.
    pub earlier_bytes: u64,
    /// Its releases, one per requirement.
    pub releases: Vec<Release>,
    /// Its copies, one per contender that could make one.
    pub copies: Vec<Copies>,
}

/// Releases for one requirement.
#[derive(Debug, Serialize)]
pub struct Release {
    /// What was required.
    pub requirement: Requirement,
    /// One per repeat.
    pub published: Vec<Published>,
    /// Whether the bytes were the same on another number of threads.
    pub same_on_threads: bool,
    /// The policy file.
    #[serde(skip)]
    policy: PathBuf,
}

/// Copies by one contender.
#[derive(Debug, Serialize)]
pub struct Copies {
    /// Who made them.
    #[serde(flatten)]
    pub contender: Contender,
    /// One per repeat.
    pub seconds: Vec<f64>,
    /// Whether all had the bytes of the original.
    pub same_bytes: bool,
    /// Whether one could not be made.
    pub failed: bool,
}

/// Measures everything that the settings ask for.
pub fn run(settings: &Settings) -> Result<Run> {
    let facts = Facts::gather();
    let scratch = tempfile::tempdir()?;
    let census = Census::load(settings, scratch.path())?;
    let earlier = match settings.study {
        Study::Anonymity | Study::Secrets | Study::Mashup | Study::Local | Study::Entities | Study::Looks => None,
        Study::Sequential | Study::SequentialSecrets => Some(census.only(&EARLIER)?),
    };
    let census = match settings.study {
        Study::Anonymity | Study::Mashup | Study::Local | Study::Entities | Study::Looks => census,
        Study::Secrets => census.about(SECRET)?,
        Study::Sequential => census.only(&THIS)?,
        Study::SequentialSecrets => census.only(&THIS)?.about(SECRET)?,
    };
    let contenders = Contender::at_hand();
    let requirements = requirements(&census, settings);
    let sizes = settings.rows.iter().map(|&rows| {
        let stage = Stage {
            settings,
            cores: facts.cores,
            folder: scratch.path().join(rows.to_string()),
            earlier: earlier.as_ref(),
        };
        stage.size(rows, &census, &requirements, &contenders)
    });
    let sizes = sizes.collect::<Result<_>>()?;
    Ok(Run {
        facts,
        settings: settings.clone(),
        census: census.name,
        sizes,
    })
}

/// The single template, then the random ones; about secrets, each also of confidence.
fn requirements(census: &Census, settings: &Settings) -> Vec<Requirement> {
    let mut rng = Rng::with_seed(settings.seed);
    let draw = match settings.study {
        Study::Anonymity | Study::Mashup | Study::Local | Study::Entities | Study::Looks => Requirement::random,
        Study::Secrets => Requirement::random_about_secrets,
        Study::Sequential | Study::SequentialSecrets => return vec![Requirement::joined(census, &EARLIER)],
    };
    let random = (0..settings.requirements).map(|_| draw(census.quasi(), &mut rng));
    let all = [Requirement::single(census.quasi())].into_iter().chain(random);
    match settings.study {
        Study::Secrets => all
            .flat_map(|requirement| [requirement.with_confidence(), requirement])
            .collect(),
        _ => all.collect(),
    }
}

/// The folder in which one size is measured.
struct Stage<'s> {
    settings: &'s Settings,
    cores: usize,
    folder: PathBuf,
    /// The earlier release, not yet enlarged.
    earlier: Option<&'s Census>,
}

impl Stage<'_> {
    /// Measures one size, and leaves nothing behind.
    fn size(
        &self,
        rows: usize,
        census: &Census,
        requirements: &[Requirement],
        contenders: &[Contender],
    ) -> Result<Size> {
        fs::create_dir(&self.folder)?;
        eprintln!("{rows} rows: building the input");
        let input = self.folder.join("input.csv");
        let file_bytes = build(census, rows, self.settings.seed, &input)?;
        let before = self.folder.join("earlier.csv");
        let earlier_bytes = match self.earlier {
            // Its rows are varied on their own.
            Some(earlier) => build(earlier, rows, self.settings.seed.wrapping_add(1), &before)?,
            None => 0,
        };
        let before = self.earlier.map(|_| before.as_path());
        let mut releases = self.releases(census, requirements, &input, before)?;
        let mut copies: Vec<Copies> = contenders.iter().map(Copies::new).collect();
        for repeat in 0..self.settings.repeats {
            eprintln!("{rows} rows: measuring, {} of {}", repeat + 1, self.settings.repeats);
            for release in &mut releases {
                self.publish(release)?;
            }
            for copies in &mut copies {
                copies.add(&input, &self.out());
            }
        }
        fs::remove_dir_all(&self.folder)?;
        Ok(Size {
            rows,
            file_bytes,
            earlier_bytes,
            releases,
            copies,
        })
    }

    /// One release per requirement, with its policy written and nothing measured.
    fn releases(
        &self,
        census: &Census,
        requirements: &[Requirement],
        input: &Path,
        earlier: Option<&Path>,
    ) -> Result<Vec<Release>> {
        let release = |(number, requirement): (usize, &Requirement)| {
            let policy = self.folder.join(format!("policy-{number}.toml"));
            fs::write(&policy, requirement.policy(census, input, earlier, &self.out())?)?;
            let requirement = requirement.clone();
            Ok(Release {
                requirement,
                published: Vec::new(),
                same_on_threads: true,
                policy,
            })
        };
        requirements.iter().enumerate().map(release).collect()
    }

    fn publish(&self, release: &mut Release) -> Result<()> {
        let mut published = measure::publish(&release.policy, None)?;
        if self.settings.evaluate {
            let released = self.out().join(ReleaseFormat::Csv.file_name());
            published.evaluated = Some(measure::evaluate(&release.policy, &released)?);
        }
        release.published.push(published);
        if release.published.len() == 1 {
            release.same_on_threads = self.is_same_on_threads(&release.policy)?;
        }
        Ok(fs::remove_dir_all(self.out())?)
    }

    /// Publishes once more, on another number of threads than usual, and compares with the release that is there.
    fn is_same_on_threads(&self, policy: &Path) -> Result<bool> {
        let usual = self.folder.join("usual");
        fs::rename(self.out(), &usual)?;
        measure::publish(policy, Some(if self.cores == 1 { 2 } else { 1 }))?;
        let file = ReleaseFormat::Csv.file_name();
        let same = same_bytes(&usual.join(file), &self.out().join(file))?;
        fs::remove_dir_all(usual)?;
        Ok(same)
    }

    /// Where every job puts what it makes.
    fn out(&self) -> PathBuf {
        self.folder.join("out")
    }
}

impl Copies {
    fn new(contender: &Contender) -> Copies {
        Copies {
            contender: contender.clone(),
            seconds: Vec::new(),
            same_bytes: true,
            failed: false,
        }
    }

    /// Copies once more, unless that failed before: a tool that cannot read the table is no reason to stop.
    fn add(&mut self, input: &Path, out: &Path) {
        if self.failed {
            return;
        }
        match self.contender.copy(input, out) {
            Ok((copied, same)) => {
                self.seconds.push(copied.seconds);
                self.same_bytes &= same;
            }
            Err(error) => {
                eprintln!("note: {} made no copy: {error}", self.contender.name);
                self.failed = true;
                // What it left must not be in the way of the next one; if nothing, so much the better.
                let _ = fs::remove_dir_all(out);
            }
        }
    }

    /// Whether they are copies, and all were made.
    pub fn are_copies(&self) -> bool {
        !self.failed && self.same_bytes
    }
}
