//! A [`World`]: a joined table, who has which column, and what must hold.

use std::collections::BTreeSet;
use std::ops::Range;

use fastrand::Rng;
use scumble_privacy::{
    Demand, Distance, Diversity, History, QuasiIdentifier, Requirement, SecretValues, Secrets, Template, recount,
};
use scumble_progress::Work;
use scumble_refine::{Objective, Operation, Outcome, Problem, QuasiColumn, Refined, Weigh, refine};
use scumble_table::{
    Column, ColumnId, Interval, Mask, Released, ReleasedColumn, SUPPRESSED, Table, Taxonomy, ValueOrder,
};

use crate::{Coded, Contribution, Foreseen, MaskedColumn, Terms};

use super::party::Seen;

/// How a quasi column is masked.
#[derive(Clone)]
pub enum Form {
    Tree(Taxonomy),
    /// Numbers of a range, or of the one that the data has.
    Numbers(Option<scumble_table::Range>),
    Words,
}

/// Columns: quasi ones, then the class, then those that are published as they are.
#[derive(Clone)]
pub struct World {
    pub parties: usize,
    pub forms: Vec<Form>,
    /// By column; `None` for the class.
    pub owner_of: Vec<Option<usize>>,
    pub has_class: bool,
    pub class_holders: Vec<usize>,
    /// By column and record.
    pub cells: Vec<Vec<String>>,
    pub strays: Vec<Stray>,
    pub requirement: Requirement,
    pub objective: Objective,
    /// The most refinements to make.
    pub steps: Option<usize>,
}

/// A person that some parties have a record of, and others not.
#[derive(Clone)]
pub struct Stray {
    pub held_by: Vec<usize>,
    /// What its values are made of, which nobody else should ever see.
    pub mark: usize,
}

/// Whom a row of a party is about.
#[derive(Clone, Copy)]
pub enum Person {
    /// The record that all have, by its number.
    Common(usize),
    Stray(usize),
}

/// A row of a party's file.
pub struct Row {
    pub id: String,
    pub person: Person,
}

/// How many different words a column can have.
pub const WORDS: usize = 6;

/// A word that only this column has, long enough that it is not met by accident.
pub fn word(column: usize, number: usize) -> String {
    let tree = ["ash", "beech", "cedar", "dogwood", "elm", "fir"][number];
    format!("{tree} in column {column}")
}

/// A number, also long enough.
fn number(number: usize) -> String {
    (1_000_003 + 104_729 * number).to_string()
}

impl World {
    /// A random world of so many parties and at most so many records.
    pub fn random(rng: &mut Rng, parties: usize, records: usize) -> World {
        let quasi = parties + rng.usize(0..3);
        let mut forms: Vec<Form> = (0..quasi)
            .map(|column| match rng.u8(0..3) {
                0 => Form::Tree(tree(column, rng.usize(1..WORDS))),
                1 => Form::Numbers(None),
                _ => Form::Words,
            })
            .collect();
        let rows = rng.usize(8..=records);
        let cells = (0..quasi + 3).map(|column| match column.checked_sub(quasi) {
            Some(0) => (0..rows).map(|_| ["no", "yes"][rng.usize(0..2)].to_owned()).collect(),
            _ => random_cells(rng, forms.get(column), column, rows),
        });
        let cells = cells.collect();
        // Everyone has a quasi column; plain ones may be of one or of two.
        let owner_of_quasi = |column: usize| match column < parties {
            true => column,
            false => rng.usize(0..parties),
        };
        let mut owner_of: Vec<Option<usize>> = (0..quasi).map(owner_of_quasi).map(Some).collect();
        rng.shuffle(&mut owner_of);
        owner_of.extend([None, Some(rng.usize(0..parties)), Some(rng.usize(0..parties))]);
        let has_class = rng.u8(0..10) < 8;
        let mut class_holders: Vec<usize> = (0..parties).filter(|_| has_class && rng.bool()).collect();
        if has_class && class_holders.is_empty() {
            class_holders.push(rng.usize(0..parties));
        }
        let templates = (0..rng.usize(1..4)).map(|_| random_template(rng, &owner_of, quasi, has_class));
        let templates: Vec<Template> = templates.collect();
        // Words are disclosed one by one, and a value may be asked about only once.
        for column in asked_about(&templates, &owner_of) {
            if let Form::Words = forms[column] {
                forms[column] = Form::Tree(tree(column, rng.usize(1..WORDS)));
            }
        }
        World {
            parties,
            forms,
            owner_of,
            has_class,
            class_holders,
            cells,
            strays: random_strays(rng, parties),
            requirement: Requirement { templates },
            objective: random_objective(rng, has_class),
            steps: None,
        }
    }

