//! Measuring a release against the data that it was made from: what it lost, and what it is still good for.
//!
//! ```text
//! data ────┐
//!          ├─► compare column by column ─► loss, change, association, queries, classifiers
//! release ─┘                            └► groups ─► risks
//! ```
//!
//! The release may be of any tool: it is read as labels, and each label as what it may stand for. A quasi column that the
//! release lacks counts as suppressed in every row. What cannot be measured is named with the reason.

mod settings;

use std::path::Path;

use rayon::prelude::*;
use scumble_attack::{
    Attack, AttackReport, GroupSizes as RiskSizes, MSU_AT_MOST, PopulationUniques, ShownColumns, Suda, attack,
    singled_out_of_table, suda, suda_cost, uniques,
};
use scumble_privacy::Template;
use scumble_progress::{Interrupted, Running, Stage, Watch, Work};
use scumble_report::{CertifiedTemplate, Page};
use scumble_store::{Aside, FileSource, Loaded, ReleasePart};
use scumble_table::Reading;
use scumble_table::{Column, ColumnId, Dictionary, Range, ReleasedColumn, SUPPRESSED, Table, ValueOrder, Written};
use scumble_utility::classify::{
    self, ClassificationError, Errors, FeatureKind, Predictor, PredictorRole, Split, classification,
};
use scumble_utility::{
    Compared, Comparison, Domain, QueryError, RangeDiversity, Role as Part, Tally, Workload, associations,
    column_changes, group_sizes, information_loss, query_error, range_diversity,
};

use crate::audit::{AuditReport, ReleaseFile};
use crate::board::{Evidence, article29, safe_harbor_while};
use crate::cells::Declared;
use crate::certificate::CertificateBeside;
use crate::error::Error;
use crate::evaluation::{Evaluation, Lost};
use crate::files::{name_of, write_to};
use crate::load::load;
use crate::page::{ColumnPicture, Counted, EvaluationPage, Pictured};
use crate::sources::file_source;
use crate::texts::read_taxonomies;
use scumble_bind::{Plan, PlannedColumn};
use scumble_policy::{Approach, Policy, Role, quoted};

pub(crate) use settings::ROWS_CLASSIFIED;
pub use settings::{Evaluate, Queries, Suda as SudaSetting};

/// A release beside its data, both as tables.
pub(crate) struct Beside<'a> {
    pub policy: &'a Policy,
    /// The plan of the data.
    pub plan: &'a Plan,
    /// The data.
    pub data: &'a Table,
    /// The release as a reader has it. Its columns are found by name.
    pub release: &'a Table,
    /// What is declared of its cells.
    pub declared: &'a Declared<'a>,
}

/// A released file, measured.
#[derive(Debug)]
pub struct Evaluated {
    /// What was measured.
    pub evaluation: Evaluation,
    /// What of the requirement holds.
    pub audit: AuditReport,
    page: Page,
}

impl Evaluated {
    /// Writes the page about it into a folder that is not there yet, or may be replaced. The page is private.
    pub fn write_page(&self, folder: &Path, replace: bool) -> Result<(), Error> {
        let aside = Aside::create_private(folder, replace)?;
        for (part, text) in [
            (ReleasePart::Page, self.page.html()),
            (ReleasePart::PlainPage, self.page.markdown()),
        ] {
            let name = name_of(&part.path());
            write_to(aside.private_file(&name)?, Path::new(&name), &text)?;
        }
        Ok(aside.commit()?)
    }
}

