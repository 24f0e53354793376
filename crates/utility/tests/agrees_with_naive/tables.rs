//! Random tables before and after masking, and what each of their labels stands for, written out by hand.
//!
//! The rows after masking are drawn by themselves and not made from those before: no measure may depend on which row is
//! which, and a release of any tool may be wrong.

use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use scumble_table::{Column, Range, SensitiveDomain, Table, Taxonomy, ValueOrder, Written, taxonomy};
use scumble_utility::{Compared, Comparison, Domain, Role, Tally};

pub type Cell = Option<&'static str>;
pub type Row = Vec<Cell>;

/// What a label stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Means {
    Missing,
    Numbers(f64, f64),
    Values(&'static [&'static str]),
    Everything,
}

/// A label, what it means, and its level and depth in the tree.
pub type Known = (Cell, Means, f64, u32);

pub const AGE: usize = 0;
pub const JOB: usize = 1;
pub const COUNTRY: usize = 2;
pub const SALARY: usize = 3;
pub const DISEASE: usize = 4;
pub const CLASS: usize = 5;
pub const NAMES: [&str; 6] = ["age", "job", "country", "salary", "disease", "class"];
pub const ROLES: [Role; 6] = [
    Role::Quasi,
    Role::Quasi,
    Role::Quasi,
    Role::Sensitive,
    Role::Sensitive,
    Role::Class,
];

/// Ages from 0 to 10. Numbers have no level and no depth.
const AGES: &[Known] = &[
    (Some("0"), Means::Numbers(0.0, 0.0), 0.0, 0),
    (Some("3"), Means::Numbers(3.0, 3.0), 0.0, 0),
    (Some("3.0"), Means::Numbers(3.0, 3.0), 0.0, 0),
    (Some("10"), Means::Numbers(10.0, 10.0), 0.0, 0),
    (Some("6.5"), Means::Numbers(6.5, 6.5), 0.0, 0),
    (Some("[0, 5)"), Means::Numbers(0.0, 5.0), 0.0, 0),
    (Some("[5, 10]"), Means::Numbers(5.0, 10.0), 0.0, 0),
    (Some("2-4"), Means::Numbers(2.0, 4.0), 0.0, 0),
    (Some("7+"), Means::Numbers(7.0, 10.0), 0.0, 0),
    (Some("*"), Means::Everything, 0.0, 0),
    (Some("old"), Means::Everything, 0.0, 0),
    (None, Means::Missing, 0.0, 0),
];

/// ANY over Professional (Engineer, Lawyer) and Janitor.
pub const JOBS: [&str; 3] = ["Engineer", "Lawyer", "Janitor"];
const JOB_LABELS: &[Known] = &[
    (Some("Engineer"), Means::Values(&["Engineer"]), 0.0, 2),
    (Some("Lawyer"), Means::Values(&["Lawyer"]), 0.0, 2),
    (Some("Janitor"), Means::Values(&["Janitor"]), 0.0, 1),
    (Some("Professional"), Means::Values(&["Engineer", "Lawyer"]), 0.5, 1),
    (Some("{Lawyer|Janitor}"), Means::Values(&["Lawyer", "Janitor"]), 1.0, 0),
    (Some("ANY"), Means::Values(&JOBS), 1.0, 0),
    (Some("*"), Means::Everything, 1.0, 0),
    (Some("Astronaut"), Means::Everything, 1.0, 0),
    (None, Means::Missing, 0.0, 1),
];

/// Countries without a tree; the data always has all three.
pub const COUNTRIES: [&str; 3] = ["a1", "a2", "b"];
const COUNTRY_LABELS: &[Known] = &[
    (Some("a1"), Means::Values(&["a1"]), 0.0, 1),
    (Some("a2"), Means::Values(&["a2"]), 0.0, 1),
    (Some("b"), Means::Values(&["b"]), 0.0, 1),
    (Some("a*"), Means::Values(&["a1", "a2"]), 1.0, 0),
    (Some("{a1|b}"), Means::Values(&["a1", "b"]), 1.0, 0),
    (Some("*"), Means::Everything, 1.0, 0),
    (Some("c"), Means::Everything, 1.0, 0),
    (None, Means::Missing, 0.0, 1),
];

