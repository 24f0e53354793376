//! Small tables written as text, before and after masking.

use scumble_table::{Column, Range, Table, Taxonomy, ValueOrder, Written, taxonomy};
use scumble_utility::{Compared, Comparison, Domain, Role, Tally};

/// A column of an example.
pub struct Spec {
    pub name: &'static str,
    pub role: Role,
    pub kind: Kind,
}

/// What the values of a column may be.
pub enum Kind {
    Numbers(f64, f64),
    Tree(Taxonomy),
    Words,
}

/// A table and its release.
pub struct Example {
    specs: Vec<Spec>,
    pub before: Table,
    pub after: Table,
}

pub fn numbers(name: &'static str, role: Role, from: f64, to: f64) -> Spec {
    let kind = Kind::Numbers(from, to);
    Spec { name, role, kind }
}

/// `levels` is a taxonomy in the levels format.
pub fn tree(name: &'static str, role: Role, levels: &str) -> Spec {
    let kind = Kind::Tree(taxonomy::parse(levels, taxonomy::Format::Levels).unwrap());
    Spec { name, role, kind }
}

pub fn words(name: &'static str, role: Role) -> Spec {
    let kind = Kind::Words;
    Spec { name, role, kind }
}

/// A table from lines of cells with `;` between them; an empty cell is missing.
fn table(specs: &[Spec], text: &str) -> Table {
    let lines: Vec<Vec<&str>> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .map(|line| line.split(';').map(str::trim).collect())
        .collect();
    let column = |(place, spec): (usize, &Spec)| {
        let cells = lines
            .iter()
            .map(|line| Some(line[place]).filter(|cell| !cell.is_empty()));
        Column::from_cells(spec.name, ValueOrder::Natural, cells)
    };
    Table::new(lines.len(), specs.iter().enumerate().map(column).collect())
}

impl Example {
    pub fn new(specs: Vec<Spec>, before: &str, after: &str) -> Self {
        Example {
            before: table(&specs, before),
            after: table(&specs, after),
            specs,
        }
    }

    pub fn comparison(&self) -> Comparison<'_> {
        let columns = self.specs.iter().enumerate().map(|(place, spec)| Compared {
            name: spec.name,
            role: spec.role,
            domain: match &spec.kind {
                Kind::Numbers(from, to) => Domain::Continuous(Range::new(*from, *to).unwrap()),
                Kind::Tree(tree) => Domain::Tree(tree),
                Kind::Words => Domain::Flat,
            },
            before: Tally::of(&self.before.columns()[place]),
            after: &self.after.columns()[place],
            written: Written::Any,
        });
        Comparison::new(self.before.rows() as u64, self.after.rows(), columns.collect())
    }
}