    pub fn quasi(&self) -> Vec<ColumnId> {
        (0..self.forms.len()).map(ColumnId).collect()
    }

    /// What the agreement says of each quasi column.
    pub fn foreseen(&self) -> Vec<(ColumnId, Foreseen)> {
        let of_form = |form: &Form| match form {
            Form::Tree(taxonomy) => Foreseen {
                fan_out: WORDS as u32,
                refinements: Some(taxonomy.nodes().len()),
            },
            Form::Numbers(_) | Form::Words => Foreseen {
                fan_out: 2,
                refinements: None,
            },
        };
        self.quasi().into_iter().zip(self.forms.iter().map(of_form)).collect()
    }

    /// The place of the class among the columns.
    pub fn class(&self) -> usize {
        self.forms.len()
    }

    /// The columns that are published as they are.
    pub fn plain(&self) -> Range<usize> {
        self.class() + 1..self.cells.len()
    }

    /// The same, each with its owner.
    pub fn plain_columns(&self) -> Vec<(usize, usize)> {
        self.plain()
            .filter_map(|column| Some((column, self.owner_of[column]?)))
            .collect()
    }

    /// By group wherever that can be: where one party has all plain columns.
    pub fn contribution(&self) -> Contribution {
        let columns = self.plain_columns();
        match columns.windows(2).all(|pair| pair[0].1 == pair[1].1) {
            true => Contribution::ByGroup,
            false => Contribution::ByRecord,
        }
    }

    pub fn records(&self) -> usize {
        self.cells[0].len()
    }

    /// The rows of a party, in an order of its own.
    pub fn rows_of(&self, party: usize, rng: &mut Rng) -> Vec<Row> {
        let common = (0..self.records()).map(|record| Row {
            id: format!("person number {record}"),
            person: Person::Common(record),
        });
        let strays = self.strays.iter().enumerate();
        let held = strays.filter(|(_, stray)| stray.held_by.contains(&party));
        let strays = held.map(|(stray, _)| Row {
            id: format!("stray number {stray}"),
            person: Person::Stray(stray),
        });
        let mut rows: Vec<Row> = common.chain(strays).collect();
        rng.shuffle(&mut rows);
        rows
    }

    /// What a file has of a person.
    pub fn cell(&self, column: usize, person: Person) -> String {
        let stray = match person {
            Person::Common(record) => return self.cells[column][record].clone(),
            Person::Stray(stray) => &self.strays[stray],
        };
        match self.forms.get(column) {
            Some(Form::Numbers(_)) => (7_000_000 + stray.mark).to_string(),
            Some(Form::Tree(_)) => word(column, stray.mark % WORDS),
            _ => format!("stray with mark {}", stray.mark),
        }
    }

    /// A column of these cells, in value order.
    pub fn column<'c>(&self, column: usize, cells: impl Iterator<Item = Option<&'c str>>) -> Column {
        Column::from_cells(&World::name(column), self.order(column), cells)
    }

    pub fn name(column: usize) -> String {
        format!("c{column}")
    }

    pub fn order(&self, column: usize) -> ValueOrder<'_> {
        match self.forms.get(column) {
            Some(Form::Tree(taxonomy)) => ValueOrder::Taxonomy(taxonomy),
            Some(Form::Numbers(_)) => ValueOrder::Number,
            _ => ValueOrder::Natural,
        }
    }

    /// The joined table.
    pub fn joined(&self) -> Table {
        let columns = self.cells.iter().enumerate();
        let columns = columns.map(|(place, cells)| self.column(place, cells.iter().map(|cell| Some(&cell[..]))));
        Table::new(self.records(), columns.collect())
    }

    /// The problem of someone who holds some of the columns.
    pub fn problem<'p>(
        &'p self,
        table: &'p Table,
        history: &'p History,
        requirement: &'p Requirement,
        elsewhere: Vec<usize>,
        holds: impl Fn(usize) -> bool,
    ) -> Problem<'p> {
        let operation = |column: usize| match &self.forms[column] {
            _ if !holds(column) => Operation::Foreign,
            Form::Tree(taxonomy) => Operation::Generalize(taxonomy),
            Form::Numbers(range) => Operation::Discretize(*range),
            Form::Words => Operation::Suppress,
        };
        let quasi = self.quasi().into_iter().map(|id| QuasiColumn {
            id,
            operation: operation(id.0),
        });
        Problem {
            table,
            populations: &[],
            history,
            quasi: quasi.collect(),
            class: self.has_class.then_some(ColumnId(self.class())),
            requirement,
            elsewhere,
            objective: self.objective,
            weigh: Weigh::Records,
            rows_left_out_at_most: 0,
            steps: self.steps,
        }
    }

    /// What one machine finds on the joined table; `None` if the requirement cannot be met.
    pub fn refined(&self) -> Option<Refined> {
        let (table, history) = (self.joined(), History::default());
        match refine(
            &self.problem(&table, &history, &self.requirement, Vec::new(), |_| true),
            Work::unwatched(),
        ) {
            Outcome::Refined(refined) => Some(refined),
            _ => None,
        }
    }

    /// What a masked column shows.
    pub fn released(&self, column: usize, raw: Column, mask: &Mask) -> ReleasedColumn {
        let taxonomy = match &self.forms[column] {
            Form::Tree(taxonomy) => Some(taxonomy),
            _ => None,
        };
        ReleasedColumn::new(raw, mask, taxonomy, true)
    }
}

