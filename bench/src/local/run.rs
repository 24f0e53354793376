//! A [`Run`] of the study: every method in turns at every size, then how much is lost on Adult.

use std::path::{Path, PathBuf};

use scumble_sample::CENSUS_COLUMNS;
use serde::Serialize;

use super::task::{Gathered, Known, Task, Way};
use crate::census::{Census, data_folder};
use crate::enlarge::build;
use crate::facts::Facts;
use crate::{Result, Settings, measure, workspace};

/// The known columns of the census, and the secret one (Table 6.1 of the thesis).
const CENSUS: [&str; 5] = ["Age", "Gender", "Education", "MaritalStatus", "OccGroup"];
const SECRET: &str = "Income50";

/// The k of section 6.6.
const CENSUS_K: u64 = 5;

/// Mondrian first: the others are held against it.
const WAYS: [Way; 4] = [Way::Mondrian, Way::Toc, Way::Upc, Way::Local];

/// Our own method looks further than the others, and is not meant for more.
const LOCAL_ROWS_AT_MOST: usize = 100_000;

/// The columns of Adult with the trees that ARX comes with, as file and tree call them; the last is left out for NCP.
const ADULT: [(&str, &str); 9] = [
    ("age", "age"),
    ("sex", "sex"),
    ("race", "race"),
    ("marital-status", "marital-status"),
    ("education", "education"),
    ("native-country", "native-country"),
    ("workclass", "workclass"),
    ("occupation", "occupation"),
    ("class", "salary-class"),
];
const COLUMNS_FOR_NCP: usize = 8;

const ADULT_KS: [u64; 4] = [5, 10, 50, 100];
const ADULT_WAYS: [Way; 3] = [Way::Local, Way::LocalSets, Way::FullDomain];
const NCP_K: u64 = 10;

/// All that was measured.
#[derive(Debug, Serialize)]
pub struct Run {
    /// Where it was made.
    pub facts: Facts,
    /// What was asked for.
    pub settings: Settings,
    /// The census, one per size asked for.
    pub sizes: Vec<Size>,
    /// All columns of Adult.
    pub losses: Vec<Turns>,
    /// All but the class.
    pub penalties: Vec<Turns>,
}

/// What was measured on one enlarged census.
#[derive(Debug, Serialize)]
pub struct Size {
    /// Its rows.
    pub rows: usize,
    /// One per method.
    pub ways: Vec<Turns>,
    /// The same on one core.
    pub on_one_core: Vec<Turns>,
}

/// The same task, once per repeat.
#[derive(Debug, Serialize)]
pub struct Turns {
    /// How.
    pub way: Way,
    /// How many rows a group has at least.
    pub k: u64,
    /// On so many threads; without a number, on as many as there are cores.
    pub threads: Option<usize>,
    /// What each took; what they found is the same.
    pub gathered: Vec<Gathered>,
    /// What is done.
    #[serde(skip)]
    task: Task,
}

/// Measures everything that the settings ask for.
pub fn run(settings: &Settings) -> Result<Run> {
    let facts = Facts::gather();
    let scratch = tempfile::tempdir()?;
    let data = data_folder(settings);
    let census = Census::acs(&data, &CENSUS)?;
    let sizes = settings.rows.iter().map(|&rows| {
        eprintln!("{rows} rows: building the input");
        let input = scratch.path().join(format!("{rows}.csv"));
        build(&census, rows, settings.seed, &input)?;
        let ways = WAYS
            .into_iter()
            .filter(|&way| way != Way::Local || rows <= LOCAL_ROWS_AT_MOST);
        let turns = ways.flat_map(|way| {
            let on = |threads| Turns::new(census_task(&data, &input, way), threads);
            [on(None), on(Some(1))]
        });
        let turns = in_turns(turns.collect(), settings.repeats, &format!("{rows} rows"))?;
        std::fs::remove_file(&input)?;
        let (ways, on_one_core) = turns.into_iter().partition(|turns| turns.threads.is_none());
        Ok(Size {
            rows,
            ways,
            on_one_core,
        })
    });
    let sizes = sizes.collect::<Result<Vec<Size>>>()?;
    let of_adult = |k: u64| ADULT_WAYS.map(|way| Turns::new(adult_task(&data, ADULT.len(), way, k), None));
    let losses = ADULT_KS.into_iter().flat_map(of_adult).collect();
    let penalties =
        [Way::Local, Way::LocalSets].map(|way| Turns::new(adult_task(&data, COLUMNS_FOR_NCP, way, NCP_K), None));
    Ok(Run {
        losses: in_turns(losses, settings.repeats, "Adult")?,
        penalties: in_turns(penalties.into(), settings.repeats, "Adult, 8 columns")?,
        sizes,
        facts,
        settings: settings.clone(),
    })
}

/// Each task once in every repeat, so that a slow minute slows them alike.
fn in_turns(mut turns: Vec<Turns>, repeats: usize, what: &str) -> Result<Vec<Turns>> {
    for repeat in 1..=repeats {
        eprintln!("{what}: measuring, {repeat} of {repeats}");
        for turns in &mut turns {
            turns.gathered.push(gather(&turns.task, turns.threads)?);
        }
    }
    Ok(turns)
}

impl Turns {
    fn new(task: Task, threads: Option<usize>) -> Turns {
        Turns {
            way: task.way,
            k: task.k,
            threads,
            gathered: Vec::new(),
            task,
        }
    }
}

/// Gathers rows once, on so many threads; on as many as there are cores unless told.
fn gather(task: &Task, threads: Option<usize>) -> Result<Gathered> {
    let mut command = measure::this_program()?;
    command.arg("gather").arg(serde_json::to_string(task)?);
    measure::answer(measure::on_threads(&mut command, threads))
}

/// The census, enlarged to a file.
fn census_task(data: &Path, input: &Path, way: Way) -> Task {
    let tree = |name: &str| -> Option<PathBuf> {
        match name {
            "Age" => None,
            // The data folder has none of groups of occupations, and in its marital status a leaf is also an inner node.
            "MaritalStatus" | "OccGroup" => {
                let shipped = workspace().join("bench/papers/taxonomies");
                Some(shipped.join(name).with_extension("csv"))
            }
            name => Some(data.join("taxonomies/acs2018-own").join(name).with_extension("csv")),
        }
    };
    let known = |name: &str| Known {
        name: name.to_owned(),
        tree: tree(name),
    };
    Task {
        input: input.to_owned(),
        names: None,
        quasi: CENSUS.map(known).to_vec(),
        secret: Some(SECRET.to_owned()),
        way,
        k: CENSUS_K,
    }
}

/// The training part of Adult, with the first of its columns.
fn adult_task(data: &Path, columns: usize, way: Way, k: u64) -> Task {
    let trees = data.join("taxonomies/adult-arx");
    let known = |(name, tree): &(&str, &str)| Known {
        name: (*name).to_owned(),
        tree: Some(trees.join(tree).with_extension("csv")),
    };
    Task {
        input: data.join("adult/adult.data"),
        names: Some(CENSUS_COLUMNS.map(str::to_owned).to_vec()),
        quasi: ADULT[..columns].iter().map(known).collect(),
        secret: None,
        way,
        k,
    }
}

#[cfg(test)]
impl Turns {
    /// Turns that took so many seconds each, and found what one of them says.
    pub fn of(way: Way, k: u64, gathered: Vec<Gathered>) -> Turns {
        let task = adult_task(Path::new(""), ADULT.len(), way, k);
        Turns {
            gathered,
            ..Turns::new(task, None)
        }
    }
}
