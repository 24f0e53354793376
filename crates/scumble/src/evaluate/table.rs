//! One table of a release beside its data: what can be measured of any table, whether it is the only one or one of several.
//!
//! Columns are measured by what is known of them apart from any policy: name, role, what values may be, what cells show.

use scumble_policy::Role;
use scumble_progress::{Counter, Work};
use scumble_table::{
    Column, ColumnId, Dictionary, Range, Reading, SUPPRESSED, SensitiveRanges, Table, Taxonomy, ValueOrder, Written,
};
use scumble_utility::classify::{
    self, ClassificationError, Errors, FeatureKind, Predictor, PredictorRole, Split, classification,
};
use scumble_utility::{
    Compared, Comparison, Domain, QueryError, RangeDiversity, Role as Part, Tally, Workload, associations,
    column_changes, group_sizes, information_loss, query_error, range_diversity,
};

use super::settings::{Evaluate, Queries};
use crate::error::Error;
use crate::errors::EvaluateError;
use crate::evaluation::TableMeasures;

/// A published column, as measures see it.
#[derive(Clone, Copy)]
pub(crate) struct MeasuredColumn<'a> {
    /// Its place in the data.
    pub id: ColumnId,
    pub name: &'a str,
    pub role: Role,
    pub taxonomy: Option<&'a Taxonomy>,
    /// How its values are read.
    pub reading: Reading<'a>,
    /// What its released cells show, if that is declared.
    pub written: Option<Written>,
}

/// A table of a release beside its data.
pub(crate) struct TableBeside<'a> {
    /// Those that are published.
    pub columns: Vec<MeasuredColumn<'a>>,
    /// The data.
    pub data: &'a Table,
    /// The release as a reader has it. Its columns are found by name.
    pub release: &'a Table,
    /// The largest group that is asked for on all quasi columns.
    pub group_asked: Option<u64>,
    /// What must not be learnt of the values of sensitive columns.
    pub sensitive_ranges: Vec<(&'a str, &'a SensitiveRanges)>,
    /// Whether it is one of several. What is asked of all of them need not fit each: then it is told, and not refused.
    pub is_one_of_several: bool,
}

/// How many of the measures take long.
pub(crate) const LONG_MEASURES: usize = 3;

impl TableBeside<'_> {
    /// Measures the table, and counts the long measures in `done`. What is not measured goes into `not_measured`, with the
    /// reason.
    ///
    /// # Errors
    /// What was asked for does not fit the table, and there is no other.
    pub fn measure(
        &self,
        comparison: &Comparison,
        settings: &Evaluate,
        not_measured: &mut Vec<String>,
        done: &Counter,
        work: Work,
    ) -> Result<TableMeasures, Error> {
        // Parts of either side run on one core; beside each other they use both.
        let ((association, queries, columns), classification) = rayon::join(
            || {
                let association = associations(comparison, self.data, work);
                done.add(1);
                let queries = self.queries(&settings.queries, comparison, work);
                done.add(1);
                (association, queries, column_changes(comparison))
            },
            || {
                let classification = self.classification(settings, not_measured, work);
                done.add(1);
                classification
            },
        );
        let queries = self.fitting(queries, not_measured)?;
        let classification = self.fitting(classification, not_measured)?;
        Ok(TableMeasures {
            information_loss: information_loss(comparison, self.group_asked),
            group_sizes: group_sizes(comparison.groups()),
            columns,
            range_diversity: self.range_diversity(comparison)?,
            association: association?,
            queries,
            classification,
        })
    }

    /// What was measured. Of one of several tables, nothing if it does not fit.
    fn fitting<T: Default>(&self, measured: Result<T, Error>, not_measured: &mut Vec<String>) -> Result<T, Error> {
        match measured {
            Err(Error::Evaluate(reason)) if self.is_one_of_several => {
                not_measured.push(reason.to_string());
                Ok(T::default())
            }
            measured => measured,
        }
    }

    /// For each quasi column that the release lacks, what it shows instead: nothing.
    pub fn lacking_columns(&self) -> Vec<Column> {
        let lacking = self.quasi().filter(|column| self.release.find(column.name).is_none());
        let rows = self.release.rows();
        let hidden =
            |name: &str| Column::from_cells(name, ValueOrder::Natural, std::iter::repeat_n(Some(SUPPRESSED), rows));
        lacking.map(|column| hidden(column.name)).collect()
    }

    /// The release beside its data, with what it shows instead of the columns that it lacks.
    pub fn compare<'s>(&'s self, suppressed: &'s [Column]) -> Comparison<'s> {
        let columns = self.columns.iter().filter_map(|column| {
            let (after, is_suppressed) = match self.release.find(column.name) {
                Some(released) => (self.release.column(released), false),
                None => (suppressed.iter().find(|own| own.name == column.name)?, true),
            };
            let mut compared = column.compared(Tally::of(self.data.column(column.id)), after);
            if is_suppressed {
                compared.written = Written::Suppressed;
            }
            Some(compared)
        });
        Comparison::new(self.data.rows() as u64, self.release.rows(), columns.collect())
    }

    /// The quasi columns.
    pub fn quasi(&self) -> impl Iterator<Item = &MeasuredColumn<'_>> {
        self.columns.iter().filter(|column| column.role == Role::Quasi)
    }

    fn range_diversity(&self, comparison: &Comparison) -> Result<Vec<RangeDiversity>, EvaluateError> {
        let measured = self.sensitive_ranges.iter().map(|&(name, ranges)| {
            range_diversity(comparison, name, ranges).ok_or_else(|| EvaluateError::NoRanges(name.to_owned()))
        });
        measured.collect()
    }

    fn queries(&self, queries: &Queries, comparison: &Comparison, work: Work) -> Result<Option<QueryError>, Error> {
        let workload = match queries {
            Queries::None => return Ok(None),
            Queries::Drawn {
                settings,
                as_wide_as_fits,
            } => {
                if self.is_one_of_several && settings.sensitive.is_none() && self.quasi().next().is_none() {
                    return Err(EvaluateError::NoQuasi.into());
                }
                let mut settings = settings.clone();
                if *as_wide_as_fits {
                    settings.dimensions = settings.dimensions.min(self.quasi().count());
                }
                Workload::generate_while(&settings, comparison, self.data, work).map_err(EvaluateError::NoQueries)?
            }
            Queries::Listed { file, text } => Workload::parse(text, comparison).map_err(|reason| {
                let path = file.clone();
                EvaluateError::Workload { path, reason }
            })?,
        };
        Ok(Some(query_error(&workload, comparison, self.data, work)?))
    }

    fn classification(
        &self,
        settings: &Evaluate,
        not_measured: &mut Vec<String>,
        work: Work,
    ) -> Result<Vec<Errors>, Error> {
        let Some(class) = self.columns.iter().find(|column| column.role == Role::Class) else {
            let lacks = if self.is_one_of_several {
                "the table has no class column"
            } else {
                "the policy names no class column"
            };
            not_measured.push(format!("classification error: {lacks}"));
            return Ok(Vec::new());
        };
        let splits = |name: &str| matches!(&settings.split, Split::Column { name: split, .. } if split == name);
        let class = class.name;
        if self.release.find(class).is_none() {
            not_measured.push(format!("classification error: the release has no column {class}"));
            return Ok(Vec::new());
        }
        let predictors = predictors(&self.columns, self.data, |name| {
            name != class && !splits(name) && self.release.find(name).is_some()
        });
        let errors = settings.learners.iter().map(|&learner| {
            let comparison = classify::Comparison {
                data: self.data,
                release: self.release,
                class,
                predictors: &predictors,
                split: &settings.split,
                learner,
            };
            classification(&comparison, work).map_err(|error| match error {
                ClassificationError::Interrupted(_) => Error::Interrupted,
                error => EvaluateError::NoClassification(error).into(),
            })
        });
        errors.collect()
    }
}

