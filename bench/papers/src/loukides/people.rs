//! The [`People`] of an experiment: a table, which of its columns are known and which are secret.
//!
//! Invariant: the known columns come first, the secret ones after them, and no cell is missing.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use fastrand::Rng;
use scumble_grouping::{Form, Scale};
use scumble_table::taxonomy::{Format, parse};
use scumble_table::{
    Column, ColumnId, Interval, Range, SensitiveDomain, SensitiveRange, SensitiveRanges, Table, Taxonomy, ValueOrder,
};
use scumble_utility::Domain;

use crate::public::read_table;
use crate::{Public, Result, Trees};

/// Fixes which rows are drawn, what is made up, and where methods begin.
pub(super) const SEED: u64 = 1;

/// The columns of Table 4.2 that are known, without age; their values are shown as sets.
const ADULT_WORDS: [&str; 5] = ["sex", "race", "class", "native-country", "workclass"];

/// Those of Table 6.1. `OccGroup` stands for its occupation of 26 values.
const CENSUS_WORDS: [&str; 4] = ["Gender", "Education", "MaritalStatus", "OccGroup"];

/// The largest value of the made-up tables, whose columns have the integers from 0.
const NORMAL_LAST: f64 = 19.0;

/// A table with its columns told apart.
pub(super) struct People {
    /// The rows.
    pub table: Table,
    /// What an adversary may know.
    pub quasi: Vec<Quasi>,
    /// What nobody should learn.
    pub secrets: Vec<Secret>,
}

/// A known column.
#[derive(Clone)]
pub(super) struct Quasi {
    pub values: Values,
    /// The tree by which a whole column is shown; without one it is shown as it is or not at all.
    pub ladder: Option<Arc<Taxonomy>>,
}

/// A secret column.
#[derive(Clone)]
pub(super) struct Secret {
    pub values: Values,
    /// What must not be learnt of each value; chapter 4 has no such thing.
    pub ranges: Option<SensitiveRanges>,
}

/// What the values of a column are, and so how those of a group are shown.
#[derive(Clone)]
pub(super) enum Values {
    /// Numbers, shown as an interval.
    Numbers,
    /// Words, shown as a set.
    Words,
    /// Leaves, shown as their closest common ancestor.
    Tree(Arc<Taxonomy>),
}

impl Values {
    fn order(&self) -> ValueOrder<'_> {
        match self {
            Values::Numbers => ValueOrder::Number,
            Values::Words => ValueOrder::Natural,
            Values::Tree(tree) => ValueOrder::Taxonomy(tree),
        }
    }

    /// How far values are apart.
    pub fn scale(&self) -> Scale<'_> {
        match self {
            Values::Numbers => Scale::Numbers { range: None },
            Values::Words => Scale::Values { domain: None },
            Values::Tree(tree) => Scale::Tree(tree),
        }
    }

    /// How the values of a group are shown.
    pub fn form(&self) -> Form {
        match self {
            Values::Numbers => Form::Interval,
            Values::Words => Form::Set,
            Values::Tree(_) => Form::Ancestor,
        }
    }

    /// What the values may be.
    pub fn domain(&self, column: &Column) -> Domain<'_> {
        match self {
            Values::Numbers => ends(column).map_or(Domain::Flat, Domain::Continuous),
            Values::Words => Domain::Flat,
            Values::Tree(tree) => Domain::Tree(tree),
        }
    }

    /// Their tree, if they are shown by one.
    pub fn taxonomy(&self) -> Option<&Taxonomy> {
        match self {
            Values::Tree(tree) => Some(tree),
            Values::Numbers | Values::Words => None,
        }
    }
}

/// The smallest and the largest number of a column.
fn ends(column: &Column) -> Option<Range> {
    let numbers = column.dictionary().numbers()?;
    Range::new(*numbers.first()?, *numbers.last()?).ok()
}

