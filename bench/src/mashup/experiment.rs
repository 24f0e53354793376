//! An [`Experiment`]: a joined table, who holds which of its columns, and what is asked of it.

use std::net::TcpListener;
use std::path::Path;

use scumble::make_keys;
use serde_json::{Map, Value, json};

use super::files::Files;
use crate::Result;
use crate::census::Census;
use crate::enlarge::{build, write_synced};
use crate::requirements::Requirement;
use crate::run::SECRET;

/// The parties, by the departments of the thesis.
pub const PARTIES: [&str; 2] = ["immigration", "taxation"];

/// What stands for a party where somebody has the joined table.
pub const JOINED: &str = "joined";

/// The columns of the second party.
const TAXATION: [&str; 5] = [
    "hours-per-week",
    "capital-gain",
    "capital-loss",
    "workclass",
    "occupation",
];

/// The column that both parties have, and the joined table lacks.
const KEY: &str = "id";

/// A search that asks for consent stops after so many refinements: each question is long, and they are alike.
const STEPS_WITH_CONSENT: usize = 3;

/// The fewest records that a question is about.
const RECORDS_ASKED_ABOUT: usize = 5;

/// What two parties publish together.
pub struct Experiment {
    /// The joined table, not yet enlarged.
    census: Census,
    /// The columns of the second party; the first has all others, and the class.
    of_second: Vec<&'static str>,
    requirement: Requirement,
    /// Stop after so many refinements.
    steps: Option<usize>,
}

impl Experiment {
    /// All columns, in one template that counts records.
    pub fn together(census: Census) -> Experiment {
        Experiment {
            requirement: Requirement::single(census.quasi()),
            census,
            of_second: TAXATION.to_vec(),
            steps: None,
        }
    }

    /// Confidence about a column of the second party, on the columns of the first that have a tree; it therefore asks before it
    /// refines.
    pub fn consent(census: &Census) -> Result<Experiment> {
        let columns = census.quasi().iter().map(String::as_str);
        // Word by word, nobody may be asked.
        let has_tree = |column: &&str| census.taxonomy(column).is_some();
        let of_first: Vec<&str> = columns
            .filter(|column| !TAXATION.contains(column))
            .filter(has_tree)
            .collect();
        let census = census.only(&of_first)?.about(SECRET)?;
        Ok(Experiment {
            requirement: Requirement::single(census.quasi()).with_confidence(),
            census,
            of_second: vec![SECRET],
            steps: Some(STEPS_WITH_CONSENT),
        })
    }

    /// Writes everything that the parties need, and whoever has the joined table; the size of that table.
    pub fn prepare(&self, rows: usize, seed: u64, files: &Files) -> Result<u64> {
        let joined = files.data(JOINED);
        let bytes = build(&self.census, rows, seed, &joined)?;
        for name in PARTIES {
            self.write_part(&joined, name, &files.data(name))?;
        }
        make_keys(&files.keys(), &PARTIES.map(str::to_owned), 1)?;
        std::fs::write(files.agreement(), self.agreement()?)?;
        std::fs::write(files.policy(), self.policy(files)?)?;
        Ok(bytes)
    }

    fn owner(&self, column: &str) -> &'static str {
        PARTIES[usize::from(self.of_second.contains(&column))]
    }

    /// Writes the table of a party: its columns, and the number of each row as its id.
    fn write_part(&self, joined: &Path, name: &str, path: &Path) -> Result<u64> {
        let mut joined = csv::Reader::from_path(joined)?;
        let header = joined.headers()?.clone();
        let own: Vec<usize> = (0..header.len())
            .filter(|&column| self.owner(&header[column]) == name)
            .collect();
        write_synced(path, |file| {
            let mut csv = csv::Writer::from_writer(file);
            csv.write_record([KEY].into_iter().chain(own.iter().map(|&column| &header[column])))?;
            for (row, number) in joined.records().zip(1..) {
                let (row, id) = (row?, number.to_string());
                csv.write_record([&id[..]].into_iter().chain(own.iter().map(|&column| &row[column])))?;
            }
            Ok(csv.flush()?)
        })
    }

    /// What is asked of the joined table, whoever has it.
    fn asked(&self) -> Value {
        let mut asked = self.requirement.asked(&self.census);
        if self.steps.is_some() {
            for name in self.census.quasi() {
                asked["columns"][name]["taxonomy"] = json!(self.census.taxonomy(name));
            }
            // Who asks about a secret asks about at least so many records.
            let of: Vec<&String> = self.census.quasi().iter().collect();
            let anonymity = json!({ "anonymity": RECORDS_ASKED_ABOUT, "of": of });
            asked["require"]
                .as_array_mut()
                .into_iter()
                .for_each(|all| all.push(anonymity.clone()));
        }
        // As parties always weigh, so that one who has the joined table makes the same steps.
        asked["method"] = json!({ "weigh": "records" });
        if let Some(steps) = self.steps {
            asked["method"]["steps"] = json!(steps);
        }
        asked
    }

    fn policy(&self, files: &Files) -> Result<String> {
        let mut policy = self.asked();
        policy["data"] = json!({ "file": files.data(JOINED) });
        policy["release"] = json!({ "folder": files.out(JOINED) });
        Ok(toml::to_string(&policy)?)
    }

    fn agreement(&self) -> Result<String> {
        let mut agreement = self.asked();
        let addresses = free_addresses()?;
        let parties = PARTIES.iter().zip(addresses);
        let parties = parties.map(|(name, address)| json!({ "name": name, "address": address }));
        agreement["party"] = parties.collect();
        agreement["key"] = json!({ "column": KEY });
        for column in &self.census.header {
            agreement["columns"][column]["party"] = json!(self.owner(column));
        }
        agreement["taxonomies"] = Value::Object(hashes(&agreement["columns"])?);
        Ok(toml::to_string(&agreement)?)
    }
}

