//! Rows left out show nowhere: not in a cell, not in a mask, not in a measure of what was lost.

use std::collections::HashSet;

use fastrand::Rng;
use scumble::{Fault, Options, Unwatched, publish, read_any_policy};
use scumble_report::CertifiedMask;

use crate::desk::Desk;

fn salaries(published: &str, left_out: &str) -> Desk {
    let rows = |text: &str| -> String {
        let counted = text.split_whitespace().map(|part| part.split_once('x').unwrap());
        counted
            .map(|(salary, times)| format!("{salary},HIV\n").repeat(times.parse().unwrap()))
            .collect()
    };
    Desk::with(&[(
        "data.csv",
        &format!("salary,disease\n{}{}", rows(published), rows(left_out)),
    )])
}

fn policy(salary: &str, method: &str) -> String {
    format!(
        "[data]\nfile = \"data.csv\"\n[columns]\nsalary = {{ role = \"quasi\"{salary} }}\n\
         disease = {{ role = \"sensitive\" }}\n[[require]]\nanonymity = 3\n\
         [method]\nname = \"{method}\"\nrows_suppressed_at_most = 0.1\n"
    )
}

/// What can be read of a release: the file and its certificate.
fn public(desk: &Desk) -> String {
    desk.read("out/released.csv") + &desk.read("out/certificate.json")
}

#[test]
fn the_value_of_a_row_left_out_ends_no_interval() {
    let desk = salaries("20x3 30x7", "4711x1");
    let publication = desk.must_publish(&policy(", type = \"continuous\", range = [0, 10000]", "refine"));
    assert_eq!(publication.certificate.rows.left_out, 1);
    assert!(!public(&desk).contains("4711"), "{}", public(&desk));
    assert!(public(&desk).contains("[30, 10000]"), "{}", public(&desk));
}

/// Without a range the ends of the intervals are values; equal widths would tell the largest one, too.
#[test]
fn without_a_range_intervals_end_at_published_values() {
    for method in ["refine", "full-domain"] {
        let desk = salaries("20x3 21x2 30x3 40x3 60x4 61x5 62x3", "4711x1");
        let publication = desk.must_publish(&policy(", type = \"continuous\"", method));
        assert_eq!(publication.certificate.rows.left_out, 1, "{method}");
        assert!(!public(&desk).contains("4711"), "{method}: {}", public(&desk));
        let values = ["20", "21", "30", "40", "60", "61", "62"];
        for interval in desk.released("salary") {
            let ends = interval.trim_matches(['[', ']', ')']).split(", ");
            ends.for_each(|end| assert!(values.contains(&end), "{method}: {interval}"));
        }
    }
}

#[test]
fn a_missing_value_of_a_row_left_out_is_not_certified() {
    let desk = salaries("20x3 30x7", "x1");
    let publication = desk.must_publish(&policy("", "refine"));
    assert_eq!(publication.certificate.rows.left_out, 1);
    assert!(!public(&desk).contains("null"), "{}", public(&desk));
    let desk = salaries("20x3 30x7", "x1");
    desk.must_publish(&policy(", type = \"continuous\", range = [0, 50]", "refine"));
    assert!(!public(&desk).contains('*'), "{}", public(&desk));
}

/// Divided by what the cells show, the loss would be the length of the range, with the row that was left out.
#[test]
fn the_loss_of_a_release_is_measured_by_its_own_rows() {
    for method in ["local", "mondrian", "k-member"] {
        let desk = salaries("20x1 22x1 24x1 26x1 28x1 30x1 32x1 34x1 36x1", "4711x1");
        let publication = desk.must_publish(&policy(", type = \"continuous\"", method));
        if publication.certificate.rows.left_out == 0 {
            continue;
        }
        let cells = desk.released("salary");
        let lengths = cells.iter().map(|cell| {
            let ends: Vec<f64> = cell
                .trim_matches(['[', ']'])
                .split(", ")
                .map(|end| end.parse().unwrap())
                .collect();
            ends[ends.len() - 1] - ends[0]
        });
        let expected = lengths.sum::<f64>() / cells.len() as f64 / 16.0;
        let found = publication.certificate.information_loss;
        assert!((found - expected).abs() < 1e-9, "{method}: {found} is not {expected}");
    }
}

const METHODS: [&str; 9] = [
    "refine",
    "refine",
    "full-domain",
    "local",
    "toc",
    "upc",
    "mondrian",
    "k-member",
    "microaggregation",
];

/// A table of odd values, most of them held by one or two rows.
struct Drawn {
    rows: Vec<[Option<String>; 4]>,
    policy: String,
}

