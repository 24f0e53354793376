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
mod table;

use std::path::Path;

use rayon::prelude::*;
use scumble_attack::{
    Attack, AttackReport, GroupSizes as RiskSizes, MSU_AT_MOST, PopulationUniques, ShownColumns, Suda, attack,
    singled_out_of_table, suda, suda_cost, uniques,
};
use scumble_privacy::Template;
use scumble_progress::{Interrupted, Running, Stage, Watch, Work};
use scumble_report::{CertifiedTemplate, Page};
use scumble_store::{Aside, Loaded, ReleasePart};
use scumble_table::{ColumnId, ReleasedColumn, Table, Written};
use scumble_utility::{Comparison, Tally, column_changes, group_sizes, information_loss};
use serde::Serialize;

use crate::audit::{AuditReport, AuditedTemplate, ReleaseFile};
use crate::board::{Evidence, article29, safe_harbor_while};
use crate::cells::Declared;
use crate::certificate::CertificateBeside;
use crate::error::Error;
use crate::errors::EvaluateError;
use crate::evaluation::{Evaluation, Lost};
use crate::files::{name_of, write_to};
use crate::load::load;
use crate::page::{ColumnPicture, Counted, EvaluationPage, Pictured};
use crate::sources::checked_source;
use crate::texts::read_taxonomies;
use scumble_bind::{Plan, PlannedColumn};
use scumble_policy::{Approach, Policy, Role};

pub(crate) use settings::ROWS_CLASSIFIED;
pub use settings::{Evaluate, Queries, Suda as SudaSetting};
pub(crate) use table::{LONG_MEASURES, MeasuredColumn, TableBeside, predictors};

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
#[derive(Debug, Serialize)]
pub struct Evaluated {
    /// What was measured.
    #[serde(flatten)]
    pub evaluation: Evaluation,
    /// Each template of the policy, with what was found.
    pub require: Vec<AuditedTemplate>,
    /// Identifiers that the release holds, though none may be published.
    pub identifiers: Vec<String>,
    /// Columns that the release holds, though the policy does not list them and so does not publish them.
    pub unlisted: Vec<String>,
    #[serde(skip)]
    page: Page,
}

impl Evaluated {
    /// Writes the page about it into a folder that is not there yet, or may be replaced. The page is private.
    pub fn write_page(&self, folder: &Path, replace: bool) -> Result<(), Error> {
        write_page(&self.page, folder, replace)
    }
}

/// Writes a private page into a folder that is not there yet, or may be replaced.
pub(crate) fn write_page(page: &Page, folder: &Path, replace: bool) -> Result<(), Error> {
    let aside = Aside::create_private(folder, replace)?;
    for (part, text) in [
        (ReleasePart::Page, page.html()),
        (ReleasePart::PlainPage, page.markdown()),
    ] {
        let name = name_of(&part.path());
        write_to(aside.private_file(&name)?, Path::new(&name), &text)?;
    }
    Ok(aside.commit()?)
}

/// Measures a released file, which may be of any tool, against the data of its policy, and recounts its templates.
///
/// # Errors
/// Data or a file that cannot be read, a workload or a split that does not fit.
pub fn evaluate_file(
    released: &Path,
    policy: &Policy,
    settings: &Evaluate,
    watch: &dyn Watch,
) -> Result<Evaluated, Error> {
    let taxonomies = read_taxonomies(policy)?;
    let (plan, Loaded { table, .. }) = load(policy, &checked_source(policy)?, &taxonomies, watch)?;
    let mut file = ReleaseFile::read(released, policy, &taxonomies, watch)?;
    file.bound_loss(policy, &taxonomies, Some(&table));
    let measuring = Running::begin(watch, Stage::Measuring, None);
    let findings = file.recount(measuring.work().part(0.0..RECOUNTING))?;
    let columns = file.release.columns().par_iter().map(ReleasedColumn::as_read);
    let release = Table::new(file.release.rows(), columns.collect());
    if let Some((name, _)) = settings.cells.iter().find(|(name, _)| release.find(name).is_none()) {
        return Err(EvaluateError::NoColumn(name.clone()).into());
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
    let page = page.page();
    let AuditReport {
        require,
        identifiers,
        unlisted,
        ..
    } = file.report(&findings);
    Ok(Evaluated {
        evaluation,
        require,
        identifiers,
        unlisted,
        page,
    })
}

/// The share of an evaluation that is to recount the templates.
const RECOUNTING: f64 = 0.2;

/// How many measures take long: those of the table, its risks, and special uniques.
const MEASURES: usize = LONG_MEASURES + 2;

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
        let table = self.table();
        let suppressed = table.lacking_columns();
        work.go_on()?;
        let comparison = table.compare(&suppressed);
        work.go_on()?;
        let alone = Attack {
            released: self.release,
            quasi: self.released_quasi(),
            known: None,
        };
        let risks = attack(&alone, work)?.risks;
        done.go_on(1)?;
        let sizes = comparison.groups().sizes().map(u64::from).collect();
        let mut not_measured = Vec::new();
        let population_uniques = population_uniques(settings, &sizes, &mut not_measured);
        let mut no_suda = Vec::new();
        let (measures, (suda, safe_harbor)) = rayon::join(
            || table.measure(&comparison, settings, &mut not_measured, &done, work),
            || {
                let suda = self.suda(settings, &mut no_suda, work);
                done.add(1);
                (suda, safe_harbor_while(self.release, work))
            },
        );
        not_measured.extend(no_suda);
        done.go_on(0)?;
        Ok(Evaluation {
            measures: measures?,
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

    /// What can be measured of any table.
    fn table(&self) -> TableBeside<'_> {
        let of_policy = self.policy.columns.iter().filter_map(|column| {
            let planned = &self.plan.columns[self.plan.columns.find(column.name.get_ref())?.0];
            Some((&planned.name[..], planned.sensitive_ranges.as_ref()?))
        });
        TableBeside {
            columns: measured_columns(self.plan, |name| self.declared.written(name)),
            data: self.data,
            release: self.release,
            group_asked: smallest_group_asked(self.plan),
            sensitive_ranges: of_policy.collect(),
            is_one_of_several: false,
        }
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

    /// The quasi columns of words of which nothing says how they are masked.
    fn read_by_looks(&self) -> Vec<String> {
        let TableBeside { columns, .. } = self.table();
        let released = columns
            .into_iter()
            .filter(|column| self.release.find(column.name).is_some());
        let by_looks = released.filter(|column| column.is_read_by_looks(self.data.column(column.id).dictionary()));
        by_looks.map(|column| column.name.to_owned()).collect()
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

/// The published columns of a plan, and what is declared that their cells show.
pub(crate) fn measured_columns<'p>(
    plan: &'p Plan,
    written: impl Fn(&str) -> Option<Written>,
) -> Vec<MeasuredColumn<'p>> {
    let columns = plan.columns.iter().enumerate();
    let published = columns.filter(|(_, column)| column.is_published());
    published
        .map(|(id, column)| measured_column(ColumnId(id), column, written(&column.name)))
        .collect()
}

fn measured_column(id: ColumnId, column: &PlannedColumn, written: Option<Written>) -> MeasuredColumn<'_> {
    MeasuredColumn {
        id,
        name: &column.name,
        role: column.role,
        taxonomy: column.taxonomy(),
        reading: column.reading(),
        written,
    }
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
        let before = Tally {
            dictionary: before.values(),
            rows: before.rows().to_vec(),
        };
        measured_column(*id, column, declared.written(&column.name)).compared(before, after)
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
