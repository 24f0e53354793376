//! The complete rows of the training part of Adult, with the trees that ARX comes with, where the data is there.
#![allow(dead_code, reason = "each test uses its part")]

use std::path::PathBuf;
use std::{env, fs};

use scumble_grouping::Scale;
use scumble_table::taxonomy::{Format, parse};
use scumble_table::{Column, ColumnId, Table, Taxonomy, ValueOrder};

/// The quasi columns, and where the file has them.
const COLUMNS: [(&str, usize); 9] = [
    ("age", 0),
    ("sex", 9),
    ("race", 8),
    ("marital-status", 5),
    ("education", 3),
    ("native-country", 13),
    ("workclass", 1),
    ("occupation", 6),
    ("salary-class", 14),
];

/// Rows and trees, column by column.
pub struct Adult {
    pub table: Table,
    pub trees: Vec<Taxonomy>,
}

impl Adult {
    /// 30,162 rows; `None` if a file is not there.
    pub fn load() -> Option<Adult> {
        Adult::each(1)
    }

    /// Every `step`-th row.
    pub fn each(step: usize) -> Option<Adult> {
        let text = shared("adult/adult.data")?;
        let complete = text.lines().filter(|line| !line.is_empty() && !line.contains('?'));
        let rows: Vec<Vec<&str>> = complete.step_by(step).map(|line| line.split(", ").collect()).collect();
        let trees = COLUMNS.iter().map(|(name, _)| {
            let text = shared(&format!("taxonomies/adult-arx/{name}.csv"))?;
            Some(parse(&text, Format::Levels).expect("the tree is right"))
        });
        let trees = trees.collect::<Option<Vec<Taxonomy>>>()?;
        let columns = COLUMNS.iter().zip(&trees).map(|((name, place), tree)| {
            let cells = rows.iter().map(|row| Some(row[*place]));
            Column::from_cells(name, ValueOrder::Taxonomy(tree), cells)
        });
        let table = Table::new(rows.len(), columns.collect());
        Some(Adult { table, trees })
    }

    /// The first columns, so many, each as a scale of its tree.
    pub fn scales<'t>(&'t self, columns: usize, scale: fn(&'t Taxonomy) -> Scale<'t>) -> Vec<(ColumnId, Scale<'t>)> {
        let trees = self.trees.iter().take(columns).enumerate();
        trees.map(|(place, tree)| (ColumnId(place), scale(tree))).collect()
    }
}

/// A file of public data, in the folder that `SCUMBLE_DATA` names or where it usually is.
fn shared(path: &str) -> Option<String> {
    let usual = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let shared = env::var_os("SCUMBLE_DATA").map_or(usual, PathBuf::from);
    let text = fs::read_to_string(shared.join(path)).ok();
    if text.is_none() {
        eprintln!("{path} is not here; nothing to do");
    }
    text
}
