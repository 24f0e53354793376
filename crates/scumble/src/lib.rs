//! The door to scumble: from a policy and data to an audited release. Every edge calls this crate, and decides nothing.
//!
//! ```text
//! policy ──► Inputs ──► Found ──► Release ──► Study ──► ReleaseFolder
//!            read       search    mask,       attack,   write
//!            everything           audit,      measure   everything
//!                                 certify
//! ```
//!
//! Each stage is a type that the next one consumes. [`Inputs`] are the only ones that read, a [`ReleaseFolder`] is the only one
//! that writes; between them nothing touches a file. Whoever stops at the [`Release`] has it in memory: audited, certified, and as
//! record batches. One table and several tables about persons go the same way; of several parties (`take_part`, with the feature
//! `mashup`) each puts the release together and audits it by the same stage.
//!
//! Batches in, audited batches out, nothing on disk:
//!
//! ```
//! use std::path::Path;
//! use std::sync::Arc;
//!
//! use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
//! use scumble::{BatchSource, DataKept, Inputs, Policy, Search, Sources, Unwatched};
//!
//! let age: ArrayRef = Arc::new(Int64Array::from_iter_values([23, 27, 35, 59, 61, 65]));
//! let disease: ArrayRef = Arc::new(StringArray::from(vec!["flu", "flu", "hay fever", "flu", "hay fever", "flu"]));
//! let people = RecordBatch::try_from_iter([("age", age), ("disease", disease)])?;
//!
//! let policy = Policy::parse(
//!     r#"
//!     data = { file = "in memory" }
//!     columns.age = { role = "quasi", type = "continuous", range = [0, 120] }
//!     columns.disease = { role = "sensitive" }
//!     require = [{ anonymity = 3 }]
//!     "#,
//!     "policy",
//!     Path::new(""),
//! )?;
//! let sources = Sources::of_data(BatchSource::new(people.schema(), vec![people]));
//! let inputs = Inputs::read(&policy, &sources, None, &Unwatched)?;
//! let release = inputs.search(&Search::default(), &Unwatched)?.release(DataKept::LetGo, &Unwatched)?;
//!
//! assert!(release.certificate().require.iter().all(|template| template.holds));
//! let tables = release.batches(&Unwatched)?;
//! let (name, released) = &tables[0];
//! assert_eq!((&name[..], released.batches[0].num_rows()), ("released", 6));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Policy`] says what is asked for. An [`Agreement`] is the policy of several parties who publish together. Whatever goes
//! wrong is an [`Error`], which says where, what to change, and whose it is to fix; its parts are in [`errors`], and an
//! [`ErrorReport`] is how edges tell it.

mod apart;
mod attack;
mod attack_join;
mod audit;
mod board;
mod cells;
mod certificate;
mod compared;
mod cover;
mod earlier;
mod error;
mod error_report;
pub mod errors;
mod evaluate;
mod evaluation;
mod files;
mod folder;
mod formulas;
mod found;
mod frontier;
mod inputs;
mod inspect;
mod join;
mod ledger;
mod load;
mod loss;
#[cfg(feature = "mashup")]
mod mashup;
mod page;
mod persons;
mod population;
mod publish;
mod release;
mod released;
mod rows;
mod search;
mod sets;
mod shortfall;
mod sources;
mod stops;
mod study;
mod taxonomy;
mod texts;
mod timings;
mod warning;

/// What a policy is made of, for whoever makes one in code.
pub mod policy {
    pub use scumble_policy::{
        About, AboutValues, Approach, Cells, CellsOf, ColumnKind, ColumnPolicy, Counting, Data, DatabaseRows, Deadline,
        DistanceKind, EarlierPolicy, Formulas, Gathering, GatheringPersons, Inconsistent, InconsistentCondition, Kind,
        ListedColumns, LookupPolicy, Method, Missing, Of, OfEarlier, OnDangling, Opening, Party, Persons, Place,
        Private, Release as ReleaseSettings, Require, Role, RowsAt, SecretDemand, SecretPolicy, Spanned, TablePolicy,
        Taxonomies, Unlisted, differences,
    };
    pub use scumble_table::{ReleaseFormat, RowOrder};
}

/// A policy bound to the columns of its data, before a row is read: for whoever writes policies and wants to see what they mean.
pub mod plan {
    pub use scumble_bind::{
        Plan, PlannedColumn, PlannedColumns, PlannedEarlier, PlannedEarlierColumn, PlannedPopulation, Values, bind,
        check_data,
    };