/// The published columns that a class may be told from, of those that are wanted.
pub(crate) fn predictors(columns: &[MeasuredColumn], data: &Table, wanted: impl Fn(&str) -> bool) -> Vec<Predictor> {
    let wanted = columns.iter().filter(|column| wanted(column.name));
    wanted
        .map(|column| Predictor {
            name: column.name.to_owned(),
            role: match column.role {
                Role::Quasi => PredictorRole::Quasi,
                Role::Sensitive => PredictorRole::Sensitive,
                Role::Identifier | Role::Class | Role::Other => PredictorRole::Other,
            },
            kind: if column.holds_numbers(data.column(column.id).dictionary()) {
                FeatureKind::Number
            } else {
                FeatureKind::Category
            },
        })
        .collect()
}

impl<'a> MeasuredColumn<'a> {
    /// The column before and after.
    pub fn compared<'s>(&self, before: Tally<'s>, after: &'s Column) -> Compared<'s>
    where
        'a: 's,
    {
        let domain = self.domain(before.dictionary);
        Compared {
            name: self.name,
            role: part(self.role),
            written: self.shows(&domain),
            domain,
            before,
            after,
        }
    }

    /// Whether it is of words, and nothing says how they are masked, so that cells are read by what they look like.
    pub fn is_read_by_looks(&self, values: &Dictionary) -> bool {
        let domain = self.domain(values);
        self.written.is_none() && matches!(domain, Domain::Flat) && self.shows(&domain) == Written::Any
    }

    fn domain(&self, values: &Dictionary) -> Domain<'a> {
        let declared = match self.reading {
            Reading::Number { range } => range,
            Reading::Skip | Reading::Text | Reading::Ids | Reading::Leaves(_) => None,
        };
        match (self.taxonomy, declared) {
            (Some(taxonomy), _) => Domain::Tree(taxonomy),
            (None, Some(range)) => Domain::Continuous(range),
            _ if self.holds_numbers(values) => Domain::Continuous(observed(values.numbers().unwrap_or_default())),
            _ => Domain::Flat,
        }
    }

    /// What it shows. Where neither a certificate nor the user says it, the file may be of another tool: then a quasi cell that
    /// is no value of the data must be a label, and so must be whatever is no number or no node.
    fn shows(&self, domain: &Domain) -> Written {
        let undeclared = || match domain {
            Domain::Continuous(_) | Domain::Tree(_) => Written::Any,
            Domain::Flat if self.role == Role::Quasi => Written::Any,
            Domain::Flat => Written::Exact,
        };
        self.written.unwrap_or_else(undeclared)
    }

    /// Whether it holds numbers: the policy says so, or it says nothing of it and all its values are.
    fn holds_numbers(&self, values: &Dictionary) -> bool {
        match self.reading {
            Reading::Number { .. } => true,
            Reading::Skip | Reading::Text | Reading::Ids | Reading::Leaves(_) => {
                let all_are = values.numbers().is_some_and(|numbers| numbers.len() > 1);
                self.role == Role::Other && self.taxonomy.is_none() && all_are
            }
        }
    }
}

fn part(role: Role) -> Part {
    match role {
        Role::Quasi => Part::Quasi,
        Role::Sensitive => Part::Sensitive,
        Role::Class => Part::Class,
        Role::Identifier | Role::Other => Part::Other,
    }
}

fn observed(numbers: &[f64]) -> Range {
    let (from, to) = (numbers.first().copied(), numbers.last().copied());
    Range::new(from.unwrap_or(0.0), to.unwrap_or(0.0)).expect("numbers of a dictionary ascend")
}
