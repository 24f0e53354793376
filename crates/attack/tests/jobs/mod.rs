//! A small taxonomy of jobs.

use scumble_table::Taxonomy;

/// ANY { Professional { Engineer, Lawyer }, Janitor }.
pub fn jobs() -> Taxonomy {
    let node = |label: &str, parent| (label.to_owned(), parent);
    Taxonomy::from_parents(&[
        node("ANY", None),
        node("Professional", Some(0)),
        node("Engineer", Some(1)),
        node("Lawyer", Some(1)),
        node("Janitor", Some(0)),
    ])
    .unwrap()
}
