//! The [`Public`] tables of the papers: Adult, CRX and German credit.
//!
//! Invariant: rows are complete, the training part comes first, and the class is the last column.

use std::fs;
use std::path::{Path, PathBuf};

use scumble_store::{FileSource, Unwatched};
use scumble_table::Reading;
use scumble_table::{ColumnId, Table};
use scumble_utility::classify::{Cases, FeatureKind, rank};
use tempfile::TempDir;

use crate::Result;

/// The columns of Adult by what they tell of the class (Fung 2007, section 4.4.1).
pub const ADULT_TOP9: [&str; 9] = [
    "capital-gain",
    "age",
    "marital-status",
    "education-num",
    "relationship",
    "hours-per-week",
    "sex",
    "education",
    "occupation",
];

/// Those of CRX.
pub const CRX_TOP9: [&str; 9] = ["A9", "A11", "A10", "A8", "A15", "A7", "A14", "A6", "A5"];

/// Those of German.
pub const GERMAN_TOP9: [&str; 9] = [
    "credit",
    "account-status",
    "duration",
    "credit-history",
    "savings-account",
    "installments",
    "loan-purpose",
    "debtors",
    "property",
];

/// The columns in file order, those of numbers with a `#`.
const ADULT: &str = "#age workclass #fnlwgt education #education-num marital-status occupation relationship race sex \
                     #capital-gain #capital-loss #hours-per-week native-country class";
const CRX: &str = "A1 #A2 #A3 A4 A5 A6 A7 #A8 A9 A10 #A11 A12 A13 #A14 #A15 class";
const GERMAN: &str = "account-status #duration credit-history loan-purpose #credit savings-account employment \
                      #installment-rate personal-status debtors #residence-time property #age installments housing \
                      #existing-credits job #liable-people telephone foreign class";

/// A column of a public table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicColumn {
    /// Its name.
    pub name: String,
    /// Words or numbers.
    pub kind: FeatureKind,
}

/// A public table, as a file and as it is read.
pub struct Public {
    /// A folder to work in, with `data.csv`.
    pub folder: TempDir,
    /// What `data.csv` holds.
    pub table: Table,
    /// Its columns but the class.
    pub columns: Vec<PublicColumn>,
    /// How many of the first rows are the training part.
    pub training: usize,
    /// The folders of taxonomies; that of a column is in the first that has one.
    taxonomies: Vec<PathBuf>,
}

/// Whose taxonomies Adult is generalized by; those of the thesis are not available. A column of words that has none is
/// suppressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trees {
    /// Of the data folder, written for Adult.
    Own,
    /// Of ARX.
    Arx,
    /// As the first, but marital status is told apart by whether there is a spouse in the house, as the census asks and
    /// ARX does, and relationship by whether one lives in a family.
    Household,
}

impl Public {
    /// The 30,162 and 15,060 complete rows of the census.
    pub fn adult(data: &Path, trees: Trees) -> Result<Public> {
        let training = complete_rows(&text(data, "adult/adult.data")?, ',');
        let test = complete_rows(&text(data, "adult/adult.test")?, ',');
        let of_data = |name: &str| data.join("taxonomies").join(name).canonicalize();
        let taxonomies = match trees {
            Trees::Own => vec![of_data("adult-own")?],
            Trees::Arx => vec![of_data("adult-arx")?],
            Trees::Household => {
                let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("taxonomies");
                vec![shipped, of_data("adult-own")?]
            }
        };
        Public::new(ADULT, training, test, taxonomies)
    }

    /// The 465 and 188 complete rows of the Japanese credit screening: its first 490 rows are the training part.
    pub fn crx(data: &Path) -> Result<Public> {
        let text = text(data, "credit/crx.data")?;
        let lines: Vec<&str> = text.lines().collect();
        let (training, test) = lines.split_at(lines.len().min(490));
        let complete = |lines: &[&str]| complete_rows(&lines.join("\n"), ',');
        Public::new(CRX, complete(training), complete(test), Vec::new())
    }

    /// The 666 and 334 rows of the German credit data.
    pub fn german(data: &Path) -> Result<Public> {
        let mut training = complete_rows(&text(data, "credit/german.data")?, ' ');
        let test = training.split_off(training.len().min(666));
        Public::new(GERMAN, training, test, Vec::new())
    }

    /// A table of these columns, those of numbers with a `#`, and lines of a CSV file.
    pub(crate) fn new(
        names: &str,
        training: Vec<String>,
        test: Vec<String>,
        taxonomies: Vec<PathBuf>,
    ) -> Result<Public> {
        let folder = TempDir::new()?;
        let header = names.replace('#', "").replace(' ', ",");
        let path = folder.path().join("data.csv");
        fs::write(&path, [vec![header], training.clone(), test].concat().join("\n") + "\n")?;
        let mut columns: Vec<PublicColumn> = names.split(' ').map(public_column).collect();
        columns.pop();
        Ok(Public {
            table: read_table(&path)?,
            folder,
            columns,
            training: training.len(),
            taxonomies,
        })
    }

