//! A release, attacked as an adversary would attack it.
//!
//! The adversary holds a table of people whom they know something of, and looks each of them up in the release: which rows
//! can be this person's ([`Linkage`]), and what do these rows say of the person's secret ([`Inference`])?
//!
//! Boards that decide on a release ask for further figures, which need one table alone: [`Risks`] from the sizes of its
//! groups on the quasi columns, [`SingledOut`] from those on all that it shows, [`PopulationUniques`] from the former and
//! the size of the population, [`Suda`] from the columns on which rows of the original stand out.
//!
//! An adversary who also has earlier releases about the same people joins them: a [`JoinReport`] says how much nearer that
//! gets them.
//!
//! Where the rows of people are in several tables, the adversary knows some rows of a person in one of them: an
//! [`EntityAttack`] says how many people could have these rows.
//!
//! An attack is a measurement. It never says that a release is good enough, and no report of it holds a cell of either
//! table: only counts, shares and column names.
//!
//! # Example
//!
//! | released: job | age | disease | | known: who | job | age | | matching rows | guess | confidence |
//! |---|---|---|---|---|---|---|---|---|---|---|
//! | Professional | [30, 40) | HIV | | Ann | Lawyer | 38 | | 3 | HIV | 2/3 |
//! | Professional | [30, 40) | HIV | | Bob | Engineer | 31 | | 3 | HIV | 2/3 |
//! | Professional | [30, 40) | Flu | | Cid | Janitor | 52 | | 1 | Flu | 1 |
//! | Janitor | [40, 60) | Flu | | Dan | Janitor | 20 | | 0 | | |
//!
//! Three of four people are found. One is narrowed to a single row, and for them the guess is certain; on average it has
//! confidence 7/9. Without knowing anything one guesses HIV or Flu with confidence 1/2. The release has two groups in four
//! rows, so linking every row to somebody at random hits half of them (the marketer risk), and the row that is alone
//! has the highest prosecutor risk, 1.

mod attack;
mod entities;
mod inference;
mod join;
mod known;
mod link;
mod linkage;
mod risk;
mod singled;
mod sizes;
mod suda;
mod uniques;

pub use attack::{Attack, AttackReport, KnownReport, attack};
pub use entities::{EntityAttack, EntityAttackSettings, EntityKnown, attack_entities};
pub use inference::Inference;
pub use join::{Certain, Exposure, JoinKnown, JoinReport, attack_by_join};
pub use known::{Known, Recoding, Secret, SharedColumn};
pub use linkage::{Linkage, Narrowing, Spread};
pub use risk::{Above, MARKS, Mark, PopulationRisks, Risk, Risks, VIOLATED, Violating, risks};
pub use singled::{GroupCounts, MOST_VALUES, ShownColumns, SingledOut, singled_out, singled_out_of_table};
pub use sizes::GroupSizes;
pub use suda::{Contribution, DisSuda, MSU_AT_MOST, Quantile, SmallestMsu, Suda, suda, suda_cost};
pub use uniques::{PopulationTooSmall, PopulationUniques, Recommended, UniquesModel, uniques};