const NAMES: [&str; 4] = ["age", "job", "town", "who"];

impl Drawn {
    fn new(rng: &mut Rng) -> Drawn {
        let rows = rng.usize(6..24);
        let spread = rng.usize(2..12);
        let cell = |rng: &mut Rng, text: String, missing: f64| (rng.f64() > missing).then_some(text);
        let missing = if rng.bool() { 0.15 } else { 0.0 };
        let row = |row: usize, rng: &mut Rng| {
            // No count, level or share of a certificate looks like these.
            let age = format!("{}.3{}7", 1000 + 77 * rng.usize(0..spread), rng.usize(0..2));
            let job = format!("j{}", rng.usize(0..8));
            let town = format!("t{}", rng.usize(0..spread));
            [
                cell(rng, age, missing),
                cell(rng, job, missing),
                cell(rng, town, missing),
                Some(format!("w{row}")),
            ]
        };
        let table = (0..rows).map(|number| row(number, rng)).collect();
        let range = if rng.bool() { ", range = [0, 5000]" } else { "" };
        let method = METHODS[rng.usize(0..METHODS.len())];
        let policy = format!(
            "[data]\nfile = \"data.csv\"\nmissing = \"{}\"\n[columns]\n\
             age = {{ role = \"quasi\", type = \"continuous\"{range} }}\njob = {{ role = \"quasi\", taxonomy = \"job.csv\" }}\n\
             town = {{ role = \"quasi\" }}\nwho = {{ role = \"sensitive\" }}\n[[require]]\nanonymity = {}\n\
             [method]\nname = \"{method}\"\nrows_suppressed_at_most = {}\n",
            ["value", "drop"][rng.usize(0..2)],
            rng.usize(2..4),
            [0.2, 0.4, 0.7][rng.usize(0..3)],
        );
        Drawn { rows: table, policy }
    }

    fn text(&self) -> String {
        let line = |row: &[Option<String>; 4]| {
            let cells: Vec<&str> = row.iter().map(|cell| cell.as_deref().unwrap_or_default()).collect();
            cells.join(",") + "\n"
        };
        NAMES.join(",") + "\n" + &self.rows.iter().map(line).collect::<String>()
    }
}

/// Words and numbers of a text.
fn words(text: &str) -> HashSet<&str> {
    text.split(|sign: char| !sign.is_ascii_alphanumeric() && sign != '.')
        .collect()
}

/// Whether a mask says that a value is missing.
fn tells_missing(mask: &&CertifiedMask) -> bool {
    match mask {
        CertifiedMask::Suppress { disclosed } => disclosed.contains(&None),
        CertifiedMask::Generalize { .. } | CertifiedMask::Discretize { .. } | CertifiedMask::Group { .. } => false,
    }
}

/// Values that only rows left out or dropped hold are in no cell and no word of the certificate, whatever the method.
#[test]
fn no_value_of_rows_left_out_alone_is_published() {
    let tree = "j0;A;J\nj1;A;J\nj2;A;J\nj3;B;J\nj4;B;J\nj5;C;J\nj6;C;J\nj7;C;J\n";
    let (mut rng, mut released, mut left_out) = (Rng::with_seed(4711), 0, 0);
    for case in 0..400 {
        let drawn = Drawn::new(&mut rng);
        let desk = Desk::with(&[("data.csv", &drawn.text()), ("job.csv", tree)]);
        let Ok(publication) = desk.publish(&drawn.policy) else {
            continue;
        };
        released += 1;
        left_out += publication.certificate.rows.left_out;
        let who: HashSet<String> = desk.released("who").into_iter().collect();
        let (shown, hidden): (Vec<_>, Vec<_>) = drawn
            .rows
            .iter()
            .partition(|row| who.contains(row[3].as_ref().unwrap()));
        let public = public(&desk);
        let words = words(&public);
        let masks = publication.certificate.masks();
        for column in [0, 2, 3] {
            let held: HashSet<&Option<String>> = shown.iter().map(|row| &row[column]).collect();
            for value in hidden
                .iter()
                .map(|row| &row[column])
                .filter(|value| !held.contains(value))
            {
                let is_told = match value {
                    Some(word) => words.contains(&word[..]),
                    None => masks[NAMES[column]].as_ref().is_some_and(tells_missing),
                };
                assert!(
                    !is_told,
                    "case {case}: {value:?} in\n{}{public}{}",
                    drawn.text(),
                    drawn.policy
                );
            }
        }
        let audit = desk.audit(&drawn.policy);
        assert!(audit.holds, "case {case}: {audit:?}\n{}{}", drawn.text(), drawn.policy);
    }
    assert!(released > 150 && left_out > 300, "{released} {left_out}");
}