    pub use crate::earlier::read_earlier;
    pub use crate::load::plan_of;
    pub use crate::texts::{read_agreed_taxonomies, read_taxonomies};
}

/// What rows of a database are named by, for whoever gives them as a [`Source`].
pub mod database {
    pub use scumble_store::{Cells, Connection, DatabaseSource, RowsOf};
}

/// What results are made of. All of them serialize, with the names that `--json` prints.
pub mod results {
    pub use scumble_attack::{
        Above, AttackReport, Certain, Exposure, GroupCounts, Inference, JoinReport, KnownReport, Linkage, Narrowing,
        PopulationRisks, PopulationUniques, Recoding, Risk, Risks, SingledOut, Spread, Suda, Violating, uniques,
    };
    pub use scumble_bind::PlanWarning;
    #[cfg(feature = "mashup")]
    pub use scumble_mashup::Event as TranscriptEvent;
    pub use scumble_report::{
        CertifiedTables, CertifiedTemplate, Frontier, FrontierPoint, FrontierTemplate, Level, TraceFile,
    };
    pub use scumble_store::ReleaseBatches;
    pub use scumble_utility::Generated;
    pub use scumble_utility::classify::Errors as ClassificationErrors;

    pub use crate::attack::{LookedUp, SaidBy};
    pub use crate::audit::{AuditedLoss, AuditedTemplate, AuditedVersion};
    pub use crate::board::{
        Answer, Article29, CheckedKind, Evidence, Figure, SafeHarbor, Seen, SpeakingTemplate, SuspectColumn, article29,
        safe_harbor,
    };
    pub use crate::compared::{ComparedLevels, ComparedVersion};
    pub use crate::cover::{Cover, JoinedRelease};
    pub use crate::evaluation::{DatabaseEvaluation, Evaluation, TableEvaluation, TableMeasures};
    pub use crate::inspect::{ColumnSet, ColumnSets, Groups, GuessedType, InspectedColumn, SuspectedMark};
    pub use crate::ledger::{FileState, Forgotten, ListedRelease, Remembered, RememberedReleases};
    #[cfg(feature = "mashup")]
    pub use crate::mashup::{Explained, PartyRecords, PartyTimings, Traffic};
    pub use crate::persons::DatabaseEvaluated;
    pub use crate::shortfall::Shortfall;
    pub use crate::stops::{BlockingTemplate, Stop, StopReason};
    pub use crate::study::{Attacked, Measured};
    pub use crate::taxonomy::{BuiltTaxonomy, TaxonomySummary};
    pub use crate::timings::Timings;
    pub use crate::warning::ToldFormulas;
}

pub use attack::{Adversary, CONFIDENT_ABOVE, FileAttack, NARROWED_BELOW, attack_file};
pub use attack_join::{JoinAttack, attack_join};
pub use audit::{AuditLedger, AuditReport, audit_file};
pub use certificate::read_certificate;
pub use compared::Newcomers;
pub use error::Error;
pub use error_report::ErrorReport;
pub use evaluate::{Evaluate, Evaluated, Queries, SudaSetting, evaluate_file};
pub use folder::{ReleaseFolder, Target};
pub use found::{Data as DataKept, Found};
pub use frontier::AtLevel;
pub use inputs::{Inputs, Sources};
pub use inspect::{Inspection, inspect};
pub use ledger::{OpenLedger, Remember, forget_release, remembered_release, remembered_releases};
#[cfg(feature = "mashup")]
pub use mashup::{Participation, Together, explain, take_part};
pub use persons::{DatabaseAudit, attack_database, audit_database, evaluate_database};
pub use publish::{Options, publish};
pub use release::Release;
pub use scumble_fault::{Blame, Fault};
#[cfg(feature = "mashup")]
pub use scumble_link::{Identity, Limits, LinkError, make_keys};
pub use scumble_policy::{Agreement, Policy, Problem, Problems, Quick};
pub use scumble_progress::{Amount, Event, Meter, RoundEnd, Stage, Standing, Unwatched, Watch};
pub use scumble_report::Certificate;
pub use scumble_store::{BatchSource, FileSource, Source};
pub use scumble_table::taxonomy::{DateLevel, Ranges};
pub use scumble_utility::classify::{Learner, Split};
pub use search::Search;
pub use study::{Questions, Study};
pub use taxonomy::{Builder, build_taxonomy, check_taxonomy};
pub use texts::{read_agreement, read_any_policy, read_policy, read_private};
pub use warning::Warning;