/// Salaries from 0 to 100.
const SALARIES: &[Known] = &[
    (Some("0"), Means::Numbers(0.0, 0.0), 0.0, 0),
    (Some("10"), Means::Numbers(10.0, 10.0), 0.0, 0),
    (Some("19"), Means::Numbers(19.0, 19.0), 0.0, 0),
    (Some("20"), Means::Numbers(20.0, 20.0), 0.0, 0),
    (Some("100"), Means::Numbers(100.0, 100.0), 0.0, 0),
    (None, Means::Missing, 0.0, 0),
];

/// ANY over Virus (Flu, HIV) and Organ (Ulcer, Heart, Kidney).
pub const DISEASES: [&str; 5] = ["Flu", "HIV", "Ulcer", "Heart", "Kidney"];
const DISEASE_LABELS: &[Known] = &[
    (Some("Flu"), Means::Values(&["Flu"]), 0.0, 2),
    (Some("HIV"), Means::Values(&["HIV"]), 0.0, 2),
    (Some("Ulcer"), Means::Values(&["Ulcer"]), 0.0, 2),
    (Some("Heart"), Means::Values(&["Heart"]), 0.0, 2),
    (Some("Kidney"), Means::Values(&["Kidney"]), 0.0, 2),
    (Some("Virus"), Means::Values(&["Flu", "HIV"]), 0.5, 1),
    (None, Means::Missing, 0.0, 1),
];

const CLASSES: &[Known] = &[
    (Some("yes"), Means::Values(&["yes"]), 0.0, 1),
    (Some("no"), Means::Values(&["no"]), 0.0, 1),
];

/// The labels that each column may show.
pub const LABELS: [&[Known]; 6] = [AGES, JOB_LABELS, COUNTRY_LABELS, SALARIES, DISEASE_LABELS, CLASSES];

/// The values that each column may have before masking.
const VALUES: [&[Cell]; 6] = [
    &[Some("0"), Some("1"), Some("2"), Some("3"), Some("7"), Some("10"), None],
    &[Some("Engineer"), Some("Lawyer"), Some("Janitor"), None],
    &[Some("a1"), Some("a2"), Some("b"), None],
    &[Some("0"), Some("10"), Some("19"), Some("20"), Some("100")],
    &[
        Some("Flu"),
        Some("HIV"),
        Some("Ulcer"),
        Some("Heart"),
        Some("Kidney"),
        None,
    ],
    &[Some("yes"), Some("no")],
];

/// What a cell stands for; values of the data are labels too.
pub fn known(column: usize, cell: Cell) -> (Means, f64, u32) {
    let listed = LABELS[column].iter().find(|(label, ..)| *label == cell);
    listed.map_or_else(
        || {
            let number = cell
                .and_then(|text| text.parse().ok())
                .expect("only numbers are not listed");
            (Means::Numbers(number, number), 0.0, 0)
        },
        |&(_, means, level, depth)| (means, level, depth),
    )
}

pub fn means(column: usize, cell: Cell) -> Means {
    known(column, cell).0
}

/// The values of a column that are a list.
pub fn domain(column: usize) -> &'static [&'static str] {
    match column {
        JOB => &JOBS,
        COUNTRY => &COUNTRIES,
        DISEASE => &DISEASES,
        CLASS => &["no", "yes"],
        _ => &[],
    }
}

/// The range of a column of numbers.
pub fn length(column: usize) -> Option<f64> {
    [(AGE, 10.0), (SALARY, 100.0)]
        .into_iter()
        .find(|(place, _)| *place == column)
        .map(|(_, length)| length)
}

/// The nodes of a tree, as the leaves under them, the smallest first.
pub fn nodes(column: usize) -> &'static [&'static [&'static str]] {
    match column {
        JOB => &[&["Engineer"], &["Lawyer"], &["Janitor"], &["Engineer", "Lawyer"], &JOBS],
        DISEASE => &[
            &["Flu"],
            &["HIV"],
            &["Ulcer"],
            &["Heart"],
            &["Kidney"],
            &["Flu", "HIV"],
            &["Ulcer", "Heart", "Kidney"],
            &DISEASES,
        ],
        _ => &[],
    }
}

