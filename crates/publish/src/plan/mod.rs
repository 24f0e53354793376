//! A [`Plan`] is a policy bound to the header of its data: how to read each column, how to mask it, what must hold.
//!
//! Invariant: the columns of a plan are the columns that are read, in file order, so the place of a column in
//! [`Plan::columns`] is its [`ColumnId`] in the loaded table.
//!
//! | header | policy | read as | id | masked by |
//! |---|---|---|---|---|
//! | name | identifier | not at all | | |
//! | age | quasi, continuous | number | 0 | intervals |
//! | job | quasi, with a taxonomy | leaf | 1 | nodes |
//! | note | other | text | 2 | nothing |
//! | visit | not listed: a warning | not at all | | |

mod bind;
mod check;
mod describe;
mod join;
mod shown;
mod unique;

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::path::PathBuf;

use scumble_attack::SingledOut;
use scumble_privacy::{Requirement, Rule};
use scumble_refine::{Operation, QuasiColumn};
use scumble_store::{FileSource, Reading, ReleasePart, RowNumbers};
use scumble_table::{ColumnId, LookAlikes, SensitiveRanges, SharedForms, Taxonomy, Written};
use toml::Spanned;

use crate::earlier::read_heads;
use crate::error::{Error, Problems};
use crate::policy::{Approach, ColumnKind, Data, Kind, Policy, Role, Taxonomies, Unlisted, all, counted, list, quoted};

pub use join::{PlannedEarlier, PlannedEarlierColumn};

use join::Releases;

pub(crate) use bind::values_under;
pub(crate) use check::check_header;
pub(crate) use describe::{factor, measure_word, nearest_bound};
pub(crate) use unique::{NEARLY_UNIQUE, is_nearly_unique, remedy};

/// A policy bound to its data.
#[derive(Debug)]
pub struct Plan<'t> {
    /// How to read each column of the header.
    pub reading: Vec<Reading<'t>>,
    /// The columns that are read, in file order.
    pub columns: Vec<PlannedColumn<'t>>,
    /// The columns to mask, in the order that decides ties.
    pub quasi: Vec<QuasiColumn<'t>>,
    /// The class column.
    pub class: Option<ColumnId>,
    /// What must hold.
    pub requirement: Requirement,
    /// For each template the section that asks for it together with another, in words: `alpha 0.4, k 4`.
    pub part_of: Vec<Option<String>>,
    /// The populations that templates compare with.
    pub populations: Vec<PlannedPopulation>,
    /// The earlier releases, in the order of the policy.
    pub earlier: Vec<PlannedEarlier>,
    /// What records of two releases must keep to match.
    pub history_rules: Vec<Rule>,
    /// What the cells of each column can be, once it is released.
    pub forms: Vec<SharedForms>,
    /// What the user should know.
    pub warnings: Vec<Warning>,
    /// The first column of each name: there may be a hundred thousand to look up.
    by_name: HashMap<String, ColumnId>,
}

/// A column that is read.
#[derive(Clone, Debug)]
pub struct PlannedColumn<'t> {
    /// Its name in the header.
    pub name: String,
    /// Its part in the release.
    pub role: Role,
    /// Its taxonomy.
    pub taxonomy: Option<&'t Taxonomy>,
    /// How it is read.
    pub reading: Reading<'t>,
    /// What must not be learnt of its values, if it is sensitive and the policy says so.
    pub sensitive_ranges: Option<SensitiveRanges>,
}

impl PlannedColumn<'_> {
    /// Whether it is written; an identifier is only counted (`per`) or guards.
    pub fn is_published(&self) -> bool {
        self.role != Role::Identifier
    }
}

/// A file of people that k-map templates compare with.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedPopulation {
    /// The file, which is read like the data.
    pub file: Spanned<PathBuf>,
    /// The columns of the data that it must have, too, ascending.
    pub columns: Vec<ColumnId>,
}

