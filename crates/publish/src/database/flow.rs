//! The main job, over several tables.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use scumble_attack::EntityAttack;
use scumble_privacy::{
    AuditedDatabase, EntityDemand, LookupTable, OriginalColumn, OriginalTable, Originals, ParentKey, Reference,
    ReleasedDatabase, ReleasedTable, audit_entities,
};
use scumble_relational::{Order, PublishedTable, Release};
use scumble_report::DatabaseCertificate;
use scumble_store::{Aside, ReleasePart, Watch, WriteError, write_lookup, write_table};
use scumble_table::RowOrder;
use scumble_table::{ColumnId, Domain, Forms, Mask, Released, SharedForms, Table};

use super::attack::attack;
use super::bind::Schema;
use super::certify::{Lost, certify};
use super::load::{Rows, load};
use super::page::{Material, page};
use super::search::{Found, search};
use super::words::{Described, described};
use crate::error::Error;
use crate::flow::{Timings, timed, write_json, write_text};
use crate::formulas::FormulaReport;
use crate::texts::read_taxonomies;
use crate::warning::Warning;
use scumble_bind::is_nearly_unique;
use scumble_policy::Policy;

/// What the one who calls decides, beside the policy.
#[derive(Clone, Copy)]
pub struct DatabaseOptions<'o> {
    /// Where to put the release, if not where the policy says.
    pub folder: Option<&'o Path>,
    /// Whether a release that is there already may be replaced.
    pub replace: bool,
    /// Whether to attack the release too, as someone would who knows some rows of a person.
    pub attack: bool,
    /// Who sees the progress and may stop it.
    pub watch: &'o dyn Watch,
}

/// A release of several tables that was written.
#[derive(Debug)]
pub struct DatabasePublication {
    /// Its folder.
    pub folder: PathBuf,
    /// What went out with it.
    pub certificate: DatabaseCertificate,
    /// Each template with its level, in words: `anonymity of students: 6 (at least 5)`.
    pub levels: Vec<String>,
    /// What someone makes of it who knows some rows of a person, if that was asked for.
    pub attack: Option<EntityAttack>,
    /// The columns of the data that are not published because the policy does not list them: `courses.room`.
    pub columns_left_out: Vec<String>,
    /// What the user should know.
    pub warnings: Vec<Warning>,
    /// How long it took.
    pub timings: Timings,
}

/// Publishes the tables of a policy.
pub fn publish_database(policy: &Policy, options: &DatabaseOptions) -> Result<DatabasePublication, Error> {
    // On a thread of the pool, as all the rest: what one thread has let go of, another may not get from the allocator.
    rayon::join(|| publish_in_pool(policy, options), || ()).0
}

