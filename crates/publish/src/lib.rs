//! The flow from policy to audited release; what every edge calls.
//!
//! A [`Policy`] says what is asked for; [`Policy::plan`] binds it to its data. An [`Agreement`] is the policy of several
//! parties who publish together. Whatever goes wrong is an [`Error`], which
//! says where, what to change, and whose it is to fix.

mod agreement;
mod alike;
mod apart;
mod attack;
mod attack_join;
mod audit;
mod board;
mod cells;
mod certificate;
mod database;
mod earlier;
mod error;
mod evaluate;
mod flow;
mod formulas;
mod frontier;
mod inspect;
mod join;
mod ledger;
mod load;
mod loss;
mod mashup;
mod page;
mod plan;
mod policy;
mod population;
mod released;
mod stops;
mod taxonomy;

pub use agreement::{Agreement, Deadline, Party, Private, differences};
pub use attack::{Adversary, CONFIDENT_ABOVE, FileAttack, NARROWED_BELOW, SaidBy, attack_file};
pub use attack_join::{JoinAttack, attack_join};
pub use audit::{AuditLedger, AuditReport, AuditedLoss, AuditedTemplate, AuditedVersion, audit_file};
pub use board::{
    Answer, Article29, CheckedKind, Evidence, Figure, SafeHarbor, Seen, SpeakingTemplate, SuspectColumn, article29,
    safe_harbor,
};
pub use certificate::read_certificate;
pub use database::{
    DatabaseAudit, DatabaseOptions, DatabasePublication, attack_database, audit_database, publish_database,
};
pub use earlier::read_earlier;
pub use error::{Error, Fault, Problem, Problems, Shortfall};
pub use evaluate::{Evaluate, Evaluated, Evaluation, Queries, SudaSetting, evaluate_file};
pub use flow::{Options, Publication, Timings, publish};
pub use frontier::AtLevel;
pub use inspect::{ColumnSet, ColumnSets, Groups, GuessedType, InspectedColumn, Inspection, SuspectedMark, inspect};
pub use join::{Cover, JoinedRelease};
pub use ledger::{
    ComparedLevels, ComparedVersion, FileState, Newcomers, Remember, Remembered, forget_release, remembered_release,
    remembered_releases,
};
pub use mashup::{Explained, Participation, PartyTimings, PartyWatch, Together, explain, take_part};
pub use plan::{Plan, PlannedColumn, PlannedEarlier, PlannedEarlierColumn, PlannedPopulation, ToldFormulas, Warning};
pub use policy::{
    About, AboutValues, AnyPolicy, Approach, Cells, CellsOf, ColumnKind, ColumnPolicy, Counting, Data, DatabasePolicy,
    DistanceKind, EarlierPolicy, EntityApproach, EntityMethod, Formulas, Gathering, Inconsistent,
    InconsistentCondition, Kind, ListedColumns, LookupPolicy, Method, Missing, Of, OfEarlier, OnDangling, Policy,
    Quick, Release, Require, Role, RowsFrom, SecretDemand, SecretPolicy, TablePolicy, TablesAt, Taxonomies, Unlisted,
};
pub use scumble_attack::{
    Above, AttackReport, Certain, Exposure, GroupCounts, Inference, JoinReport, KnownReport, Linkage, Narrowing,
    PopulationRisks, PopulationUniques, Recoding, Risk, Risks, SingledOut, Spread, Suda, Violating, uniques,
};
pub use scumble_link::{Identity, Limits, LinkError, make_keys};
pub use scumble_mashup::Event;
pub use scumble_report::{Certificate, CertifiedTemplate, Frontier, FrontierPoint, FrontierTemplate, Level, TraceFile};
pub use scumble_store::{FileSource, ReleaseFormat, RowOrder, Unwatched, Watch};
pub use scumble_table::taxonomy::{DateLevel, Ranges};
pub use scumble_utility::Generated;
pub use scumble_utility::classify::{Errors as ClassificationErrors, Learner, Split};
pub use stops::{BlockingTemplate, Stop, StopReason};
pub use taxonomy::{Builder, TaxonomySummary, build_taxonomy, check_taxonomy};
pub use toml::Spanned;
