//! A [`Task`]: one method on one table. It is done in a process of its own.

use std::path::PathBuf;
use std::time::Instant;

use scumble_grouping::{
    Form, FullDomain, FullDomainObjective, Grouping, Ladder, Local, Method, Mondrian, Nearest, Problem, RangeSecret,
    Scale, Shape, Space, Toc, Upc, full_domain, gather, recode,
};
use scumble_level::Contributions;
use scumble_privacy::{Demand, QuasiIdentifier, Requirement, Template};
use scumble_store::{FileSource, Unwatched};
use scumble_table::Reading;
use scumble_table::taxonomy::{Format, parse};
use scumble_table::{ColumnId, SensitiveDomain, SensitiveRange, SensitiveRanges, Table, Taxonomy};
use serde::{Deserialize, Serialize};

use crate::Result;
use crate::job::peak_memory;

/// `U` and `P` of UPC.
const LOSS_AT_MOST: f64 = 0.7;
const RANGE_DIVERSITY_AT_MOST: f64 = 0.5;

/// The width of a range of secret classes.
const RANGE_WIDTH: f64 = 10.0;

/// What to gather, and how.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Task {
    /// The table.
    pub input: PathBuf,
    /// The names of its columns, if the file has no header.
    pub names: Option<Vec<String>>,
    /// The known columns.
    pub quasi: Vec<Known>,
    /// The secret column, whose values are numbers.
    pub secret: Option<String>,
    /// How.
    pub way: Way,
    /// How many rows a group has at least.
    pub k: u64,
}

/// A known column.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Known {
    /// Its name.
    pub name: String,
    /// The file of its tree; without one it is numbers.
    pub tree: Option<PathBuf>,
}

/// A method, and how it shows the leaves of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Way {
    /// Mondrian, as the program does it unless told otherwise.
    Mondrian,
    /// Trade-off constrained, weighed evenly.
    Toc,
    /// Utility and protection constrained.
    Upc,
    /// Our own method; leaves as their closest common ancestor.
    Local,
    /// The same; leaves as sets.
    LocalSets,
    /// Every column at one level.
    FullDomain,
}

impl Way {
    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Way::Mondrian => "Mondrian",
            Way::Toc => "TOC",
            Way::Upc => "UPC",
            Way::Local => "local",
            Way::LocalSets => "local, sets",
            Way::FullDomain => "full-domain",
        }
    }
}

/// What a task took, and how good its groups are.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Gathered {
    /// From the table in memory to the group of each row.
    pub seconds: f64,
    /// Rows of the table.
    pub rows: usize,
    /// How many groups; of levels, none are made.
    pub groups: Option<usize>,
    /// Rows in no group.
    pub left_out: usize,
    /// LM: the share of the other values that a cell may stand for.
    pub loss: f64,
    /// NCP: the share of all values that a cell may stand for; not told of levels.
    pub certainty_penalty: Option<f64>,
    /// The most memory that was resident, in bytes; unknown where there is no `/proc`.
    pub peak_memory: Option<u64>,
}

/// Does a task, given as JSON.
pub fn gather_once(task: &str) -> Result<Gathered> {
    let task: Task = serde_json::from_str(task)?;
    let trees = task.trees()?;
    let table = task.read(&trees)?;
    let work = Work::new(&task, &table, &trees)?;
    match work.method() {
        Some(method) => work.by_groups(&*method),
        None => work.by_levels(),
    }
}

impl Task {
    fn trees(&self) -> Result<Vec<Option<Taxonomy>>> {
        let tree = |known: &Known| -> Result<Option<Taxonomy>> {
            let Some(path) = &known.tree else { return Ok(None) };
            let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
            Ok(Some(parse(&text, Format::Levels)?))
        };
        self.quasi.iter().map(tree).collect()
    }

    /// The complete rows of the columns that count.
    fn read(&self, trees: &[Option<Taxonomy>]) -> Result<Table> {
        let source = FileSource {
            names: self.names.clone(),
            marks: vec!["?".to_owned()],
            ..FileSource::new(&self.input)
        };
        let reading = |name: &String| {
            let known = self.quasi.iter().zip(trees).find(|(known, _)| known.name == *name);
            match known {
                Some((_, Some(tree))) => Reading::Leaves(tree),
                Some((_, None)) => Reading::Number { range: None },
                None if self.secret.as_ref() == Some(name) => Reading::Number { range: None },
                None => Reading::Skip,
            }
        };
        let opened = source.open(&Unwatched)?;
        let readings: Vec<Reading> = opened.header().iter().map(reading).collect();
        Ok(opened.read(&readings, true, &Unwatched)?.table)
    }
}

