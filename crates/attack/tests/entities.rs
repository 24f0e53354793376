//! Rows of one person known in one of several tables: the paper's students, and random databases against every person
//! tried with every way of laying known rows on theirs.

use proptest::prelude::*;
use scumble_attack::{EntityAttack, EntityAttackSettings, EntityKnown, attack_entities};
use scumble_privacy::{OriginalColumn, OriginalTable, ParentKey, ReleasedDatabase, ReleasedTable};
use scumble_progress::{Interrupted, Stage, Trial, Work};
use scumble_table::{Column, ColumnId, Forms, Label, Mask, Released, Table, Taxonomy, ValueOrder};

/// A table: its first column is the key, the second the key of what it hangs off, the others are quasi.
#[derive(Clone, Debug)]
struct Plain {
    parent: Option<usize>,
    rows: Vec<Vec<String>>,
    quasi: usize,
}

fn table(plain: &Plain) -> Table {
    let column = |place: usize| {
        let cells = plain
            .rows
            .iter()
            .map(|row| Some(&row[place][..]).filter(|cell| !cell.is_empty()));
        Column::from_cells(&format!("c{place}"), ValueOrder::Natural, cells)
    };
    Table::new(plain.rows.len(), (0..2 + plain.quasi).map(column).collect())
}

fn released(tables: &[Plain]) -> ReleasedDatabase {
    let tables = tables.iter().enumerate().map(|(place, plain)| ReleasedTable {
        name: format!("t{place}"),
        release: Released::new(table(plain), &vec![(Mask::Exact, None, true); 2 + plain.quasi], None),
        key: vec![ColumnId(0)],
        parent: plain.parent.map(|table| ParentKey {
            table,
            columns: vec![ColumnId(1)],
        }),
        quasi: (2..2 + plain.quasi).map(ColumnId).collect(),
        refers: Vec::new(),
    });
    ReleasedDatabase {
        tables: tables.collect(),
        lookups: Vec::new(),
    }
}

fn attack(shown: &[Plain], known: &[Plain], tree: &Taxonomy, settings: EntityAttackSettings) -> EntityAttack {
    let tables: Vec<Table> = known.iter().map(table).collect();
    let originals = known.iter().zip(&tables).map(|(plain, table)| OriginalTable {
        table,
        key: vec![ColumnId(0)],
        foreign_key: plain.parent.iter().map(|_| ColumnId(1)).collect(),
        columns: (0..2 + plain.quasi)
            .map(|place| {
                (place >= 2).then_some(OriginalColumn {
                    id: ColumnId(place),
                    forms: Forms::any(Some(tree)),
                })
            })
            .collect(),
    });
    attack_entities(
        &released(shown),
        &originals.collect::<Vec<_>>(),
        settings,
        Work::unwatched(),
    )
    .unwrap()
}

const ALL: EntityAttackSettings = EntityAttackSettings {
    seed: 1,
    sets: u64::MAX,
};

/// The rows of a table that belong to each person; a key that is twice there is that of its first row.
fn rows_of_persons(tables: &[Plain], place: usize) -> Vec<Vec<usize>> {
    let person = |row: usize| {
        let (mut place, mut row) = (place, Some(row));
        while let (Some(parent), Some(own)) = (tables[place].parent, row) {
            let key = &tables[place].rows[own][1];
            row = tables[parent]
                .rows
                .iter()
                .position(|row| !key.is_empty() && row[0] == *key);
            place = parent;
        }
        row
    };
    let rows = |own: usize| {
        (0..tables[place].rows.len())
            .filter(|&row| person(row) == Some(own))
            .collect()
    };
    (0..tables[0].rows.len()).map(rows).collect()
}

fn subsets(rows: &[usize], count: usize) -> Vec<Vec<usize>> {
    match (count, rows) {
        (0, _) => vec![Vec::new()],
        (_, []) => Vec::new(),
        (_, [first, others @ ..]) => {
            let with = subsets(others, count - 1).into_iter().map(|mut set| {
                set.push(*first);
                set
            });
            with.chain(subsets(others, count)).collect()
        }
    }
}

