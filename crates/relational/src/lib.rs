//! Several tables about people: the rows of each person are a tree, and at least `k` people are shown the same tree.
//!
//! A [`Database`] is one table of persons and any number of tables that hang off it, or off each other, by foreign
//! keys. With k = 2 and a tree of courses in which Math and CS are Science:
//!
//! | student | course | book | | released course | book |
//! |---|---|---|---|---|---|
//! | S1 | Math | Discrete | | Science | Discrete |
//! | S1 | Physics | Calc | | Physics | (row removed) |
//! | S1 | Physics | Dyn | | Physics | Dyn |
//! | S2 | CS | Discrete | | Science | Discrete |
//! | S2 | Physics | Dyn | | Physics | Dyn |
//!
//! To join all tables and mask the result would not do: two rows of one person could be shown alike, and the person
//! would still be the only one with both. So persons are compared as a whole. [`Clustering`] gathers them into
//! [`Clusters`], whose trees are merged one by one, and a [`Release`] is the same tables with what the members of a
//! cluster have in common. [`Entities`] takes longer and loses less.
//!
//! What holds of a release: for every person there are at least `k - 1` others with the same tree of quasi values, the
//! children of a row as a multiset. So a question about quasi values, over any join of the tables, is answered by
//! nobody or by at least `k` persons. Nothing is said about other columns, unless that is demanded, too: who has a
//! secret may be the only one of a cluster to have it, or all may. Keys are replaced by numbers, and rows are put in an order, that tell nothing else.
//!
//! ```
//! use scumble_grouping::Scale;
//! use scumble_progress::Work;
//! use scumble_relational::{Clustering, Database, ForeignKey, Method, Relation, Release};
//! use scumble_table::{Column, ColumnId, Table, ValueOrder};
//!
//! let column = |name, cells: &[&'static str]| {
//!     Column::from_cells(name, ValueOrder::Natural, cells.iter().copied().map(Some))
//! };
//! let students = Table::new(2, vec![column("sid", &["S1", "S2"])]);
//! let courses = Table::new(3, vec![column("sid", &["S1", "S2", "S2"]), column("course", &["Math", "CS", "Math"])]);
//! let database = Database::new(vec![
//!     Relation {
//!         name: "students".to_owned(),
//!         table: &students,
//!         key: vec![ColumnId(0)],
//!         foreign_keys: vec![],
//!         quasi: vec![],
//!     },
//!     Relation {
//!         name: "courses".to_owned(),
//!         table: &courses,
//!         key: vec![],
//!         foreign_keys: vec![ForeignKey { parent: "students".to_owned(), columns: vec![ColumnId(0)] }],
//!         quasi: vec![(ColumnId(1), Scale::Values { domain: None })],
//!     },
//! ])?;
//! let clusters = Clustering::new(2, 0.5, 10, Method::Miracle)?.run(&database, Work::unwatched())?;
//! let release = Release::new(&database, &clusters);
//! let courses = database.find("courses").unwrap();
//! // Both have Math in common. That S2 also has CS is not published.
//! assert_eq!(release.kept_rows(courses).collect::<Vec<u32>>(), [0, 2]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod ancestors;
mod arrange;
mod axis;
mod bitmap;
mod cluster;
mod clusters;
mod cost;
mod counting;
mod database;
mod entities;
mod error;
mod gather;
mod kept_domain;
mod keys;
mod likeness;
mod merge;
mod off_scale;
mod pairing;
mod release;
mod schema;
mod secrets;
mod settings;
mod shown;
mod sketch;
mod tree;
mod tuning;

pub use cluster::Clustering;
pub use clusters::{Cluster, Clusters};
pub use database::{Database, TableId};
pub use entities::Entities;
pub use error::DatabaseError;
pub use release::{Order, PublishedTable, Release};
pub use schema::{ForeignKey, Relation};
pub use settings::{Method, SettingError};
pub use shown::{Kept, KeptColumn};
pub use tuning::Tuning;
