//! What a release of several tables says about itself.

use scumble_attack::{GroupCounts, SingledOut};
use scumble_privacy::{Audited, Lineage, ReleasedDatabase, entity_classes_on};
use scumble_relational::{Kept, Release};
use scumble_report::{
    Certificate, CertifiedCells, CertifiedLookup, CertifiedReading, CertifiedTable, CertifiedTables, Counted,
    MaskedCells, MethodSettings, VERSION,
};
use scumble_table::ColumnId;

use super::words::Described;
use crate::sources::table_file_name;
use scumble_bind::{PlannedTable, TablesPlan};
use scumble_policy::{Policy, Role};

/// What a release lost.
pub(super) struct Lost {
    /// Of each table, parents before their children.
    tables: Vec<Kept>,
    /// LM.
    loss: f64,
    /// DM.
    discernibility: u64,
}

impl Lost {
    pub fn of(release: &Release) -> Lost {
        Lost {
            tables: release
                .database()
                .tables()
                .map(|table| release.kept(table).clone())
                .collect(),
            loss: release.loss_on_kept(),
            discernibility: release.discernibility(),
        }
    }
}

/// The certificate of an audited release. `places` tells the tables of the database in the policy.
pub(super) fn certify(
    policy: &Policy,
    plan: &TablesPlan,
    places: &[usize],
    lost: &Lost,
    settings: &[(&'static str, String)],
    demands: &[Described],
    audited: &Audited,
) -> Certificate {
    let tables = places.iter().zip(&lost.tables).map(|(&place, kept)| Certified {
        policy,
        plan,
        table: &plan.tables[place],
        kept,
    });
    let tables: Vec<CertifiedTable> = tables.map(|table| table.certify()).collect();
    let quasi = tables.iter().flat_map(|table| {
        let quasi = table.columns.iter().filter(|column| column.masked.is_some());
        quasi.map(|column| format!("{}.{}", table.name, column.name))
    });
    let of: Vec<String> = quasi.collect();
    let audited_for = demands.iter().map(|described| &described.demand);
    assert!(
        audited_for.eq(audited.demands()),
        "a release is certified for what it was audited for"
    );
    let demands = demands.iter().zip(audited.findings());
    let lookups = plan.lookups.iter().zip(audited.lookups());
    let lookups = lookups.map(|(bound, lookup)| CertifiedLookup {
        name: bound.name.clone(),
        file: table_file_name(policy, &bound.name),
        rows: lookup.release.rows() as u64,
        key: bound.header[bound.key.0].clone(),
    });
    let several = CertifiedTables {
        classes: audited.classes().iter().max().map_or(0, |&last| u64::from(last) + 1),
        lookups: lookups.collect(),
        discernibility: lost.discernibility,
        tables,
    };
    Certificate {
        version: VERSION,
        method: MethodSettings {
            name: policy.method.approach.word().to_owned(),
            settings: settings
                .iter()
                .map(|(key, value)| ((*key).to_owned(), value.clone()))
                .collect(),
            objective: None,
            rows_suppressed_at_most: 1.0,
            steps: None,
        },
        rows: several.tables[0].rows.clone(),
        require: demands.map(|(demand, finding)| demand.certify(&of, finding)).collect(),
        earlier: Vec::new(),
        columns: Vec::new(),
        several: Some(several),
        reading: CertifiedReading::of(policy.data.trim),
        formulas: policy.release.formulas_certified(),
        secrets: None,
        loss_per_group: None,
        information_loss: lost.loss,
        risks: None,
        singled_out: singled_out(plan, places, audited.database(), policy.persons_alike()),
    }
}

/// Persons who stand out on what is shown as it is, all rows of theirs together, and on all that is shown.
pub(super) fn singled_out(
    plan: &TablesPlan,
    places: &[usize],
    released: &ReleasedDatabase,
    k: u64,
) -> Option<SingledOut> {
    let with_role = |fits: fn(Role) -> bool| -> Vec<Vec<ColumnId>> {
        let columns = |&place: &usize| {
            let columns = plan.tables[place].columns.iter().enumerate();
            let fitting = columns.filter(|(_, column)| column.is_published() && fits(column.role));
            fitting.map(|(place, _)| ColumnId(place)).collect()
        };
        places.iter().map(columns).collect()
    };
    let as_they_are = with_role(|role| role != Role::Quasi);
    if as_they_are.iter().all(Vec::is_empty) {
        return None;
    }
    let lineage = Lineage::of_release(released);
    let count = |columns: &[Vec<ColumnId>]| {
        let of_tables = released.tables.iter().zip(columns);
        let named = of_tables.flat_map(|(table, ids)| {
            let columns = ids.iter().map(|id| &table.release.columns()[id.0]);
            columns.map(|column| (format!("{}.{}", table.name, column.name), column.shown().0.len()))
        });
        let mut persons = Vec::new();
        for class in entity_classes_on(released, &lineage, columns) {
            let class = class as usize;
            persons.resize(persons.len().max(class + 1), 0);
            persons[class] += 1;
        }
        GroupCounts::new(named.collect(), &persons.into_iter().collect(), Some(k))
    };
    Some(SingledOut {
        as_they_are: count(&as_they_are),
        with_masked: Some(count(&with_role(|_| true))),
        secrets: None,
    })
}

struct Certified<'c> {
    policy: &'c Policy,
    plan: &'c TablesPlan,
    table: &'c PlannedTable,
    kept: &'c Kept,
}

impl Certified<'_> {
    fn certify(&self) -> CertifiedTable {
        let table = self.table;
        let name = |id: &ColumnId| table.columns[id.0].name.clone();
        let parent = table.parent.as_ref();
        let refers = table.refers.iter().map(|(column, lookup)| {
            let lookup = &self.plan.lookups[*lookup];
            (name(column), lookup.name.clone())
        });
        CertifiedTable {
            name: table.name.clone(),
            file: table_file_name(self.policy, &table.name),
            rows: Counted {
                published: self.kept.kept,
                left_out: self.kept.rows - self.kept.kept,
                dropped: 0,
            },
            key: table.key.iter().map(name).collect(),
            parent: parent.map(|(parent, _)| self.plan.tables[*parent].name.clone()),
            foreign_key: parent.iter().flat_map(|(_, columns)| columns).map(name).collect(),
            refers: refers.collect(),
            columns: self.columns(),
        }
    }

    fn columns(&self) -> Vec<CertifiedCells> {
        let table = self.table;
        let quasi: Vec<ColumnId> = table.quasi().collect();
        let columns = table.columns.iter().enumerate().map(|(place, column)| {
            let axis = quasi.iter().position(|id| id.0 == place);
            CertifiedCells {
                name: column.name.clone(),
                role: if table.is_key(ColumnId(place)) {
                    "key"
                } else {
                    column.role.word()
                }
                .to_owned(),
                masked: axis.map(|axis| self.kept.columns[axis]).map(|kept| MaskedCells {
                    exact: kept.exact,
                    generalized: kept.generalized,
                    loss: kept.loss,
                }),
            }
        });
        columns.collect()
    }
}
