//! What holds of a release, seen as a reader sees it: tables with keys and labels.

mod world;

use std::collections::HashMap;

use proptest::prelude::*;
use scumble_progress::{Running, Stage, Work};
use scumble_relational::{Clustering, Database, Method, Order, PublishedTable, Release};
use scumble_table::{ColumnId, Forms, Label, Released};

use world::{Kind, Sheet, World, sheets};

fn cell(released: &Released, column: usize, row: usize) -> Option<&str> {
    let column = &released.columns()[column];
    let label = column.label_of_code()[column.codes().at(row) as usize];
    column.labels().at(label as usize)
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
    label == value || Label::parse(label, Forms::any(tree)).covers(value)
}

/// The tables in the order of the sheets.
fn tables(release: &Release, database: &Database, sheets: &[Sheet]) -> Vec<PublishedTable> {
    let mut tables: Vec<Option<PublishedTable>> = release
        .tables(Order::Sorted, |_, _| true)
        .into_iter()
        .map(Some)
        .collect();
    let table = |sheet: &Sheet| tables[database.find(&sheet.name).unwrap().0].take().unwrap();
    sheets.iter().map(table).collect()
}

fn releases(tables: Vec<PublishedTable>) -> Vec<Released> {
    tables.into_iter().map(|table| table.release).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn every_person_looks_like_k_minus_1_others(
        sheets in sheets(),
        k in 1..=5_usize,
        threshold in 0.0..=1.0,
        climit in 0..=4_usize,
        method in prop::sample::select(vec![Method::Miracle, Method::MiracleX, Method::Bitmap]),
    ) {
        let world = World::new(sheets);
        let database = world.database();
        let clusters = Clustering::new(k, threshold, climit, method).unwrap().run(&database, Work::unwatched()).unwrap();
        let release = Release::new(&database, &clusters);
        let reader = Reader { sheets: &world.sheets, tables: releases(tables(&release, &database, &world.sheets)) };

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
        let clusters = Clustering::new(k, 0.3, 3, Method::Miracle).unwrap().run(&database, Work::unwatched()).unwrap();
        let release = Release::new(&database, &clusters);
        for (sheet, published) in world.sheets.iter().zip(tables(&release, &database, &world.sheets)) {
            let table = database.find(&sheet.name).unwrap();
            let mut rows = published.rows.clone();
            rows.sort_unstable();
            prop_assert!(rows.into_iter().eq(release.kept_rows(table)));
            for (row, &original) in published.rows.iter().enumerate() {
                let before = &sheet.rows[original as usize];
                for (place, &kind) in sheet.kinds.iter().enumerate() {
                    let label = cell(&published.release, 2 + place, row);
                    prop_assert!(covers(&world, kind, label, before.cells[place].as_deref()));
                }
            }
        }
    }

    /// A row goes with the rows that its original went with, though no key is what it was.
    #[test]
    fn keys_are_numbers_that_lead_to_the_same_rows(sheets in sheets(), k in 1..=3_usize) {
        let world = World::new(sheets);
        let database = world.database();
        let clusters = Clustering::new(k, 0.3, 3, Method::Miracle).unwrap().run(&database, Work::unwatched()).unwrap();
        let tables = tables(&Release::new(&database, &clusters), &database, &world.sheets);
        for (sheet, published) in world.sheets.iter().zip(&tables) {
            for (row, &original) in published.rows.iter().enumerate() {
                let number = (row + 1).to_string();
                prop_assert_eq!(cell(&published.release, 0, row), Some(&*number));
                if let Some(parent) = sheet.parent {
                    let parent_row: usize = cell(&published.release, 1, row).unwrap().parse().unwrap();
                    let parent_original = tables[parent].rows[parent_row - 1] as usize;
                    prop_assert_eq!(parent_original, sheet.rows[original as usize].of);
                }
            }
        }
    }

    /// Everybody is their own cluster here, so that clusters do not depend on the order either.
    #[test]
    fn the_order_of_the_input_does_not_show(sheets in sheets()) {
        let world = World::new(sheets);
        let turned = World::new(turned(&world.sheets));
        let shown = |world: &World| {
            let database = world.database();
            let clusters = Clustering::new(1, 0.0, 0, Method::Miracle).unwrap().run(&database, Work::unwatched()).unwrap();
            let tables = tables(&Release::new(&database, &clusters), &database, &world.sheets);
            let cells = |table: &PublishedTable| {
                let columns = 0..table.release.columns().len();
                let row = |row| columns.clone().map(move |column| cell(&table.release, column, row).map(str::to_owned));
                (0..table.release.rows()).flat_map(row).collect::<Vec<_>>()
            };
            tables.iter().map(cells).collect::<Vec<_>>()
        };
        prop_assert_eq!(shown(&world), shown(&turned));
    }
}

/// The same rows, the last first.
fn turned(sheets: &[Sheet]) -> Vec<Sheet> {
    let lengths: Vec<usize> = sheets.iter().map(|sheet| sheet.rows.len()).collect();
    let turn = |sheet: &Sheet| {
        let mut turned = sheet.clone();
        turned.rows.reverse();
        if let Some(parent) = sheet.parent {
            turned
                .rows
                .iter_mut()
                .for_each(|row| row.of = lengths[parent] - 1 - row.of);
        }
        turned
    };
    sheets.iter().map(turn).collect()
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
    let stopped = Running::begin(&|| true, Stage::Searching, None);
    assert!(clustering.run(&world.database(), stopped.work()).is_err());
    assert!(clustering.run(&world.database(), Work::unwatched()).is_ok());
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
        .run(&database, Work::unwatched())
        .unwrap();
    let tables = Release::new(&database, &clusters).tables(Order::Sorted, |_, column| column != ColumnId(0));
    let published: Vec<bool> = tables[0]
        .release
        .columns()
        .iter()
        .map(|column| column.published)
        .collect();
    assert_eq!(published, [false, true, true]);
}
