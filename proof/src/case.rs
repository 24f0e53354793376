//! A [`Case`]: everything that one run of the program is given.

use std::fs;
use std::io;
use std::path::Path;

use crate::policy::Policy;
use crate::table::Table;

/// The name of the column that tells every row from every other.
pub const TAG: &str = "tag";

/// What is drawn, and what is to be tried with it.
#[derive(Clone, Debug)]
pub struct Case {
    /// What it was drawn from.
    pub seed: u64,
    /// The data.
    pub data: Table,
    /// What is asked.
    pub policy: Policy,
    /// The people of a k-map.
    pub population: Option<Table>,
    /// Releases that are out, in the order of `policy.earlier`.
    pub earlier: Vec<Out>,
    /// What the same office publishes next.
    pub next: Option<Next>,
    /// A text that stands in one cell which nobody may see.
    pub planted: Option<String>,
    /// Whether the run is made twice.
    pub twice: bool,
    /// Whether the release is tampered with, by these throws.
    pub tamper: Option<u64>,
    /// Whether the masks are used again, on the same data.
    pub mask_again: bool,
    /// Other data that the masks are used on.
    pub other: Option<Table>,
}

/// A release that is out already.
#[derive(Clone, Debug)]
pub struct Out {
    /// The table as it was, or as some other tool released it.
    pub table: Table,
    /// What this program was asked when it published it; `None` if it did not.
    pub policy: Option<Policy>,
}

/// A later version of the data.
#[derive(Clone, Debug)]
pub struct Next {
    /// The rows of then.
    pub data: Table,
    /// Whether it is masked exactly as the first.
    pub like: bool,
    /// Whether those who came and left are only reported.
    pub report_newcomers: bool,
}

impl Case {
    /// Writes all files that the policy names.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        write_policy(&self.policy, &self.data, folder)?;
        if let Some(population) = &self.population {
            fs::write(folder.join("population.csv"), population.to_csv())?;
        }
        if let Some(other) = &self.other {
            fs::write(folder.join("other.csv"), other.to_csv())?;
        }
        if let Some(next) = &self.next {
            fs::write(folder.join("next.csv"), next.data.to_csv())?;
        }
        for (out, earlier) in self.earlier.iter().zip(&self.policy.earlier) {
            match &out.policy {
                Some(policy) => {
                    let own = folder.join(&earlier.name);
                    fs::create_dir_all(&own)?;
                    write_policy(policy, &out.table, &own)?;
                }
                None => fs::write(folder.join(&earlier.file), out.table.to_csv())?,
            }
        }
        Ok(())
    }

    /// The smaller cases that may show the same, largest steps first.
    pub fn smaller(&self) -> Vec<Case> {
        let mut smaller = Vec::new();
        for require in (0..self.policy.require.len()).filter(|_| self.policy.require.len() > 1) {
            let mut case = self.clone();
            case.policy.require.remove(require);
            smaller.push(case);
        }
        for table in 0..self.tables().len() {
            let rows = self.tables()[table].rows.len();
            for part in [rows / 2, rows / 4, 1] {
                for from in (0..rows).step_by(part.max(1)).filter(|_| part > 0) {
                    let mut case = self.clone();
                    let to = (from + part).min(rows);
                    case.tables_mut()[table].rows.drain(from..to);
                    smaller.push(case);
                }
            }
        }
        smaller
    }

    fn tables(&self) -> Vec<&Table> {
        let mut tables = vec![&self.data];
        tables.extend(&self.population);
        tables.extend(&self.other);
        tables.extend(self.earlier.iter().map(|out| &out.table));
        tables.extend(self.next.iter().map(|next| &next.data));
        tables
    }

    fn tables_mut(&mut self) -> Vec<&mut Table> {
        let mut tables = vec![&mut self.data];
        tables.extend(&mut self.population);
        tables.extend(&mut self.other);
        tables.extend(self.earlier.iter_mut().map(|out| &mut out.table));
        tables.extend(self.next.iter_mut().map(|next| &mut next.data));
        tables
    }
}

fn write_policy(policy: &Policy, data: &Table, folder: &Path) -> io::Result<()> {
    fs::write(folder.join("policy.toml"), policy.to_toml())?;
    fs::write(folder.join("data.csv"), data.to_csv())?;
    let trees = policy.columns.iter().filter_map(Policy::tree_file);
    trees
        .into_iter()
        .try_for_each(|(file, text)| fs::write(folder.join(file), text))
}
