//! Tables written out: a header, then rows; `-` is a missing cell.

use scumble_table::{Column, Table, Taxonomy, ValueOrder};

/// A table; columns with a tree are in its order.
pub fn table(text: &str, trees: &[(&str, &Taxonomy)]) -> Table {
    let lines: Vec<Vec<&str>> = text
        .trim()
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    let (header, rows) = lines.split_first().unwrap();
    let column = |(place, name): (usize, &&str)| {
        let tree = trees.iter().find(|(column, _)| column == name);
        let order = tree.map_or(ValueOrder::Natural, |(_, tree)| ValueOrder::Taxonomy(tree));
        let cells = rows.iter().map(|row| Some(row[place]).filter(|&cell| cell != "-"));
        Column::from_cells(name, order, cells)
    };
    Table::new(rows.len(), header.iter().enumerate().map(column).collect())
}