impl World {
    /// Whether a template names a quasi column; one that none does is shown as it is.
    pub fn is_masked(&self, column: usize) -> bool {
        let mut templates = self.requirement.templates.iter();
        templates.any(|template| template.of.columns.contains(&ColumnId(column)))
    }

    /// Whether masked columns, and the columns of this world that are published as they are, keep what must hold.
    pub fn keeps_requirement(&self, seen: &Seen) -> bool {
        let column = |place: usize| {
            let text = |record: usize| match seen.masked.get(place) {
                Some(masked) => masked.text(record),
                None => Some(&self.cells[place][seen.order[record]][..]),
            };
            let raw = self.column(self.class(), (0..self.records()).map(text));
            ReleasedColumn::new(raw, &Mask::Exact, None, true)
        };
        let released = Released::of_columns(self.records(), (0..self.cells.len()).map(column).collect());
        let findings = recount(&released, &self.requirement, &[], &History::default());
        findings.iter().all(|finding| finding.holds)
    }
}

/// What all of a world know of its columns, by the labels alone: a mask is told as the labels that it shows.
impl Terms for World {
    fn refinements(&self, column: usize, told: &MaskedColumn) -> Option<usize> {
        let labels: BTreeSet<&Option<String>> = told.cells.texts.iter().collect();
        let texts: Vec<&str> = labels.iter().map(|label| label.as_deref()).collect::<Option<_>>()?;
        if told.mask != format!("{labels:?}") {
            return None;
        }
        if !self.is_masked(column) {
            return Some(0);
        }
        match &self.forms[column] {
            Form::Tree(taxonomy) => {
                let above = |label: &&str| {
                    let first = taxonomy.find(label).and_then(|node| taxonomy.parent(node));
                    std::iter::successors(first, |&node| taxonomy.parent(node))
                };
                let are_nodes = texts.iter().all(|label| taxonomy.find(label).is_some());
                let refined: BTreeSet<_> = texts.iter().flat_map(above).collect();
                let is_refined = |label: &&str| taxonomy.find(label).is_some_and(|node| refined.contains(&node));
                (are_nodes && !texts.iter().any(is_refined)).then_some(refined.len())
            }
            Form::Numbers(_) => {
                let intervals: Vec<Interval> = texts.iter().map(|text| Interval::parse(text)).collect::<Option<_>>()?;
                Some(intervals.len() - 1)
            }
            Form::Words => Some(texts.iter().filter(|text| **text != SUPPRESSED).count()),
        }
    }

    fn can_hold(&self, _: usize, cells: &Coded) -> bool {
        !cells.texts.contains(&None)
    }
}

/// Half of the columns have one value mostly.
fn random_cells(rng: &mut Rng, form: Option<&Form>, column: usize, rows: usize) -> Vec<String> {
    let cell = |place: usize| match form {
        Some(Form::Numbers(_)) => number(place),
        _ => word(column, place % WORDS),
    };
    let (few, mostly) = (rng.bool(), rng.usize(0..9));
    (0..rows)
        .map(|row| match few && row % 3 > 0 {
            true => cell(mostly),
            false => cell(rng.usize(0..9)),
        })
        .collect()
}

/// A tree whose leaves are the words of a column, the first so many under one node and the rest under another.
pub fn tree(column: usize, split: usize) -> Taxonomy {
    let inner = ["any", "low", "high"].map(|label| format!("{label} of column {column}"));
    let leaves = (0..WORDS).map(|place| (word(column, place), Some(1 + usize::from(place >= split))));
    let nodes: Vec<(String, Option<usize>)> = inner.into_iter().zip([None, Some(0), Some(0)]).chain(leaves).collect();
    Taxonomy::from_parents(&nodes).expect("every label is new and every parent stands before its children")
}

fn random_strays(rng: &mut Rng, parties: usize) -> Vec<Stray> {
    let strays = (0..rng.usize(0..4)).map(|_| Stray {
        held_by: (0..parties).filter(|_| rng.bool()).take(parties - 1).collect(),
        mark: rng.usize(0..100_000),
    });
    strays.collect()
}