impl People {
    fn new(quasi: Vec<(Column, Quasi)>, secrets: Vec<(Column, Secret)>) -> People {
        let (mut columns, quasi): (Vec<Column>, Vec<Quasi>) = quasi.into_iter().unzip();
        let (secret_columns, secrets): (Vec<Column>, Vec<Secret>) = secrets.into_iter().unzip();
        columns.extend(secret_columns);
        let rows = columns.first().map_or(0, |column| column.codes().len());
        People {
            table: Table::new(rows, columns),
            quasi,
            secrets,
        }
    }

    /// Adult as in Table 4.2: so many of the 30,162 complete rows. Occupation is a number, close values next to each other.
    pub fn adult(data: &Path, rows: usize) -> Result<People> {
        let public = Public::adult(data, Trees::Own)?;
        let drawn = draw(public.training, rows);
        let pick = |name: &str, values: &Values| pick(&public.table, name, &drawn, values);
        let known = |name: &str, values: Values| -> Result<(Column, Quasi)> {
            Ok((pick(name, &values)?, Quasi { values, ladder: None }))
        };
        let words = ADULT_WORDS.iter().map(|name| known(name, Values::Words));
        let quasi = [known("age", Values::Numbers)].into_iter().chain(words);
        let secret = |column: Column, values: Values| (column, Secret { values, ranges: None });
        let occupations = tree(&data.join("taxonomies/adult-own/occupation.csv"))?;
        let occupation = numbered(&pick("occupation", &Values::Words)?, &occupations);
        let marital_status = pick("marital-status", &Values::Words)?;
        let secrets = vec![
            secret(marital_status, Values::Words),
            secret(occupation, Values::Numbers),
        ];
        Ok(People::new(quasi.collect::<Result<_>>()?, secrets))
    }

    /// The census as in Table 6.1: so many rows of the American Community Survey of 2018. The range of an income is its class
    /// of ten, two levels up.
    pub fn census(data: &Path, rows: usize) -> Result<People> {
        let table = read_table(&data.join("census/acs2018_person.csv.gz"))?;
        let drawn = draw(table.rows(), rows);
        let trees = data.join("taxonomies/acs2018-own");
        let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("taxonomies");
        let known = |name: &str| -> Result<(Column, Quasi)> {
            let own = shipped.join(name).with_extension("csv");
            // The data folder has none of groups of occupations, and in its marital status a leaf is also an inner node.
            let path = if own.is_file() {
                own
            } else {
                trees.join(name).with_extension("csv")
            };
            let ladder = tree(&path)?;
            let values = match name {
                "Age" => Values::Numbers,
                _ => Values::Tree(Arc::clone(&ladder)),
            };
            let ladder = Some(ladder);
            Ok((pick(&table, name, &drawn, &values)?, Quasi { values, ladder }))
        };
        let quasi = ["Age"].into_iter().chain(CENSUS_WORDS).map(known);
        let incomes = incomes()?;
        let ranges = SensitiveRanges::new(SensitiveDomain::Leaves(Arc::clone(&incomes)), SensitiveRange::Level(2))?;
        let values = Values::Tree(incomes);
        let income = pick(&table, "Income50", &drawn, &values)?;
        let ranges = Some(ranges);
        Ok(People::new(
            quasi.collect::<Result<_>>()?,
            vec![(income, Secret { values, ranges })],
        ))
    }

    /// A made-up table: independent columns of integers from 0 to 19, each drawn from a normal distribution around the
    /// middle.
    pub fn normal(made: &Normal) -> Result<People> {
        let mut rng = Rng::with_seed(SEED);
        let mut column = |name: String| {
            let cells: Vec<String> = (0..made.rows).map(|_| made.draw(&mut rng).to_string()).collect();
            Column::from_cells(&name, ValueOrder::Number, cells.iter().map(|cell| Some(&cell[..])))
        };
        let ladder = normal_tree()?;
        let quasi = (1..=made.quasi).map(|number| {
            let values = Values::Numbers;
            let ladder = Some(Arc::clone(&ladder));
            (column(format!("q{number}")), Quasi { values, ladder })
        });
        let quasi = quasi.collect();
        let secrets = (1..=made.secrets).map(|number| {
            let values = Values::Numbers;
            let ranges = made.ranges.clone();
            (column(format!("s{number}")), Secret { values, ranges })
        });
        Ok(People::new(quasi, secrets.collect()))
    }

