//! What was measured of a release.

use scumble_attack::{PopulationUniques, Risks, SingledOut, Suda};
use scumble_utility::classify::Errors;
use scumble_utility::{Associations, ColumnChange, GroupSizes, InformationLoss, QueryError, RangeDiversity};
use serde::Serialize;

use crate::board::{Article29, SafeHarbor};

/// What one table of a release lost, and what it is still good for.
#[derive(Clone, Debug, Serialize)]
pub struct TableMeasures {
    /// Every measure of loss.
    pub information_loss: InformationLoss,
    /// How the sizes of the groups are spread.
    pub group_sizes: GroupSizes,
    /// Each column by itself.
    pub columns: Vec<ColumnChange>,
    /// Of each sensitive column with a policy of sensitive ranges.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub range_diversity: Vec<RangeDiversity>,
    /// What pairs of columns still say of each other.
    pub association: Associations,
    /// How far off counts are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queries: Option<QueryError>,
    /// How often classifiers err, one per learner.
    pub classification: Vec<Errors>,
}

/// What a release of one table lost, and what it is still good for.
#[derive(Clone, Debug, Serialize)]
pub struct Evaluation {
    /// What was lost, and what the table is still good for.
    #[serde(flatten)]
    pub measures: TableMeasures,
    /// The risks of the release alone.
    pub risks: Risks,
    /// Rows that stand out on the columns published as they are, and on all together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub singled_out: Option<SingledOut>,
    /// How many rows may be unique in the population.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub population_uniques: Option<PopulationUniques>,
    /// Rows of the data that few columns tell apart from all others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suda: Option<Suda>,
    /// Which kinds of identifiers the release seems to hold.
    pub safe_harbor: SafeHarbor,
    /// What speaks to the three questions of WP216.
    pub article29: Article29,
    /// Quasi columns of which nothing declares what their cells are: those that are no values of the data were read by what
    /// they look like.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub read_by_looks: Vec<String>,
    /// What was not measured, and why.
    pub not_measured: Vec<String>,
}

/// What a release of several tables lost, and what they are still good for, each by itself.
#[derive(Clone, Debug, Serialize)]
pub struct DatabaseEvaluation {
    /// Each table about persons, that of persons first, the others after those that they hang off.
    pub tables: Vec<TableEvaluation>,
    /// Persons who stand out on the columns published as they are, and on all together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub singled_out: Option<SingledOut>,
    /// What was not measured, and why.
    pub not_measured: Vec<String>,
}

/// One of several tables, measured. Its groups are its own rows that show the same.
#[derive(Clone, Debug, Serialize)]
pub struct TableEvaluation {
    /// Its name.
    pub table: String,
    /// What was lost, and what the table is still good for.
    #[serde(flatten)]
    pub measures: TableMeasures,
    /// Which kinds of identifiers it seems to hold.
    pub safe_harbor: SafeHarbor,
    /// What was not measured of it, and why.
    pub not_measured: Vec<String>,
}

/// What is measured of every release.
#[derive(Debug)]
pub(crate) struct Lost {
    /// Each column by itself.
    pub columns: Vec<ColumnChange>,
    /// All of them together; `None` if there are about as many groups as rows.
    pub together: Option<(InformationLoss, GroupSizes)>,
}
