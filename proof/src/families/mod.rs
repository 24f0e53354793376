//! Cases of two tables: persons, and rows that hang off them.

mod check;

use std::fs;
use std::io;
use std::path::Path;

pub use check::examine;

use crate::definitions::families::Bound;
use crate::policy::{Column, Policy, Role, Secrets, Spread, quoted, written_column};
use crate::table::Table;

/// What is drawn. Both tables have the key of persons first, then a quasi column, then a sensitive one.
#[derive(Clone, Debug)]
pub struct Families {
    /// The persons.
    pub persons: Part,
    /// The rows that hang off them.
    pub visits: Part,
    /// How many persons must look the same.
    pub k: usize,
    /// A bound on a secret, and whether it is one of visits.
    pub bound: Option<(Bound, bool)>,
    /// The method.
    pub method: &'static str,
    /// Which released cell somebody changes.
    pub tamper: usize,
}

/// One of the tables.
#[derive(Clone, Debug)]
pub struct Part {
    /// The columns after the key.
    pub columns: Vec<Column>,
    /// The rows, the key first.
    pub table: Table,
}

impl Families {
    /// Writes all files.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        fs::write(folder.join("policy.toml"), self.to_toml())?;
        for (name, part) in [("persons.csv", &self.persons), ("visits.csv", &self.visits)] {
            fs::write(folder.join(name), part.table.to_csv())?;
            for (file, text) in part.columns.iter().filter_map(Policy::tree_file) {
                fs::write(folder.join(file), text)?;
            }
        }
        Ok(())
    }

    fn to_toml(&self) -> String {
        let mut text =
            "[person]\nfile = \"persons.csv\"\nkey = \"pid\"\n\n[[tables]]\nname = \"visits\"\nfile = \"visits.csv\"\n\
                        foreign_key = \"pid\"\n\n[columns]\n"
                .to_owned();
        for (name, part) in [("persons", &self.persons), ("visits", &self.visits)] {
            for column in part.columns.iter().filter(|column| column.role != Role::Unlisted) {
                text.push_str(&format!(
                    "{name}.{} = {}\n",
                    quoted(&column.name),
                    written_column(column)
                ));
            }
        }
        text.push_str(&format!("\n[[require]]\nanonymity = {}\n", self.k));
        if let Some((bound, of_visits)) = &self.bound {
            let about = if *of_visits { "visits.s1" } else { "persons.s0" };
            text.push_str(&match bound {
                Bound::Confidence(share, Secrets::Every) => {
                    format!("\n[[require]]\nconfidence = {share:?}\nabout = {{ \"{about}\" = \"*\" }}\n")
                }
                Bound::Diversity(Spread::Distinct(l)) => {
                    format!("\n[[require]]\ndiversity = {l}\nabout = \"{about}\"\n")
                }
                Bound::Closeness(most) => format!("\n[[require]]\ncloseness = {most:?}\nabout = \"{about}\"\n"),
                Bound::Disclosure(below) => {
                    format!("\n[[require]]\ndelta-disclosure = {below:?}\nabout = \"{about}\"\n")
                }
                Bound::Likeness(most, enhanced) => {
                    let kind = if *enhanced { "enhanced" } else { "basic" };
                    format!("\n[[require]]\nbeta-likeness = {most:?}\nkind = \"{kind}\"\nabout = \"{about}\"\n")
                }
                // Others are not drawn.
                Bound::Confidence(..) | Bound::Diversity(_) => String::new(),
            });
        }
        text.push_str(&format!(
            "\n[method]\nname = \"{}\"\n\n[release]\nfolder = \"out\"\n",
            self.method
        ));
        text
    }

    /// Smaller cases: without some persons and their rows, or some rows.
    pub fn smaller(&self) -> Vec<Families> {
        let mut smaller = Vec::new();
        for row in &self.persons.table.rows {
            let mut case = self.clone();
            case.persons.table.rows.retain(|other| other.person != row.person);
            case.visits.table.rows.retain(|other| other.person != row.person);
            smaller.push(case);
        }
        for row in 0..self.visits.table.rows.len() {
            let mut case = self.clone();
            case.visits.table.rows.remove(row);
            smaller.push(case);
        }
        smaller
    }
}