/// What the user should know of a plan that can go ahead.
#[derive(Clone, Debug, PartialEq)]
pub enum Warning {
    /// Columns that are not published, because the policy does not list them.
    NotListed(Vec<String>),
    /// Columns that are published though the policy does not list them, because it says so of all.
    UnlistedShown(Vec<String>),
    /// Rows or persons that are alone on the columns published as they are.
    Alone {
        /// What is alone: `rows` or `persons`.
        what: &'static str,
        /// How many.
        alone: u64,
        /// Out of how many.
        of: u64,
        /// The columns with the most values among those published as they are.
        most_values: Vec<String>,
    },
    /// A continuous column of which the ends will show.
    NoRange(String),
    /// A quasi column that no template names.
    InNoTemplate(String),
    /// A column with guarding nodes that is published.
    GuardingShown(String),
    /// A template that another one makes true.
    Implied {
        /// The template in words.
        template: String,
        /// The other one.
        by: String,
    },
    /// A column with values that differ and look alike to a reader.
    LookAlike {
        /// Its name.
        column: String,
        /// How many there are.
        found: LookAlikes,
        /// Whether its values are the leaves of a taxonomy.
        has_taxonomy: bool,
    },
    /// A template, in words, that earlier releases have no part in.
    ThisTableAlone(String),
    /// Parties that agreed to a release and did not say that they have written it.
    NotHeardOf(Vec<String>),
    /// Columns with cells that a spreadsheet would take for formulas.
    Formulas(Vec<ToldFormulas>),
    /// A template on the join of which the quasi-identifier lacks columns that decide what matches.
    JoinColumnOutside {
        /// The template in words.
        template: String,
        /// The columns.
        columns: Vec<String>,
    },
}

/// A column with cells that a spreadsheet would take for formulas, as a warning tells it.
#[derive(Clone, Debug, PartialEq)]
pub struct ToldFormulas {
    /// Its name, after that of its table where there are several: `courses.title`.
    pub column: String,
    /// The released file that it is in.
    pub file: String,
    /// How many such cells it has, its name in the header among them.
    pub cells: u64,
    /// The first rows that they are in, as a spreadsheet numbers those of the file: the header is row 1.
    pub rows: RowNumbers,
    /// Further rows that are not told.
    pub more: u64,
}

