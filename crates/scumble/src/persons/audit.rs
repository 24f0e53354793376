//! Auditing the files of a release of several tables.
//!
//! Tables are read as a stranger reads them. Beside the data of the policy they must have the same columns, and beside
//! `private/rows`, which says of which row of the data each released row is, every value must cover the original one.

use crate::sources::{header_of, read_text};
use std::collections::BTreeMap;
use std::path::Path;

use scumble_attack::SingledOut;
use scumble_bind::{PlannedTable, TablesPlan};
use scumble_privacy::{
    Fault, Finding, OriginalTable, Originals, ReleasedDatabase, ReleasedTable, check_schema, recount_entities_while,
};
use scumble_progress::{Stage, Watch};
use scumble_report::Level;
use scumble_store::{FileSource, ReleasePart};
use scumble_table::{Column, ColumnId, Reading, ReleaseFormat, Released, ReleasedColumn, Table, ValueOrder};
use serde::Serialize;

use super::certify::singled_out;
use super::load::{Rows, database, empty, load, places};
use super::released::{originals, released, unchanged};
use super::source::some_rows;
use super::words::{Described, described};
use crate::audit::AuditedTemplate;
use crate::error::Error;
use crate::errors::{ReleasedFilesError, RowsMisfit};
use crate::released::{Said, source_of_release};
use crate::sources::table_file_name;
use crate::texts::read_taxonomies;
use scumble_bind::{Holds, unite};
use scumble_policy::{Policy, quoted};

/// What an audit found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DatabaseAudit {
    /// The tables, that of persons first, with their rows; empty if a table has not the columns that it should.
    pub tables: Vec<(String, usize)>,
    /// Each template of the policy.
    pub require: Vec<AuditedTemplate>,
    /// What is wrong apart from that, the first of many.
    pub faults: Vec<String>,
    /// How many faults there are.
    pub faults_found: u64,
    /// Whether values were compared with the data; `private/rows` says of which row a row is.
    pub compared_with_data: bool,
    /// Persons who stand out on the columns published as they are, and on all together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub singled_out: Option<SingledOut>,
    /// Whether everything holds.
    pub holds: bool,
}

/// Recounts the requirement of a policy on the folder of a release, and looks for faults.
pub fn audit_database(folder: &Path, policy: &Policy, watch: &dyn Watch) -> Result<DatabaseAudit, Error> {
    let taxonomies = read_taxonomies(policy)?;
    let (plan, rows) = load(policy, &BTreeMap::new(), &taxonomies, watch)?;
    let places = places(&plan, &database(&plan, &rows)?);
    let demands = described(policy, &plan, plan.demands(policy, &places));

    let files = ReleasedFiles { folder, policy };
    let faults = files.check_schema(&plan)?;
    if !faults.is_empty() {
        return Ok(uncounted(&demands, faults.iter().map(ToString::to_string).collect()));
    }
    let released = files.read(&plan, &places, watch)?;
    let (report, _) = files.recount(&plan, &rows, &places, &demands, &released, watch)?;
    Ok(report)
}

/// What there is to say of tables that do not have the columns that they should.
fn uncounted(demands: &[Described], faults: Vec<String>) -> DatabaseAudit {
    DatabaseAudit {
        tables: Vec::new(),
        require: demands.iter().map(not_counted).collect(),
        faults_found: faults.len() as u64,
        faults,
        compared_with_data: false,
        singled_out: None,
        holds: false,
    }
}

fn not_counted(demand: &Described) -> AuditedTemplate {
    let template = demand.demand.template();
    AuditedTemplate {
        template: demand.words(),
        bound: Level::of(&template, template.bound()),
        level: None,
        lacking: Vec::new(),
        holds: false,
        sense: template.sense(),
    }
}

/// Whether a released table is the table that was read.
fn is_same(original: &Table, released: &Released) -> bool {
    let same = |(column, released): (&Column, &ReleasedColumn)| {
        let (shown, place_of_code) = released.shown();
        let codes = column.codes().iter().zip(released.codes().iter());
        let mut cells = codes.map(|(own, code)| (own, place_of_code[code as usize]));
        cells.all(|(own, place)| column.dictionary().value(own) == shown.value(place))
    };
    original.rows() == released.rows() && original.columns().iter().zip(released.columns()).all(same)
}

