//! Measuring a release of several tables: each beside its own data, by the measures of one table.
//!
//! Keys are numbers that mean nothing, so they are no columns to measure. What is about a person, and so about rows of several
//! tables, is no measure of a table: that is what the audit counts and the attack tries.

use std::collections::BTreeMap;
use std::path::Path;

use scumble_bind::{PlannedTable, TablesPlan};
use scumble_policy::Policy;
use scumble_privacy::ReleasedDatabase;
use scumble_progress::{Stage, Watch, Work};
use scumble_report::Page;
use scumble_table::{ColumnId, Table};
use scumble_utility::classify::Split;
use serde::Serialize;

use super::audit::{DatabaseAudit, ReleasedFiles};
use super::certify::singled_out;
use super::load::{Rows, database, load, places};
use super::page::evaluation_page;
use super::words::described;
use crate::audit::AuditedTemplate;
use crate::board::safe_harbor_while;
use crate::error::Error;
use crate::errors::{EvaluateError, OneTableOnly};
use crate::evaluate::{Evaluate, LONG_MEASURES, MeasuredColumn, Queries, SudaSetting, TableBeside, write_page};
use crate::evaluation::{DatabaseEvaluation, TableEvaluation};
use crate::files::name_of;
use crate::page::Held;
use crate::texts::read_taxonomies;

/// The folder of a release of several tables, measured.
#[derive(Debug, Serialize)]
pub struct DatabaseEvaluated {
    /// What was measured.
    #[serde(flatten)]
    pub evaluation: DatabaseEvaluation,
    /// Each template of the policy, with what was found.
    pub require: Vec<AuditedTemplate>,
    /// What is wrong apart from that, the first of many.
    pub faults: Vec<String>,
    /// How many faults there are.
    pub faults_found: u64,
    /// Whether values were compared with the data; `private/rows` says of which row a row is.
    pub compared_with_data: bool,
    #[serde(skip)]
    page: Page,
}

impl DatabaseEvaluated {
    /// Writes the page about it into a folder that is not there yet, or may be replaced. The page is private.
    ///
    /// # Errors
    /// A folder that cannot be written to, or is of something else.
    pub fn write_page(&self, folder: &Path, replace: bool) -> Result<(), Error> {
        write_page(&self.page, folder, replace)
    }
}

/// Measures each table in the folder of a release against the data of its policy, and recounts its templates.
///
/// # Errors
/// Data or tables that cannot be read, a folder with other tables, what has no meaning for several tables.
pub fn evaluate_database(
    folder: &Path,
    policy: &Policy,
    settings: &Evaluate,
    watch: &dyn Watch,
) -> Result<DatabaseEvaluated, Error> {
    check_settings(settings)?;
    let taxonomies = read_taxonomies(policy)?;
    let (plan, rows) = load(policy, &BTreeMap::new(), &taxonomies, watch)?;
    let places = places(&plan, &database(&plan, &rows)?);
    let demands = described(policy, &plan, plan.demands(policy, &places));
    let files = ReleasedFiles { folder, policy };
    let released = files.read_checked(&plan, &places, watch)?;
    let (report, findings) = files.recount(&plan, &rows, &places, &demands, &released, watch)?;
    let beside = Beside {
        policy,
        plan: &plan,
        places: &places,
        rows: &rows,
        released: &released,
    };
    let evaluation = Stage::Measuring.run(watch, |work| beside.evaluate(settings, work))?;
    let held = demands.iter().zip(&findings).map(|(demand, finding)| Held {
        words: demand.words(),
        template: demand.demand.template(),
        finding: Some(finding),
    });
    let page = evaluation_page(&name_of(folder), held, &evaluation);
    let DatabaseAudit {
        require,
        faults,
        faults_found,
        compared_with_data,
        ..
    } = report;
    Ok(DatabaseEvaluated {
        evaluation,
        require,
        faults,
        faults_found,
        compared_with_data,
        page,
    })
}

/// A release of several tables beside the data that it was made from.
pub(super) struct Beside<'a> {
    pub policy: &'a Policy,
    pub plan: &'a TablesPlan,
    /// For each released table, its place in the policy.
    pub places: &'a [usize],
    pub rows: &'a Rows,
    pub released: &'a ReleasedDatabase,
}

/// Why some of what is measured of one table is not measured of several.
const ONE_ROW_IS_NO_PERSON: &str = "risks of rows, special uniques (SUDA), population uniques and the questions of WP216: a \
                                    person is rows of several tables, so persons are counted, by the templates, in `singled_out` \
                                    and by an attack";