/// Whether the known rows can be laid on different rows of those, the first on any, the next on any that is left.
fn can_be_laid(known: &[usize], rows: &[usize], covers: &dyn Fn(usize, usize) -> bool) -> bool {
    let Some((first, others)) = known.split_first() else {
        return true;
    };
    rows.iter().enumerate().any(|(place, &row)| {
        let mut left = rows.to_vec();
        left.remove(place);
        covers(row, *first) && can_be_laid(others, &left, covers)
    })
}

fn slow(shown: &[Plain], known: &[Plain], tree: &Taxonomy) -> EntityAttack {
    let mut found = Vec::new();
    for place in 1..shown.len() {
        let covers = |row: usize, of: usize| {
            let cells = shown[place].rows[row][2..].iter().zip(&known[place].rows[of][2..]);
            let mut cells =
                cells.map(|(label, value)| [label, value].map(|cell| Some(&cell[..]).filter(|t| !t.is_empty())));
            cells.all(|[label, value]| Label::parse(label, Forms::any(Some(tree))).covers(value))
        };
        let persons = rows_of_persons(shown, place);
        for count in 1..=3 {
            let of_persons = rows_of_persons(known, place);
            let sets = of_persons.iter().flat_map(|rows| subsets(rows, count));
            let candidates =
                sets.map(|set| persons.iter().filter(|rows| can_be_laid(&set, rows, &covers)).count() as u64);
            let candidates: Vec<u64> = candidates.collect();
            let some: Vec<u64> = candidates
                .iter()
                .copied()
                .filter(|&candidates| candidates > 0)
                .collect();
            found.push(EntityKnown {
                known: count,
                table: format!("t{place}"),
                sets: candidates.len() as u64,
                not_found: (candidates.len() - some.len()) as u64,
                worst: some.iter().copied().min(),
                average: some.iter().sum::<u64>() as f64 / some.len().max(1) as f64,
            });
        }
    }
    EntityAttack {
        known: found,
        singled_out: None,
    }
}

/// * { AB { a, b }, c }.
fn tree() -> Taxonomy {
    let nodes = [
        ("*", None),
        ("AB", Some(0)),
        ("a", Some(1)),
        ("b", Some(1)),
        ("c", Some(0)),
    ];
    Taxonomy::from_parents(&nodes.map(|(label, parent)| (label.to_owned(), parent))).unwrap()
}

fn random(rng: &mut fastrand::Rng, parents: &[Option<usize>], quasi: &[usize], texts: &[&str]) -> Vec<Plain> {
    let mut tables: Vec<Plain> = Vec::new();
    for (&parent, &quasi) in parents.iter().zip(quasi) {
        let rows = rng.usize(0..if parent.is_none() { 6 } else { 14 });
        let above = parent.map_or(0, |parent| tables[parent].rows.len());
        let row = |row: usize| {
            // Now and then a key leads nowhere.
            let foreign = parent.map_or(String::new(), |_| rng.usize(0..above + 1).to_string());
            let labels = (0..quasi).map(|_| texts[rng.usize(0..texts.len())].to_owned());
            [row.to_string(), foreign].into_iter().chain(labels).collect()
        };
        tables.push(Plain {
            parent,
            rows: (0..rows).map(row).collect(),
            quasi,
        });
    }
    tables
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn agrees_with_trying_every_person(seed: u64) {
        let mut rng = fastrand::Rng::with_seed(seed);
        let parents: Vec<Option<usize>> = (0..rng.usize(2..4))
            .map(|place: usize| place.checked_sub(1).map(|last| rng.usize(0..=last)))
            .collect();
        let quasi: Vec<usize> = parents.iter().map(|_| rng.usize(0..3)).collect();
        let shown = random(&mut rng, &parents, &quasi, &["a", "b", "AB", "{a|c}", "[1, 2]", "*", "1", ""]);
        let known = random(&mut rng, &parents, &quasi, &["a", "b", "c", "1", "2", ""]);
        let (found, expected) = (attack(&shown, &known, &tree(), ALL), slow(&shown, &known, &tree()));
        prop_assert_eq!(found.known.len(), expected.known.len());
        for (found, expected) in found.known.iter().zip(&expected.known) {
            prop_assert!((found.average - expected.average).abs() < 1e-9, "{found:?} {expected:?}");
            let average = expected.average;
            prop_assert_eq!(EntityKnown { average, ..found.clone() }, expected.clone());
        }
    }
}

fn rows(text: &str) -> Vec<Vec<String>> {
    let line = |line: &str| line.split_whitespace().map(str::to_owned).collect();
    text.lines().map(line).collect()
}

