//! Every way in which tables make no database, planted one by one.

mod plain;

use scumble_grouping::Scale;
use scumble_progress::Work;
use scumble_relational::{Clustering, Database, DatabaseError, ForeignKey, Method, Relation, SettingError};
use scumble_table::taxonomy::{Format, parse};
use scumble_table::{ColumnId, Table};

use plain::table;

fn columns(table: &Table, names: &[&str]) -> Vec<ColumnId> {
    names.iter().map(|name| table.find(name).unwrap()).collect()
}

fn relation<'t>(name: &str, table: &'t Table, key: &[&str], links: &[(&str, &[&str])]) -> Relation<'t> {
    let link = |(parent, names): &(&str, &[&str])| ForeignKey {
        parent: (*parent).to_owned(),
        columns: columns(table, names),
    };
    Relation {
        name: name.to_owned(),
        table,
        key: columns(table, key),
        foreign_keys: links.iter().map(link).collect(),
        quasi: Vec::new(),
    }
}

fn fault(relations: Vec<Relation>) -> DatabaseError {
    Database::new(relations).err().unwrap()
}

fn persons() -> Table {
    table("id name\n7 Ann\n8 Bob\n9 Cem", &[])
}

fn visits() -> Table {
    table("visit person place\nv1 7 Rome\nv2 9 Oslo\nv3 7 Bonn", &[])
}

#[test]
fn tables_hang_together_by_their_keys() {
    let (persons, visits) = (persons(), visits());
    let notes = table("visit note\nv3 x\nv1 y\nv3 z", &[]);
    let database = Database::new(vec![
        relation("notes", &notes, &[], &[("visits", &["visit"])]),
        relation("visits", &visits, &["visit"], &[("persons", &["person"])]),
        relation("persons", &persons, &["id"], &[]),
    ])
    .unwrap();
    let names: Vec<&str> = database.tables().map(|table| database.name(table)).collect();
    assert_eq!(names, ["persons", "visits", "notes"]);
    let clusters = Clustering::new(3, 1.0, 0, Method::Miracle)
        .unwrap()
        .run(&database, Work::unwatched())
        .unwrap();
    // Bob has no visit, so nobody has one in common with him.
    let visits = database.find("visits").unwrap();
    assert!(clusters.clusters()[0].nodes(visits).is_empty());
}

/// The parts of a key are compared one by one: `1 12` is not `11 2`.
#[test]
fn keys_may_have_several_columns() {
    let persons = table("area number\n1 12\n11 2", &[]);
    let visits = table("in no place\n11 2 Rome\n1 12 Oslo", &[]);
    let link: (&str, &[&str]) = ("persons", &["in", "no"]);
    let relations = vec![
        relation("persons", &persons, &["area", "number"], &[]),
        relation("visits", &visits, &[], &[link]),
    ];
    let database = Database::new(relations).unwrap();
    let clusters = Clustering::new(1, 1.0, 0, Method::Miracle)
        .unwrap()
        .run(&database, Work::unwatched())
        .unwrap();
    let visits = database.find("visits").unwrap();
    let rows: Vec<&[u32]> = clusters
        .clusters()
        .iter()
        .map(|cluster| cluster.rows(visits, 0))
        .collect();
    assert_eq!(rows, [[1], [0]]);
}

#[test]
fn there_is_one_table_of_persons() {
    assert_eq!(fault(Vec::new()), DatabaseError::NoTable);
    let persons = persons();
    let both = vec![
        relation("persons", &persons, &["id"], &[]),
        relation("people", &persons, &["id"], &[]),
    ];
    let expected = DatabaseError::TwoPersonTables {
        first: "persons".into(),
        second: "people".into(),
    };
    assert_eq!(fault(both), expected);
}

#[test]
fn names_are_of_one_table() {
    let persons = persons();
    let same = vec![
        relation("persons", &persons, &[], &[]),
        relation("persons", &persons, &[], &[]),
    ];
    assert_eq!(
        fault(same),
        DatabaseError::SameName {
            table: "persons".into()
        }
    );
}

#[test]
fn a_table_hangs_off_one_table_that_is_there() {
    let (persons, visits) = (persons(), visits());
    let with = |links: &[(&str, &[&str])]| {
        fault(vec![
            relation("persons", &persons, &["id"], &[]),
            relation("visits", &visits, &["visit"], links),
        ])
    };
    let two = DatabaseError::TwoParents {
        table: "visits".into(),
        first: "persons".into(),
        second: "places".into(),
    };
    assert_eq!(with(&[("persons", &["person"]), ("places", &["place"])]), two);
    let unknown = with(&[("person", &["person"])]);
    assert_eq!(
        unknown.to_string(),
        "table `visits` hangs off `person`, which is no table; the tables are `persons`, `visits`"
    );
}