impl Beside<'_> {
    /// Measures each table by itself.
    pub fn evaluate(&self, settings: &Evaluate, work: Work) -> Result<DatabaseEvaluation, Error> {
        check_settings(settings)?;
        self.check_secret(settings)?;
        let all = self.places.len() as f64;
        let mut tables = Vec::new();
        for number in 0..self.places.len() {
            let share = number as f64 / all..(number + 1) as f64 / all;
            tables.push(self.evaluate_table(number, settings, work.part(share))?);
        }
        Ok(DatabaseEvaluation {
            tables,
            singled_out: singled_out(self.plan, self.places, self.released, self.policy.persons_alike()),
            not_measured: vec![ONE_ROW_IS_NO_PERSON.to_owned()],
        })
    }

    /// Refuses a secret of queries that no table has.
    fn check_secret(&self, settings: &Evaluate) -> Result<(), EvaluateError> {
        let Queries::Drawn { settings: drawn, .. } = &settings.queries else {
            return Ok(());
        };
        let Some(secret) = &drawn.sensitive else { return Ok(()) };
        let is_of = |bound: &PlannedTable| {
            let mut columns = measured_columns(bound).into_iter();
            secret_of(secret, &bound.name).is_some_and(|name| columns.any(|column| column.name == name))
        };
        if self.plan.tables.iter().any(is_of) {
            return Ok(());
        }
        Err(EvaluateError::NoSecret(secret.clone()))
    }

    fn evaluate_table(&self, number: usize, settings: &Evaluate, work: Work) -> Result<TableEvaluation, Error> {
        let bound = &self.plan.tables[self.places[number]];
        let columns = measured_columns(bound);
        let released = &self.released.tables[number].release;
        let shown = columns.iter().map(|column| released.columns()[column.id.0].as_read());
        let release = Table::new(released.rows(), shown.collect());
        let table = TableBeside {
            data: &self.rows.tables[self.places[number]],
            release: &release,
            // Whoever shares a tree of rows with others shares each row of it.
            group_asked: Some(self.policy.persons_alike()),
            columns,
            sensitive_ranges: Vec::new(),
            is_one_of_several: true,
        };
        let measuring = work.phase("measuring", 0.0..1.0);
        let done = measuring.count(LONG_MEASURES);
        let mut not_measured = Vec::new();
        let comparison = table.compare(&[]);
        let settings = of_table(settings, &bound.name);
        let measures = table.measure(&comparison, &settings, &mut not_measured, &done, measuring.silent());
        done.go_on(0)?;
        Ok(TableEvaluation {
            table: bound.name.clone(),
            measures: measures?,
            safe_harbor: safe_harbor_while(&release, work)?,
            not_measured,
        })
    }
}

/// The columns of a table that are published and are no keys.
fn measured_columns(bound: &PlannedTable) -> Vec<MeasuredColumn<'_>> {
    let columns = bound.columns.iter().zip(&bound.forms).enumerate();
    let published = columns.filter(|(_, (column, _))| column.is_published());
    let measured = published.map(|(id, (column, forms))| MeasuredColumn {
        id: ColumnId(id),
        name: &column.name,
        role: column.role,
        taxonomy: column.taxonomy(),
        reading: column.reading(),
        written: Some(forms.written),
    });
    measured.collect()
}

/// What is asked of one table: a secret that queries ask about is named with its table.
fn of_table(settings: &Evaluate, table: &str) -> Evaluate {
    let mut settings = settings.clone();
    if let Queries::Drawn { settings: drawn, .. } = &mut settings.queries {
        let own = drawn.sensitive.as_deref().and_then(|name| secret_of(name, table));
        drawn.sensitive = own.map(str::to_owned);
    }
    settings
}

/// The column that `table.column` names, if it is of this table.
fn secret_of<'n>(name: &'n str, table: &str) -> Option<&'n str> {
    name.strip_prefix(table)?.strip_prefix('.')
}

/// Refuses what has no meaning for several tables.
fn check_settings(settings: &Evaluate) -> Result<(), EvaluateError> {
    let refused = [
        (
            matches!(settings.queries, Queries::Listed { .. }),
            OneTableOnly::Queries,
        ),
        (
            matches!(settings.split, Split::Column { .. } | Split::Rows(_)),
            OneTableOnly::Split,
        ),
        (!settings.cells.is_empty(), OneTableOnly::Cells),
        (
            settings.population.is_some() || settings.suda == SudaSetting::Always,
            OneTableOnly::Uniques,
        ),
    ];
    match refused.into_iter().find(|(is_asked, _)| *is_asked) {
        Some((_, only)) => Err(EvaluateError::OfOneTable(only)),
        None => Ok(()),
    }
}
