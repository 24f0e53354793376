//! Workloads drawn at random.
//!
//! A query asks about `dimensions` columns, chosen anew each time, and each predicate covers about `s^(1/d)` of the
//! domain of its column: were the data spread evenly, the query would count a share `s` of the rows. A predicate is an
//! interval of a continuous column, a run of neighbouring leaves of a tree, or any values of a column without one.
//!
//! The relative error of a query that no row of the data meets is not defined. Such a query is drawn again, columns and
//! all, up to [`ROUNDS`] times; if the data is so sparse that even then some are without rows, there are fewer queries.

use fastrand::Rng;
use scumble_fault::{Blame, Fault};
use scumble_progress::Work;
use scumble_table::{Interval, Table};

use super::answer::actual_counts;
use super::{Predicate, Query, Workload};
use crate::comparison::{Comparison, ReadColumn, Role};
use crate::extent::{Extent, Places, Scale};

/// How often a query without rows is drawn again.
const ROUNDS: usize = 10;

/// What queries to draw.
#[derive(Clone, Debug, PartialEq)]
pub struct Generated {
    /// How many columns a query asks about.
    pub dimensions: usize,
    /// The share of the rows that a query counts, if the data were spread evenly: above 0, at most 1.
    pub selectivity: f64,
    /// How many queries.
    pub queries: usize,
    /// The same seed draws the same queries.
    pub seed: u64,
    /// A sensitive column that every query asks about, as one of its dimensions. The others are quasi columns.
    pub sensitive: Option<String>,
}

impl Default for Generated {
    /// A thousand queries about two columns that count a tenth of the rows.
    fn default() -> Self {
        Generated {
            dimensions: 2,
            selectivity: 0.1,
            queries: 1000,
            seed: 1,
            sensitive: None,
        }
    }
}

/// Why no queries can be drawn.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GenerateError {
    /// More or fewer columns than there are.
    #[error("queries cannot ask about {dimensions} columns; there are {columns} to ask about")]
    Dimensions {
        /// The columns of a query.
        dimensions: usize,
        /// The columns that queries may be about.
        columns: usize,
    },
    /// A share that is none.
    #[error("the selectivity of queries must be above 0 and at most 1, and is {0}")]
    Selectivity(f64),
    /// A column that is not compared.
    #[error("no column `{0}` is in both the data and the release")]
    NoColumn(String),
}

impl Blame for GenerateError {
    fn fault(&self) -> Fault {
        match self {
            GenerateError::Dimensions { .. } | GenerateError::Selectivity(_) | GenerateError::NoColumn(_) => {
                Fault::Input
            }
        }
    }
}

impl Workload {
    /// Draws a workload about the columns of a comparison.
    ///
    /// # Errors
    /// Settings that no query can meet.
    pub fn generate(
        settings: &Generated,
        comparison: &Comparison,
        original: &Table,
    ) -> Result<Workload, GenerateError> {
        Workload::generate_while(settings, comparison, original, Work::unwatched())
    }

    /// [`Workload::generate`], as long as it may go on: of fewer queries if it should stop.
    ///
    /// # Errors
    /// Settings that no query can meet.
    pub fn generate_while(
        settings: &Generated,
        comparison: &Comparison,
        original: &Table,
        work: Work,
    ) -> Result<Workload, GenerateError> {
        let drawing = Drawing::new(settings, comparison, original)?;
        let mut random = Rng::with_seed(settings.seed);
        let mut queries: Vec<Query> = Vec::with_capacity(settings.queries);
        for _ in 0..ROUNDS {
            let missing = settings.queries - queries.len();
            if missing == 0 || work.should_stop() {
                break;
            }
            let drawn: Vec<Query> = (0..missing).map(|_| drawing.query(&mut random)).collect();
            let counts = actual_counts(&drawn, comparison, original, work);
            let with_rows = drawn.into_iter().zip(counts).filter(|(_, count)| *count > 0.0);
            queries.extend(with_rows.map(|(query, _)| query));
        }
        Ok(Workload { queries })
    }
}

