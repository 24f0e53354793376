//! What holds of a release, seen as a reader sees it: tables with keys and labels.

mod world;

use std::collections::HashMap;

use proptest::prelude::*;
use scumble_relational::{Clustering, Database, Method, Release};
use scumble_table::{ColumnId, Label, Released};

use world::{Kind, Sheet, World, sheets};

fn cell(released: &Released, column: usize, row: usize) -> Option<&str> {
    let column = &released.columns()[column];
    let label = column.label_of_code()[column.codes().at(row) as usize];
    column.labels()[label as usize].as_deref()
}

/// The released tables, joined by their keys.
struct Reader<'r> {
    sheets: &'r [Sheet],
    tables: Vec<Released>,
}

impl Reader<'_> {
    /// Everything that is told of a row and of the rows that belong to it, in an order that tells nothing.
    fn look(&self, sheet: usize, row: usize) -> String {
        let table = &self.tables[sheet];
        let own: Vec<String> = (2..table.columns().len())
            .map(|column| format!("{:?}", cell(table, column, row)))
            .collect();
        let id = cell(table, 0, row);
        let children = (0..self.sheets.len()).filter(|&child| self.sheets[child].parent == Some(sheet));
        let below: Vec<Vec<String>> = children
            .map(|child| {
                let rows = (0..self.tables[child].rows()).filter(|&row| cell(&self.tables[child], 1, row) == id);
                let mut looks: Vec<String> = rows.map(|row| self.look(child, row)).collect();
                looks.sort();
                looks
            })
            .collect();
        format!("{own:?} {below:?}")
    }

    /// How many persons there are of each look.
    fn alike(&self) -> HashMap<String, u64> {
        let mut alike = HashMap::new();
        for person in 0..self.tables[0].rows() {
            *alike.entry(self.look(0, person)).or_default() += 1;
        }
        alike
    }
}

/// The taxonomy of a column, if its labels are nodes of it.
fn covers(world: &World, kind: Kind, label: Option<&str>, value: Option<&str>) -> bool {
    let tree = (kind == Kind::Tree).then_some(&world.tree);
    label == value || Label::parse(label, tree).covers(value)
}

fn tables(release: &Release, database: &Database, sheets: &[Sheet]) -> Vec<Released> {
    let table = |sheet: &Sheet| release.table(database.find(&sheet.name).unwrap(), |_| true);
    sheets.iter().map(table).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn every_person_looks_like_k_minus_1_others(
        sheets in sheets(),
        k in 1..=5_usize,
        threshold in 0.0..=1.0,
        climit in 0..=4_usize,
        method in prop::sample::select(vec![Method::Miracle, Method::MiracleX]),
    ) {
        let world = World::new(sheets);
        let database = world.database();
        let clusters = Clustering::new(k, threshold, climit, method).unwrap().run(&database, || true).unwrap();
        let release = Release::new(&database, &clusters);
        let reader = Reader { sheets: &world.sheets, tables: tables(&release, &database, &world.sheets) };

        let persons = world.sheets[0].rows.len();
        prop_assert!(clusters.left_out().len() < k);
        prop_assert_eq!(reader.tables[0].rows(), persons - clusters.left_out().len());
        let alike = reader.alike();
        prop_assert!(alike.values().all(|&persons| persons >= k as u64));
        let told: u64 = alike.values().map(|persons| persons * persons).sum();
        prop_assert_eq!(release.discernibility(), told + (clusters.left_out().len() * persons) as u64);
    }

    #[test]
    fn released_values_cover_the_original_ones(sheets in sheets(), k in 1..=5_usize) {
        let world = World::new(sheets);
        let database = world.database();
        let clusters = Clustering::new(k, 0.3, 3, Method::Miracle).unwrap().run(&database, || true).unwrap();
        let release = Release::new(&database, &clusters);
        for (sheet, released) in world.sheets.iter().zip(tables(&release, &database, &world.sheets)) {
            let table = database.find(&sheet.name).unwrap();
            prop_assert_eq!(released.rows(), release.kept_rows(table).len());
            for (row, original) in release.kept_rows(table).enumerate() {
                let before = &sheet.rows[original as usize];
                for (place, &kind) in sheet.kinds.iter().enumerate() {
                    let label = cell(&released, 2 + place, row);
                    prop_assert!(covers(&world, kind, label, before.cells[place].as_deref()));
                }
                let id = database.table(table).column(ColumnId(0));
                let id = id.dictionary().value(id.codes().at(original as usize));
                prop_assert_eq!(cell(&released, 0, row), id);
            }
        }
    }
}

#[test]
fn a_run_can_be_interrupted() {
    let rows = vec![world::Row {
        of: 0,
        cells: Vec::new(),
    }];
    let world = World::new(vec![Sheet {
        name: "t0".to_owned(),
        parent: None,
        kinds: Vec::new(),
        rows,
    }]);
    let clustering = Clustering::new(1, 0.5, 1, Method::Miracle).unwrap();
    assert!(clustering.run(&world.database(), || false).is_err());
    assert!(clustering.run(&world.database(), || true).is_ok());
}

#[test]
fn columns_are_published_as_told() {
    let rows = vec![world::Row {
        of: 0,
        cells: vec![None],
    }];
    let world = World::new(vec![Sheet {
        name: "t0".to_owned(),
        parent: None,
        kinds: vec![Kind::Values],
        rows,
    }]);
    let database = world.database();
    let clusters = Clustering::new(1, 0.5, 1, Method::Miracle)
        .unwrap()
        .run(&database, || true)
        .unwrap();
    let table = database.find("t0").unwrap();
    let released = Release::new(&database, &clusters).table(table, |column| column != ColumnId(0));
    let published: Vec<bool> = released.columns().iter().map(|column| column.published).collect();
    assert_eq!(published, [false, true, true]);
}
