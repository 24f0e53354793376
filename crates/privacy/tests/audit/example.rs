//! Small releases, written as they are read.

use std::sync::Arc;

use scumble_privacy::{
    Demand, Finding, History, Population, QuasiIdentifier, Requirement, SecretValues, Secrets, Template, recount,
};
use scumble_table::{Column, ColumnId, Mask, Released, Table, Taxonomy, ValueOrder, taxonomy};

/// The cells of one row, `None` where missing.
pub type Cells = Vec<Option<String>>;

/// A release of which every value is shown as it is.
pub struct Example {
    pub release: Released,
}

/// Reads a release from a header line and one line per row, cells between spaces. `-` is a missing value. If the last
/// column is called `#`, it says how many such rows there are.
pub fn released(text: &str) -> Example {
    let (header, rows) = parse(text);
    from_cells(&header, &rows)
}

/// Reads a table in the same way.
pub fn table(text: &str) -> Table {
    let (header, rows) = parse(text);
    table_of_cells(&header, &rows)
}

fn parse(text: &str) -> (Vec<&str>, Vec<Cells>) {
    let mut lines = text.lines().map(words).filter(|line| !line.is_empty());
    let mut header = lines.next().expect("an example has a header");
    let counted = header.last() == Some(&"#");
    if counted {
        header.pop();
    }
    let mut rows: Vec<Cells> = Vec::new();
    for mut line in lines {
        let times = if counted {
            line.pop().unwrap().parse().unwrap()
        } else {
            1
        };
        assert_eq!(line.len(), header.len(), "every line has all cells");
        let cells: Cells = line
            .iter()
            .map(|&cell| (cell != "-").then(|| cell.to_owned()))
            .collect();
        rows.extend(std::iter::repeat_n(cells, times));
    }
    (header, rows)
}

/// A release of these rows.
pub fn from_cells(header: &[&str], rows: &[Cells]) -> Example {
    let masks = vec![(Mask::Exact, None, true); header.len()];
    Example {
        release: Released::new(table_of_cells(header, rows), &masks, None),
    }
}

/// A table of these rows.
pub fn table_of_cells(header: &[&str], rows: &[Cells]) -> Table {
    let column = |(place, name): (usize, &&str)| {
        let cells = rows.iter().map(|row| row[place].as_deref());
        Column::from_cells(name, ValueOrder::Natural, cells)
    };
    Table::new(rows.len(), header.iter().enumerate().map(column).collect())
}

impl Example {
    /// The columns with these names.
    pub fn columns(&self, names: &str) -> Vec<ColumnId> {
        words(names).into_iter().map(|name| self.column(name)).collect()
    }

    /// The column with this name.
    pub fn column(&self, name: &str) -> ColumnId {
        let place = self.release.columns().iter().position(|column| column.name == name);
        ColumnId(place.expect("the example has the column"))
    }

    /// What is found of a demand on the groups of these columns.
    pub fn finding(&self, of: &str, demand: Demand) -> Finding {
        let of = QuasiIdentifier::all(self.columns(of));
        self.recount(&Template { of, demand }, &[])
    }

    /// The level of a demand on the groups of these columns.
    pub fn level(&self, of: &str, demand: Demand) -> f64 {
        self.finding(of, demand).level
    }

    /// What is found of one template.
    pub fn recount(&self, template: &Template, populations: &[Population]) -> Finding {
        recount(&self.release, &alone(template), populations, &History::default()).remove(0)
    }

    /// What is found of one template on the join with earlier releases.
    pub fn recount_joined(&self, template: &Template, history: &History) -> Finding {
        recount(&self.release, &alone(template), &[], history).remove(0)
    }

    /// A population of people that show these cells on these columns.
    pub fn population(&self, columns: &[ColumnId], people: &[Cells]) -> Population {
        let label = |&ColumnId(column): &ColumnId, cell: &Option<String>| {
            let labels = self.release.columns()[column].labels();
            labels
                .iter()
                .position(|label| label == cell.as_deref())
                .map(|place| place as u32)
        };
        let labels = columns.iter().enumerate().map(|(place, id)| {
            let of_person = |person: &Cells| label(id, &person[place]);
            (*id, people.iter().map(of_person).collect())
        });
        Population::new(people.len(), labels.collect())
    }
}

fn alone(template: &Template) -> Requirement {
    Requirement {
        templates: vec![template.clone()],
    }
}

/// A template on all of these columns.
pub fn template(of: &[usize], demand: Demand) -> Template {
    let of = QuasiIdentifier::all(of.iter().copied().map(ColumnId).collect());
    Template { of, demand }
}

/// Each of these values is a secret.
pub fn each(column: ColumnId, values: &str) -> Vec<Secrets> {
    let sets = words(values).into_iter().map(|value| vec![value.to_owned()]);
    vec![Secrets {
        column,
        values: SecretValues::Sets(sets.collect()),
    }]
}

/// Every value is a secret.
pub fn every(column: ColumnId) -> Vec<Secrets> {
    vec![Secrets {
        column,
        values: SecretValues::Every,
    }]
}

/// Reads a tree of indented labels.
pub fn tree(text: &str) -> Arc<Taxonomy> {
    let tree = taxonomy::parse(text, taxonomy::Format::Indented);
    Arc::new(tree.expect("the tree of an example is well formed"))
}

/// Asserts that two levels differ by rounding at most.
#[track_caller]
pub fn assert_close(level: f64, expected: f64) {
    assert!((level - expected).abs() < 1e-9, "{level} is not {expected}");
}

pub fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}
