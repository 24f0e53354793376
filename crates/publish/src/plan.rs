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
//! | note | not listed: a warning | text | 2 | nothing |

use std::fmt;

use scumble_privacy::{Anonymity, Requirement, Template};
use scumble_refine::{Operation, QuasiColumn};
use scumble_store::{Reading, Source};
use scumble_table::{ColumnId, Table, Taxonomy};

use crate::error::{Error, Problems};
use crate::policy::{
    AVAILABLE, About, AboutValues, ColumnKind, ColumnPolicy, Data, Policy, Require, RequireAnonymity, Role, Taxonomies,
    did_you_mean, list, not_available, quoted,
};

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
    /// What the user should know.
    pub warnings: Vec<Warning>,
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
}

impl PlannedColumn<'_> {
    /// Whether it is written; an identifier is only counted (`per`).
    pub fn is_published(&self) -> bool {
        self.role != Role::Identifier
    }
}

/// What the user should know of a plan that can go ahead.
#[derive(Clone, Debug, PartialEq)]
pub enum Warning {
    /// Columns that the policy does not list.
    NotListed(Vec<String>),
    /// A continuous column of which the ends will show.
    NoRange(String),
    /// A quasi column that no template names.
    InNoTemplate(String),
    /// A template that another one makes true.
    Implied {
        /// The template in words.
        template: String,
        /// The other one.
        by: String,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::NotListed(columns) => {
                let columns = list(columns.iter().map(String::as_str));
                write!(
                    f,
                    "published as they are, because the policy does not list them: {columns}"
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
            Warning::Implied { template, by } => {
                write!(f, "{template} adds nothing to {by}, which is at least as strict")
            }
        }
    }
}

impl Data {
    /// The file, and what must be known to read it.
    pub fn source(&self) -> Source {
        Source {
            path: self.file.get_ref().clone(),
            names: self.names.clone(),
            separator: self.separator,
            comment: self.comment,
            trim: self.trim,
            marks: self.missing_marks.clone(),
            sheet: self.sheet.clone(),
        }
    }
}

impl Policy {
    /// Binds the policy to the header of its data, whose names are all different.
    ///
    /// # Errors
    /// Everything that does not fit, at once.
    pub fn plan<'t>(&self, header: &[String], taxonomies: &'t Taxonomies) -> Result<Plan<'t>, Error> {
        let mut problems = Problems::new(self.source());
        self.check_header(header, &mut problems);
        // The data may hold a value; what a taxonomy lacks, the data cannot hold.
        self.check_about(taxonomies, |_, _| true, &mut problems);
        problems.none_or((), Error::Policy)?;
        Ok(self.bind(header, taxonomies))
    }

    /// Checks what only the data can tell: that it, or the taxonomy of the column, holds the values in `about`. A word
    /// of the policy may be shown, and a label of a taxonomy; never a value of the data.
    ///
    /// # Errors
    /// Values that are nowhere; if there is none, what this version cannot do.
    pub fn check_data(&self, plan: &Plan, taxonomies: &Taxonomies, table: &Table) -> Result<(), Error> {
        let mut problems = Problems::new(self.source());
        let holds = |column: &str, value: &str| {
            let column = plan.find(column).map(|id| table.column(id));
            column.is_some_and(|column| column.dictionary().texts().iter().any(|text| text == value))
        };
        self.check_about(taxonomies, holds, &mut problems);
        problems.none_or((), Error::Policy)?;
        self.check_available()
    }

    fn check_about(&self, taxonomies: &Taxonomies, mut holds: impl FnMut(&str, &str) -> bool, problems: &mut Problems) {
        for About { column, values } in self.abouts() {
            let AboutValues::Listed(values) = values else { continue };
            let taxonomy = self.column(column).and_then(|column| taxonomies.of(column));
            for (value, _) in values {
                let known = match taxonomy {
                    Some(taxonomy) => taxonomy.find(value.get_ref()).is_some(),
                    None => holds(column, value.get_ref()),
                };
                if !known {
                    let message = format!("column {} has no value {}", quoted(column), quoted(value.get_ref()));
                    let labels = taxonomy.map(|taxonomy| taxonomy.nodes().map(|node| taxonomy.label(node)));
                    let help = labels.and_then(|labels| did_you_mean(value.get_ref(), labels));
                    problems.at(value.span(), message, help);
                }
            }
        }
    }

    /// All that `about` says.
    fn abouts(&self) -> impl Iterator<Item = &About> {
        self.require.iter().flat_map(|require| match require.get_ref() {
            Require::Anonymity(_) => &[][..],
            Require::Confidence(confidence) => &confidence.about,
        })
    }

    fn check_header(&self, header: &[String], problems: &mut Problems) {
        let names = header.iter().map(String::as_str);
        // If no column fits, the first row may be no header but a person, whose values are not to be listed.
        let fits = |column: &ColumnPolicy| header.contains(column.name.get_ref());
        let is_header = self.data.names.is_some() || self.columns.iter().any(fits);
        for ColumnPolicy { name, .. } in &self.columns {
            if header.contains(name.get_ref()) {
                continue;
            }
            let message = format!("the data has no column {}", quoted(name.get_ref()));
            let help = did_you_mean(name.get_ref(), names.clone()).unwrap_or_else(|| match is_header {
                true => format!("valid: {}", list(names.clone())),
                false => "if the file has no header, give `names` in [data]".to_owned(),
            });
            problems.at(name.span(), message, Some(help));
        }
    }

    /// Refuses templates that this version can parse but not count: to pass over one would be to call it met.
    pub(crate) fn check_available(&self) -> Result<(), Error> {
        let mut problems = Problems::new(self.source());
        for require in &self.require {
            if let Require::Confidence(_) = require.get_ref() {
                let word = toml::Spanned::new(require.span(), "confidence");
                not_available(&word, AVAILABLE, &mut problems);
            }
        }
        problems.none_or((), Error::Policy)
    }

    /// The plan of a policy that fits the header.
    fn bind<'t>(&self, header: &[String], taxonomies: &'t Taxonomies) -> Plan<'t> {
        let mut plan = Plan {
            reading: Vec::new(),
            columns: Vec::new(),
            quasi: Vec::new(),
            class: None,
            requirement: Requirement::default(),
            warnings: Vec::new(),
        };
        for name in header {
            let column = self.column(name);
            let reading = self.reading(column, taxonomies);
            if !matches!(reading, Reading::Skip) {
                plan.columns.push(PlannedColumn {
                    name: name.clone(),
                    role: column.map_or(Role::Other, |column| column.role),
                    taxonomy: column.and_then(|column| taxonomies.of(column)),
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
        plan.requirement = self.requirement(&plan);
        plan.warnings = self.warnings(&plan);
        plan
    }

    fn reading<'t>(&self, column: Option<&ColumnPolicy>, taxonomies: &'t Taxonomies) -> Reading<'t> {
        let Some(column) = column else { return Reading::Text };
        if column.role == Role::Identifier && !self.is_counted(column.name.get_ref()) {
            return Reading::Skip;
        }
        match (&column.kind, taxonomies.of(column)) {
            (ColumnKind::Continuous { range }, _) => Reading::Number { range: *range },
            (ColumnKind::Categorical { .. }, Some(taxonomy)) => Reading::Leaves(taxonomy),
            (ColumnKind::Categorical { .. }, None) => Reading::Text,
        }
    }

    /// Whether a template counts the different values of a column.
    fn is_counted(&self, name: &str) -> bool {
        self.anonymities()
            .any(|anonymity| anonymity.per.iter().any(|per| per == name))
    }

    fn anonymities(&self) -> impl Iterator<Item = &RequireAnonymity> {
        self.require.iter().filter_map(|require| match require.get_ref() {
            Require::Anonymity(anonymity) => Some(anonymity),
            Require::Confidence(_) => None,
        })
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

    fn requirement(&self, plan: &Plan) -> Requirement {
        let ids = |names: &[String]| names.iter().filter_map(|name| plan.find(name)).collect();
        let templates = self.anonymities().map(|anonymity| {
            Template::Anonymity(Anonymity {
                k: anonymity.k,
                of: ids(&anonymity.of),
                per: ids(&anonymity.per),
            })
        });
        Requirement {
            templates: templates.collect(),
        }
    }

    fn warnings(&self, plan: &Plan) -> Vec<Warning> {
        let not_listed = plan.columns.iter().map(|column| &column.name);
        let not_listed: Vec<String> = not_listed.filter(|name| self.column(name).is_none()).cloned().collect();
        let listed = (!not_listed.is_empty()).then_some(Warning::NotListed(not_listed));
        let of_quasi = plan.quasi.iter().filter_map(|quasi| {
            let name = plan.columns[quasi.id.0].name.clone();
            if !plan
                .requirement
                .templates
                .iter()
                .any(|template| template.of().contains(&quasi.id))
            {
                Some(Warning::InNoTemplate(name))
            } else {
                matches!(quasi.operation, Operation::Discretize(None)).then_some(Warning::NoRange(name))
            }
        });
        listed.into_iter().chain(of_quasi).chain(plan.implied()).collect()
    }
}

impl Plan<'_> {
    /// The column with this name, if it is read.
    pub fn find(&self, name: &str) -> Option<ColumnId> {
        self.columns.iter().position(|column| column.name == name).map(ColumnId)
    }

    /// A template in words: `anonymity 4 of job, sex`.
    pub fn describe(&self, template: &Template) -> String {
        let Template::Anonymity(Anonymity { k, of, per }) = template;
        let names = |ids: &[ColumnId]| ids.iter().map(|id| self.columns[id.0].name.clone()).collect();
        RequireAnonymity {
            k: *k,
            of: names(of),
            per: names(per),
        }
        .to_string()
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
