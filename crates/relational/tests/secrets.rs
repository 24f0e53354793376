//! What holds of secrets, seen as a reader sees a release: in every group of rows that look the same, bounds are kept.

mod plain;
mod world;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use proptest::prelude::*;
use scumble_grouping::Scale;
use scumble_privacy::{
    Distance, Diversity, EntityDemand, ParentKey, ReleasedDatabase, ReleasedTable, SecretValues, Secrets,
    recount_entities,
};
use scumble_progress::Work;
use scumble_relational::{
    Clustering, Clusters, Database, Entities, ForeignKey, Method, Order, Relation, Release, TableId,
};
use scumble_table::taxonomy::{Format, parse};
use scumble_table::{Column, ColumnId, Released, Table, ValueOrder};

use plain::table;
use world::{Sheet, World, sheets};

/// How persons are gathered.
#[derive(Clone, Copy, Debug)]
enum How {
    Paper(Method, f64, usize),
    Ours(u64),
}

fn run(how: How, k: usize, database: &Database, bounds: &[EntityDemand]) -> Clusters {
    let bounds = bounds.to_vec();
    match how {
        How::Paper(method, threshold, climit) => Clustering::new(k, threshold, climit, method)
            .unwrap()
            .with_bounds(bounds)
            .run(database, Work::unwatched()),
        How::Ours(seed) => Entities::new(k, seed)
            .unwrap()
            .with_bounds(bounds)
            .run(database, Work::unwatched()),
    }
    .unwrap()
}

/// A group of rows: for each person, the secrets of their rows.
type Group = Vec<(usize, Vec<Option<String>>)>;

/// A release with the sheets that it is of. The last column of each is the secret one.
struct Reader<'r> {
    sheets: &'r [Sheet],
    /// For each sheet, what each row shows; `None` for removed rows.
    shown: Vec<Vec<Option<String>>>,
    secrets: &'r [Vec<Option<String>>],
}

impl<'r> Reader<'r> {
    fn new(world: &'r World, secrets: &'r [Vec<Option<String>>], database: &Database, clusters: &Clusters) -> Self {
        let release = Release::new(database, clusters);
        let tables = release.tables(Order::Input, |_, _| true);
        let shown = world.sheets.iter().map(|sheet| {
            let published = &tables[database.find(&sheet.name).unwrap().0];
            let mut shown = vec![None; sheet.rows.len()];
            for (place, &row) in published.rows.iter().enumerate() {
                let quasi = (0..sheet.kinds.len()).map(|quasi| cell(&published.release, 2 + quasi, place));
                shown[row as usize] = Some(format!("{:?}", quasi.collect::<Vec<_>>()));
            }
            shown
        });
        Reader {
            sheets: &world.sheets,
            shown: shown.collect(),
            secrets,
        }
    }

    /// What a row shows with all below it.
    fn look(&self, sheet: usize, row: usize) -> String {
        let children = (0..self.sheets.len()).filter(|&child| self.sheets[child].parent == Some(sheet));
        let below = children.map(|child| {
            let rows = 0..self.sheets[child].rows.len();
            let kept =
                rows.filter(|&other| self.sheets[child].rows[other].of == row && self.shown[child][other].is_some());
            let mut looks: Vec<String> = kept.map(|row| self.look(child, row)).collect();
            looks.sort();
            looks
        });
        format!("{:?} {:?}", self.shown[sheet][row], below.collect::<Vec<_>>())
    }

    /// The looks of a row and of all above it, and whose row it is.
    fn path(&self, sheet: usize, row: usize) -> (Vec<String>, usize) {
        let (mut path, person) = match self.sheets[sheet].parent {
            None => (Vec::new(), row),
            Some(parent) => self.path(parent, self.sheets[sheet].rows[row].of),
        };
        path.push(self.look(sheet, row));
        (path, person)
    }

    fn groups(&self, sheet: usize) -> Vec<Group> {
        let mut groups: BTreeMap<Vec<String>, BTreeMap<usize, Vec<Option<String>>>> = BTreeMap::new();
        for row in 0..self.sheets[sheet].rows.len() {
            if self.shown[sheet][row].is_some() {
                let (path, person) = self.path(sheet, row);
                let secret = self.secrets[sheet][row].clone();
                groups.entry(path).or_default().entry(person).or_default().push(secret);
            }
        }
        groups.into_values().map(|group| group.into_iter().collect()).collect()
    }

    /// How many persons the smallest class has.
    fn smallest_class(&self) -> Option<usize> {
        self.groups(0).iter().map(Vec::len).min()
    }
}

