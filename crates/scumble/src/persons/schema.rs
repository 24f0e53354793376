//! A [`Schema`] is a policy bound to its tables: which columns there are, what each is, how tables hang together.
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
//!
//! Invariant: the columns of a table are those that are read, in file order, so the place of a column is its
//! [`ColumnId`] in the loaded table and in the released one.

use std::sync::Arc;

use scumble_bind::{NEARLY_UNIQUE, PlanWarning, Values, lacks_order, look_alike, no_order, remedy, values_under};
use scumble_grouping::Scale;
use scumble_policy::{DistanceKind, Policy, Problems, Role, SecretDemand, SecretPolicy, Spanned, quoted};
use scumble_privacy::{Distance, EntityDemand, SecretValues, Secrets};
use scumble_table::{ColumnId, Domain, Forms, FormsOf, Reading, SharedForms, Table, Taxonomy, Written};

use crate::error::Error;

/// A policy bound to its tables.
#[derive(Clone, Debug)]
pub(crate) struct Schema {
    /// In the order of the policy, that of persons first.
    pub tables: Vec<BoundTable>,
    pub lookups: Vec<BoundLookup>,
}

/// One table.
#[derive(Clone, Debug)]
pub(crate) struct BoundTable {
    pub name: String,
    /// For each column of the header its place among those that are read, if it is read.
    pub(super) header: Vec<Option<ColumnId>>,
    /// The columns that are read.
    pub columns: Vec<BoundColumn>,
    pub key: Vec<ColumnId>,
    /// What it hangs off, and by which columns.
    pub parent: Option<(usize, Vec<ColumnId>)>,
    /// The columns that refer to look-ups.
    pub refers: Vec<(ColumnId, usize)>,
    /// The columns that the policy does not list, whatever becomes of them.
    pub not_listed: Vec<String>,
}

/// A column that is read.
#[derive(Clone, Debug)]
pub(crate) struct BoundColumn {
    pub name: String,
    /// `None` for a key.
    pub role: Option<Role>,
    pub taxonomy: Option<Arc<Taxonomy>>,
    pub(super) values: Values,
    /// Whether it is shown as sets, though it could be shown otherwise.
    pub(super) is_set: bool,
}

impl BoundColumn {
    /// How it is read.
    pub fn reading(&self) -> Reading<'_> {
        match (self.values, self.taxonomy()) {
            (Values::Numbers { range }, _) => Reading::Number { range },
            (Values::Leaves, Some(taxonomy)) => Reading::Leaves(taxonomy),
            (Values::Leaves | Values::Text, _) => Reading::Text,
        }
    }

    /// Its taxonomy.
    pub fn taxonomy(&self) -> Option<&Taxonomy> {
        self.taxonomy.as_deref()
    }

    /// How its values are told apart, if it is quasi.
    pub fn scale(&self) -> Option<Scale<'_>> {
        (self.role == Some(Role::Quasi)).then(|| match (self.reading(), self.is_set) {
            (Reading::Number { range }, false) => Scale::Numbers { range },
            (Reading::Leaves(taxonomy), true) => Scale::Leaves(taxonomy),
            (Reading::Leaves(taxonomy), false) => Scale::Tree(taxonomy),
            _ => Scale::Values { domain: None },
        })
    }

    /// What its released cells can be.
    pub fn forms(&self) -> FormsOf<'_> {
        self.forms_with(|taxonomy| &**taxonomy)
    }

    /// The same, holding the taxonomy.
    pub fn shared_forms(&self) -> SharedForms {
        self.forms_with(Arc::clone)
    }

    fn forms_with<'s, T>(&'s self, tree: impl Fn(&'s Arc<Taxonomy>) -> T) -> Forms<T> {
        Forms {
            domain: match (self.values, &self.taxonomy) {
                (Values::Numbers { .. }, _) => Domain::Numbers,
                (_, Some(taxonomy)) => Domain::Nodes(tree(taxonomy)),
                (_, None) => Domain::Words,
            },
            written: match self.scale() {
                None => Written::Exact,
                Some(Scale::Numbers { .. } | Scale::Tree(_)) => Written::Generalized,
                Some(Scale::Values { .. } | Scale::Leaves(_)) => Written::Sets,
            },
        }
    }
}