impl fmt::Display for ToldFormulas {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cells = counted(self.cells as usize, "cell");
        let rows = if self.cells == 1 { "row" } else { "rows" };
        write!(f, "{} ({cells}) in {rows} {}", quoted(&self.column), self.rows)?;
        if self.more > 0 {
            write!(f, " and {} more", self.more)?;
        }
        write!(f, " of {}", self.file)
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // However many there are: nobody can decide on what is not told.
            Warning::NotListed(columns) => {
                let columns = all(columns.iter().map(String::as_str));
                write!(f, "not published, because [columns] does not list them: {columns}")
            }
            Warning::UnlistedShown(columns) => {
                let columns = all(columns.iter().map(String::as_str));
                write!(
                    f,
                    "published as they are, because `unlisted` is \"publish\" and [columns] does not list them: {columns}"
                )
            }
            Warning::Alone {
                what,
                alone,
                of,
                most_values,
            } => {
                let columns = all(most_values.iter().map(String::as_str));
                write!(
                    f,
                    "alone on the columns published as they are: {alone} of {of} {what}; whoever knows these of a person \
                     finds them, whatever is masked; most values have: {columns}"
                )
            }
            Warning::NoRange(column) => write!(
                f,
                "column {} has no `range`, so its smallest and its largest value will show in the release",
                quoted(column)
            ),
            Warning::InNoTemplate(column) => {
                write!(
                    f,
                    "quasi column {} is in no template, so it is published as it is",
                    quoted(column)
                )
            }
            Warning::GuardingShown(column) => write!(
                f,
                "column {} tells what each person guards, and is published; make it an identifier to keep it back",
                quoted(column)
            ),
            Warning::Implied { template, by } => {
                write!(f, "{template} adds nothing to {by}, which is at least as strict")
            }
            Warning::LookAlike {
                column,
                found,
                has_taxonomy,
            } => {
                let column = quoted(column);
                let (what, word) = match (found.values, found.by_case) {
                    (values, 0) => (format!("{} that look like another", counted(values, "value")), "unite"),
                    (0, by_case) => (
                        format!(
                            "{} that differ from another in letter case alone",
                            counted(by_case, "value")
                        ),
                        "unite-case",
                    ),
                    (values, by_case) => (
                        format!(
                            "{} that look like another, and {by_case} that differ from one in letter case alone",
                            counted(values, "value")
                        ),
                        "unite-case",
                    ),
                };
                write!(f, "column {column} has {what}, and each counts as a value of its own; ")?;
                if *has_taxonomy {
                    write!(f, "give those that are one the same leaf")
                } else {
                    write!(
                        f,
                        "`alike = \"{word}\"` in its line makes them one, `alike = \"keep\"` says that they are not"
                    )
                }
            }
            Warning::ThisTableAlone(template) => write!(
                f,
                "{template} is asked of this table alone, not of its join with earlier releases"
            ),
            Warning::NotHeardOf(parties) => {
                let parties = list(parties.iter().map(String::as_str));
                write!(
                    f,
                    "all agreed to this release, but nothing was heard since of {parties}, who may not have written it"
                )
            }
            Warning::Formulas(columns) => {
                let columns: Vec<String> = columns.iter().map(ToString::to_string).collect();
                write!(
                    f,
                    "a spreadsheet may run cells of the release as formulas, because they begin with =, +, -, @ or the \
                     like; `formulas = \"text\"` in [release] writes them as text: {}; row 1 is the header, and {} lists \
                     all rows",
                    columns.join(", "),
                    ReleasePart::Formulas.path().display()
                )
            }
            Warning::JoinColumnOutside { template, columns } => {
                let columns = list(columns.iter().map(String::as_str));
                write!(
                    f,
                    "{template} leaves out columns that decide which records match, so a finer table may meet it again: \
                     {columns}"
                )
            }
        }
    }
}

impl Warning {
    /// What to know of columns that are not listed, if there are any.
    pub(crate) fn of_unlisted(unlisted: Unlisted, columns: Vec<String>) -> Option<Warning> {
        let warning = match unlisted {
            Unlisted::LeaveOut => Warning::NotListed,
            Unlisted::Publish => Warning::UnlistedShown,
        };
        (!columns.is_empty()).then(|| warning(columns))
    }

    /// What to know of parties that did not say that they have written their release, if there are any.
    pub(crate) fn of_not_heard<'n>(parties: impl Iterator<Item = &'n str>) -> Option<Warning> {
        let parties: Vec<String> = parties.map(str::to_owned).collect();
        (!parties.is_empty()).then_some(Warning::NotHeardOf(parties))
    }

    /// What to know of a release in which something is alone on what is shown as it is.
    pub fn of_alone(what: &'static str, singled_out: Option<&SingledOut>) -> Option<Warning> {
        let counts = &singled_out?.as_they_are;
        (counts.uniques > 0).then(|| Warning::Alone {
            what,
            alone: counts.uniques,
            of: counts.rows,
            most_values: counts.most_values.clone(),
        })
    }

    /// The columns that were left out because they are not listed.
    pub(crate) fn left_out(warnings: &[Warning]) -> Vec<String> {
        let left_out = warnings.iter().find_map(|warning| match warning {
            Warning::NotListed(columns) => Some(columns.clone()),
            _ => None,
        });
        left_out.unwrap_or_default()
    }
}

impl Data {
    /// The file, and what must be known to read it.
    pub fn source(&self) -> FileSource {
        FileSource {
            path: self.file.get_ref().clone(),
            names: self.names.clone(),
            separator: self.separator,
            comment: self.comment,
            trim: self.trim,
            marks: self.missing_marks.clone(),
            sheet: self.sheet.clone(),
            formulas_as_text: false,
        }
    }
}