/// The hash of each taxonomy that a column has.
fn hashes(columns: &Value) -> Result<Map<String, Value>> {
    let columns = columns.as_object().into_iter().flat_map(Map::values);
    let taxonomies = columns.filter_map(|column| column["taxonomy"].as_str());
    let hashed = taxonomies.map(|file| {
        let hash = blake3::hash(&std::fs::read(file)?);
        Ok((file.to_owned(), json!(hash.to_string())))
    });
    hashed.collect()
}

/// An address for each party at which nobody listens.
fn free_addresses() -> Result<Vec<String>> {
    // All are bound before the first is let go, so that no two are the same.
    let bound = PARTIES.map(|_| TcpListener::bind("127.0.0.1:0"));
    let addresses = bound
        .iter()
        .map(|bound| Ok(bound.as_ref().map_err(ToString::to_string)?.local_addr()?.to_string()));
    addresses.collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use scumble::{Policy, read_agreement, read_policy};

    use super::*;
    use crate::job::publish_once;
    use crate::mashup::party::{TookPart, take_part_once};
    use crate::measure::same_bytes;

    /// An experiment with the shipped census, so many rows of it, ready to begin.
    fn prepared(folder: &Path, rows: usize, experiment: impl Fn(Census) -> Experiment) -> Files {
        let experiment = experiment(Census::synthetic(1, folder).unwrap());
        let files = Files::of(folder);
        experiment.prepare(rows, 1, &files).unwrap();
        files
    }

    fn consent(census: Census) -> Experiment {
        Experiment::consent(&census).unwrap()
    }

    /// Both parties, each in a thread, and one who has the joined table.
    fn publish_all(files: &Files) -> [TookPart; 2] {
        publish_once(&files.policy()).unwrap();
        let take_part = |name| take_part_once(files.folder(), name).map_err(|error| error.to_string());
        std::thread::scope(|scope| {
            let parties = PARTIES.map(|name| scope.spawn(move || take_part(name)));
            parties.map(|party| party.join().unwrap().unwrap())
        })
    }

    fn assert_same_release(files: &Files) {
        for name in PARTIES {
            assert!(same_bytes(&files.released(JOINED), &files.released(name)).unwrap());
        }
    }

    fn header(file: &Path) -> String {
        let text = fs::read_to_string(file).unwrap();
        text.lines().next().unwrap().to_owned()
    }

    #[test]
    fn each_party_has_its_columns_of_the_thesis_and_the_ids() {
        let folder = tempfile::tempdir().unwrap();
        let files = prepared(folder.path(), 3, Experiment::together);
        assert_eq!(
            header(&files.data(PARTIES[0])),
            "id,age,final-weight,education,education-num,marital-status,relationship,race,sex,native-country,class"
        );
        assert_eq!(
            header(&files.data(PARTIES[1])),
            "id,workclass,occupation,capital-gain,capital-loss,hours-per-week"
        );
        let second = fs::read_to_string(files.data(PARTIES[1])).unwrap();
        let ids: Vec<&str> = second.lines().filter_map(|line| line.split(',').next()).collect();
        assert_eq!(ids, ["id", "1", "2", "3"]);
    }

    #[test]
    fn policy_and_agreement_ask_for_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let files = prepared(folder.path(), 3, consent);
        let agreement = read_agreement(&files.agreement()).unwrap();
        let policy = read_policy(&files.policy()).unwrap();
        assert_eq!(agreement.policy.method.weigh, policy.method.weigh);
        assert_eq!(agreement.policy.method.steps, Some(STEPS_WITH_CONSENT));
        let names = |policy: &Policy| -> Vec<String> {
            let columns = policy.columns.iter();
            columns.map(|column| column.name.get_ref().clone()).collect()
        };
        assert_eq!(names(&agreement.policy), names(&policy));
        assert_eq!(agreement.owners(SECRET), [1]);
        assert_eq!(agreement.owners("class"), [0]);
    }

    #[test]
    fn parties_release_what_one_who_has_the_joined_table_does() {
        let folder = tempfile::tempdir().unwrap();
        let files = prepared(folder.path(), 2000, Experiment::together);
        let [first, second] = publish_all(&files);
        assert_same_release(&files);
        assert!(first.refinements > 0);
        assert_eq!((first.rounds, first.bytes), (second.rounds, second.bytes));
        assert_eq!(first.tally.rounds, second.tally.rounds);
        assert_eq!(
            (first.tally.rounds.len(), first.maxima.len()),
            (first.rounds, first.rounds)
        );
        assert!(first.tally.rounds.iter().sum::<u64>() < first.bytes);
        assert!(first.tally.questions.is_empty());
    }

    #[test]
    fn consent_is_asked_for_before_every_refinement() {
        let folder = tempfile::tempdir().unwrap();
        let files = prepared(folder.path(), 100, consent);
        let [first, second] = publish_all(&files);
        assert_same_release(&files);
        assert_eq!(first.refinements, STEPS_WITH_CONSENT);
        assert!(!first.tally.questions.is_empty());
        assert_eq!(first.tally.questions.len(), second.tally.questions.len());
    }
}