/// A bound that a row left out had goes, and no person of the population looks less like a row for it.
#[test]
fn beside_a_population_bounds_of_rows_left_out_are_taken_out() {
    let mut rng = Rng::with_seed(11);
    let (mut releases, mut left_out) = (0, 0);
    for case in 0..150 {
        let ages = |rng: &mut Rng, count: usize| -> Vec<String> {
            (0..count)
                .map(|_| format!("{}.37", 1000 + 77 * rng.usize(0..12)))
                .collect()
        };
        let (rows, more) = (rng.usize(4..14), rng.usize(4..30));
        let (own, others) = (ages(&mut rng, rows), ages(&mut rng, more));
        let lines = own.iter().enumerate().map(|(row, age)| format!("{age},w{row}\n"));
        let desk = Desk::with(&[
            ("data.csv", &format!("age,who\n{}", lines.collect::<String>())),
            (
                "people.csv",
                &format!("age\n{}\n{}\n", own.join("\n"), others.join("\n")),
            ),
        ]);
        let method = ["refine", "full-domain"][rng.usize(0..2)];
        let policy = format!(
            "[data]\nfile = \"data.csv\"\n[columns]\nage = {{ role = \"quasi\", type = \"continuous\"{} }}\n\
             who = {{ role = \"sensitive\" }}\n[[require]]\nk-map = 4\npopulation = \"people.csv\"\n\
             [[require]]\nanonymity = 2\n[method]\nname = \"{method}\"\nrows_suppressed_at_most = 0.4\n",
            ["", ", range = [0, 5000]"][rng.usize(0..2)],
        );
        let publication = match desk.publish(&policy) {
            Ok(publication) => publication,
            Err(error) => {
                assert_eq!(error.fault(), Fault::Requirement, "case {case}: {error}");
                continue;
            }
        };
        (releases, left_out) = (releases + 1, left_out + publication.certificate.rows.left_out);
        let who: HashSet<String> = desk.released("who").into_iter().collect();
        let is_shown = |row: &usize| who.contains(&format!("w{row}"));
        let published = (0..own.len()).filter(is_shown).map(|row| &own[row]);
        // Levels go from the smallest to the largest value of the population, whoever is in the table.
        let levels = own.iter().filter(|_| method == "full-domain");
        let shown: HashSet<&String> = published.chain(&others).chain(levels).collect();
        let public = public(&desk);
        let words = words(&public);
        for age in own.iter().filter(|age| !shown.contains(age)) {
            assert!(!words.contains(&age[..]), "case {case}: {age}\n{public}");
        }
        assert!(desk.audit(&policy).holds, "case {case}");
    }
    assert!(releases > 50 && left_out > 30, "{releases} {left_out}");
}

/// Of three courses one is removed, with more credits than all others: on the domain of the kept rows, 10 to 12 is all.
#[test]
fn the_loss_of_several_tables_is_measured_by_their_kept_rows() {
    let desk = Desk::with(&[
        ("students.csv", "sid,age\n1,20\n2,20\n"),
        ("courses.csv", "sid,credits\n1,10\n2,12\n2,4711\n"),
    ]);
    let text = "[person]\nfile = \"students.csv\"\nkey = \"sid\"\n[[tables]]\nname = \"courses\"\nfile = \"courses.csv\"\n\
                foreign_key = \"sid\"\n[columns]\nage = { role = \"quasi\", type = \"continuous\", range = [0, 100] }\n\
                courses.credits = { role = \"quasi\", type = \"continuous\" }\n[[require]]\nanonymity = 2\n";
    for method in ["entities", "miraclex", "miracle"] {
        desk.put("policy.toml", format!("{text}[method]\nname = \"{method}\"\n"));
        let policy = read_any_policy(&desk.path().join("policy.toml")).unwrap();
        let options = Options {
            replace: true,
            ..Options::default()
        };
        let publication = publish(&policy, &options, &Unwatched).unwrap();
        let courses = &publication.certificate.several.unwrap().tables[1];
        assert_eq!(courses.rows.left_out, 1);
        let credits = courses.columns.iter().find(|column| column.name == "credits").unwrap();
        assert_eq!(credits.masked.unwrap().loss, 1.0);
        assert!((publication.certificate.information_loss - 3.0 / 5.0).abs() < 1e-12);
        let public = desk.read("out/courses.csv") + &desk.read("out/certificate.json");
        assert!(!public.contains("47"), "{public}");
    }
}