impl Policy {
    /// Binds the policy to the header of its data, whose names are all different. Of earlier releases the headers are
    /// read, and the certificates beside them.
    ///
    /// # Errors
    /// Everything that does not fit, at once.
    ///
    /// # Panics
    /// If the taxonomies are not those of this policy.
    pub fn plan<'t>(&self, header: &[String], taxonomies: &'t Taxonomies) -> Result<Plan<'t>, Error> {
        let heads = read_heads(self)?;
        let releases = Releases::new(self, header, &heads, taxonomies);
        let mut problems = Problems::new(self.source());
        self.check_columns(header, &mut problems);
        self.check_labels(taxonomies, &mut problems);
        self.check_ranges(taxonomies, &mut problems);
        releases.check(&mut problems);
        problems.none_or((), Error::Policy)?;
        Ok(self.bind(header, taxonomies, &releases))
    }

    /// The plan of a policy that fits the header.
    fn bind<'t>(&self, header: &[String], taxonomies: &'t Taxonomies, releases: &Releases) -> Plan<'t> {
        let mut plan = Plan {
            reading: Vec::new(),
            columns: Vec::new(),
            quasi: Vec::new(),
            class: None,
            requirement: Requirement::default(),
            part_of: Vec::new(),
            populations: Vec::new(),
            earlier: Vec::new(),
            history_rules: Vec::new(),
            forms: Vec::new(),
            warnings: Vec::new(),
            by_name: HashMap::new(),
        };
        for name in header {
            let column = self.column(name);
            let reading = self.reading(name, taxonomies);
            if !matches!(reading, Reading::Skip) {
                let id = ColumnId(plan.columns.len());
                plan.by_name.entry(name.clone()).or_insert(id);
                plan.columns.push(PlannedColumn {
                    name: name.clone(),
                    role: column.map_or(Role::Other, |column| column.role),
                    taxonomy: column.and_then(|column| taxonomies.of(column)),
                    reading,
                    // Those that do not fit were reported.
                    sensitive_ranges: column.and_then(|column| column.ranges(taxonomies)?.ok()),
                });
            }
            plan.reading.push(reading);
        }
        plan.class = plan
            .columns
            .iter()
            .position(|column| column.role == Role::Class)
            .map(ColumnId);
        plan.quasi = self.quasi(&plan, taxonomies);
        releases.bind(&mut plan);
        self.bind_templates(&mut plan, taxonomies);
        plan.warnings = self.warnings(header, &plan);
        plan
    }

    fn reading<'t>(&self, name: &str, taxonomies: &'t Taxonomies) -> Reading<'t> {
        let Some(column) = self.column(name) else {
            return match self.release.unlisted {
                Unlisted::LeaveOut => Reading::Skip,
                Unlisted::Publish => Reading::Text,
            };
        };
        if column.role == Role::Identifier && !self.is_counted(name) && !self.is_guarding(name) {
            return Reading::Skip;
        }
        match (&column.kind, taxonomies.of(column)) {
            // Its cells are nodes of another column's taxonomy; the check of the data sees to that.
            _ if self.is_guarding(name) => Reading::Text,
            (ColumnKind::Continuous { range }, _) => Reading::Number { range: *range },
            (ColumnKind::Categorical { .. }, Some(taxonomy)) => Reading::Leaves(taxonomy),
            (ColumnKind::Categorical { .. }, None) => Reading::Text,
        }
    }

    /// Whether a template counts the different values of a column.
    pub(crate) fn is_counted(&self, name: &str) -> bool {
        let mut counted = self.kinds().flat_map(Kind::counted);
        counted.any(|column| column.get_ref() == name)
    }

    /// Whether a column holds the nodes that people guard.
    pub(crate) fn is_guarding(&self, name: &str) -> bool {
        self.kinds().any(|kind| kind.guarding() == Some(name))
    }

    fn kinds(&self) -> impl Iterator<Item = &Kind> {
        self.require.iter().map(|require| &require.get_ref().kind)
    }

    fn quasi<'t>(&self, plan: &Plan<'t>, taxonomies: &'t Taxonomies) -> Vec<QuasiColumn<'t>> {
        let quasi = self.columns.iter().filter(|column| column.role == Role::Quasi);
        quasi
            .filter_map(|column| {
                let operation = match (&column.kind, taxonomies.of(column)) {
                    (ColumnKind::Continuous { range }, _) => Operation::Discretize(*range),
                    (ColumnKind::Categorical { .. }, Some(taxonomy)) => Operation::Generalize(taxonomy),
                    (ColumnKind::Categorical { .. }, None) => Operation::Suppress,
                };
                let id = plan.find(column.name.get_ref())?;
                Some(QuasiColumn { id, operation })
            })
            .collect()
    }

    fn warnings(&self, header: &[String], plan: &Plan) -> Vec<Warning> {
        let not_listed = header.iter().filter(|name| self.column(name).is_none()).cloned();
        let listed = Warning::of_unlisted(self.release.unlisted, not_listed.collect());
        // Where secrets are apart, quasi columns are published as they are, templates or not.
        let are_masked = self.method.approach != Approach::Anatomy;
        let in_templates = plan.in_templates();
        let of_quasi = plan.quasi.iter().filter(|_| are_masked).filter_map(|quasi| {
            let name = plan.columns[quasi.id.0].name.clone();
            if !in_templates.contains(&quasi.id) {
                Some(Warning::InNoTemplate(name))
            } else {
                matches!(quasi.operation, Operation::Discretize(None)).then_some(Warning::NoRange(name))
            }
        });
        let published = plan.columns.iter().filter(|column| column.is_published());
        let guarding = published
            .filter(|column| self.is_guarding(&column.name))
            .map(|column| Warning::GuardingShown(column.name.clone()));
        let warnings = listed.into_iter().chain(of_quasi).chain(guarding);
        warnings.chain(plan.implied()).chain(plan.join_warnings()).collect()
    }
}

