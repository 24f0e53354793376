//! Random trees for the tests of taxonomies.

use proptest::prelude::*;
use scumble_table::Taxonomy;

/// Any tree of up to forty nodes; the number of a node makes its label its own.
pub fn tree(label: impl Strategy<Value = (String, String)>) -> impl Strategy<Value = Taxonomy> {
    proptest::collection::vec((label, any::<proptest::sample::Index>()), 1..40).prop_map(|nodes| {
        let named: Vec<(String, Option<usize>)> = nodes
            .into_iter()
            .enumerate()
            .map(|(place, ((before, after), parent))| {
                let parent = (place > 0).then(|| parent.index(place));
                (format!("{before}{place}{after}"), parent)
            })
            .collect();
        Taxonomy::from_parents(&named).expect("labels differ and parents come first")
    })
}

/// A tree whose root has two inner children, with labels that need no quotes.
pub fn branching() -> impl Strategy<Value = Taxonomy> {
    proptest::collection::vec(any::<proptest::sample::Index>(), 0..20).prop_map(|parents| {
        let mut named = vec![("root".into(), None), ("1".into(), Some(0)), ("2".into(), Some(0))];
        named.extend([("3".into(), Some(1)), ("4".into(), Some(2))]);
        for parent in parents {
            let place = named.len();
            named.push((place.to_string(), Some(parent.index(place))));
        }
        Taxonomy::from_parents(&named).expect("labels differ and parents come first")
    })
}

/// What surrounds the number in a label: everything that has a meaning in some format.
pub fn label() -> impl Strategy<Value = (String, String)> {
    let around = "[a;\"\n\r\t \u{feff}\u{a0}*{}:,\\\\]{0,3}";
    (around, around)
}

/// The same without what the indented format cannot hold.
pub fn plain_label() -> impl Strategy<Value = (String, String)> {
    let around = "[a*{}:,\"\\\\]{0,3}";
    (around, around)
}