/// Puts the values of columns that are shown as they are, and have a taxonomy, in its order, as they are in the data. All
/// others are read in theirs.
fn put_in_order(bound: &PlannedTable, table: &mut Table) {
    let columns = bound.columns.iter().enumerate();
    let as_they_are = columns.filter(|(place, _)| bound.scale(ColumnId(*place)).is_none());
    for (place, taxonomy) in as_they_are.filter_map(|(place, column)| Some((place, column.taxonomy.as_ref()?))) {
        let id = ColumnId(place);
        let order = ValueOrder::Taxonomy(taxonomy);
        *table.column_mut(id) = table.column(id).map_values(order, |text| text.to_owned());
    }
}

/// The folder of a release.
pub(super) struct ReleasedFiles<'f> {
    pub folder: &'f Path,
    pub policy: &'f Policy,
}

impl ReleasedFiles<'_> {
    /// The file of a table, in the format of the policy or in any other that we write.
    fn source(&self, table: &str) -> FileSource {
        let asked = self.folder.join(table_file_name(self.policy, table));
        let other = |format: ReleaseFormat| self.folder.join(format!("{table}.{}", format.extension()));
        let found = std::iter::once(asked.clone()).chain(ReleaseFormat::ALL.map(other));
        let path = found.into_iter().find(|path| path.exists()).unwrap_or(asked);
        source_of_release(&path, Some(Said::by(self.policy)))
    }

    /// What is wrong with the columns of the tables.
    pub fn check_schema(&self, plan: &TablesPlan) -> Result<Vec<Fault>, Error> {
        let of_tables = plan.tables.iter().map(|table| {
            let columns = table.columns.iter().map(|column| column.name.as_str());
            (&table.name, columns.collect::<Vec<&str>>())
        });
        let of_lookups = plan.lookups.iter();
        let of_lookups = of_lookups.map(|lookup| (&lookup.name, lookup.header.iter().map(String::as_str).collect()));
        let mut faults = Vec::new();
        for (table, expected) in of_tables.chain(of_lookups) {
            let found = header_of(&self.source(table))?;
            let found: Vec<&str> = found.iter().map(String::as_str).collect();
            let wrong = check_schema(table, &expected, &found);
            faults.extend_from_slice(wrong.listed());
        }
        Ok(faults)
    }

    /// All tables.
    ///
    /// # Errors
    /// Tables that have not the columns that they should: then they are another release.
    pub fn read_checked(
        &self,
        plan: &TablesPlan,
        places: &[usize],
        watch: &dyn Watch,
    ) -> Result<ReleasedDatabase, Error> {
        let faults = self.check_schema(plan)?;
        if !faults.is_empty() {
            let folder = self.folder.to_owned();
            return Err(ReleasedFilesError::NotOfPolicy { folder, faults }.into());
        }
        self.read(plan, places, watch)
    }

    /// All tables, which have the columns that they should.
    pub fn read(&self, plan: &TablesPlan, places: &[usize], watch: &dyn Watch) -> Result<ReleasedDatabase, Error> {
        let tables = places.iter().map(|&place| {
            let bound = &plan.tables[place];
            let mut table = self.table(&bound.name, bound.columns.iter().map(|column| &column.name), watch)?;
            unite(&self.policy.tables()[place].columns, &mut table, Holds::Labels);
            put_in_order(bound, &mut table);
            Ok(table)
        });
        let tables = tables.collect::<Result<Vec<Table>, Error>>()?;
        let lookups = plan.lookups.iter();
        let lookups = lookups.map(|lookup| self.table(&lookup.name, lookup.header.iter(), watch));
        let lookups = lookups.collect::<Result<Vec<Table>, Error>>()?;
        let as_read = |tables: Vec<Table>| tables.into_iter().map(unchanged).collect();
        Ok(released(plan, places, as_read(tables), as_read(lookups)))
    }

    /// Recounts what was read, and looks for faults. What was found for each demand goes with the report.
    pub fn recount(
        &self,
        plan: &TablesPlan,
        rows: &Rows,
        places: &[usize],
        demands: &[Described],
        released: &ReleasedDatabase,
        watch: &dyn Watch,
    ) -> Result<(DatabaseAudit, Vec<Finding>), Error> {
        let originals = originals(plan, rows, places);
        let (rows_of, misfit) = match self.rows_of_the_data(released, &originals, watch) {
            Err(Error::ReleasedFiles(misfit @ ReleasedFilesError::RowsFile { .. })) => (None, Some(misfit.to_string())),
            rows_of => (rows_of?, None),
        };
        let originals = rows_of.as_ref().map(|rows| Originals {
            tables: &originals,
            rows,
        });
        let asked: Vec<_> = demands.iter().map(|demand| demand.demand.clone()).collect();
        let (findings, faults) =
            Stage::Auditing.run(watch, |work| recount_entities_while(released, &asked, originals, work))?;
        let mut told: Vec<String> = faults.listed().iter().map(ToString::to_string).collect();
        let lookups = plan.lookups.iter().zip(&rows.lookups).zip(&released.lookups);
        let changed = lookups.filter(|((_, original), lookup)| !is_same(original, &lookup.release));
        let changed = changed.map(|((bound, _), _)| format!("look-up {} differs from the data", quoted(&bound.name)));
        let more: Vec<String> = misfit.into_iter().chain(changed).collect();
        let faults_found = faults.count() + more.len() as u64;
        told.extend(more);
        let require = demands.iter().zip(&findings).map(|(demand, finding)| AuditedTemplate {
            level: Some(Level::of(&demand.demand.template(), finding.level)),
            holds: finding.holds,
            ..not_counted(demand)
        });
        let require: Vec<AuditedTemplate> = require.collect();
        let tables = released.tables.iter();
        let report = DatabaseAudit {
            holds: faults_found == 0 && require.iter().all(|template| template.holds),
            tables: tables.map(|table| (table.name.clone(), table.release.rows())).collect(),
            require,
            faults: told,
            faults_found,
            compared_with_data: rows_of.is_some(),
            singled_out: singled_out(plan, places, released, self.policy.persons_alike()),
        };
        Ok((report, findings))
    }

    fn table<'n>(
        &self,
        name: &str,
        columns: impl Iterator<Item = &'n String>,
        watch: &dyn Watch,
    ) -> Result<Table, Error> {
        let read = some_rows(read_text(&self.source(name), watch))?;
        Ok(read.unwrap_or_else(|| empty(columns.map(|name| (name, Reading::Text)))))
    }

    /// For each released table, the row of the data that each of its rows is; `None` if the private folder is not there.
    fn rows_of_the_data(
        &self,
        released: &ReleasedDatabase,
        originals: &[OriginalTable],
        watch: &dyn Watch,
    ) -> Result<Option<Vec<Vec<u32>>>, Error> {
        if !self.folder.join("private").exists() {
            return Ok(None);
        }
        let tables = released.tables.iter().zip(originals);
        let rows = tables.map(|(table, original)| self.rows_of(table, original.table.rows(), watch));
        rows.collect::<Result<Vec<_>, Error>>().map(Some)
    }

    /// The rows of the data that the rows of a table are.
    fn rows_of(&self, table: &ReleasedTable, rows_of_data: usize, watch: &dyn Watch) -> Result<Vec<u32>, Error> {
        let path = self.folder.join(ReleasePart::Rows(&table.name).path());
        let wrong = |reason: RowsMisfit| -> Error {
            let path = path.clone();
            ReleasedFilesError::RowsFile { path, reason }.into()
        };
        if table.release.rows() == 0 {
            return Ok(Vec::new());
        }
        let opened = FileSource::new(&path).open(watch)?;
        let numbers = vec![Reading::Number { range: None }; opened.header().len()];
        let loaded = opened.read(&numbers, false, watch)?;
        let column = match loaded.table.columns() {
            [column] => column,
            _ => return Err(wrong(RowsMisfit::Columns)),
        };
        if column.codes().len() != table.release.rows() {
            let (found, released) = (column.codes().len(), table.release.rows());
            return Err(wrong(RowsMisfit::Rows { found, released }));
        }
        let row = |text: &str| text.parse().ok().filter(|row| (1..=rows_of_data).contains(row));
        let rows: Vec<Option<usize>> = column.dictionary().texts().iter().map(row).collect();
        let rows = column.codes().iter().enumerate().map(|(place, code)| {
            let row = rows.get(code as usize).copied().flatten();
            let row = row.map(|row| (row - 1) as u32);
            row.ok_or_else(|| wrong(RowsMisfit::NoRow { line: place + 2 }))
        });
        rows.collect()
    }
}
