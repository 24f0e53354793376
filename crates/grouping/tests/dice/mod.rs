//! Random tables with columns of every kind, from one seed.
#![allow(dead_code, reason = "each test uses its part")]

use scumble_grouping::Scale;
use scumble_table::taxonomy::{Format, parse};
use scumble_table::{Column, ColumnId, Table, Taxonomy, ValueOrder};

/// A table, and how the values of its columns are told apart.
pub struct World {
    pub table: Table,
    pub quasi: Vec<(ColumnId, Kind)>,
    /// Sensitive columns, after the quasi columns.
    pub sensitive: Vec<(ColumnId, Kind)>,
    tree: Taxonomy,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    Tree,
    Numbers,
    Values,
}

impl World {
    pub fn quasi(&self) -> Vec<(ColumnId, Scale<'_>)> {
        self.scales(&self.quasi)
    }

    pub fn sensitive(&self) -> Vec<(ColumnId, Scale<'_>)> {
        self.scales(&self.sensitive)
    }

    pub fn tree(&self) -> &Taxonomy {
        &self.tree
    }

    fn scales(&self, columns: &[(ColumnId, Kind)]) -> Vec<(ColumnId, Scale<'_>)> {
        let scale = |kind: Kind| match kind {
            Kind::Tree => Scale::Tree(&self.tree),
            Kind::Numbers => Scale::Numbers { range: None },
            Kind::Values => Scale::Values { domain: None },
        };
        columns.iter().map(|&(id, kind)| (id, scale(kind))).collect()
    }
}

/// Eleven leaves, three levels, branches of different length.
const TREE: &str = "a;A;*\nb;A;*\nc;A;*\nd;B;*\ne;B;*\nf;f;*\ng;C;*\nh;C;*\ni;C;*\nj;C;*\nk;C;*\n";

/// A source of numbers that is the same everywhere.
pub struct Dice(pub u64);

impl Dice {
    /// A number below `sides`.
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % sides
    }

    /// A table of so many rows, with quasi columns of random kinds and sensitive ones after them; now and then a cell is
    /// missing.
    pub fn world(&mut self, rows: usize, quasi: usize, sensitive: usize) -> World {
        let tree = parse(TREE, Format::Levels).expect("the tree is right");
        let mut columns = Vec::new();
        let mut kinds = Vec::new();
        for place in 0..quasi + sensitive {
            let kind = [Kind::Tree, Kind::Numbers, Kind::Values][self.roll(3)];
            let distinct = 2 + self.roll(9);
            let holes = self.roll(4) == 0;
            let cells: Vec<Option<String>> = (0..rows)
                .map(|_| {
                    let value = self.roll(distinct);
                    let missing = holes && self.roll(8) == 0;
                    (!missing).then(|| match kind {
                        Kind::Tree | Kind::Values => char::from(b'a' + value as u8).to_string(),
                        Kind::Numbers => (value * value).to_string(),
                    })
                })
                .collect();
            let order = match kind {
                Kind::Tree => ValueOrder::Taxonomy(&tree),
                Kind::Numbers => ValueOrder::Number,
                Kind::Values => ValueOrder::Natural,
            };
            let name = format!("c{place}");
            columns.push(Column::from_cells(&name, order, cells.iter().map(Option::as_deref)));
            kinds.push((ColumnId(place), kind));
        }
        let sensitive = kinds.split_off(quasi);
        World {
            table: Table::new(rows, columns),
            quasi: kinds,
            sensitive,
            tree,
        }
    }
}