/// Measures a released file, which may be of any tool, and recounts its templates.
///
/// # Errors
/// A file that cannot be read, a workload or a split that does not fit.
pub fn evaluate_file(
    data: &Path,
    released: &Path,
    policy: &Policy,
    settings: &Evaluate,
    watch: &dyn Watch,
) -> Result<Evaluated, Error> {
    let taxonomies = read_taxonomies(policy)?;
    let source = FileSource {
        path: data.to_owned(),
        ..file_source(&policy.data)
    };
    let (plan, Loaded { table, .. }) = load(policy, &source.into(), &taxonomies, watch)?;
    let mut file = ReleaseFile::read(released, policy, &taxonomies, watch)?;
    file.bound_loss(policy, &taxonomies, Some(&table));
    let measuring = Running::begin(watch, Stage::Measuring, None);
    let findings = file.recount(measuring.work().part(0.0..RECOUNTING))?;
    let columns = file.release.columns().par_iter().map(ReleasedColumn::as_read);
    let release = Table::new(file.release.rows(), columns.collect());
    if let Some((name, _)) = settings.cells.iter().find(|(name, _)| release.find(name).is_none()) {
        return Err(Error::Evaluate(format!("the release has no column {}", quoted(name))));
    }
    let certificate = CertificateBeside::of(released).of_rows(release.rows());
    let declared = Declared::new(&settings.cells, certificate.as_ref(), Some(policy));
    let beside = Beside {
        policy,
        plan: &plan,
        data: &table,
        release: &release,
        declared: &declared,
    };
    let templates = file.plan.certify(findings.iter().map(Option::as_ref));
    let evaluation = beside.evaluate(settings, &templates, None, measuring.work().part(RECOUNTING..1.0))?;
    let before = beside.pictured();
    measuring.done();
    let page = EvaluationPage {
        name: &name_of(released),
        plan: &file.plan,
        findings: &findings,
        evaluation: &evaluation,
        columns: beside.pictures(&before),
    };
    Ok(Evaluated {
        page: page.page(),
        audit: file.report(&findings),
        evaluation,
    })
}

/// The share of an evaluation that is to recount the templates.
const RECOUNTING: f64 = 0.2;

/// How many measures take long.
const MEASURES: usize = 5;

/// How many rows times sets of columns are looked at for special uniques without being asked: a second or so.
const SUDA_AT_MOST: u64 = 25_000_000;