#[test]
fn no_table_hangs_off_itself() {
    let (persons, visits) = (persons(), visits());
    let circle = || {
        vec![
            relation("late", &visits, &["visit"], &[("visits", &["visit"])]),
            relation("visits", &visits, &["visit"], &[("again", &["visit"])]),
            relation("again", &visits, &["visit"], &[("visits", &["visit"])]),
        ]
    };
    // Without a table of persons; beside one; by itself. `late` only leads to the circle.
    let beside = [circle(), vec![relation("persons", &persons, &["id"], &[])]].concat();
    for relations in [circle(), beside] {
        let DatabaseError::Cycle { table } = fault(relations) else {
            panic!("a cycle")
        };
        assert!(["visits", "again"].contains(&&*table));
    }
    let own = vec![relation("persons", &persons, &["id"], &[("persons", &["id"])])];
    assert_eq!(
        fault(own),
        DatabaseError::Cycle {
            table: "persons".into()
        }
    );
}

#[test]
fn a_key_is_no_quasi_column() {
    let (persons, visits) = (persons(), visits());
    for column in ["visit", "person"] {
        let mut relations = vec![
            relation("persons", &persons, &["id"], &[]),
            relation("visits", &visits, &["visit"], &[("persons", &["person"])]),
        ];
        relations[1].quasi = vec![(visits.find(column).unwrap(), Scale::Values { domain: None })];
        let expected = DatabaseError::KeyIsQuasi {
            table: "visits".into(),
            column: column.into(),
        };
        assert_eq!(fault(relations), expected);
    }
}

#[test]
fn a_foreign_key_is_as_wide_as_the_key() {
    let (persons, visits) = (persons(), visits());
    for (key, link) in [
        (&["id"][..], &["person", "place"][..]),
        (&[], &["person"]),
        (&[], &[]),
        (&["id"], &[]),
    ] {
        let relations = vec![
            relation("persons", &persons, key, &[]),
            relation("visits", &visits, &[], &[("persons", link)]),
        ];
        let expected = DatabaseError::KeyWidth {
            table: "visits".into(),
            parent: "persons".into(),
            columns: link.len(),
            key_columns: key.len(),
        };
        assert_eq!(fault(relations), expected);
    }
}

#[test]
fn every_row_has_its_own_key() {
    let twice = table("area number\nx 1\ny 1\nx 1", &[]);
    let message = fault(vec![relation("persons", &twice, &["area", "number"], &[])]).to_string();
    assert_eq!(
        message,
        "table `persons`, row 3: the key in `area`, `number` is that of row 1; every row needs its own"
    );
    let missing = table("area number\nx 1\ny -", &[]);
    let expected = DatabaseError::MissingKey {
        table: "persons".into(),
        column: "number".into(),
        row: 2,
    };
    assert_eq!(
        fault(vec![relation("persons", &missing, &["area", "number"], &[])]),
        expected
    );
}

#[test]
fn every_row_belongs_to_a_row() {
    let persons = persons();
    for orphan in ["5", "-"] {
        let visits = table(&format!("visit person\nv1 7\nv2 {orphan}"), &[]);
        let relations = vec![
            relation("persons", &persons, &["id"], &[]),
            relation("visits", &visits, &[], &[("persons", &["person"])]),
        ];
        assert_eq!(
            fault(relations).to_string(),
            "table `visits`, row 2: `persons` has no row with the key in `person`; add that row, or leave out this one"
        );
    }
}

#[test]
fn values_are_on_the_scale_of_their_column() {
    let tree = parse("Ann;women;*\nBob;men;*\n", Format::Levels).unwrap();
    let persons = persons();
    for (scale, row, what) in [
        (Scale::Tree(&tree), 3, "a value that is no leaf of its taxonomy"),
        (Scale::Numbers { range: None }, 1, "no number"),
    ] {
        let mut persons = relation("persons", &persons, &["id"], &[]);
        persons.quasi = vec![(ColumnId(1), scale)];
        let expected = DatabaseError::NotOnScale {
            table: "persons".into(),
            column: "name".into(),
            row,
            what,
        };
        let fault = fault(vec![persons]);
        assert!(!fault.to_string().contains("Cem") && !fault.to_string().contains("Ann"));
        assert_eq!(fault, expected);
    }
}

#[test]
fn settings_are_checked() {
    let setting = |k, threshold| Clustering::new(k, threshold, 3, Method::MiracleX).err();
    assert_eq!(setting(0, 0.5), Some(SettingError::NoMembers));
    assert_eq!(setting(2, 1.1), Some(SettingError::Threshold));
    assert_eq!(setting(2, f64::NAN), Some(SettingError::Threshold));
    assert_eq!(setting(1, 0.0), None);
}
