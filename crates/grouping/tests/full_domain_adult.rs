//! The lattice of the complete rows of Adult, with the trees that ARX comes with: 12,960 nodes.

use std::path::PathBuf;
use std::{env, fs};

use scumble_grouping::{FullDomain, FullDomainFound, FullDomainObjective, Ladder, Scale, full_domain};
use scumble_privacy::{Demand, QuasiIdentifier, Requirement, Template};
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

struct Adult {
    table: Table,
    trees: Vec<Taxonomy>,
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

impl Adult {
    /// The complete rows of the training part.
    fn load() -> Option<Adult> {
        let text = shared("adult/adult.data")?;
        let complete = text.lines().filter(|line| !line.is_empty() && !line.contains('?'));
        let rows: Vec<Vec<&str>> = complete.map(|line| line.split(", ").collect()).collect();
        assert_eq!(rows.len(), 30_162);
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

    /// The best node, of which so many rows may be left out.
    fn best(&self, demand: Demand, rows: u64, objective: FullDomainObjective) -> FullDomainFound {
        let ids: Vec<ColumnId> = (0..COLUMNS.len()).map(ColumnId).collect();
        let ladder = |&id: &ColumnId| Ladder::new(&self.table, id, Scale::Tree(&self.trees[id.0]));
        let quasi: Vec<Ladder> = ids.iter().map(ladder).collect();
        let of = QuasiIdentifier::all(ids.clone());
        let found = full_domain(&FullDomain {
            table: &self.table,
            quasi: &quasi,
            requirement: &Requirement {
                templates: vec![Template { of, demand }],
            },
            populations: &[],
            rows_left_out_at_most: rows,
            objective,
            go_on: &|| true,
        });
        found.expect("one group of all rows keeps the requirement")
    }
}

fn anonymity(k: u64) -> Demand {
    Demand::Anonymity { k, per: Vec::new() }
}

/// The optimum of ARX with its loss metric, no row left out. The domain of a column is the leaves of its tree: 100 ages, of
/// which the data has 72.
#[test]
fn the_optimum_is_that_of_arx() {
    let Some(adult) = Adult::load() else { return };
    for (k, loss) in [(5, 0.6355), (10, 0.6355), (50, 0.6355), (100, 0.6985)] {
        let found = adult.best(anonymity(k), 0, FullDomainObjective::Loss);
        assert_eq!(found.nodes, 12_960);
        assert!((found.value - loss).abs() < 5e-5, "k = {k}: {}", found.value);
        assert!(found.looked_at < found.nodes / 20, "k = {k}: {}", found.looked_at);
    }
}

/// Looking at all 12,960 nodes, one by one, finds the same.
#[test]
fn with_rows_to_leave_out_less_is_lost() {
    let Some(adult) = Adult::load() else { return };
    let one_in_twenty = adult.table.rows() as u64 / 20;
    let found = adult.best(anonymity(5), one_in_twenty, FullDomainObjective::Loss);
    assert!((found.value - 0.269_635).abs() < 5e-7, "{}", found.value);
    assert_eq!(found.left_out.iter().flatten().filter(|&&out| out).count(), 1_346);
    assert!(found.looked_at < found.nodes / 8, "{}", found.looked_at);
}