fn publish_in_pool(policy: &Policy, options: &DatabaseOptions) -> Result<DatabasePublication, Error> {
    policy.is_over_several()?;
    let folder = options.folder.unwrap_or(&policy.release.folder);
    // First of all, so that nobody waits for a release that cannot be written.
    let aside = Aside::create(folder, options.replace)?;
    let mut timings = Timings::default();

    let taxonomies = read_taxonomies(policy)?;
    let (schema, rows) = timed(&mut timings.load, || load(policy, &taxonomies, options.watch))?;
    schema.check_unique(policy, |table, id| is_nearly_unique(rows.tables[table].column(id)))?;
    let Masked {
        places,
        demands,
        settings,
        lost,
        tables,
    } = mask(policy, &schema, &rows, &mut timings, options.watch)?;
    let originals = schema.originals(&rows, &places);
    let mut recounting = Duration::default();
    let as_text = policy.release.formulas_as_text();
    let (audited, rows_of) = timed(&mut recounting, || {
        let (releases, rows_of): (Vec<Released>, Vec<Vec<u32>>) = tables
            .into_iter()
            .map(|PublishedTable { release, rows }| (release.with_formulas_as_text(as_text), rows))
            .unzip();
        let lookups = rows.lookups.iter().cloned().map(unchanged);
        let lookups = lookups.map(|lookup| lookup.with_formulas_as_text(as_text)).collect();
        let released = schema.released(&places, releases, lookups);
        let originals = Originals {
            tables: &originals,
            rows: &rows_of,
        };
        let asked: Vec<EntityDemand> = demands.iter().map(|described| described.demand.clone()).collect();
        let audited = audit_entities(released, &asked, Some(originals));
        audited.map(|audited| (audited, rows_of)).map_err(|failed| {
            let failing = demands
                .iter()
                .zip(&failed.findings)
                .filter(|(_, finding)| !finding.holds);
            Error::DatabaseAuditFailed {
                shortfalls: failing.map(|(demand, finding)| demand.shortfall(finding)).collect(),
                faults: failed.faults.to_string(),
            }
        })
    })?;
    timings.audit += recounting;
    if audited.tables()[0].release.rows() == 0 {
        return Err(Error::NobodyReleased {
            persons: rows.tables[0].rows(),
            k: policy.persons_alike(),
        });
    }
    // Without the rows that were removed, what is published may be nearer to unique than the data.
    schema.check_unique(policy, |table, id| {
        let released = places.iter().zip(audited.tables()).find(|(place, _)| **place == table);
        released.is_some_and(|(_, table)| is_nearly_unique(&table.release.columns()[id.0].as_read()))
    })?;
    let certificate = certify(policy, &schema, &places, &lost, &settings, &demands, &audited);
    let warnings = schema.warnings(policy, &rows.tables);
    let mut warnings: Vec<Warning> = warnings.into_iter().map(Warning::from).collect();
    let mut attack = options
        .attack
        .then(|| attack(audited.database(), &originals, policy.method.seed, options.watch))
        .transpose()?;
    if let Some(attack) = &mut attack {
        attack.singled_out.clone_from(&certificate.singled_out);
    }
    // Nothing looks at the data any more.
    drop(originals);
    drop(rows);
    let mut writing = Duration::default();
    let formulas = timed(&mut writing, || write_tables(policy, &audited, &aside, options.watch))?;
    warnings.extend(formulas.warning(&policy.release));
    warnings.extend(Warning::of_alone("persons", certificate.singled_out.as_ref()));
    let page = page(&Material {
        policy,
        certificate: &certificate,
        demands: &demands,
        findings: audited.findings(),
        attack: attack.as_ref(),
        warnings: &warnings,
    });
    timed(&mut timings.write, || -> Result<(), Error> {
        formulas.write(&aside)?;
        for (table, rows) in audited.tables().iter().zip(&rows_of) {
            write_rows(&aside, &table.name, rows)?;
        }
        write_json(&aside, ReleasePart::Certificate, &certificate)?;
        if let Some(attack) = &attack {
            write_json(&aside, ReleasePart::Attack, attack)?;
        }
        write_text(&aside, ReleasePart::Page, &page.html())?;
        write_text(&aside, ReleasePart::PlainPage, &page.markdown())?;
        Ok(aside.commit()?)
    })?;
    timings.write += writing;
    Ok(DatabasePublication {
        folder: folder.to_owned(),
        levels: levels(&demands, &audited),
        certificate,
        attack,
        columns_left_out: Warning::left_out(&warnings),
        warnings,
        timings,
    })
}