/// The courses of Nergiz and Clifton, tables II and III.
fn school() -> ([Plain; 2], [Plain; 2], Taxonomy) {
    let of = |rows: [Vec<Vec<String>>; 2]| {
        let [students, courses] = rows;
        let plain = |parent, rows, quasi| Plain { parent, rows, quasi };
        [plain(None, students, 0), plain(Some(0), courses, 1)]
    };
    let students = rows("1 -\n2 -\n3 -\n4 -");
    let shown = of([
        students.clone(),
        rows(
            "1 1 Science\n2 1 Physics\n3 1 Social\n4 2 Science\n5 2 Physics\n6 2 Social
            7 3 History\n8 3 Religion\n9 4 History\n10 4 Religion",
        ),
    ]);
    let known = of([
        students,
        rows(
            "1 1 Math\n2 1 Physics\n3 1 History\n4 2 CS\n5 2 Physics\n6 2 Religion
            7 3 History\n8 3 Religion\n9 3 Physics\n10 4 History\n11 4 Religion",
        ),
    ]);
    let nodes = [
        ("*", None),
        ("Science", Some(0)),
        ("Math", Some(1)),
        ("Physics", Some(1)),
        ("CS", Some(1)),
        ("Social", Some(0)),
        ("History", Some(5)),
        ("Religion", Some(5)),
    ];
    let tree = Taxonomy::from_parents(&nodes.map(|(label, parent)| (label.to_owned(), parent))).unwrap();
    (shown, known, tree)
}

/// History and Religion are both shown as Social to S1 and S2, and as they are to S3 and S4. Whoever knows both of S3 finds
/// S3 and S4 alone, since one row of Social cannot stand for two courses; with Physics they find nobody.
#[test]
fn different_rows_must_stand_for_the_known_ones() {
    let (shown, known, tree) = school();
    let attack = attack(&shown, &known, &tree, ALL);
    let figures = attack
        .known
        .iter()
        .map(|known| (known.known, known.sets, known.not_found, known.worst));
    // Of two: Physics with History or Religion of S3 fits S1 and S2.
    assert_eq!(
        figures.collect::<Vec<_>>(),
        [(1, 11, 0, Some(2)), (2, 10, 0, Some(2)), (3, 3, 1, Some(2))]
    );
    // Math, CS and Physics fit S1 and S2; History and Religion everybody.
    assert_eq!(attack.known[0].average, (5.0 * 2.0 + 6.0 * 4.0) / 11.0);
    let told = attack.to_string();
    assert!(
        told.contains("\n  1 row of t1: at least 2, on average 3.1 (of 11 tried, 0 fit nobody)\n"),
        "{told}"
    );
    let json = serde_json::to_value(&attack).unwrap();
    assert_eq!(json["known"][2]["not_found"], 1);
}

#[test]
fn too_many_sets_are_drawn_by_lot_and_the_seed_decides() {
    let (shown, known, tree) = school();
    let drawn = |seed| attack(&shown, &known, &tree, EntityAttackSettings { seed, sets: 4 });
    assert_eq!(drawn(3), drawn(3));
    assert_eq!(
        drawn(3).known.iter().map(|known| known.sets).collect::<Vec<_>>(),
        [4, 4, 3]
    );
    assert!((0..20).any(|seed| drawn(seed) != drawn(3)));
}

#[test]
fn nothing_comes_of_it_when_stopped() {
    let (shown, known, _) = school();
    let tables: Vec<Table> = known.iter().map(table).collect();
    let originals: Vec<OriginalTable> = tables
        .iter()
        .map(|table| OriginalTable {
            table,
            key: vec![ColumnId(0)],
            foreign_key: vec![ColumnId(1)],
            columns: vec![None; table.columns().len()],
        })
        .collect();
    let attacked = |watch: &Trial| {
        Stage::Attacking.run(watch, |work| {
            attack_entities(&released(&shown), &originals, EntityAttackSettings::default(), work)
        })
    };
    let patient = Trial::patient();
    assert!(attacked(&patient).is_ok());
    assert_eq!(patient.fault(), None);
    for looks in 0..patient.looks() {
        assert_eq!(attacked(&Trial::with_patience(looks)), Err(Interrupted), "look {looks}");
    }
}
