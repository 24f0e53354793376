//! What the parties make together is, byte for byte, what one publisher makes of the joined table.

use std::collections::BTreeMap;
use std::fs;

use proptest::prelude::*;
use scumble::{Agreement, read_agreement};
use scumble_sample::{census, examples};
use serde_json::{Value, json};

use super::company::{Company, Owned, Split};
use crate::adult;

/// Lets the parties publish, and one publisher publish the joined table; both must write the same. Returns the steps.
#[track_caller]
fn assert_equal_to_publish(company: &Company) -> usize {
    let desk = &company.desk;
    let together: Vec<Value> = company
        .run(&[])
        .iter()
        .zip(&company.names)
        .map(|(ended, name)| {
            assert_eq!(ended.code, Some(0), "{name}: {ended:?}");
            desk.json(&format!("out-{name}/certificate.json"))
        })
        .collect();
    let agreement = read_agreement(&company.path("agreement.toml")).unwrap();
    desk.put("joined.csv", joined(company, &agreement).as_bytes());
    desk.put("joined.toml", agreement.joined_policy("joined.csv").as_bytes());
    desk.must(&["publish", "joined.toml", "--out", "alone"]);
    let file = agreement.policy.release.format.file_name();
    let alone = fs::read(company.path("alone").join(file)).unwrap();
    for (name, certificate) in company.names.iter().zip(&together) {
        let released = fs::read(company.path(&format!("out-{name}")).join(file)).unwrap();
        assert!(released == alone, "the release of {name} is not that of one publisher");
        assert_eq!(*certificate, desk.json("alone/certificate.json"), "{name}");
    }
    let steps = desk.json("alone/private/trace.json")["steps"].clone();
    steps.as_array().unwrap().len()
}

/// The table that nobody has: the columns of all, for the ids that all have.
fn joined(company: &Company, agreement: &Agreement) -> String {
    let mut of_id: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for name in &company.names {
        let text = company.desk.read(&format!("{name}.csv"));
        let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned));
        let header: Vec<String> = lines.next().unwrap().collect();
        for cells in lines {
            let cells: BTreeMap<String, String> = header.iter().cloned().zip(cells).collect();
            of_id.entry(cells[&agreement.key].clone()).or_default().extend(cells);
        }
    }
    let header = agreement.header();
    let rows = of_id.values().filter_map(|cells| {
        let cells: Option<Vec<&str>> = header.iter().map(|name| cells.get(name).map(String::as_str)).collect();
        Some(cells?.join(",") + "\n")
    });
    header.join(",") + "\n" + &rows.collect::<String>()
}

/// A file of a shipped example.
fn shipped(example: &str, file: &str) -> String {
    let example = examples().iter().find(|known| known.name == example).unwrap();
    let file = example.files.iter().find(|known| known.name == file).unwrap();
    file.contents.to_owned()
}

/// Table 7.1 of Fung's thesis, which is Table I of Mohammed and others 2009: one party has the sex, the other job and salary
/// (here called age), and both have the class.
#[test]
fn the_example_of_the_paper() {
    let taxonomies = ["job.csv", "sex.csv"].map(|file| (file.to_owned(), shipped("patients", file)));
    let company = Company::of(&Split {
        parties: 2,
        table: shipped("patients", "patients.csv"),
        columns: vec![
            Owned::new("sex", "role = 'quasi', taxonomy = 'sex.csv'", &[0]),
            Owned::new("job", "role = 'quasi', taxonomy = 'job.csv'", &[1]),
            Owned::new("age", "role = 'quasi', type = 'continuous', range = [1, 99]", &[1]),
            Owned::new("insured", "role = 'class'", &[0, 1]),
        ],
        asked: "[[require]]\nanonymity = 4\nof = ['sex', 'job']\n[[require]]\nanonymity = 11\nof = ['sex', 'age']\n"
            .to_owned(),
        taxonomies: taxonomies.into(),
    });
    assert!(assert_equal_to_publish(&company) > 1);
}

/// Three parties with different people, and a secret that two of them must ask about.
#[test]
fn the_shipped_example() {
    assert_eq!(assert_equal_to_publish(&Company::sample()), 5, "as its page says");
}

/// Generalised, suppressed and discretised columns, one party each; the release is a Parquet file.
#[test]
fn five_parties_and_a_parquet_file() {
    let people = People::new(1, 120);
    let columns = ["age", "race", "sex", "workclass", "hours-per-week"].iter().enumerate();
    let columns = columns.map(|(party, name)| people.quasi(name, party, party == 1));
    let company = Company::of(&people.split(
        5,
        columns.collect(),
        "[[require]]\nanonymity = 12\n[method]\nsteps = 2\n[release]\nformat = 'parquet'\n",
    ));
    assert_eq!(assert_equal_to_publish(&company), 2);
}

