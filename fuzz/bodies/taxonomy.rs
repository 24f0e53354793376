//! What must hold of the taxonomy readers, whatever the bytes.

use scumble_table::Taxonomy;
use scumble_table::taxonomy::{Format, parse};

/// Reads the bytes in every format. A tree that comes out keeps its invariants and reads back as it was written; a
/// refusal names at least one problem, and only lines that exist.
pub fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let lines = text.matches('\n').count() + 1;
    assert!([Format::Levels, Format::Indented, Format::Json].contains(&Format::guess(&text)));
    for format in [Format::Levels, Format::Indented, Format::Json] {
        match parse(&text, format) {
            Ok(tree) => check(&tree),
            Err(found) => {
                assert!(!found.to_string().is_empty());
                assert!(
                    found
                        .problems
                        .iter()
                        .all(|problem| problem.line().is_none_or(|line| line <= lines))
                );
            }
        }
    }
}

fn check(tree: &Taxonomy) {
    assert_eq!(tree.leaves_under(tree.root()), 0..tree.leaves().len());
    for node in tree.nodes() {
        assert_eq!(tree.find(tree.label(node)), Some(node));
        assert!(!tree.label(node).is_empty());
        let covered = tree.leaves_under(node);
        let mut next = covered.start;
        for &child in tree.children(node) {
            assert!(child > node && tree.parent(child) == Some(node));
            assert_eq!(tree.leaves_under(child).start, next);
            next = tree.leaves_under(child).end;
        }
        match tree.children(node) {
            [] => assert_eq!(tree.leaf(tree.label(node)), Some(covered.start)),
            _ => assert_eq!(next, covered.end),
        }
    }
    assert_eq!(parse(&tree.to_levels(), Format::Levels).as_ref(), Ok(tree));
}