    /// The same columns of so many of the rows.
    pub fn sample(&self, rows: usize) -> People {
        let drawn = draw(self.table.rows(), rows);
        let pick = |id: ColumnId, values: &Values| self.table.column(id).pick(&drawn, values.order());
        let quasi = self.known().map(|(id, own)| (pick(id, &own.values), own.clone()));
        let secrets = self.secret().map(|(id, own)| (pick(id, &own.values), own.clone()));
        People::new(quasi.collect(), secrets.collect())
    }

    /// The known columns, each with what it is.
    pub fn known(&self) -> impl ExactSizeIterator<Item = (ColumnId, &Quasi)> {
        let numbered = self.quasi.iter().enumerate();
        numbered.map(|(place, quasi)| (ColumnId(place), quasi))
    }

    /// The secret columns, each with what it is.
    pub fn secret(&self) -> impl Iterator<Item = (ColumnId, &Secret)> {
        (self.quasi.len()..).map(ColumnId).zip(&self.secrets)
    }
}

/// What a made-up table is like.
#[derive(Clone)]
pub(super) struct Normal {
    pub rows: usize,
    /// How many columns are known.
    pub quasi: usize,
    /// How many are secret.
    pub secrets: usize,
    /// The standard deviation.
    pub deviation: f64,
    /// What must not be learnt of the secrets.
    pub ranges: Option<SensitiveRanges>,
}

impl Normal {
    fn draw(&self, rng: &mut Rng) -> u32 {
        // Box and Muller; 1 less a share of [0, 1) has a logarithm.
        let radius = (-2.0 * (1.0 - rng.f64()).ln()).sqrt();
        let normal = radius * (std::f64::consts::TAU * rng.f64()).cos();
        (NORMAL_LAST / 2.0 + self.deviation * normal)
            .round()
            .clamp(0.0, NORMAL_LAST) as u32
    }
}

/// Ranges of the made-up integers, by intervals; a value in none of them is its own.
pub(super) fn normal_ranges(intervals: &[(u32, u32)]) -> Result<SensitiveRanges> {
    let whole = SensitiveDomain::Numbers(Some(Range::new(0.0, NORMAL_LAST)?));
    let interval = |&(from, to): &(u32, u32)| Interval {
        from: from.into(),
        to: to.into(),
        closed: true,
    };
    let intervals = intervals.iter().map(interval).collect();
    Ok(SensitiveRanges::new(whole, SensitiveRange::Intervals(intervals))?)
}

/// The level-2 classes of the made-up integers. The picture of their tree is not in the text; Table 6.2 has these classes.
pub(super) const LEVEL_2: [(u32, u32); 3] = [(0, 9), (10, 15), (16, 19)];

/// Those of level 1.
const LEVEL_1: [(u32, u32); 6] = [(0, 4), (5, 9), (10, 12), (13, 15), (16, 17), (18, 19)];

fn normal_tree() -> Result<Arc<Taxonomy>> {
    let class = |classes: &[(u32, u32)], value: u32| {
        let holds = |&&(from, to): &&(u32, u32)| (from..=to).contains(&value);
        classes
            .iter()
            .find(holds)
            .map_or_else(String::new, |(from, to)| format!("[{from}, {to}]"))
    };
    let leaf = |value: u32| format!("{value};{};{};*\n", class(&LEVEL_1, value), class(&LEVEL_2, value));
    of_text(&(0..=NORMAL_LAST as u32).map(leaf).collect::<String>())
}

/// The 50 incomes in classes of 5 and of 10 (Figure 6.1).
fn incomes() -> Result<Arc<Taxonomy>> {
    let class = |income: u32, width: u32| {
        let first = income / width * width;
        format!("{first}-{}", first + width - 1)
    };
    let leaf = |income: u32| format!("{income};{};{};*\n", class(income, 5), class(income, 10));
    of_text(&(0..50).map(leaf).collect::<String>())
}