/// Where queries are drawn from.
struct Drawing<'c> {
    comparison: &'c Comparison<'c>,
    /// The columns to choose from.
    quasi: Vec<usize>,
    sensitive: Option<usize>,
    dimensions: usize,
    /// The share of its domain that a predicate covers.
    share: f64,
}

impl<'c> Drawing<'c> {
    fn new(settings: &Generated, comparison: &'c Comparison<'c>, original: &Table) -> Result<Self, GenerateError> {
        let Generated {
            dimensions,
            selectivity,
            ..
        } = *settings;
        if !(selectivity > 0.0 && selectivity <= 1.0) {
            return Err(GenerateError::Selectivity(selectivity));
        }
        let columns = comparison.columns();
        let can_ask = |column: &ReadColumn| match &column.scale {
            Scale::Numbers { .. } => true,
            Scale::Values(values) => values.len() > 0,
        };
        let usable = |place: &usize| {
            let column = &columns[*place];
            can_ask(column) && original.find(column.compared.name).is_some()
        };
        let sensitive = match &settings.sensitive {
            Some(name) => {
                let named = |place: &usize| columns[*place].compared.name == name;
                let place = (0..columns.len()).find(named).filter(usable);
                Some(place.ok_or_else(|| GenerateError::NoColumn(name.clone()))?)
            }
            None => None,
        };
        let is_quasi = |place: &usize| columns[*place].compared.role == Role::Quasi && Some(*place) != sensitive;
        let quasi: Vec<usize> = (0..columns.len()).filter(is_quasi).filter(usable).collect();
        let most = quasi.len() + usize::from(sensitive.is_some());
        if dimensions == 0 || dimensions > most {
            return Err(GenerateError::Dimensions {
                dimensions,
                columns: most,
            });
        }
        Ok(Drawing {
            comparison,
            quasi,
            sensitive,
            dimensions,
            share: selectivity.powf(1.0 / dimensions as f64),
        })
    }

    fn query(&self, random: &mut Rng) -> Query {
        let free = self.dimensions - usize::from(self.sensitive.is_some());
        let mut columns = random.choose_multiple(self.quasi.iter().copied(), free);
        columns.extend(self.sensitive);
        columns.sort_unstable();
        let predicates = columns.into_iter().map(|column| Predicate {
            column,
            asked: self.predicate(&self.comparison.columns()[column].scale, random),
        });
        Query {
            predicates: predicates.collect(),
        }
    }

    fn predicate(&self, scale: &Scale, random: &mut Rng) -> Extent {
        match scale {
            Scale::Numbers { range, .. } => {
                let whole = range.whole();
                let (place, length) = (random.f64(), whole.to - whole.from);
                let (from, to) = if length.is_finite() {
                    let asked = self.share * length;
                    let from = whole.from + place * (length - asked);
                    (from, from + asked)
                } else {
                    // Each end by its share of both: their difference is more than a number can hold.
                    let at = |share: f64| whole.from * (1.0 - share) + whole.to * share;
                    let first = place * (1.0 - self.share);
                    (at(first), at(first + self.share))
                };
                // A predicate that reaches the end of the range takes the end in.
                let closed = to >= whole.to || from == to;
                Extent::Numbers(Interval { from, to, closed })
            }
            Scale::Values(values) => {
                let all = values.len() as u32;
                let some = ((self.share * f64::from(all)).round() as u32).clamp(1, all);
                let mut places: Vec<u32> = match values.has_tree() {
                    true => {
                        let first = random.u32(0..=all - some);
                        (first..first + some).collect()
                    }
                    false => random.choose_multiple(0..all, some as usize),
                };
                places.sort_unstable();
                Places::new(places).map_or(Extent::Everything, Extent::Places)
            }
        }
    }
}