fn cell(released: &Released, column: usize, row: usize) -> Option<&str> {
    let column = &released.columns()[column];
    let label = column.label_of_code()[column.codes().at(row) as usize];
    column.labels().at(label as usize)
}

/// The definitions, word by word. Those that are beside the whole the audit knows, of which a slow version is told there.
fn is_kept(demand: &EntityDemand, group: &Group) -> bool {
    match demand {
        EntityDemand::Anonymity { .. }
        | EntityDemand::Closeness { .. }
        | EntityDemand::DeltaDisclosure { .. }
        | EntityDemand::BetaLikeness { .. } => true,
        EntityDemand::Confidence { at_most, about, .. } => {
            let sets: Vec<BTreeSet<Option<String>>> = match &about.values {
                SecretValues::Every => {
                    let all: BTreeSet<Option<String>> = group.iter().flat_map(|(_, own)| own.clone()).collect();
                    all.into_iter().map(|value| BTreeSet::from([value])).collect()
                }
                SecretValues::Sets(sets) => sets.iter().map(|set| set.iter().cloned().map(Some).collect()).collect(),
            };
            sets.iter().all(|set| {
                let with = group
                    .iter()
                    .filter(|(_, own)| own.iter().any(|secret| set.contains(secret)));
                with.count() as f64 / group.len() as f64 <= at_most + 1e-9
            })
        }
        EntityDemand::Diversity { measure, .. } => {
            let mut counts: BTreeMap<&Option<String>, f64> = BTreeMap::new();
            group
                .iter()
                .flat_map(|(_, own)| own)
                .for_each(|secret| *counts.entry(secret).or_default() += 1.0);
            let mut counts: Vec<f64> = counts.into_values().collect();
            counts.sort_by(|a, b| b.total_cmp(a));
            let rows: f64 = counts.iter().sum();
            match *measure {
                Diversity::Distinct { l } => counts.len() as u64 >= l,
                Diversity::Entropy { l } => {
                    let entropy: f64 = counts.iter().map(|count| -count / rows * (count / rows).ln()).sum();
                    entropy >= l.ln() - 1e-6
                }
                Diversity::Recursive { c, l } => {
                    let tail: f64 = counts.iter().skip(l as usize - 1).sum();
                    counts[0] < c * tail
                }
            }
        }
    }
}

/// Gives every table one more column.
fn with_secrets(world: &mut World, secrets: &[Vec<Option<String>>]) {
    for (table, secrets) in world.tables.iter_mut().zip(secrets) {
        let mut columns = table.columns().to_vec();
        let cells = secrets.iter().map(Option::as_deref);
        columns.push(Column::from_cells("secret", ValueOrder::Natural, cells));
        *table = Table::new(table.rows(), columns);
    }
}

fn secret(seed: u8) -> Option<String> {
    // Some are much more frequent than others.
    let values = [Some("f"), Some("f"), Some("f"), Some("g"), Some("g"), Some("h"), None];
    values[seed as usize % values.len()].map(str::to_owned)
}

/// What the audit of the tables that are published says of these demands.
fn passes_the_audit(world: &World, database: &Database, clusters: &Clusters, demands: &[EntityDemand]) -> bool {
    let published = Release::new(database, clusters).tables(Order::Sorted, |_, _| true);
    let place_of = |sheet: usize| database.find(&world.sheets[sheet].name).unwrap().0;
    let tables = published.into_iter().enumerate().map(|(place, published)| {
        let sheet = (0..world.sheets.len()).find(|&sheet| place_of(sheet) == place).unwrap();
        let sheet = &world.sheets[sheet];
        ReleasedTable {
            name: sheet.name.clone(),
            release: published.release,
            key: vec![ColumnId(0)],
            parent: sheet.parent.map(|parent| ParentKey {
                table: place_of(parent),
                columns: vec![ColumnId(1)],
            }),
            quasi: (0..sheet.kinds.len()).map(|quasi| ColumnId(2 + quasi)).collect(),
            refers: Vec::new(),
        }
    });
    let released = ReleasedDatabase {
        tables: tables.collect(),
        lookups: Vec::new(),
    };
    let (findings, faults) = recount_entities(&released, demands, None);
    faults.count() == 0 && findings.iter().all(|finding| finding.holds)
}

/// A demand on a column of a table.
type Demanded = Box<dyn Fn(usize, ColumnId) -> EntityDemand>;

