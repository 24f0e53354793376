//! A [`TablesPlan`] is a policy bound to several tables: which columns each has, what each is, how tables hang together.
//!
//! What the policy leaves open, a database tells: keys, what a table hangs off, what it refers to.
//!
//! | courses | policy | database | bound |
//! |---|---|---|---|
//! | scid | | primary key | key |
//! | sid | | foreign key to students | foreign key of persons |
//! | course | quasi, with a taxonomy | | quasi |
//! | teacher | other | foreign key to teachers, a look-up | other, refers to it |
//! | room | | | not read: it is not listed |

use scumble_grouping::Scale;
use scumble_policy::{DistanceKind, Policy, Problems, Role, SecretDemand, SecretPolicy, Spanned};
use scumble_privacy::{Distance, EntityDemand, SecretValues, Secrets};
use scumble_table::{ColumnId, Reading, SharedForms, Table, Written};

use crate::alike::look_alike;
use crate::check::{lacks_order, no_order};
use crate::columns::{PlannedColumn, PlannedColumns};
use crate::templates::values_under;
use crate::unique::report_unique;
use crate::warning::PlanWarning;

/// A policy bound to its tables.
#[derive(Clone, Debug)]
pub struct TablesPlan {
    /// In the order of the policy, that of persons first.
    pub tables: Vec<PlannedTable>,
    /// The tables that rows refer to.
    pub lookups: Vec<PlannedLookup>,
}

/// One table.
#[derive(Clone, Debug)]
pub struct PlannedTable {
    /// Its name in the policy.
    pub name: String,
    /// The columns that are read.
    pub columns: PlannedColumns,
    /// What the cells of each column can be, once it is released.
    pub forms: Vec<SharedForms>,
    /// The columns that tell its rows apart.
    pub key: Vec<ColumnId>,
    /// What it hangs off, and by which columns.
    pub parent: Option<(usize, Vec<ColumnId>)>,
    /// The columns that refer to look-ups.
    pub refers: Vec<(ColumnId, usize)>,
    /// The columns that the policy does not list, whatever becomes of them.
    pub not_listed: Vec<String>,
}

impl PlannedTable {
    /// How the values of a column are told apart, if it is quasi.
    pub fn scale(&self, id: ColumnId) -> Option<Scale<'_>> {
        let (column, is_set) = (&self.columns[id.0], self.forms[id.0].written == Written::Sets);
        (column.role == Role::Quasi).then(|| match (column.reading(), is_set) {
            (Reading::Number { range }, false) => Scale::Numbers { range },
            (Reading::Leaves(taxonomy), true) => Scale::Leaves(taxonomy),
            (Reading::Leaves(taxonomy), false) => Scale::Tree(taxonomy),
            _ => Scale::Values { domain: None },
        })
    }

    /// The quasi columns.
    pub fn quasi(&self) -> impl Iterator<Item = ColumnId> {
        self.columns.with_role(Role::Quasi)
    }

    /// Whether a column is part of a key. Identifiers that are not are not read.
    pub fn is_key(&self, id: ColumnId) -> bool {
        self.columns[id.0].role == Role::Identifier
    }
}

/// A table that is published as it is.
#[derive(Clone, Debug)]
pub struct PlannedLookup {
    /// Its name in the policy.
    pub name: String,
    /// How to read each column of the header.
    pub reading: Vec<Reading<'static>>,
    /// The columns that are read.
    pub header: Vec<String>,
    /// The column that rows refer to.
    pub key: ColumnId,
    /// The columns that refer to other look-ups.
    pub refers: Vec<(ColumnId, usize)>,
    /// The columns that the policy does not list, whatever becomes of them.
    pub not_listed: Vec<String>,
}

impl TablesPlan {
    /// What the user should know: columns are called as the policy would call them.
    pub fn warnings(&self, policy: &Policy, rows: &[Table]) -> Vec<PlanWarning> {
        let of_tables = self.tables.iter().map(|table| (&table.name, &table.not_listed));
        let of_lookups = self.lookups.iter().map(|lookup| (&lookup.name, &lookup.not_listed));
        let not_listed = of_tables
            .chain(of_lookups)
            .flat_map(|(table, columns)| columns.iter().map(move |column| format!("{table}.{column}")));
        let not_listed = PlanWarning::of_unlisted(policy.release.unlisted, not_listed.collect());
        let open = self.tables.iter().flat_map(|table| {
            let is_open = |id: &ColumnId| matches!(table.scale(*id), Some(Scale::Numbers { range: None }));
            let open = table.quasi().filter(is_open);
            open.map(|id| PlanWarning::NoRange(format!("{}.{}", table.name, table.columns[id.0].name)))
        });
        let alike = self.tables.iter().zip(policy.tables()).zip(rows);
        let alike = alike.flat_map(|((table, listed), rows)| {
            let numbered = table.columns.iter().enumerate();
            let counted = numbered.filter(|(_, column)| !matches!(column.role, Role::Identifier | Role::Other));
            counted.filter_map(|(id, column)| {
                let name = format!("{}.{}", table.name, column.name);
                look_alike(&name, listed.column(&column.name), rows, ColumnId(id))
            })
        });
        not_listed.into_iter().chain(open).chain(alike).collect()
    }

