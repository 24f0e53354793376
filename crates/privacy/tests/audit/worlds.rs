//! Whoever has two versions goes through every way in which they fit together; where a comparison says that nobody is
//! exposed, none of them exposes anybody.
//!
//! A world pairs rows of both versions that may be about one person: their labels meet, and they have one secret. In each
//! world as many rows as possible are paired. All worlds of a few rows are made one by one.

use proptest::prelude::*;
use scumble_privacy::{
    ComparedTemplate, Demand, Diversity, Masking, QuasiIdentifier, Republication, Requirement, SecretValues, Secrets,
    Template,
};
use scumble_table::{ColumnId, Forms, Label};

use crate::definitions::levels;
use crate::example::Cells;
use crate::republication::table;

const HEADER: [&str; 3] = ["age", "job", "disease"];
const QUASI: [ColumnId; 2] = [ColumnId(0), ColumnId(1)];
const DISEASE: ColumnId = ColumnId(2);

/// What people may be: every label of the random tables covers some of these.
const AGES: [Option<&str>; 5] = [Some("1"), Some("2"), Some("3"), Some("4"), None];
const JOBS: [Option<&str>; 4] = [Some("p"), Some("q"), Some("r"), None];

/// Which row of the old version each row of the new one is paired with.
type World = Vec<Option<usize>>;

/// All worlds, given whether two rows may be about one person.
fn worlds(new: usize, old: usize, fit: &dyn Fn(usize, usize) -> bool) -> Vec<World> {
    let mut all = vec![World::new()];
    for row in 0..new {
        let mut longer = Vec::new();
        for world in &all {
            let free = |other: &usize| fit(row, *other) && !world.contains(&Some(*other));
            let partners = (0..old).filter(free).map(Some).chain([None]);
            longer.extend(partners.map(|partner| [&world[..], &[partner]].concat()));
        }
        all = longer;
    }
    let paired = |world: &World| world.iter().flatten().count();
    let most = all.iter().map(paired).max().unwrap_or(0);
    all.retain(|world| paired(world) == most);
    all
}

fn covers(row: &Cells, person: [Option<&str>; 2]) -> bool {
    let on = |id: ColumnId| Label::parse(row[id.0].as_deref(), Forms::any(None)).covers(person[id.0]);
    QUASI.into_iter().all(on)
}

fn people() -> impl Iterator<Item = [Option<&'static str>; 2]> {
    AGES.iter().flat_map(|&age| JOBS.iter().map(move |&job| [age, job]))
}

/// Whether somebody may be behind both rows, of all whom there may be.
fn meet(a: &Cells, b: &Cells) -> bool {
    people().any(|person| covers(a, person) && covers(b, person))
}

/// The versions, and all that an adversary can think of.
struct Adversary<'a> {
    old: &'a [Cells],
    new: &'a [Cells],
    worlds: Vec<World>,
}

impl<'a> Adversary<'a> {
    fn new(old: &'a [Cells], new: &'a [Cells], by_secret: bool) -> Self {
        let fit = |row: usize, other: usize| {
            let (row, other): (&Cells, &Cells) = (&new[row], &old[other]);
            meet(row, other) && (!by_secret || row[DISEASE.0] == other[DISEASE.0])
        };
        Adversary {
            old,
            new,
            worlds: worlds(new.len(), old.len(), &fit),
        }
    }