/// Of each kind, by what it is called and a number from 0 to 1 for its bound.
fn demanded(kind: usize, share: f64) -> Demanded {
    let tree = || Arc::new(parse(world::TREE, Format::Levels).unwrap());
    let diversity = |measure: Diversity| -> Demanded {
        Box::new(move |table, about| EntityDemand::Diversity { table, about, measure })
    };
    let closeness = |distance: Distance| -> Demanded {
        Box::new(move |table, about| EntityDemand::Closeness {
            table,
            about,
            at_most: share,
            distance: distance.clone(),
        })
    };
    let confidence = |values: SecretValues| -> Demanded {
        Box::new(move |table, column| EntityDemand::Confidence {
            table,
            at_most: share,
            about: Secrets {
                column,
                values: values.clone(),
            },
        })
    };
    let likeness = |enhanced: bool| -> Demanded {
        Box::new(move |table, about| EntityDemand::BetaLikeness {
            table,
            about,
            at_most: share * 3.0,
            enhanced,
        })
    };
    let l = 1 + (share * 3.0) as u64;
    match kind {
        0 => confidence(SecretValues::Every),
        1 => confidence(SecretValues::Sets(vec![
            vec!["f".to_owned()],
            vec!["g".to_owned(), "h".to_owned()],
        ])),
        2 => diversity(Diversity::Distinct { l }),
        3 => diversity(Diversity::Entropy { l: 1.0 + share * 2.0 }),
        4 => diversity(Diversity::Recursive {
            c: 0.1 + share * 3.0,
            l,
        }),
        5 => closeness(Distance::Equal),
        6 => closeness(Distance::Ordered),
        7 => closeness(Distance::Taxonomy(tree())),
        8 => Box::new(move |table, about| EntityDemand::DeltaDisclosure {
            table,
            about,
            below: 0.01 + share * 2.0,
        }),
        9 => likeness(false),
        _ => likeness(true),
    }
}

fn demand() -> impl Strategy<Value = (usize, f64)> {
    // A distance of 0 is one that rounding may break.
    (0..=10_usize, (1..=20_u8).prop_map(|share| f64::from(share) / 20.0))
}