/// Tables that are masked, and what is left to know of how that was done. The database that persons were compared in, and
/// the clusters, are gone by then: with what follows they would not fit in memory as well.
struct Masked {
    /// For each table, parents before their children, its place in the policy.
    places: Vec<usize>,
    demands: Vec<Described>,
    settings: Vec<(&'static str, String)>,
    lost: Lost,
    tables: Vec<PublishedTable>,
}

/// Gathers persons, and shows what they have in common.
fn mask(
    policy: &Policy,
    schema: &Schema,
    rows: &Rows,
    timings: &mut Timings,
    watch: &dyn Watch,
) -> Result<Masked, Error> {
    let database = timed(&mut timings.join, || schema.database(rows))?;
    let places = schema.places(&database);
    let demands = described(policy, schema, schema.demands(policy, &places));
    let found = timed(&mut timings.search, || search(policy, &database, &demands, watch))?;
    let order = match policy.release.order {
        RowOrder::Sorted => Order::Sorted,
        RowOrder::Input => Order::Input,
    };
    let Found { clusters, settings } = found;
    let (lost, tables) = timed(&mut timings.audit, || {
        let release = Release::new(&database, &clusters);
        drop(clusters);
        (Lost::of(&release), release.tables(order, |_, _| true))
    });
    Ok(Masked {
        places,
        demands,
        settings,
        lost,
        tables,
    })
}

fn levels(demands: &[Described], audited: &AuditedDatabase) -> Vec<String> {
    let found = demands.iter().zip(audited.findings());
    found
        .map(|(demand, finding)| demand.level_words(finding.level))
        .collect()
}

/// A table as it is published without a mask.
pub(super) fn unchanged(table: Table) -> Released {
    let masks = vec![(Mask::Exact, None, true); table.columns().len()];
    Released::new(table, &masks, None)
}

fn write_tables(
    policy: &Policy,
    audited: &AuditedDatabase,
    aside: &Aside,
    watch: &dyn Watch,
) -> Result<FormulaReport, Error> {
    let format = policy.release.format;
    let mut formulas = FormulaReport::default();
    for (place, table) in audited.tables().iter().enumerate() {
        let part = ReleasePart::Table(&table.name, format);
        formulas.add(part, write_table(audited, place, format, aside.file(part)?, watch)?);
    }
    for (place, lookup) in audited.lookups().iter().enumerate() {
        let part = ReleasePart::Table(&lookup.name, format);
        formulas.add(part, write_lookup(audited, place, format, aside.file(part)?, watch)?);
    }
    Ok(formulas)
}

/// Writes of which row of the data, counted from 1, each released row is. The audit of the files looks it up.
fn write_rows(aside: &Aside, table: &str, rows: &[u32]) -> Result<(), Error> {
    let own = ReleasePart::Rows(table);
    let mut file = std::io::BufWriter::new(aside.file(own)?);
    let mut write = || -> std::io::Result<()> {
        writeln!(file, "row_of_the_data")?;
        rows.iter().try_for_each(|row| writeln!(file, "{}", row + 1))?;
        file.flush()
    };
    write().map_err(|source| {
        let path = aside.path(own);
        Error::from(WriteError::Io { path, source })
    })
}

impl Schema<'_> {
    /// The released tables as the audit sees them.
    pub fn released(&self, places: &[usize], releases: Vec<Released>, lookups: Vec<Released>) -> ReleasedDatabase {
        let refers = |refers: &[(ColumnId, usize)], forms: &dyn Fn(ColumnId) -> SharedForms| {
            let reference = |&(column, lookup): &(ColumnId, usize)| Reference {
                column,
                lookup,
                forms: forms(column),
            };
            refers.iter().map(reference).collect()
        };
        let parent = |(parent, columns): &(usize, Vec<ColumnId>)| ParentKey {
            table: places
                .iter()
                .position(|place| place == parent)
                .expect("every table has a place"),
            columns: columns.clone(),
        };
        let tables = places.iter().zip(releases).map(|(&place, release)| {
            let bound = &self.tables[place];
            ReleasedTable {
                name: bound.name.clone(),
                release,
                key: bound.key.clone(),
                parent: bound.parent.as_ref().map(parent),
                quasi: bound.quasi().collect(),
                refers: refers(&bound.refers, &|column| bound.columns[column.0].shared_forms()),
            }
        });
        let lookups = self.lookups.iter().zip(lookups);
        let lookups = lookups.map(|(bound, release)| LookupTable {
            name: bound.name.clone(),
            release,
            key: bound.key,
            refers: refers(&bound.refers, &|_| Forms::exact(Domain::Words)),
        });
        ReleasedDatabase {
            tables: tables.collect(),
            lookups: lookups.collect(),
        }
    }

    /// What the released tables are compared with.
    pub fn originals<'d>(&'d self, rows: &'d Rows, places: &[usize]) -> Vec<OriginalTable<'d>> {
        let table = |&place: &usize| {
            let bound = &self.tables[place];
            let columns = bound.columns.iter().enumerate().map(|(place, column)| {
                column.role.map(|_| OriginalColumn {
                    id: ColumnId(place),
                    forms: column.forms(),
                })
            });
            OriginalTable {
                table: &rows.tables[place],
                key: bound.key.clone(),
                foreign_key: bound.parent.iter().flat_map(|(_, columns)| columns.clone()).collect(),
                columns: columns.collect(),
            }
        };
        places.iter().map(table).collect()
    }
}