/// A table that is published as it is.
#[derive(Clone, Debug)]
pub(crate) struct BoundLookup {
    pub name: String,
    /// How to read each column of the header.
    pub reading: Vec<Reading<'static>>,
    /// The columns that are read.
    pub header: Vec<String>,
    pub key: ColumnId,
    pub refers: Vec<(ColumnId, usize)>,
    /// The columns that the policy does not list, whatever becomes of them.
    pub not_listed: Vec<String>,
}

impl BoundTable {
    /// How each column of the header is read.
    pub fn reading(&self) -> Vec<Reading<'_>> {
        let columns = self.header.iter();
        columns
            .map(|id| id.map_or(Reading::Skip, |id| self.columns[id.0].reading()))
            .collect()
    }

    pub fn find(&self, name: &str) -> Option<ColumnId> {
        self.columns.iter().position(|column| column.name == name).map(ColumnId)
    }

    /// The quasi columns.
    pub fn quasi(&self) -> impl Iterator<Item = ColumnId> {
        let columns = self.columns.iter().enumerate();
        columns
            .filter(|(_, column)| column.role == Some(Role::Quasi))
            .map(|(place, _)| ColumnId(place))
    }
}

impl Schema {
    /// What the user should know: columns are called as the policy would call them.
    pub fn warnings(&self, policy: &Policy, rows: &[Table]) -> Vec<PlanWarning> {
        let of_tables = self.tables.iter().map(|table| (&table.name, &table.not_listed));
        let of_lookups = self.lookups.iter().map(|lookup| (&lookup.name, &lookup.not_listed));
        let not_listed = of_tables
            .chain(of_lookups)
            .flat_map(|(table, columns)| columns.iter().map(move |column| format!("{table}.{column}")));
        let not_listed = PlanWarning::of_unlisted(policy.release.unlisted, not_listed.collect());
        let open = self.tables.iter().flat_map(|table| {
            let is_open = |column: &&BoundColumn| matches!(column.scale(), Some(Scale::Numbers { range: None }));
            let open = table.columns.iter().filter(is_open);
            open.map(|column| PlanWarning::NoRange(format!("{}.{}", table.name, column.name)))
        });
        let alike = self.tables.iter().zip(policy.tables()).zip(rows);
        let alike = alike.flat_map(|((table, listed), rows)| {
            let numbered = table.columns.iter().enumerate();
            let counted = numbered.filter(|(_, column)| column.role.is_some_and(|role| role != Role::Other));
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
    pub fn check_unique(&self, policy: &Policy, is_unique: impl Fn(usize, ColumnId) -> bool) -> Result<(), Error> {
        let mut problems = Problems::new(policy.source());
        for (place, (bound, listed)) in self.tables.iter().zip(policy.tables()).enumerate() {
            for (id, column) in bound.columns.iter().enumerate() {
                let listed = listed.column(&column.name);
                let may_be = column.role != Some(Role::Other) || listed.is_some_and(|listed| listed.unique);
                if may_be || !is_unique(place, ColumnId(id)) {
                    continue;
                }
                let name = quoted(&format!("{}.{}", bound.name, column.name));
                let message = format!("column {name} cannot be published as other: {NEARLY_UNIQUE}");
                let help = remedy(listed).to_owned();
                match listed {
                    Some(listed) => problems.at(listed.name.span(), message, Some(help)),
                    None => problems.overall(message, Some(help)),
                }
            }
        }
        Ok(problems.none_or(())?)
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
    pub fn check_orders(&self, policy: &Policy, rows: &[Table]) -> Result<(), Error> {
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
        Ok(problems.none_or(())?)
    }

    fn secret(&self, secret: &SecretPolicy) -> (&BoundColumn, ColumnId) {
        let table = &self.tables[secret.table];
        let id = table
            .find(secret.column.get_ref())
            .expect("what a policy asks of is listed, and so is in the header");
        (&table.columns[id.0], id)
    }
}

/// The values that must not be inferred: all leaves under an inner node of the taxonomy are one secret.
fn secret_values(column: &BoundColumn, values: Option<&[Spanned<String>]>) -> SecretValues {
    let Some(values) = values else {
        return SecretValues::Every;
    };
    let taxonomy = column.taxonomy();
    let sets = values.iter().map(|value| values_under(taxonomy, value.get_ref()));
    SecretValues::Sets(sets.collect())
}