fn how() -> impl Strategy<Value = How> {
    let method = prop::sample::select(vec![Method::Miracle, Method::MiracleX, Method::Bitmap]);
    let paper =
        (method, 0.0..=1.0, 0..=4_usize).prop_map(|(method, threshold, climit)| How::Paper(method, threshold, climit));
    prop_oneof![paper, any::<u64>().prop_map(How::Ours)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn bounds_hold_in_every_group_of_a_release(
        sheets in sheets(),
        seeds in prop::collection::vec(prop::collection::vec(any::<u8>(), 20), 4),
        demands in prop::collection::vec((any::<prop::sample::Index>(), demand()), 1..=3),
        k in 1..=5_usize,
        how in how(),
    ) {
        let secrets: Vec<Vec<Option<String>>> = sheets.iter().zip(&seeds)
            .map(|(sheet, seeds)| seeds[..sheet.rows.len()].iter().map(|&seed| secret(seed)).collect())
            .collect();
        let mut world = World::new(sheets);
        with_secrets(&mut world, &secrets);
        let database = world.database();
        let bounds: Vec<(usize, EntityDemand)> = demands.into_iter().map(|(sheet, (kind, share))| {
            let sheet = sheet.index(world.sheets.len());
            let column = ColumnId(2 + world.sheets[sheet].kinds.len());
            let table = database.find(&world.sheets[sheet].name).unwrap();
            (sheet, demanded(kind, share)(table.0, column))
        }).collect();
        let demanded: Vec<EntityDemand> = bounds.iter().map(|(_, bound)| bound.clone()).collect();
        let clusters = run(how, k, &database, &demanded);
        let reader = Reader::new(&world, &secrets, &database, &clusters);

        let holds = |reader: &Reader| bounds.iter().all(|(sheet, bound)| {
            reader.groups(*sheet).iter().all(|group| is_kept(bound, group))
        });
        let passes = |clusters: &Clusters| passes_the_audit(&world, &database, clusters, &demanded);
        prop_assert!(holds(&reader));
        prop_assert!(passes(&clusters), "{demanded:?}");
        prop_assert!(reader.smallest_class().is_none_or(|persons| persons >= k));
        let released: usize = clusters.clusters().iter().map(|cluster| cluster.members().len()).sum();
        prop_assert_eq!(released + clusters.left_out().len(), database.persons());

        let free = run(how, k, &database, &[]);
        if holds(&Reader::new(&world, &secrets, &database, &free)) && passes(&free) {
            prop_assert_eq!(Release::new(&database, &free).loss(), Release::new(&database, &clusters).loss());
            prop_assert_eq!(free.left_out(), clusters.left_out());
        }
        // More than those whom nobody is left for are left out only if a bound is on the table of persons.
        if bounds.iter().all(|&(sheet, _)| sheet != 0) {
            prop_assert!(clusters.left_out().len() < k);
            let nobody_is_left = matches!(how, How::Ours(_)) && database.persons() >= k;
            prop_assert!(!nobody_is_left || clusters.left_out().is_empty());
        }
    }
}

const HOWS: [How; 3] = [
    How::Paper(Method::Miracle, 0.5, 10),
    How::Paper(Method::MiracleX, 0.5, 10),
    How::Ours(1),
];

/// Persons with a town, and visits with a ward; diagnoses are secret.
fn hospital_of<'t>(persons: &'t Table, visits: &'t Table) -> Database<'t> {
    let values = Scale::Values { domain: None };
    Database::new(vec![
        Relation {
            name: "persons".to_owned(),
            table: persons,
            key: vec![ColumnId(0)],
            foreign_keys: vec![],
            quasi: vec![(ColumnId(1), values)],
        },
        Relation {
            name: "visits".to_owned(),
            table: visits,
            key: vec![],
            foreign_keys: vec![ForeignKey {
                parent: "persons".to_owned(),
                columns: vec![ColumnId(0)],
            }],
            quasi: vec![(ColumnId(1), values)],
        },
    ])
    .unwrap()
}

/// The persons and visits that are kept, and who is left out.
fn hospital(
    persons: &str,
    visits: &str,
    bounds: &[EntityDemand],
    k: usize,
    how: How,
) -> (Vec<u32>, Vec<u32>, Vec<u32>) {
    let (persons, visits) = (table(persons, &[]), table(visits, &[]));
    let database = hospital_of(&persons, &visits);
    let clusters = run(how, k, &database, bounds);
    let release = Release::new(&database, &clusters);
    let kept = |table| release.kept_rows(TableId(table)).collect();
    (kept(0), kept(1), clusters.left_out().to_vec())
}

fn confidence(table: usize, at_most: f64) -> EntityDemand {
    EntityDemand::Confidence {
        at_most,
        table,
        about: Secrets {
            column: ColumnId(2),
            values: SecretValues::Every,
        },
    }
}

/// Both visits of a and b to ward x look the same, so both persons have an F in the group: 2 of 2. One visit is removed,
/// and then it is 1 of 2.
#[test]
fn rows_that_look_the_same_are_counted_together() {
    let persons = "id town job\na x 1\nb x 2";
    let visits = "id ward what\na x F\nb x A\na x B\nb x F";
    for how in HOWS {
        let (_, visits, left_out) = hospital(persons, visits, &[confidence(1, 0.5)], 2, how);
        assert_eq!(visits.len(), 2, "{how:?}");
        assert!(left_out.is_empty());
    }
}

/// In different wards the visits are two groups, each of 1 of 2.
#[test]
fn rows_that_look_different_are_counted_apart() {
    let persons = "id town job\na x 1\nb x 2";
    let visits = "id ward what\na x F\nb x A\na y B\nb y F";
    for how in HOWS {
        let (_, visits, _) = hospital(persons, visits, &[confidence(1, 0.5)], 2, how);
        assert_eq!(visits, [0, 1, 2, 3], "{how:?}");
    }
}

/// Towns x and y are two clusters of 2, and both of x have job 1. With a pair of y it is 2 of 4: nobody is left out.
#[test]
fn clusters_are_merged_before_persons_are_left_out() {
    let persons = "id town job\na x 1\nb x 1\nc y 2\nd y 3";
    let visits = "id ward what\na x F\nb x A\nc x B\nd x F";
    for how in HOWS {
        let (persons, _, left_out) = hospital(persons, visits, &[confidence(0, 0.5)], 2, how);
        assert_eq!(persons, [0, 1, 2, 3], "{how:?}");
        assert!(left_out.is_empty());
    }
}

/// Three of four have job 1, so one of them must go for a share of 2/3, and nobody else.
#[test]
fn persons_are_left_out_as_the_last_resort() {
    let persons = "id town job\na x 1\nb x 1\nc x 1\nd x 2";
    let visits = "id ward what\na x F";
    for how in HOWS {
        let (_, _, left_out) = hospital(persons, visits, &[confidence(0, 0.67)], 2, how);
        assert_eq!(left_out.len(), 1, "{how:?}");
        assert!(left_out[0] < 3);
    }
}

/// All have job 1: nothing helps, and nobody is released.
#[test]
fn where_nothing_helps_nobody_is_released() {
    let persons = "id town job\na x 1\nb x 1\nc y 1\nd y 1";
    let visits = "id ward what\na x F";
    for how in HOWS {
        let (persons, visits, left_out) = hospital(persons, visits, &[confidence(0, 0.9)], 2, how);
        assert!(persons.is_empty() && visits.is_empty(), "{how:?}");
        assert_eq!(left_out, [0, 1, 2, 3]);
    }
}

/// How many classes and visits there are in the end.
fn classes_and_visits(persons: &str, visits: &str, k: usize, demand: EntityDemand, how: How) -> (usize, usize) {
    let (persons, visits) = (table(persons, &[]), table(visits, &[]));
    let database = hospital_of(&persons, &visits);
    let clusters = run(how, k, &database, &[demand]);
    assert!(clusters.left_out().is_empty(), "{how:?}");
    let release = Release::new(&database, &clusters);
    (clusters.clusters().len(), release.kept_rows(TableId(1)).len())
}

fn closeness(table: usize, at_most: f64) -> EntityDemand {
    EntityDemand::Closeness {
        table,
        about: ColumnId(2),
        at_most,
        distance: Distance::Equal,
    }
}

fn likeness(table: usize, at_most: f64) -> EntityDemand {
    EntityDemand::BetaLikeness {
        table,
        about: ColumnId(2),
        at_most,
        enhanced: false,
    }
}

fn disclosure(table: usize, below: f64) -> EntityDemand {
    EntityDemand::DeltaDisclosure {
        table,
        about: ColumnId(2),
        below,
    }
}

/// Of four jobs three are 1: both towns are at 1/4, 2 gains 1 in x, and y lacks it. On the bound the towns stay apart.
#[test]
fn towns_are_put_together_where_one_is_beyond_the_bound() {
    let persons = "id town job\na x 1\nb x 2\nc y 1\nd y 1";
    let visits = "id ward what\na x F";
    for how in HOWS {
        let classes = |demand: EntityDemand| classes_and_visits(persons, visits, 2, demand, how).0;
        assert_eq!(classes(closeness(0, 0.25)), 2, "{how:?}");
        assert_eq!(classes(closeness(0, 0.24)), 1, "{how:?}");
        assert_eq!(classes(likeness(0, 1.0)), 2, "{how:?}");
        assert_eq!(classes(likeness(0, 0.99)), 1, "{how:?}");
        assert_eq!(classes(disclosure(0, 100.0)), 1, "{how:?}");
    }
}

/// δ is not reached: 2 of 4 have job 2 in x and 1 of 4 in y, of all 3 of 8; ln(3/2) is the most.
#[test]
fn a_change_of_exactly_the_bound_is_too_much() {
    let persons = "id town job\na x 1\nb x 1\nc x 2\nd x 2\ne y 1\nf y 1\ng y 1\nh y 2";
    let visits = "id ward what\na x F";
    let most = 1.5_f64.ln();
    let how = How::Paper(Method::Miracle, 0.0, 100);
    let classes = |below: f64| classes_and_visits(persons, visits, 4, disclosure(0, below), how).0;
    assert_eq!((classes(most + 1e-6), classes(most)), (2, 1));
}

/// All visits to ward x are an F and all to y an A: F gains 1 in x. Without the visits to one ward those to the other are
/// all there is, and so like the whole: they stay.
#[test]
fn what_is_left_is_compared_with_what_is_left() {
    let persons = "id town job\na x 1\nb x 2";
    let visits = "id ward what\na x F\nb x F\na y A\nb y A";
    for how in HOWS {
        let found = |demand: EntityDemand| classes_and_visits(persons, visits, 2, demand, how);
        for demand in [closeness(1, 0.4), likeness(1, 0.9), disclosure(1, 3.0)] {
            assert_eq!(found(demand), (1, 2), "{how:?}");
        }
        assert_eq!(found(likeness(1, 1.0)), (1, 4), "{how:?}");
    }
}

/// In each town half have job 1 and half 2, and in z one more has 9: no other town may lack it, so all would have to be put
/// together. Without that one the towns stay as they are.
#[test]
fn who_has_what_nobody_else_has_is_left_out_for_all_others() {
    let of_town = |town: &str| {
        (0..4)
            .map(|at| format!("{town}{at} {town} {}\n", 1 + at % 2))
            .collect::<String>()
    };
    let towns: String = ["x", "y", "z"].map(of_town).concat();
    let persons = format!("id town job\n{towns}last z 9");
    for how in HOWS {
        let (kept, _, left_out) = hospital(&persons, "id ward what\nx0 x F", &[disclosure(0, 2.0)], 2, how);
        assert!(left_out.contains(&12) && left_out.len() <= 3, "{how:?}: {left_out:?}");
        assert_eq!(kept.len() + left_out.len(), 13, "{how:?}");
    }
}