/// A task with its table in memory.
struct Work<'t> {
    way: Way,
    table: &'t Table,
    quasi: Vec<(ColumnId, Scale<'t>)>,
    requirement: Requirement,
    secret: Option<Secret>,
}

struct Secret {
    id: ColumnId,
    contributions: Contributions,
}

impl<'t> Work<'t> {
    fn new(task: &Task, table: &'t Table, trees: &'t [Option<Taxonomy>]) -> Result<Work<'t>> {
        let find = |name: &str| table.find(name).ok_or_else(|| format!("no column {name}"));
        let scale = |tree: &'t Option<Taxonomy>| match tree {
            None => Scale::Numbers { range: None },
            Some(tree) if task.way == Way::LocalSets => Scale::Leaves(tree),
            Some(tree) => Scale::Tree(tree),
        };
        let quasi = task.quasi.iter().zip(trees);
        let quasi = quasi.map(|(known, tree)| Ok((find(&known.name)?, scale(tree))));
        let quasi = quasi.collect::<Result<Vec<_>>>()?;
        let ranges = SensitiveRanges::new(SensitiveDomain::Numbers(None), SensitiveRange::Width(RANGE_WIDTH))?;
        let secret = match &task.secret {
            None => None,
            Some(name) => {
                let id = find(name)?;
                let dictionary = table.column(id).dictionary();
                let contributions = Contributions::of_column(&ranges, dictionary, dictionary);
                Some(Secret { id, contributions })
            }
        };
        let k = Demand::Anonymity {
            k: task.k,
            per: Vec::new(),
        };
        // Asked of the repair of groups, too, which makes those one that look alike.
        let range_diversity = secret
            .as_ref()
            .filter(|_| task.way == Way::Upc)
            .map(|secret| Demand::RangeDiversity {
                about: secret.id,
                at_most: RANGE_DIVERSITY_AT_MOST,
                ranges,
            });
        let template = |demand| Template {
            of: QuasiIdentifier::all(quasi.iter().map(|&(id, _)| id).collect()),
            demand,
        };
        let templates = [k].into_iter().chain(range_diversity).map(template).collect();
        Ok(Work {
            way: task.way,
            table,
            requirement: Requirement { templates },
            quasi,
            secret,
        })
    }

    fn by_groups(&self, method: &dyn Method) -> Result<Gathered> {
        let start = Instant::now();
        let space = Space::new(self.table, &self.quasi);
        let problem = Problem {
            table: self.table,
            space: &space,
            requirement: &self.requirement,
            rows_left_out_at_most: if self.way == Way::Upc {
                self.table.rows() as u64
            } else {
                0
            },
            seed: 1,
            work: scumble_progress::Work::unwatched(),
        };
        let grouping = gather(method, &problem).map_err(|_| "what is asked cannot be met")?;
        let seconds = start.elapsed().as_secs_f64();
        let groups = grouping.rows();
        let lost: f64 = groups
            .iter()
            .map(|rows| rows.len() as f64 * space.loss(&space.hull(rows)))
            .sum();
        let (rows, left_out) = (self.table.rows(), left_out(&grouping));
        Ok(Gathered {
            seconds,
            rows,
            groups: Some(groups.len()),
            left_out,
            loss: (lost + left_out as f64) / rows as f64,
            certainty_penalty: Some(self.certainty_penalty(&groups)),
            peak_memory: peak_memory(),
        })
    }

    /// None for levels, which are not made of groups.
    fn method(&self) -> Option<Box<dyn Method + '_>> {
        Some(match self.way {
            Way::FullDomain => return None,
            Way::Mondrian => Box::new(Mondrian { strict: true }),
            Way::Local | Way::LocalSets => Box::new(Local),
            Way::Toc => {
                let numbers = Scale::Numbers { range: None };
                let secrets: Vec<_> = self.secret.iter().map(|secret| (secret.id, numbers)).collect();
                Box::new(Toc {
                    utility_weight: 0.5,
                    threshold: None,
                    subspace: None,
                    nearest: Nearest::ToCluster,
                    sensitive: Space::new(self.table, &secrets),
                })
            }
            Way::Upc => {
                let secrets = self.secret.iter().map(|secret| RangeSecret {
                    codes: self.table.column(secret.id).codes(),
                    contributions: &secret.contributions,
                    at_most: RANGE_DIVERSITY_AT_MOST,
                });
                Box::new(Upc {
                    loss_at_most: LOSS_AT_MOST,
                    subspace: None,
                    secrets: secrets.collect(),
                })
            }
        })
    }

    /// Averaged over the known columns.
    fn certainty_penalty(&self, groups: &[Vec<u32>]) -> f64 {
        let penalty = |&(id, scale): &(ColumnId, Scale)| {
            let (form, taxonomy) = match scale {
                Scale::Tree(tree) => (Form::Ancestor, Some(tree)),
                Scale::Leaves(tree) => (Form::Set, Some(tree)),
                Scale::Numbers { .. } => (Form::Interval, None),
                Scale::Values { .. } => (Form::Set, None),
            };
            let shape = Shape {
                form,
                taxonomy,
                range: None,
            };
            recode(self.table.column(id), shape, groups).penalty
        };
        let penalties: f64 = self.quasi.iter().map(penalty).sum();
        penalties / self.quasi.len() as f64
    }

    fn by_levels(&self) -> Result<Gathered> {
        let start = Instant::now();
        let ladder = |&(id, scale): &(ColumnId, Scale<'t>)| Ladder::new(self.table, id, scale);
        let ladders: Vec<Ladder> = self.quasi.iter().map(ladder).collect();
        let found = full_domain(&FullDomain {
            table: self.table,
            quasi: &ladders,
            requirement: &self.requirement,
            populations: &[],
            rows_left_out_at_most: 0,
            objective: FullDomainObjective::Loss,
            work: scumble_progress::Work::unwatched(),
        });
        let found = found.map_err(|_| "what is asked cannot be met")?;
        Ok(Gathered {
            seconds: start.elapsed().as_secs_f64(),
            rows: self.table.rows(),
            groups: None,
            left_out: 0,
            loss: found.value,
            certainty_penalty: None,
            peak_memory: peak_memory(),
        })
    }
}