impl Beside<'_> {
    /// Measures everything. `templates` are those of the policy with what was found.
    pub(crate) fn evaluate(
        &self,
        settings: &Evaluate,
        templates: &[CertifiedTemplate],
        attacked: Option<&AttackReport>,
        work: Work,
    ) -> Result<Evaluation, Error> {
        let measuring = work.phase("measuring", 0.0..1.0);
        let done = measuring.count(MEASURES);
        let work = measuring.silent();
        let mut not_measured = Vec::new();
        let suppressed = self.lacking_columns();
        work.go_on()?;
        let comparison = self.compare(&suppressed);
        work.go_on()?;
        let alone = Attack {
            released: self.release,
            quasi: self.released_quasi(),
            known: None,
        };
        let risks = attack(&alone, work)?.risks;
        done.go_on(1)?;
        let sizes = comparison.groups().sizes().map(u64::from).collect();
        let population_uniques = population_uniques(settings, &sizes, &mut not_measured);
        // Parts of either side run on one core; beside each other they use both.
        let ((association, queries, columns), (classification, suda, safe_harbor)) = rayon::join(
            || {
                let association = associations(&comparison, self.data, work);
                done.add(1);
                let queries = self.queries(&settings.queries, &comparison, work);
                done.add(1);
                (association, queries, column_changes(&comparison))
            },
            || {
                let classification = self.classification(settings, &mut not_measured, work);
                done.add(1);
                let suda = self.suda(settings, &mut not_measured, work);
                done.add(1);
                (classification, suda, safe_harbor_while(self.release, work))
            },
        );
        done.go_on(0)?;
        Ok(Evaluation {
            information_loss: information_loss(&comparison, smallest_group_asked(self.plan)),
            group_sizes: group_sizes(comparison.groups()),
            columns,
            range_diversity: self.range_diversity(&comparison)?,
            association: association?,
            queries: queries?,
            classification: classification?,
            suda: suda?,
            safe_harbor: safe_harbor?,
            article29: article29(&Evidence {
                earlier: self.plan.earlier.iter().map(|release| &release.name[..]).collect(),
                templates,
                columns: self
                    .published()
                    .map(|(_, column)| (&column.name[..], column.role))
                    .collect(),
                risks: Some(&risks),
                known: attacked.and_then(|attack| attack.known.as_ref()),
                uniques: population_uniques.as_ref(),
            }),
            risks,
            singled_out: singled_out_of_table(self.release, &self.shown_columns(), self.plan.group_asked()),
            population_uniques,
            read_by_looks: self.read_by_looks(),
            not_measured,
        })
    }

    /// How the columns that the release has are shown, with their places in it.
    fn shown_columns(&self) -> ShownColumns {
        let shown = self
            .plan
            .shown_columns(self.policy.method.approach == Approach::Anatomy);
        let [as_they_are, masked, secrets] = [shown.as_they_are, shown.masked, shown.secrets].map(|ids| {
            let released = ids.iter().map(|id| self.release.find(&self.plan.columns[id.0].name));
            released.flatten().collect()
        });
        ShownColumns {
            as_they_are,
            masked,
            secrets,
        }
    }

    /// The columns that are published, with their place in the data.
    fn published(&self) -> impl Iterator<Item = (ColumnId, &PlannedColumn)> {
        let columns = self.plan.columns.iter().enumerate();
        columns
            .filter(|(_, column)| column.is_published())
            .map(|(id, column)| (ColumnId(id), column))
    }

    /// For each quasi column that the release lacks, what it shows instead: nothing.
    fn lacking_columns(&self) -> Vec<Column> {
        let lacking = self
            .published()
            .filter(|(_, column)| column.role == Role::Quasi && self.release.find(&column.name).is_none());
        let rows = self.release.rows();
        let hidden =
            |name: &str| Column::from_cells(name, ValueOrder::Natural, std::iter::repeat_n(Some(SUPPRESSED), rows));
        lacking.map(|(_, column)| hidden(&column.name)).collect()
    }

    fn compare<'s>(&'s self, suppressed: &'s [Column]) -> Comparison<'s> {
        let columns = self.published().filter_map(|(id, column)| {
            let values = self.data.column(id).dictionary();
            let domain = domain(column, values);
            let (after, written) = match self.release.find(&column.name) {
                Some(released) => (self.release.column(released), written(column, &domain, self.declared)),
                None => (
                    suppressed.iter().find(|own| own.name == column.name)?,
                    Written::Suppressed,
                ),
            };
            Some(Compared {
                name: &column.name,
                role: part(column.role),
                domain,
                before: Tally::of(self.data.column(id)),
                after,
                written,
            })
        });
        Comparison::new(self.data.rows() as u64, self.release.rows(), columns.collect())
    }

    /// The quasi columns of words of which nothing says how they are masked.
    fn read_by_looks(&self) -> Vec<String> {
        let columns = self.published().filter(|(id, column)| {
            let is_there = self.release.find(&column.name).is_some();
            let domain = domain(column, self.data.column(*id).dictionary());
            is_there && matches!(domain, Domain::Flat) && written(column, &domain, self.declared) == Written::Any
        });
        let undeclared = columns.filter(|(_, column)| self.declared.written(&column.name).is_none());
        undeclared.map(|(_, column)| column.name.clone()).collect()
    }

    /// The quasi columns of the data, as they are pictured.
    fn pictured(&self) -> Vec<Pictured> {
        let quasi = self.published().filter(|(_, column)| column.role == Role::Quasi);
        quasi
            .map(|(id, _)| Counted::of(self.data.column(id)).pictured())
            .collect()
    }

    /// The quasi columns before and after.
    fn pictures<'s>(&'s self, before: &'s [Pictured]) -> Vec<ColumnPicture<'s>> {
        let quasi = self.published().filter(|(_, column)| column.role == Role::Quasi);
        let pictures = quasi.zip(before).filter_map(|((_, column), before)| {
            let after = self.release.find(&column.name)?;
            Some(ColumnPicture {
                name: &column.name,
                role: column.role,
                before,
                after: Counted::of(self.release.column(after)),
                mask: None,
                taxonomy: column.taxonomy(),
            })
        });
        pictures.collect()
    }

    /// The quasi columns that the release has, with their place in it.
    fn released_quasi(&self) -> Vec<ColumnId> {
        let quasi = self.published().filter(|(_, column)| column.role == Role::Quasi);
        quasi
            .filter_map(|(_, column)| self.release.find(&column.name))
            .collect()
    }

    fn range_diversity(&self, comparison: &Comparison) -> Result<Vec<RangeDiversity>, Error> {
        let columns = self.policy.columns.iter().map(|column| column.name.get_ref());
        let with_ranges = columns.filter_map(|name| {
            let planned = &self.plan.columns[self.plan.find(name)?.0];
            Some((name, planned.sensitive_ranges.as_ref()?))
        });
        let measured = with_ranges.map(|(name, ranges)| {
            let lacking = || {
                Error::Evaluate(format!(
                    "no range diversity: the release has no column {}",
                    quoted(name)
                ))
            };
            range_diversity(comparison, name, ranges).ok_or_else(lacking)
        });
        measured.collect()
    }

    fn queries(&self, queries: &Queries, comparison: &Comparison, work: Work) -> Result<Option<QueryError>, Error> {
        let wrong = |reason: String| Error::Evaluate(format!("no query error: {reason}"));
        let workload = match queries {
            Queries::None => return Ok(None),
            Queries::Drawn {
                settings,
                as_wide_as_fits,
            } => {
                let mut settings = settings.clone();
                if *as_wide_as_fits {
                    settings.dimensions = settings.dimensions.min(self.plan.quasi.len());
                }
                Workload::generate_while(&settings, comparison, self.data, work)
                    .map_err(|error| wrong(error.to_string()))?
            }
            Queries::File(path) => {
                let text = std::fs::read_to_string(path).map_err(|reason| Error::Open {
                    path: path.clone(),
                    reason,
                })?;
                let place = |error| wrong(format!("{}: {error}", path.display()));
                Workload::parse(&text, comparison).map_err(|error| place(error.to_string()))?
            }
        };
        Ok(Some(query_error(&workload, comparison, self.data, work)?))
    }

    fn classification(
        &self,
        settings: &Evaluate,
        not_measured: &mut Vec<String>,
        work: Work,
    ) -> Result<Vec<Errors>, Error> {
        let Some(class) = self.plan.class else {
            not_measured.push("classification error: the policy names no class column".to_owned());
            return Ok(Vec::new());
        };
        let splits = |name: &str| matches!(&settings.split, Split::Column { name: split, .. } if split == name);
        let class = &self.plan.columns[class.0].name;
        if self.release.find(class).is_none() {
            not_measured.push(format!("classification error: the release has no column {class}"));
            return Ok(Vec::new());
        }
        let predictors = predictors(self.plan, self.data, |name| {
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
                error => Error::Evaluate(format!("no classification error: {error}")),
            })
        });
        errors.collect()
    }

    fn suda(
        &self,
        settings: &Evaluate,
        not_measured: &mut Vec<String>,
        work: Work,
    ) -> Result<Option<Suda>, Interrupted> {
        let quasi = self.plan.quasi.clone();
        let cost = suda_cost(self.data.rows(), quasi.len(), MSU_AT_MOST);
        if settings.suda == SudaSetting::IfShort && cost > SUDA_AT_MOST {
            not_measured.push("special uniques (SUDA): the table is large; ask for them with --suda".to_owned());
            return Ok(None);
        }
        let share = settings
            .population
            .map(|people| self.data.rows() as f64 / people.max(1) as f64);
        let share = share.filter(|share| *share < 1.0);
        suda(self.data, &quasi, MSU_AT_MOST, share, work).map(Some)
    }
}