/// Section 7.4 of the thesis: nine columns with one party, five with the other. k = 20, all 14 columns
/// together.
#[test]
fn adult_split_as_in_the_thesis() {
    const FIRST: [&str; 9] = [
        "age",
        "education-num",
        "fnlwgt",
        "relationship",
        "race",
        "sex",
        "marital-status",
        "native-country",
        "education",
    ];
    let Some(desk) = adult::adult() else {
        eprintln!("the Adult data is not here; nothing to do");
        return;
    };
    let rows = desk.read("adult.data");
    let rows = rows
        .lines()
        .filter(|line| line.contains(',') && !line.contains(['?', '|']));
    let rows = rows.take(10_000).map(|line| line.replace(", ", ",") + "\n");
    let table = format!("{}\n{}", adult::NAMES, rows.collect::<String>());
    let mut taxonomies = BTreeMap::new();
    let column = |name: &str| {
        let party = [usize::from(!FIRST.contains(&name))];
        let file = format!("{name}.csv");
        match name {
            "class" => Owned::new(name, "role = 'class'", &[0, 1]),
            _ if desk.has(&file) => {
                taxonomies.insert(file.clone(), desk.read(&file));
                Owned::new(name, &format!("role = 'quasi', taxonomy = '{file}'"), &party)
            }
            _ => Owned::new(name, "role = 'quasi', type = 'continuous'", &party),
        }
    };
    let columns = adult::NAMES.split(',').map(column).collect();
    let company = Company::of(&Split {
        parties: 2,
        table,
        columns,
        asked: "[[require]]\nanonymity = 20\n".to_owned(),
        taxonomies,
    });
    let steps = assert_equal_to_publish(&company);
    assert!(steps > 5, "{steps} steps are too few to compare");
}

/// Invented people, and taxonomies for their columns.
struct People {
    table: String,
}

impl People {
    fn new(seed: u64, rows: usize) -> People {
        let mut bytes = Vec::new();
        census(rows, seed, &mut bytes).unwrap();
        People {
            table: String::from_utf8(bytes).unwrap(),
        }
    }

    /// A column of numbers is discretised, another generalised or, if so asked, suppressed.
    fn quasi(&self, name: &str, party: usize, suppressed: bool) -> Owned {
        let what = match name {
            "age" => "role = 'quasi', type = 'continuous', range = [15, 100]".to_owned(),
            "hours-per-week" => "role = 'quasi', type = 'continuous', range = [0, 100]".to_owned(),
            _ if suppressed => "role = 'quasi'".to_owned(),
            _ => format!("role = 'quasi', taxonomy = '{name}.csv'"),
        };
        Owned::new(name, &what, &[party])
    }

    /// Splits these columns, and the class, which the first party has.
    fn split(&self, parties: usize, mut columns: Vec<Owned>, asked: &str) -> Split {
        columns.push(Owned::new("class", "role = 'class'", &[0]));
        let generalised = columns.iter().filter(|column| column.what.contains("taxonomy"));
        let file = |column: &Owned| format!("{}.csv", column.name);
        let taxonomies = generalised.map(|column| (file(column), shipped("census", &file(column))));
        Split {
            parties,
            table: self.table.clone(),
            taxonomies: taxonomies.collect(),
            asked: asked.to_owned(),
            columns,
        }
    }
}

/// Columns that a party of a random split may have.
const QUASI: [&str; 5] = ["age", "workclass", "marital-status", "sex", "hours-per-week"];

/// What may be asked beside anonymity, where `occupation` is a secret.
const ASKED: [&str; 4] = [
    "",
    "[[require]]\nconfidence = 0.6\nabout = { occupation = '*' }\n",
    "[[require]]\ndiversity = 3\nabout = 'occupation'\nof = ['age', 'sex']\n",
    "[[require]]\nanonymity = 3\nper = ['occupation']\nof = ['workclass', 'sex']\n",
];

proptest! {
    // Each case runs three or four processes, with a few secure computations.
    #![proptest_config(ProptestConfig { cases: 5, max_shrink_iters: 5, ..ProptestConfig::default() })]

    #[test]
    fn any_split_of_any_people(
        seed in 0..1000_u64,
        owners in prop::array::uniform6(0..3_usize),
        is_suppressed: bool,
        k in 5..30_usize,
        asked in prop::sample::subsequence(ASKED.to_vec(), 1..=3),
    ) {
        let people = People::new(seed, 200);
        // Nobody may ask about a secret word by word.
        let is_suppressed = is_suppressed && asked.concat().is_empty();
        // Every party has a column: those that got none are left out.
        let mut present = owners.to_vec();
        present.sort_unstable();
        present.dedup();
        prop_assume!(present.len() > 1);
        let party = |owner: usize| present.iter().position(|&known| known == owner).unwrap();
        let quasi = QUASI.iter().zip(owners);
        let mut columns: Vec<Owned> = quasi.map(|(name, owner)| people.quasi(name, party(owner), is_suppressed)).collect();
        columns.push(Owned::new("occupation", "role = 'sensitive'", &[party(owners[5])]));
        let asked = format!("[[require]]\nanonymity = {k}\n{}[method]\nsteps = 4\n", asked.concat());
        let company = Company::of(&people.split(present.len(), columns, &asked));
        prop_assert!(assert_equal_to_publish(&company) > 0, "{asked}");
    }
}

/// What parties say of records that not all have is in their own output; the certificate tells only of the common ones.
#[test]
fn records_that_not_all_have_are_counted_and_left_out() {
    let company = Company::sample();
    let ended = company.run(&[]);
    company.succeeded(&ended);
    assert!(ended[0].out.contains("Published 220 of 228 records"), "{ended:?}");
    let certificate = company.desk.json("out-bank/certificate.json");
    assert_eq!(certificate["rows"]["published"], json!(220));
}