    /// The columns of words.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        let is_word = |column: &&PublicColumn| column.kind == FeatureKind::Category;
        self.columns.iter().filter(is_word).map(|column| &column.name[..])
    }

    /// The taxonomy of a column, if it has one.
    pub fn taxonomy(&self, column: &str) -> Option<PathBuf> {
        let mut files = self
            .taxonomies
            .iter()
            .map(|folder| folder.join(column).with_extension("csv"));
        files.find(|path| path.is_file())
    }

    /// Our own ranking of these columns, on the training part.
    pub fn rank<'p>(&'p self, among: impl IntoIterator<Item = &'p str>, n: usize) -> Vec<String> {
        let mut table = self.table.clone();
        let keep: Vec<bool> = (0..table.rows()).map(|row| row < self.training).collect();
        table.retain_rows(&keep);
        let among: Vec<&str> = among.into_iter().collect();
        let features = self.columns.iter().enumerate();
        let features: Vec<(ColumnId, FeatureKind)> = features
            .filter(|(_, column)| among.contains(&&column.name[..]))
            .map(|(place, column)| (ColumnId(place), column.kind))
            .collect();
        rank(&Cases::new(&table, ColumnId(self.columns.len()), &features), n)
    }

    /// Of a column, the half of the values that is least frequent (section 5.4.1).
    pub fn least_frequent(&self, column: &str) -> Vec<&str> {
        let Some(id) = self.table.find(column) else {
            return Vec::new();
        };
        let column = self.table.column(id);
        let mut counts = vec![0usize; column.dictionary().len()];
        column.codes().iter().for_each(|code| counts[code as usize] += 1);
        let mut values: Vec<(usize, &str)> = counts.into_iter().zip(column.dictionary().texts().iter()).collect();
        values.sort_unstable();
        values.truncate(values.len() / 2);
        values.into_iter().map(|(_, value)| value).collect()
    }
}

fn public_column(name: &str) -> PublicColumn {
    match name.strip_prefix('#') {
        Some(name) => PublicColumn {
            name: name.to_owned(),
            kind: FeatureKind::Number,
        },
        None => PublicColumn {
            name: name.to_owned(),
            kind: FeatureKind::Category,
        },
    }
}

fn text(data: &Path, file: &str) -> Result<String> {
    let path = data.join(file);
    fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()).into())
}

/// The rows without a missing value, as lines of a CSV file. (No value of these tables has a comma.)
fn complete_rows(text: &str, separator: char) -> Vec<String> {
    let lines = text
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('|'));
    // The test part of Adult writes a dot after the class.
    let cells = |line: &str| -> Vec<String> {
        let line = line.trim().trim_end_matches('.');
        line.split(separator).map(|cell| cell.trim().to_owned()).collect()
    };
    lines
        .map(cells)
        .filter(|row| !row.iter().any(|cell| cell == "?"))
        .map(|row| row.join(","))
        .collect()
}

/// Reads a table, every value as text.
pub fn read_table(path: &Path) -> Result<Table> {
    let opened = FileSource::new(path).open(&Unwatched)?;
    let as_text = vec![Reading::Text; opened.header().len()];
    Ok(opened.read(&as_text, false, &Unwatched)?.table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_with_a_missing_value_and_comments_are_left_out() {
        let text = "|1x3 Cross validator\n25, Private, <=50K.\n\n38, ?, >50K.\n";
        assert_eq!(complete_rows(text, ','), ["25,Private,<=50K"]);
        assert_eq!(complete_rows("A11 6 1\nA12 48 2\n", ' '), ["A11,6,1", "A12,48,2"]);
    }

    fn small() -> Public {
        let rows = ["1,a,yes", "1,a,yes", "9,b,no", "9,b,no", "9,c,no"].map(str::to_owned);
        Public::new("#age job class", rows[..4].to_vec(), rows[4..].to_vec(), Vec::new()).unwrap()
    }

    #[test]
    fn the_class_is_no_column_to_guess_by() {
        let public = small();
        assert_eq!((public.columns.len(), public.training, public.table.rows()), (2, 4, 5));
        assert_eq!(public.columns[0], public_column("#age"));
        assert_eq!(public.words().collect::<Vec<_>>(), ["job"]);
        assert_eq!(public.rank(["age", "job"], 1), ["age"]);
    }

    /// Of three values the least frequent one, `c`.
    #[test]
    fn half_of_the_values_are_rounded_down() {
        assert_eq!(small().least_frequent("job"), ["c"]);
    }
}