/// The published columns that a class may be told from, of those that are wanted.
pub(crate) fn predictors(plan: &Plan, data: &Table, wanted: impl Fn(&str) -> bool) -> Vec<Predictor> {
    let columns = plan.columns.iter().enumerate();
    let published = columns.filter(|(_, column)| column.is_published() && wanted(&column.name));
    published
        .map(|(id, column)| Predictor {
            name: column.name.clone(),
            role: match column.role {
                Role::Quasi => PredictorRole::Quasi,
                Role::Sensitive => PredictorRole::Sensitive,
                _ => PredictorRole::Other,
            },
            kind: if holds_numbers(column, data.column(ColumnId(id)).dictionary()) {
                FeatureKind::Number
            } else {
                FeatureKind::Category
            },
        })
        .collect()
}

/// What is always measured of a release, from what some of its columns were before and are after, in the same order. Those
/// that are published as they are and have no part in it may be missing.
pub(crate) fn loss_of_release(
    plan: &Plan,
    before: &[(ColumnId, &Counted)],
    rows_before: u64,
    after: &Table,
    declared: &Declared,
    groups: u64,
) -> Lost {
    let columns = before.iter().zip(after.columns()).map(|((id, before), after)| {
        let column = &plan.columns[id.0];
        let domain = domain(column, before.values());
        Compared {
            name: &column.name,
            role: part(column.role),
            written: written(column, &domain, declared),
            domain,
            before: Tally {
                dictionary: before.values(),
                rows: before.rows().to_vec(),
            },
            after,
        }
    });
    let comparison = Comparison::new(rows_before, after.rows(), columns.collect());
    // Where few rows are alike, as under many templates on few columns each, groups on all columns say little and cost
    // more than the search.
    let few = groups.saturating_mul(10) <= after.rows() as u64;
    Lost {
        columns: column_changes(&comparison),
        together: few.then(|| {
            let loss = information_loss(&comparison, smallest_group_asked(plan));
            (loss, group_sizes(comparison.groups()))
        }),
    }
}