fn of_text(text: &str) -> Result<Arc<Taxonomy>> {
    let tree = parse(text, Format::Levels).map_err(|problems| problems.to_string())?;
    Ok(Arc::new(tree))
}

fn tree(path: &Path) -> Result<Arc<Taxonomy>> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    of_text(&text)
}

/// So many of the rows, ascending; all if there are no more.
fn draw(of: usize, rows: usize) -> Vec<u32> {
    let mut drawn = Rng::with_seed(SEED).choose_multiple(0..of as u32, rows.min(of));
    drawn.sort_unstable();
    drawn
}

/// Some rows of a column, in the order of its values.
fn pick(table: &Table, name: &str, rows: &[u32], values: &Values) -> Result<Column> {
    let id = table.find(name).ok_or_else(|| format!("no column {name}"))?;
    let column = table.column(id);
    let cells = rows
        .iter()
        .map(|&row| column.dictionary().value(column.codes().at(row as usize)));
    Ok(Column::from_cells(name, values.order(), cells))
}

/// A column whose words are numbered as the leaves of a tree.
fn numbered(column: &Column, tree: &Taxonomy) -> Column {
    let number = |value: &str| tree.leaf(value).map(|place| place.to_string());
    let numbers: Vec<Option<String>> = column.dictionary().texts().iter().map(number).collect();
    let cells = column.codes().iter().map(|code| numbers[code as usize].as_deref());
    Column::from_cells(&column.name, ValueOrder::Number, cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(rows: usize, deviation: f64) -> People {
        People::normal(&Normal {
            rows,
            quasi: 2,
            secrets: 1,
            deviation,
            ranges: None,
        })
        .unwrap()
    }

    #[test]
    fn made_up_integers_spread_as_told() {
        let spread = |deviation: f64| {
            let people = made(5_000, deviation);
            let column = people.table.column(ColumnId(0));
            let numbers = column.dictionary().numbers().unwrap();
            let cells: Vec<f64> = column.codes().iter().map(|code| numbers[code as usize]).collect();
            let mean = cells.iter().sum::<f64>() / 5_000.0;
            (cells.iter().map(|cell| (cell - mean).powi(2)).sum::<f64>() / 5_000.0).sqrt()
        };
        // Rounding adds a twelfth to the variance.
        assert!((spread(2.5) - (2.5f64.powi(2) + 1.0 / 12.0).sqrt()).abs() < 0.1);
        assert!(spread(0.5) < 1.0);
    }

    #[test]
    fn a_sample_has_the_columns_and_fewer_rows() {
        let sample = made(100, 5.0).sample(30);
        assert_eq!(sample.table.rows(), 30);
        assert_eq!((sample.known().count(), sample.secret().count()), (2, 1));
        assert_eq!(sample.table.columns()[2].name, "s1");
    }

    /// 17 is in `[16, 17]`, which is in `[16, 19]`.
    #[test]
    fn classes_of_level_1_are_in_those_of_level_2() {
        let tree = normal_tree().unwrap();
        let above: Vec<&str> = std::iter::successors(tree.find("17"), |&node| tree.parent(node))
            .map(|node| tree.label(node))
            .collect();
        assert_eq!(above, ["17", "[16, 17]", "[16, 19]", "*"]);
    }

    #[test]
    fn occupations_become_places_in_their_tree() {
        let tree = of_text("Sales;Office;*\nFarming;Field;*\n").unwrap();
        let column = Column::from_cells("job", ValueOrder::Natural, ["Farming", "Sales"].map(Some));
        let numbers = numbered(&column, &tree);
        assert_eq!(numbers.dictionary().numbers(), Some(&[0.0, 1.0][..]));
        assert_eq!(numbers.codes().iter().collect::<Vec<_>>(), [1, 0]);
    }
}
