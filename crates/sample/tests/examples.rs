//! The shipped examples fit together: data, taxonomies and generator say the same.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use scumble_sample::{CENSUS_COLUMNS, Example, census, examples};
use scumble_table::Taxonomy;
use scumble_table::taxonomy::{Format, parse};

fn example(name: &str) -> &'static Example {
    examples().iter().find(|example| example.name == name).unwrap()
}

fn contents(example: &Example, file: &str) -> &'static str {
    example.files.iter().find(|own| own.name == file).unwrap().contents
}

fn folder(example: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples")
        .join(example)
}

fn make_census(rows: usize, seed: u64) -> String {
    let mut bytes = Vec::new();
    census(rows, seed, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// The cells of each column. No cell of the examples is quoted.
fn columns(text: &str) -> BTreeMap<&str, Vec<&str>> {
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let mut columns: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!(cells.len(), header.len(), "{line}");
        header
            .iter()
            .zip(cells)
            .for_each(|(name, cell)| columns.entry(name).or_default().push(cell));
    }
    columns
}

/// The taxonomies of an example by column; each is in the file with the name of its column.
fn taxonomies(example: &'static Example) -> BTreeMap<&'static str, Taxonomy> {
    let files = example
        .files
        .iter()
        .filter(|file| file.contents.contains(';') && file.name.ends_with(".csv"));
    let parsed = files.map(|file| {
        let taxonomy = parse(file.contents, Format::guess(file.contents));
        let taxonomy = taxonomy.unwrap_or_else(|problems| panic!("{}: {problems}", file.name));
        (file.name.strip_suffix(".csv").unwrap(), taxonomy)
    });
    parsed.collect()
}

/// The files of a folder and of those in it, releases aside.
fn files_in(folder: &Path) -> BTreeSet<String> {
    let mut files = BTreeSet::new();
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        match entry.path().is_dir() {
            true if name == "out" => {}
            true => files.extend(files_in(&entry.path()).into_iter().map(|file| format!("{name}/{file}"))),
            false => drop(files.insert(name)),
        }
    }
    files
}

#[test]
fn every_file_of_an_example_is_shipped() {
    for example in examples() {
        let found = files_in(&folder(example.name));
        let shipped: BTreeSet<String> = example.files.iter().map(|file| file.name.to_owned()).collect();
        assert_eq!(found, shipped, "{}", example.name);
        assert!(!example.description.contains('\n'));
    }
}

/// After a change of the generator, `REFRESH=1 cargo test -p scumble-sample` writes the file anew.
#[test]
fn the_census_example_is_what_the_generator_makes() {
    let made = make_census(2_000, 1);
    if std::env::var_os("REFRESH").is_some() {
        std::fs::write(folder("census").join("census.csv"), &made).unwrap();
    }
    let shipped = std::fs::read_to_string(folder("census").join("census.csv")).unwrap();
    assert!(shipped == made, "census.csv is not what the generator makes");
}

/// Table 4.1 of Fung's thesis: 34 records, 21 of them insured.
#[test]
fn the_patients_are_those_of_the_table() {
    let patients = columns(contents(example("patients"), "patients.csv"));
    let count = |name: &str, value: &str| patients[name].iter().filter(|cell| **cell == value).count();
    assert_eq!(patients["name"].iter().collect::<BTreeSet<_>>().len(), 34);
    assert_eq!((count("insured", "Y"), count("insured", "N")), (21, 13));
    assert_eq!(
        (count("job", "Manager"), count("job", "Lawyer"), count("age", "44")),
        (10, 1, 12)
    );
    assert_eq!((count("sex", "F"), count("disease", "HIV")), (18, 5));
}

/// Table 5.1 of Fung's thesis: 24 records, 15 of them good; 4 of 5 traders in the UK were discharged.
#[test]
fn the_customers_are_those_of_the_table() {
    let bank = columns(contents(example("bank"), "customers.csv"));
    let rows = 0..bank["rating"].len();
    let count = |wanted: &[(&str, &str)]| {
        let fits = |row: &usize| wanted.iter().all(|(name, value)| bank[name][*row] == *value);
        rows.clone().filter(fits).count()
    };
    assert_eq!((count(&[]), count(&[("rating", "Good")])), (24, 15));
    let traders = [("job", "Trader"), ("country", "UK")];
    assert_eq!(count(&traders), 5);
    assert_eq!(count(&[traders[0], traders[1], ("bankruptcy", "Discharged")]), 4);
}

/// What a k-map needs: whoever is a patient is among the people of the town. And what `per` needs: some come twice.
#[test]
fn the_patients_of_the_clinic_live_in_its_town() {
    let clinic = example("clinic");
    let town: BTreeSet<&str> = contents(clinic, "population.csv").lines().skip(1).collect();
    let visits: Vec<&str> = contents(clinic, "visits.csv").lines().skip(1).collect();
    let of_a_citizen = |visit: &&str| {
        let cells: Vec<&str> = visit.split(',').collect();
        town.contains(cells[1..6].join(",").as_str())
    };
    assert!(visits.iter().all(of_a_citizen));
    let patients: BTreeSet<&str> = visits.iter().filter_map(|visit| visit.split(',').next()).collect();
    assert_eq!((visits.len(), patients.len()), (601, 557), "as the page says");
}

/// Every guarding node is a label of the taxonomy of diseases.
#[test]
fn patients_guard_nodes_of_the_taxonomy() {
    let clinic = example("clinic");
    let diseases = &taxonomies(clinic)["disease"];
    let visits = columns(contents(clinic, "visits.csv"));
    let guarded: BTreeSet<&str> = visits["guard"]
        .iter()
        .copied()
        .filter(|node| !node.is_empty())
        .collect();
    assert!(guarded.iter().all(|node| diseases.find(node).is_some()), "{guarded:?}");
    assert!(guarded.contains("HIV") && guarded.contains("Mental illness"));
}

#[test]
fn taxonomies_have_the_values_of_their_column_and_no_others() {
    let people = make_census(100_000, 2);
    let tables = [
        ("patients", contents(example("patients"), "patients.csv")),
        ("clinic", contents(example("clinic"), "visits.csv")),
        ("census", people.as_str()),
    ];
    for (name, text) in tables {
        let columns = columns(text);
        for (column, taxonomy) in taxonomies(example(name)) {
            let values: BTreeSet<&str> = columns[column].iter().copied().collect();
            let leaves: BTreeSet<&str> = taxonomy.leaves().collect();
            assert_eq!(leaves, values, "{name}: {column}");
        }
    }
    let town = columns(contents(example("clinic"), "population.csv"));
    for (column, taxonomy) in taxonomies(example("clinic")) {
        let mut known = town.get(column).into_iter().flatten();
        assert!(
            known.all(|value| taxonomy.leaves().any(|leaf| leaf == *value)),
            "{column}"
        );
    }
    let words = taxonomies(example("census"));
    assert_eq!(words.len(), 8, "every column of words has a taxonomy");
}

#[test]
fn numbers_of_the_census_are_in_the_ranges_of_its_policy() {
    let people = make_census(100_000, 2);
    let columns = columns(&people);
    for (name, range) in [
        ("age", 15..=100),
        ("education-num", 1..=14),
        ("hours-per-week", 0..=100),
    ] {
        let numbers = columns[name].iter().map(|cell| cell.parse::<u32>().unwrap());
        assert!(numbers.clone().all(|number| range.contains(&number)), "{name}");
        let (first, last) = (range.start(), range.end());
        assert!(
            contents(example("census"), "policy.toml").contains(&format!("range = [{first}, {last}]")),
            "{name}"
        );
    }
}

#[test]
fn the_same_seed_makes_the_same_people() {
    let (few, many) = (make_census(10, 7), make_census(5_000, 7));
    assert!(many.starts_with(&few));
    assert_eq!(many.lines().count(), 5_001);
    assert_ne!(few, make_census(10, 8));
    assert_eq!(make_census(0, 1), format!("{}\n", CENSUS_COLUMNS.join(",")));
}

/// Whoever lives in a couple and has a degree, or has large capital gains, earns more: one rule, and it beats to say
/// that nobody does.
#[test]
fn the_class_can_be_predicted() {
    let people = make_census(20_000, 3);
    let columns = columns(&people);
    let rows = columns["class"].len();
    let is_high = |row: usize| columns["class"][row] == "above 50k";
    let number = |name: &str, row: usize| columns[name][row].parse::<u32>().unwrap();
    let rule = |row: usize| {
        let couple = matches!(columns["relationship"][row], "Husband" | "Wife");
        couple && number("education-num", row) >= 10 || number("capital-gain", row) >= 5_000
    };
    let high = (0..rows).filter(|&row| is_high(row)).count();
    assert!((0.15..0.35).contains(&(high as f64 / rows as f64)), "{high} of {rows}");
    let right = (0..rows).filter(|&row| rule(row) == is_high(row)).count();
    let majority = rows - high;
    assert!(right > majority + rows / 25, "{right} against {majority} of {rows}");
}