/// The largest k that the policy asks for on all quasi columns.
fn smallest_group_asked(plan: &Plan) -> Option<u64> {
    let is_on_all = |template: &&Template| {
        let mut quasi = plan.quasi.iter();
        template.of.any.is_none() && quasi.all(|quasi| template.of.columns.contains(quasi))
    };
    let templates = plan.requirement.templates.iter().filter(is_on_all);
    templates.filter_map(Template::records).max()
}

fn domain<'d>(column: &'d PlannedColumn, values: &Dictionary) -> Domain<'d> {
    match (column.taxonomy(), declared_range(column)) {
        (Some(taxonomy), _) => Domain::Tree(taxonomy),
        (None, Some(range)) => Domain::Continuous(range),
        _ if holds_numbers(column, values) => Domain::Continuous(observed(values.numbers().unwrap_or_default())),
        _ => Domain::Flat,
    }
}

/// What a column shows. Where neither a certificate nor the user says it, the file may be of another tool: then a quasi cell
/// that is no value of the data must be a label, and so must be whatever is no number or no node.
fn written(column: &PlannedColumn, domain: &Domain, declared: &Declared) -> Written {
    let undeclared = || match domain {
        Domain::Continuous(_) | Domain::Tree(_) => Written::Any,
        Domain::Flat if column.role == Role::Quasi => Written::Any,
        Domain::Flat => Written::Exact,
    };
    declared.written(&column.name).unwrap_or_else(undeclared)
}

/// Whether a column holds numbers: the policy says so, or it says nothing of it and all its values are.
fn holds_numbers(column: &PlannedColumn, values: &Dictionary) -> bool {
    match column.reading() {
        Reading::Number { .. } => true,
        _ => {
            let all_are = values.numbers().is_some_and(|numbers| numbers.len() > 1);
            column.role == Role::Other && column.taxonomy.is_none() && all_are
        }
    }
}

fn population_uniques(
    settings: &Evaluate,
    sizes: &RiskSizes,
    not_measured: &mut Vec<String>,
) -> Option<PopulationUniques> {
    let Some(people) = settings.population else {
        not_measured.push("population uniques: tell how many people there are, with --population".to_owned());
        return None;
    };
    match uniques(sizes, people) {
        Ok(uniques) => Some(uniques),
        Err(error) => {
            not_measured.push(format!("population uniques: {error}"));
            None
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

fn declared_range(column: &PlannedColumn) -> Option<Range> {
    match column.reading() {
        Reading::Number { range } => range,
        _ => None,
    }
}

fn observed(numbers: &[f64]) -> Range {
    let (from, to) = (numbers.first().copied(), numbers.last().copied());
    Range::new(from.unwrap_or(0.0), to.unwrap_or(0.0)).expect("numbers of a dictionary ascend")
}