fn left_out(grouping: &Grouping) -> usize {
    let out = grouping.left_out();
    out.map_or(0, |out| out.iter().filter(|&&out| out).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ages 20, 21, 60 and 61 with incomes of other ranges, and a row with a missing age.
    fn task(folder: &std::path::Path, way: Way) -> Task {
        let (input, tree) = (folder.join("people.csv"), folder.join("sex.csv"));
        std::fs::write(&input, "age,sex,income\n20,F,1\n21,F,40\n60,M,2\n61,M,30\n?,M,5\n").unwrap();
        std::fs::write(&tree, "F;*\nM;*\n").unwrap();
        let known = |name: &str, tree: Option<PathBuf>| Known {
            name: name.to_owned(),
            tree,
        };
        Task {
            input,
            names: None,
            quasi: vec![known("age", None), known("sex", Some(tree))],
            secret: Some("income".to_owned()),
            way,
            k: 2,
        }
    }

    fn gathered(way: Way) -> Gathered {
        let folder = tempfile::tempdir().unwrap();
        let task = serde_json::to_string(&task(folder.path(), way)).unwrap();
        gather_once(&task).unwrap()
    }

    /// Two groups, each of one sex and of neighbouring ages: 1/41 of age is lost and nothing of sex.
    #[test]
    fn every_method_finds_the_two_groups() {
        for way in [Way::Mondrian, Way::Upc, Way::Local, Way::LocalSets] {
            let found = gathered(way);
            assert_eq!((found.rows, found.groups, found.left_out), (4, Some(2), 0), "{way:?}");
            assert!((found.loss - 0.5 / 41.0).abs() < 1e-12, "{way:?}: {}", found.loss);
        }
    }

    #[test]
    fn levels_are_told_by_what_they_lose() {
        let found = gathered(Way::FullDomain);
        assert_eq!((found.groups, found.certainty_penalty), (None, None));
        assert!(found.loss > gathered(Way::Local).loss);
    }
}