    /// The rows of everyone who stayed, came or left in a world and whose rows `may_be` somebody's.
    fn rows(&self, world: &World, part: Part, may_be: &dyn Fn(&Cells) -> bool) -> Vec<Cells> {
        let new = |row: usize| &self.new[row];
        let old = |row: usize| &self.old[row];
        let rows = world.iter().enumerate();
        let found: Vec<&Cells> = match part {
            Part::Stayed => {
                let stayed = rows.filter_map(|(row, partner)| Some((row, (*partner)?)));
                let fitting = stayed.filter(|&(row, other)| may_be(new(row)) && may_be(old(other)));
                fitting.map(|(row, _)| new(row)).collect()
            }
            Part::Came => {
                let came = rows.filter(|(_, partner)| partner.is_none()).map(|(row, _)| new(row));
                came.filter(|row| may_be(row)).collect()
            }
            Part::Gone => {
                let gone = (0..self.old.len()).filter(|&row| !world.contains(&Some(row)));
                gone.map(old).filter(|row| may_be(row)).collect()
            }
        };
        found.into_iter().cloned().collect()
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Part {
    Stayed,
    Came,
    Gone,
}

const PARTS: [Part; 3] = [Part::Stayed, Part::Came, Part::Gone];

fn found_to_hold(compared: &ComparedTemplate, part: Part) -> bool {
    match part {
        Part::Stayed => compared.stayed.holds,
        Part::Came => compared.came.holds,
        Part::Gone => compared.gone.holds,
    }
}

/// Whether a template holds of some rows as one group; of nobody it does.
fn is_met(template: &Template, rows: &[Cells]) -> bool {
    let found = levels(template, &[], rows, &[]);
    found.iter().all(|(level, _)| template.is_met_by(*level))
}

/// How often each secret is found, over all worlds together.
fn share_of(secret: &dyn Fn(&Cells) -> bool, rows: &[Cells]) -> f64 {
    rows.iter().filter(|row| secret(row)).count() as f64 / rows.len() as f64
}

fn rows() -> impl Strategy<Value = Vec<Cells>> {
    let one_of = |values: &'static [&'static str]| prop::sample::select(values).prop_map(|text| Some(text.to_owned()));
    let age = one_of(&["1", "3", "[1, 2]", "[2, 4]", "[1, 4]", "[3, 4]"]);
    let job = one_of(&["p", "p", "p", "q", "{p|q}", "*"]);
    let disease = one_of(&["HIV", "Flu", "Cold"]);
    let row = (age, job, disease).prop_map(|(age, job, disease)| vec![age, job, disease]);
    prop::collection::vec(row, 0..6)
}

/// Two versions that often share rows, as versions do.
fn versions() -> impl Strategy<Value = (Vec<Cells>, Vec<Cells>)> {
    (rows(), rows(), prop::collection::vec(any::<bool>(), 6)).prop_map(|(old, other, keep)| {
        let kept = old
            .iter()
            .zip(keep)
            .filter(|(_, keep)| *keep)
            .map(|(row, _)| row.clone());
        let new: Vec<Cells> = kept.chain(other).take(5).collect();
        (old, new)
    })
}

fn templates() -> Vec<Template> {
    let every = SecretValues::Every;
    let hiv = SecretValues::Sets(vec![vec!["HIV".to_owned()]]);
    let confidence = |at_most, values| Demand::Confidence {
        at_most,
        about: vec![Secrets {
            column: DISEASE,
            values,
        }],
    };
    let diversity = |measure| Demand::Diversity {
        about: DISEASE,
        measure,
    };
    let demands = [
        Demand::Anonymity { k: 2, per: vec![] },
        confidence(0.5, every.clone()),
        confidence(0.7, every),
        confidence(0.5, hiv.clone()),
        confidence(0.34, hiv),
        diversity(Diversity::Distinct { l: 2 }),
        diversity(Diversity::Entropy { l: 1.8 }),
        diversity(Diversity::Recursive { c: 1.5, l: 2 }),
    ];
    let of = |columns: &[ColumnId]| QuasiIdentifier {
        columns: columns.to_vec(),
        any: None,
    };
    let template = |demand| Template { of: of(&QUASI), demand };
    demands.into_iter().map(template).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn where_nobody_is_exposed_no_adversary_infers_more_than_the_bound((old, new) in versions()) {
        let templates = templates();
        let (old_table, new_table) = (table(&HEADER, &old), table(&HEADER, &new));
        let differs = || Masking::Differs { taxonomy: None, old_recoded: false, new_recoded: false };
        let masking = [differs(), differs(), Masking::Alike];
        let versions = Republication { old: &old_table, new: &new_table, masking: &masking };
        let comparison = versions.compare(&Requirement { templates: templates.clone() });
        prop_assert_eq!(comparison.templates.len(), templates.len());
        let by_secret = Adversary::new(&old, &new, true);
        let by_row = Adversary::new(&old, &new, false);

        for (template, compared) in templates.iter().zip(&comparison.templates) {
            let counts_rows = matches!(template.demand, Demand::Anonymity { .. });
            let adversary = if counts_rows { &by_row } else { &by_secret };
            for (part, found) in [(Part::Came, &compared.came), (Part::Gone, &compared.gone)] {
                let is_anybody = |world: &World| !adversary.rows(world, part, &|_| true).is_empty();
                prop_assert_eq!(found.level.is_some(), adversary.worlds.iter().any(is_anybody), "{:?} {:?}", part, template);
            }
            for part in PARTS.into_iter().filter(|&part| found_to_hold(compared, part)) {
                if counts_rows && part == Part::Stayed {
                    continue; // Below, by what may be theirs.
                }
                // In each world by itself, and so for whatever an adversary believes of the worlds.
                for world in &adversary.worlds {
                    for (first, second) in pairs(&old, &new, part) {
                        let labels = |row: &Cells| [row[0].clone(), row[1].clone()];
                        let shown = |row: &Cells| labels(row) == labels(first) || labels(row) == labels(second);
                        let rows = match part {
                            Part::Stayed => stayed_between(adversary, world, first, second),
                            Part::Came | Part::Gone => adversary.rows(world, part, &shown),
                        };
                        prop_assert!(is_met(template, &rows), "{part:?} {world:?} {first:?} {second:?}: {template:?}");
                    }
                }
                if let Demand::Confidence { at_most, about } = &template.demand {
                    for person in people() {
                        let rows: Vec<Cells> = adversary
                            .worlds
                            .iter()
                            .flat_map(|world| adversary.rows(world, part, &|row| covers(row, person)))
                            .collect();
                        for value in ["HIV", "Flu", "Cold"] {
                            let listed = match &about[0].values {
                                SecretValues::Every => true,
                                SecretValues::Sets(sets) => sets.iter().flatten().any(|own| own == value),
                            };
                            let share = share_of(&|row| row[DISEASE.0].as_deref() == Some(value), &rows);
                            prop_assert!(!listed || rows.is_empty() || share <= at_most + 1e-9, "{part:?} {person:?} {value} {share}");
                        }
                    }
                }
            }
            if let Demand::Anonymity { k, .. } = template.demand
                && compared.stayed.holds
            {
                for person in people() {
                    for (ours, theirs) in [(&new, &old), (&old, &new)] {
                        let may_be = |row: &&Cells| covers(row, person);
                        let candidates = ours.iter().filter(may_be).count() as u64;
                        let is_there = theirs.iter().any(|row| covers(row, person));
                        prop_assert!(!is_there || candidates == 0 || candidates >= k, "{person:?}");
                    }
                }
            }
        }
    }
}

/// A row of each group of a part: a new and an old one that meet, or one twice.
fn pairs<'a>(old: &'a [Cells], new: &'a [Cells], part: Part) -> Vec<(&'a Cells, &'a Cells)> {
    match part {
        Part::Stayed => {
            let both = new.iter().flat_map(|row| old.iter().map(move |other| (row, other)));
            both.filter(|(row, other)| meet(row, other)).collect()
        }
        Part::Came => new.iter().map(|row| (row, row)).collect(),
        Part::Gone => old.iter().map(|row| (row, row)).collect(),
    }
}

/// Who stayed in a world from the group of an old row to that of a new one.
fn stayed_between(adversary: &Adversary, world: &World, new: &Cells, old: &Cells) -> Vec<Cells> {
    let same = |a: &Cells, b: &Cells| a[..2] == b[..2];
    let stayed = world.iter().enumerate().filter_map(|(row, partner)| {
        let (row, other) = (&adversary.new[row], &adversary.old[(*partner)?]);
        (same(row, new) && same(other, old)).then(|| row.clone())
    });
    stayed.collect()
}