fn random_objective(rng: &mut Rng, has_class: bool) -> Objective {
    use Objective::*;
    let all = [
        Distortion,
        Discernibility,
        Certainty,
        InformationGain,
        InformationGain,
        GainOnly,
    ];
    // Without a class there is no information about it to gain.
    all[rng.usize(0..if has_class { all.len() } else { 3 })]
}

fn random_template(rng: &mut Rng, owner_of: &[Option<usize>], quasi: usize, has_class: bool) -> Template {
    let class = ColumnId(quasi);
    let plain = ColumnId(quasi + 1 + rng.usize(0..2));
    let (demand, of_one) = match rng.u8(0..12) {
        0..4 => (counting(rng.u64(1..8), &[]), false),
        4 if has_class => (counting(rng.u64(1..4), &[class, plain]), false),
        4 => (counting(rng.u64(1..4), &[plain]), false),
        5 => (diversity(plain, Diversity::Distinct { l: rng.u64(1..4) }), false),
        6 if has_class => (random_demand_of_one(rng, class), false),
        7 if has_class => (confidence(0.6 + 0.4 * rng.f64(), &[class], every), false),
        8 | 9 => (random_demand_of_one(rng, plain), true),
        _ => {
            let at_most = 0.4 + 0.6 * rng.f64();
            let both = [ColumnId(quasi + 1), ColumnId(quasi + 2)];
            let about: &[ColumnId] = if rng.bool() { &both } else { &[plain] };
            match rng.bool() {
                true => (confidence(at_most, about, every), false),
                false => (confidence(at_most, about, some_sets), false),
            }
        }
    };
    // Nobody can be asked about these, so all columns are of whoever holds the secret.
    let may_have = |column: &usize| !of_one || owner_of[*column] == owner_of[plain.0];
    let columns: Vec<usize> = (0..quasi).filter(may_have).collect();
    let mut of: Vec<ColumnId> = columns
        .iter()
        .copied()
        .filter(|_| rng.u8(0..10) < 6)
        .map(ColumnId)
        .collect();
    if of.is_empty() {
        of.push(ColumnId(columns[rng.usize(0..columns.len())]));
    }
    Template {
        of: QuasiIdentifier::all(of),
        demand,
    }
}

/// The quasi columns of a template about secrets of someone else.
fn asked_about(templates: &[Template], owner_of: &[Option<usize>]) -> Vec<usize> {
    let of_others = templates.iter().flat_map(|template| {
        let secrets = template.counted();
        let columns = template.of.columns.clone().into_iter();
        columns.filter(move |column| {
            let owner = owner_of[column.0];
            secrets
                .iter()
                .any(|id| owner_of[id.0].is_some() && owner_of[id.0] != owner)
        })
    });
    of_others.map(|column| column.0).collect()
}

/// A demand that only someone can see to who knows the column.
fn random_demand_of_one(rng: &mut Rng, about: ColumnId) -> Demand {
    match rng.u8(0..6) {
        0 => diversity(
            about,
            Diversity::Entropy {
                l: 1.0 + 2.0 * rng.f64(),
            },
        ),
        1 => diversity(
            about,
            Diversity::Recursive {
                c: 1.0 + 3.0 * rng.f64(),
                l: rng.u64(1..4),
            },
        ),
        distance @ (2 | 3) => Demand::Closeness {
            about,
            at_most: 0.1 + 0.6 * rng.f64(),
            distance: if distance == 2 {
                Distance::Equal
            } else {
                Distance::Ordered
            },
        },
        4 => Demand::DeltaDisclosure {
            about,
            below: 0.5 + 3.0 * rng.f64(),
        },
        _ => Demand::BetaLikeness {
            about,
            at_most: 0.5 + 3.0 * rng.f64(),
            enhanced: rng.bool(),
        },
    }
}

/// At least so many records, or different values of some columns.
pub fn counting(k: u64, per: &[ColumnId]) -> Demand {
    Demand::Anonymity { k, per: per.to_vec() }
}

fn diversity(about: ColumnId, measure: Diversity) -> Demand {
    Demand::Diversity { about, measure }
}

/// At most this share has a secret of these columns.
pub fn confidence(at_most: f64, about: &[ColumnId], values: fn(ColumnId) -> SecretValues) -> Demand {
    let secrets = |&column: &ColumnId| Secrets {
        column,
        values: values(column),
    };
    Demand::Confidence {
        at_most,
        about: about.iter().map(secrets).collect(),
    }
}

/// Every value is a secret.
pub fn every(_: ColumnId) -> SecretValues {
    SecretValues::Every
}

/// A value, and two others that are one secret.
pub fn some_sets(column: ColumnId) -> SecretValues {
    let word = |number| word(column.0, number);
    SecretValues::Sets(vec![vec![word(1)], vec![word(4), word(5)]])
}