/// A table before masking and one after.
#[derive(Clone, Debug)]
pub struct Tables {
    pub before: Vec<Row>,
    pub after: Vec<Row>,
}

pub fn tables() -> impl Strategy<Value = Tables> {
    let cells = |place: usize| {
        let labels: Vec<Cell> = LABELS[place].iter().map(|(label, ..)| *label).collect();
        (select(VALUES[place]), select(labels))
    };
    let row = |values: bool| {
        let cells: Vec<BoxedStrategy<Cell>> = (0..6)
            .map(|place| match values {
                true => cells(place).0.boxed(),
                false => cells(place).1.boxed(),
            })
            .collect();
        cells
    };
    (vec(row(true), 0..10), vec(row(false), 0..10)).prop_map(|(mut before, mut after)| {
        // Every country is in the data, and so are both classes; a release has no more rows than the data.
        for (country, class) in COUNTRIES.into_iter().zip(["yes", "no", "yes"]) {
            before.push(vec![
                Some("5"),
                Some("Lawyer"),
                Some(country),
                Some("0"),
                Some("Flu"),
                Some(class),
            ]);
        }
        after.truncate(before.len());
        Tables { before, after }
    })
}

/// The tables as the measures take them.
pub struct Built {
    pub before: Table,
    pub after: Table,
    trees: [Option<Taxonomy>; 6],
}

impl Tables {
    pub fn build(&self) -> Built {
        let jobs = "Engineer;Professional;ANY\nLawyer;Professional;ANY\nJanitor;ANY\n";
        let diseases = "Flu;Virus;ANY\nHIV;Virus;ANY\nUlcer;Organ;ANY\nHeart;Organ;ANY\nKidney;Organ;ANY\n";
        let tree = |text: &str| Some(taxonomy::parse(text, taxonomy::Format::Levels).unwrap());
        let trees = [None, tree(jobs), None, None, tree(diseases), None];
        let table = |rows: &[Row], orders: bool| {
            let column = |place: usize| {
                let order = match &trees[place] {
                    Some(tree) if orders => ValueOrder::Taxonomy(tree),
                    _ if orders && length(place).is_some() => ValueOrder::Number,
                    _ => ValueOrder::Natural,
                };
                Column::from_cells(NAMES[place], order, rows.iter().map(|row| row[place]))
            };
            Table::new(rows.len(), (0..6).map(column).collect())
        };
        Built {
            before: table(&self.before, true),
            after: table(&self.after, false),
            trees,
        }
    }

    pub fn left_out(&self) -> f64 {
        (self.before.len() - self.after.len()) as f64
    }

    /// The rows of the release that agree on all quasi columns.
    pub fn groups(&self) -> Vec<Vec<&Row>> {
        let mut groups: Vec<Vec<&Row>> = Vec::new();
        for row in &self.after {
            match groups.iter_mut().find(|group| group[0][..3] == row[..3]) {
                Some(group) => group.push(row),
                None => groups.push(vec![row]),
            }
        }
        groups
    }
}

impl Built {
    pub fn comparison(&self) -> Comparison<'_> {
        let column = |place: usize| Compared {
            name: NAMES[place],
            role: ROLES[place],
            domain: match (&self.trees[place], length(place)) {
                (Some(tree), _) => Domain::Tree(tree),
                (_, Some(length)) => Domain::Continuous(Range::new(0.0, length).unwrap()),
                _ => Domain::Flat,
            },
            before: Tally::of(&self.before.columns()[place]),
            after: &self.after.columns()[place],
            written: Written::Any,
        };
        let rows = self.before.rows() as u64;
        Comparison::new(rows, self.after.rows(), (0..6).map(column).collect())
    }

    /// What the values of a sensitive column may be.
    pub fn sensitive_domain(&self, place: usize) -> SensitiveDomain {
        match (&self.trees[place], length(place)) {
            (Some(tree), _) => SensitiveDomain::Leaves(Arc::new(tree.clone())),
            (_, Some(length)) => SensitiveDomain::Numbers(Some(Range::new(0.0, length).unwrap())),
            _ => SensitiveDomain::Values,
        }
    }
}

/// Whether two figures are one, up to rounding.
pub fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * (1.0 + a.abs().max(b.abs()))
}