impl Plan<'_> {
    /// Takes columns for published as they are, whatever the policy might have done to them: a star that they show is a value.
    pub(crate) fn show_as_they_are<'n>(&mut self, names: impl Iterator<Item = &'n str>) {
        for name in names {
            if let Some(id) = self.find(name) {
                self.forms[id.0].written = Written::Exact;
            }
        }
    }

    /// The column with this name, if it is read.
    pub fn find(&self, name: &str) -> Option<ColumnId> {
        self.by_name.get(name).copied()
    }

    /// The columns that a template names. Nothing masks a quasi column that is not among them.
    pub(crate) fn in_templates(&self) -> HashSet<ColumnId> {
        let templates = self.requirement.templates.iter();
        templates
            .flat_map(|template| template.of.columns.iter().copied())
            .collect()
    }

    /// For each column its place among the quasi columns, if it is one.
    pub(crate) fn places_among_quasi(&self) -> Vec<Option<usize>> {
        let mut places = vec![None; self.columns.len()];
        for (place, quasi) in self.quasi.iter().enumerate() {
            places[quasi.id.0] = Some(place);
        }
        places
    }

    /// The name of the quasi column at this place.
    pub(crate) fn quasi_name(&self, place: usize) -> &str {
        &self.columns[self.quasi[place].id.0].name
    }

    /// The templates that another one makes true. None is dropped, because the average loss of a refinement, and so
    /// the release, depends on all of them.
    fn implied(&self) -> Vec<Warning> {
        let templates = &self.requirement.templates;
        let implied = templates.iter().enumerate().filter_map(|(place, template)| {
            let mut others = templates.iter().enumerate();
            let (_, by) = others.find(|&(other, wider)| {
                // Of two that imply each other, the later one is told.
                other != place && template.implied_by(wider) && (other < place || !wider.implied_by(template))
            })?;
            Some(Warning::Implied {
                template: self.describe(template),
                by: self.describe(by),
            })
        });
        implied.collect()
    }
}