    /// Reports every column of a table about persons that is published as other, and that nearly every row has a value of
    /// its own in, unless its own line says `unique = true`. Rows of look-ups are no persons. `is_unique` tells of a table,
    /// by its place in the policy, and a column of it.
    ///
    /// # Errors
    /// Every such column, at once.
    pub fn check_unique(&self, policy: &Policy, is_unique: impl Fn(usize, ColumnId) -> bool) -> Result<(), Problems> {
        let mut problems = Problems::new(policy.source());
        for (place, (table, listed)) in self.tables.iter().zip(policy.tables()).enumerate() {
            let named = |name: &str| format!("{}.{name}", table.name);
            let listed = |name: &str| listed.column(name);
            report_unique(
                policy,
                &table.columns,
                named,
                listed,
                |id| is_unique(place, id),
                &mut problems,
            );
        }
        problems.none_or(())
    }

    /// What must hold, on the tables in this order of theirs.
    pub fn demands(&self, policy: &Policy, places: &[usize]) -> Vec<EntityDemand> {
        let anonymity = EntityDemand::Anonymity {
            k: policy.persons_alike(),
        };
        let secrets = policy.secrets_of_persons().into_iter().map(|secret| {
            let (bound, column) = self.secret(&secret);
            let place = places.iter().position(|&place| place == secret.table);
            let table = place.expect("the order has every table");
            match &secret.demand {
                SecretDemand::Confidence { at_most, values } => EntityDemand::Confidence {
                    at_most: *at_most,
                    table,
                    about: Secrets {
                        column,
                        values: secret_values(bound, values.as_deref()),
                    },
                },
                SecretDemand::Diversity(measure) => EntityDemand::Diversity {
                    table,
                    about: column,
                    measure: *measure,
                },
                SecretDemand::Closeness { at_most, distance } => EntityDemand::Closeness {
                    table,
                    about: column,
                    at_most: *at_most,
                    distance: match distance {
                        DistanceKind::Equal => Distance::Equal,
                        DistanceKind::Ordered => Distance::Ordered,
                        DistanceKind::Taxonomy => {
                            Distance::Taxonomy(bound.taxonomy.clone().expect("the policy names it"))
                        }
                    },
                },
                SecretDemand::DeltaDisclosure { below } => EntityDemand::DeltaDisclosure {
                    table,
                    about: column,
                    below: *below,
                },
                SecretDemand::BetaLikeness { at_most, enhanced } => EntityDemand::BetaLikeness {
                    table,
                    about: column,
                    at_most: *at_most,
                    enhanced: *enhanced,
                },
            }
        });
        std::iter::once(anonymity).chain(secrets).collect()
    }

    /// Reports ordered distances between values that have no order.
    ///
    /// # Errors
    /// Every such distance, at once.
    pub fn check_orders(&self, policy: &Policy, rows: &[Table]) -> Result<(), Problems> {
        let mut problems = Problems::new(policy.source());
        for secret in &policy.secrets_of_persons() {
            let (bound, id) = self.secret(secret);
            let values = rows[secret.table].column(id).dictionary();
            if let SecretDemand::Closeness {
                distance: DistanceKind::Ordered,
                ..
            } = secret.demand
                && let Some(lacks) = lacks_order(bound.taxonomy.is_some(), values)
            {
                let name = format!("{}.{}", self.tables[secret.table].name, secret.column.get_ref());
                no_order(&name, lacks, secret.column.span(), &mut problems);
            }
        }
        problems.none_or(())
    }

    fn secret(&self, secret: &SecretPolicy) -> (&PlannedColumn, ColumnId) {
        let table = &self.tables[secret.table];
        let id = table
            .columns
            .find(secret.column.get_ref())
            .expect("what a policy asks of is listed, and so is in the header");
        (&table.columns[id.0], id)
    }
}

/// The values that must not be inferred: all leaves under an inner node of the taxonomy are one secret.
fn secret_values(column: &PlannedColumn, values: Option<&[Spanned<String>]>) -> SecretValues {
    let Some(values) = values else {
        return SecretValues::Every;
    };
    let taxonomy = column.taxonomy();
    let sets = values.iter().map(|value| values_under(taxonomy, value.get_ref()));
    SecretValues::Sets(sets.collect())
}
