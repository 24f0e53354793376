//! Taxonomies as files write them: three formats, one tree, and every mistake named with its line.

mod trees;

use std::path::Path;

use proptest::prelude::*;
use scumble_table::taxonomy::{Format, Problem, ProblemKind, Problems, parse};
use scumble_table::{NodeId, Taxonomy};

use trees::{branching, label, plain_label, tree};

const FORMATS: [Format; 3] = [Format::Levels, Format::Indented, Format::Json];

/// The job tree of Fung's thesis (figure 4.1).
const JOBS: &str = "\
Janitor;Non-Technical;Blue-Collar;ANY
Mover;Non-Technical;Blue-Collar;ANY
Carpenter;Technical;Blue-Collar;ANY
Electrician;Technical;Blue-Collar;ANY
Manager;Manager;White-Collar;ANY
Engineer;Professional;White-Collar;ANY
Lawyer;Professional;White-Collar;ANY
";

fn jobs() -> Taxonomy {
    parse(JOBS, Format::Levels).unwrap()
}

fn problems(text: &str, format: Format) -> Problems {
    parse(text, format).expect_err("this text has a mistake")
}

/// The tree as one node per line, written so that the indentation can be seen.
fn outline(tree: &Taxonomy) -> String {
    let depth = |id| std::iter::successors(tree.parent(id), |&id| tree.parent(id)).count();
    let line = |id| format!("{}{}\n", "  ".repeat(depth(id)), tree.label(id));
    tree.nodes().map(line).collect()
}

/// A node and what is under it, in long form.
fn to_json(tree: &Taxonomy, id: NodeId) -> serde_json::Value {
    match tree.children(id) {
        [] => tree.label(id).into(),
        children => {
            let children: Vec<_> = children.iter().map(|&child| to_json(tree, child)).collect();
            serde_json::json!({ "label": tree.label(id), "children": children })
        }
    }
}

#[test]
fn a_label_next_to_itself_is_one_node() {
    assert_eq!(
        outline(&jobs()),
        "\
ANY
  Blue-Collar
    Non-Technical
      Janitor
      Mover
    Technical
      Carpenter
      Electrician
  White-Collar
    Manager
    Professional
      Engineer
      Lawyer
"
    );
}

#[test]
fn all_formats_write_the_same_tree() {
    let short = r#"{"ANY": {
        "Blue-Collar": {"Non-Technical": ["Janitor", "Mover"], "Technical": ["Carpenter", "Electrician"]},
        "White-Collar": {"Manager": null, "Professional": ["Engineer", "Lawyer"]}}}"#;
    let mixed = r#"{"label": "ANY", "children": [
        {"Blue-Collar": [{"Non-Technical": ["Janitor", {"label": "Mover"}]}, {"Technical": ["Carpenter", "Electrician"]}]},
        {"label": "White-Collar", "children": {"Manager": [], "Professional": ["Engineer", "Lawyer"]}}]}"#;
    let tabs = outline(&jobs()).replace("  ", "\t");
    for (text, format) in [
        (short, Format::Json),
        (mixed, Format::Json),
        (&to_json(&jobs(), jobs().root()).to_string(), Format::Json),
        (&outline(&jobs()), Format::Indented),
        (&tabs, Format::Indented),
        (JOBS, Format::Levels),
    ] {
        assert_eq!(Format::guess(text), format, "{text}");
        assert_eq!(parse(text, format).unwrap(), jobs(), "{text}");
    }
}

#[test]
fn marks_blanks_and_line_ends_do_not_count() {
    let text = "\u{feff}\r\n Engineer ;Professional; ANY\r\n   \r\n\"Lawyer\" ; \"Professional\";\"ANY\"\r\n";
    assert_eq!(
        outline(&parse(text, Format::Levels).unwrap()),
        "ANY\n  Professional\n    Engineer\n    Lawyer\n"
    );
}

#[test]
fn lines_may_stop_at_different_depths_and_branches_may_be_scattered() {
    let text = "Engineer;Professional;ANY\nJanitor;ANY\nLawyer;Professional;ANY\n";
    let tree = parse(text, Format::Levels).unwrap();
    assert_eq!(
        outline(&tree),
        "ANY\n  Professional\n    Engineer\n    Lawyer\n  Janitor\n"
    );
    assert_eq!(
        tree.to_levels(),
        "Engineer;Professional;ANY\nLawyer;Professional;ANY\nJanitor;Janitor;ANY\n"
    );
}

#[test]
fn a_quoted_label_may_hold_anything() {
    let text = "\"Cook; baker\";\"the \"\"back\"\" of\nthe house\";\" ANY \"\nWaiter;\" ANY \"\n";
    let tree = parse(text, Format::Levels).unwrap();
    assert_eq!(tree.leaves().collect::<Vec<_>>(), ["Cook; baker", "Waiter"]);
    assert_eq!(tree.label(tree.root()), " ANY ");
    assert!(tree.find("the \"back\" of\nthe house").is_some());
    assert_eq!(parse(&tree.to_levels(), Format::Levels).unwrap(), tree);
}

#[test]
fn one_value_is_a_tree() {
    for (text, format) in [
        ("*", Format::Levels),
        ("*\n", Format::Indented),
        ("\"*\"", Format::Json),
    ] {
        assert_eq!(outline(&parse(text, format).unwrap()), "*\n");
    }
}

#[test]
fn the_format_is_guessed_from_how_the_text_begins() {
    for (text, format) in [
        ("[0, 10);[0, 20);*\n", Format::Levels),
        ("{a|b};*\n", Format::Levels),
        ("a\nb\n", Format::Levels),
        ("", Format::Levels),
        (" a;*\n b;*\n", Format::Levels),
        ("ANY\n a\n", Format::Indented),
        ("{ \"a; b\": null }", Format::Json),
        ("\u{feff}\n[\"a\"", Format::Json),
        ("{label: a}", Format::Json),
    ] {
        assert_eq!(Format::guess(text), format, "{text:?}");
    }
}

/// Each line that is wrong is named, with what to change, and all of them at once.
#[test]
fn a_file_with_many_mistakes_is_mended_in_one_go() {
    let text = "\
Janitor;Blue;ANY
Janitor;White;ANY
Mover;Blue;White;ANY
Cook;Blue;White;ANY

Blue;ANY
Clerk;Janitor;ANY
Nurse;White
Pilot;;ANY
Judge;White;Law;White;ANY
Smith;*;ANY
Baker;Blue;Everyone
Mason;\"Blue;ANY
Guard;\"Blue\" collar;ANY
";
    assert_eq!(
        problems(text, Format::Levels).to_string(),
        r#"line 2: the leaf "Janitor" is already on line 1; keep one of them
line 3: "Blue" is under "White" here but under "ANY" on line 1; give it one parent or two names
line 6: "Blue" is a leaf and an inner node (the other is on line 1); rename the inner node
line 7: "Janitor" is a leaf and an inner node (the other is on line 1); rename the inner node
line 8: "White" is a second root, the first is "ANY" (on line 1); lead every value to one root
line 9: a label is empty; name the node or remove it
line 10: "White" comes twice in this line with another label between; a value cannot contain itself
line 11: `*` stands for a suppressed value, so only the root may be called `*`; rename this node
line 12: "Everyone" is a second root, the first is "ANY" (on line 1); lead every value to one root
line 13: there is text after a closing quote; write a label that contains quotes as "say ""so"""
line 14: there is text after a closing quote; write a label that contains quotes as "say ""so""""#
    );
}

/// One wrong parent shows in all leaves below and is told once; a leaf given again is a line to remove each time.
#[test]
fn a_mistake_in_an_inner_node_is_told_once_and_a_repeated_leaf_each_time() {
    let lines = |text| {
        problems(text, Format::Levels)
            .problems
            .iter()
            .filter_map(Problem::line)
            .collect::<Vec<_>>()
    };
    assert_eq!(lines("a;A;ANY\nb;B;ANY\nc;A;B;ANY\nd;A;B;ANY\n"), [3]);
    assert_eq!(lines("a;ANY\nb;ANY\na;ANY\na;ANY\n"), [3, 4]);
}

#[test]
fn a_quote_without_end_is_named_at_its_line() {
    let found = problems("a;ANY\n\"b;ANY\nc;ANY\n", Format::Levels);
    assert_eq!(found.problems.len(), 1);
    assert_eq!(found.problems[0].line(), Some(2));
    assert_eq!(found.problems[0].kind, ProblemKind::OpenQuote);
}

#[test]
fn lines_are_counted_through_labels_that_span_them() {
    let found = problems("\"a\nb\";ANY\r\n\r\nc;;ANY\r\n", Format::Levels);
    assert_eq!(found.problems[0].line(), Some(4));
}

#[test]
fn a_plain_list_lacks_a_root() {
    let found = problems("Engineer\nLawyer\n", Format::guess("Engineer\nLawyer\n"));
    assert_eq!(
        found.to_string(),
        r#"line 2: "Lawyer" is a second root, the first is "Engineer" (on line 1); lead every value to one root"#
    );
}

#[test]
fn the_root_stands_above_all() {
    let found = problems("a;A\nb;A;ANY\n", Format::Levels);
    assert_eq!(
        found.to_string(),
        r#"line 2: "ANY" is a second root, the first is "A" (on line 1); lead every value to one root
line 2: "A" is the root (on line 1) but stands below another node here; rename one of them"#
    );
}

#[test]
fn indentation_must_match_a_line_above() {
    let text = "ANY\n    White\n        Engineer\n      Lawyer\n\tJanitor\nOTHER\n";
    assert_eq!(
        problems(text, Format::Indented).to_string(),
        r#"line 4: the indentation fits no line above; indent it like its siblings, with the same tabs or spaces
line 5: the indentation fits no line above; indent it like its siblings, with the same tabs or spaces
line 6: "OTHER" is a second root, the first is "ANY" (on line 1); lead every value to one root"#
    );
    for text in ["  ANY\n    a\n b\n", "ANY\n  A\n\t\t\ta\n"] {
        let found = problems(text, Format::Indented);
        assert_eq!(
            (found.problems.len(), found.problems[0].line()),
            (1, Some(3)),
            "{text:?}"
        );
    }
}

#[test]
fn json_mistakes_are_named_by_their_path() {
    let text = r#"{"ANY": {"White": ["Engineer", 7, ""], "Blue": {"White": ["Mover"], "Engineer": null, "*": null}}}"#;
    assert_eq!(
        problems(text, Format::Json).to_string(),
        r#"at "ANY" > "White": not a tree of labels; write "leaf", {"label": "node", "children": […]} or {"node": ["leaf", …]}
at "ANY" > "White": a label is empty; name the node or remove it
at "ANY" > "Blue" > "White": "White" is under "Blue" here but under "ANY" at "ANY" > "White"; give it one parent or two names
at "ANY" > "Blue" > "Engineer": the leaf "Engineer" is already at "ANY" > "White" > "Engineer"; keep one of them
at "ANY" > "Blue" > "*": `*` stands for a suppressed value, so only the root may be called `*`; rename this node"#
    );
    for text in [
        "7",
        "[[\"a\"]]",
        "{\"label\": 7}",
        "{\"label\": \"a\", \"label\": \"a\"}",
        "{\"label\": \"a\", \"color\": \"red\"}",
        "{\"children\": [\"a\"], \"label\": \"a\", \"children\": []}",
        "{\"a\": [null]}",
        "{\"a\": true}",
        "{\"a\": [1.5, -1]}",
    ] {
        assert_eq!(
            problems(text, Format::Json).problems[0].kind,
            ProblemKind::Shape,
            "{text}"
        );
    }
}

#[test]
fn text_that_is_not_json_is_named_by_line_and_column() {
    assert_eq!(
        problems("{\"ANY\":\n  [\"a\",]}", Format::Json).to_string(),
        "line 2: not JSON at column 8: trailing comma"
    );
}

/// Readers of JSON often keep the last of two equal keys; that would lose values without a word.
#[test]
fn a_json_key_that_comes_twice_is_one_node() {
    let tree = parse(r#"{"ANY": {"A": ["a"], "B": ["b"], "A": ["c"]}}"#, Format::Json).unwrap();
    assert_eq!(outline(&tree), "ANY\n  A\n    a\n    c\n  B\n    b\n");
}

#[test]
fn a_file_without_nodes_is_empty_in_every_format() {
    for (text, format) in [
        ("", Format::Levels),
        ("\n  \r\n", Format::Levels),
        ("\u{feff}\n", Format::Indented),
        (" ", Format::Json),
        ("{}", Format::Json),
        ("null", Format::Json),
    ] {
        assert_eq!(
            problems(text, format).to_string(),
            "there is no node; write at least a root",
            "{text:?}"
        );
    }
}

#[test]
fn depth_does_not_exhaust_the_stack() {
    let depth = 20_000;
    let levels: Vec<String> = (0..depth).rev().map(|i| i.to_string()).collect();
    assert_eq!(
        parse(&levels[..1_000].join(";"), Format::Levels).unwrap().nodes().len(),
        1_000
    );
    let found = problems(&levels.join(";"), Format::Levels);
    assert!(matches!(found.problems[0].kind, ProblemKind::TooDeep { .. }));
    let indented = |lines: usize| {
        (0..lines)
            .map(|i| format!("{}{i}\n", " ".repeat(i)))
            .collect::<String>()
    };
    assert_eq!(parse(&indented(1_000), Format::Indented).unwrap().nodes().len(), 1_000);
    let found = problems(&indented(2_000), Format::Indented);
    assert!(matches!(found.problems[0].kind, ProblemKind::TooDeep { .. }));
    let json = "[".repeat(depth);
    let found = problems(&json, Format::Json);
    assert!(matches!(found.problems[0].kind, ProblemKind::Json { .. }));
}

/// The public taxonomies that the benchmarks use, where they are at hand.
#[test]
fn shipped_taxonomies_parse() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/taxonomies");
    let entries = |folder: &Path| {
        std::fs::read_dir(folder)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
    };
    for file in entries(&folder).flat_map(|set| entries(&set).collect::<Vec<_>>()) {
        let text = std::fs::read_to_string(&file).unwrap();
        match parse(&text, Format::guess(&text)) {
            Ok(tree) => {
                assert_eq!(tree.leaves().count(), text.lines().count(), "{}", file.display());
                assert_eq!(
                    parse(&tree.to_levels(), Format::Levels).unwrap(),
                    tree,
                    "{}",
                    file.display()
                );
            }
            // Its `Married` is a value and the group of that value with `Separated`: a release could not tell which.
            Err(found) => {
                assert!(
                    file.ends_with("acs2018-own/MaritalStatus.csv"),
                    "{}: {found}",
                    file.display()
                );
                assert!(matches!(&found.problems[..], [only] if matches!(only.kind, ProblemKind::LeafAndInner { .. })));
            }
        }
    }
}

/// A way to spoil the levels text of a good tree, and the kind of problem that must follow.
fn spoil(tree: &Taxonomy, mistake: usize, leaf: usize) -> (String, fn(&ProblemKind) -> bool) {
    let good = tree.to_levels();
    let lines: Vec<&str> = good.lines().collect();
    let line = lines[leaf % lines.len()];
    let own = line.split(';').next().unwrap();
    let root = tree.label(tree.root());
    let [first, second] = [0, 1].map(|branch| tree.label(tree.children(tree.root())[branch]));
    let (extra, expected): (String, fn(&ProblemKind) -> bool) = match mistake {
        0 => (line.to_owned(), |kind| matches!(kind, ProblemKind::LeafTwice { .. })),
        1 => (format!("{own};{root}"), |kind| {
            matches!(kind, ProblemKind::LeafTwice { .. })
        }),
        2 => (format!("new;{second};{first};{root}"), |kind| {
            matches!(kind, ProblemKind::TwoParents { .. })
        }),
        3 => (format!("new;{line}"), |kind| {
            matches!(kind, ProblemKind::LeafAndInner { .. })
        }),
        4 => (format!("{first};{root}"), |kind| {
            matches!(kind, ProblemKind::LeafAndInner { .. })
        }),
        5 => (format!("new;{first}"), |kind| {
            matches!(kind, ProblemKind::TwoRoots { .. })
        }),
        6 => (format!("new;{first};{root};top"), |kind| {
            matches!(kind, ProblemKind::RootBelow { .. })
        }),
        7 => (format!("new;;{root}"), |kind| matches!(kind, ProblemKind::EmptyLabel)),
        8 => (format!("new;{first};new;{root}"), |kind| {
            matches!(kind, ProblemKind::Repeated { .. })
        }),
        9 => (format!("new;*;{root}"), |kind| matches!(kind, ProblemKind::Reserved)),
        10 => (format!("\"new;{root}"), |kind| matches!(kind, ProblemKind::OpenQuote)),
        _ => (format!("\"new\"er;{root}"), |kind| {
            matches!(kind, ProblemKind::AfterQuote)
        }),
    };
    (good + &extra, expected)
}

proptest! {
    #[test]
    fn a_tree_reads_back_from_every_format(named in tree(label()), plain in tree(plain_label())) {
        prop_assert_eq!(&parse(&named.to_levels(), Format::Levels).unwrap(), &named);
        prop_assert_eq!(&parse(&to_json(&named, named.root()).to_string(), Format::Json).unwrap(), &named);
        prop_assert_eq!(&parse(&outline(&plain), Format::Indented).unwrap(), &plain);
    }

    #[test]
    fn written_lines_have_one_length(tree in tree(plain_label())) {
        let text = tree.to_levels();
        let lengths: Vec<usize> = text.lines().map(|line| line.split(';').count()).collect();
        prop_assert!(lengths.windows(2).all(|pair| pair[0] == pair[1]));
        prop_assert_eq!(lengths.len(), tree.leaves().len());
    }

    #[test]
    fn a_node_covers_the_leaves_below_it_and_they_are_neighbours(tree in tree(plain_label())) {
        let tree = parse(&tree.to_levels(), Format::Levels).unwrap();
        for node in tree.nodes() {
            let below = |leaf: &&str| {
                let up = std::iter::successors(tree.find(leaf), |&id| tree.parent(id));
                up.into_iter().any(|id| id == node)
            };
            let covered: Vec<&str> = tree.leaves().filter(below).collect();
            let range = tree.leaves_under(node);
            prop_assert_eq!(covered, tree.leaves().skip(range.start).take(range.len()).collect::<Vec<_>>());
        }
    }

    #[test]
    fn every_mistake_is_found_at_its_line(tree in branching(), mistake in 0usize..12, leaf in 0usize..100) {
        let (text, expected) = spoil(&tree, mistake, leaf);
        let found = problems(&text, Format::Levels);
        prop_assert!(found.problems.iter().any(|problem| expected(&problem.kind)), "{}\n{}", text, found);
        let last = text.lines().count();
        prop_assert!(found.problems.iter().all(|problem| problem.line() == Some(last)), "{}\n{}", text, found);
    }

    #[test]
    fn no_text_makes_a_reader_panic(text in "[ab;\"*\n\t {}\\[\\]:,]{0,40}") {
        for format in FORMATS {
            if let Err(found) = parse(&text, format) {
                prop_assert!(!found.problems.is_empty());
            }
        }
    }
}

/// Minutes were spent on such a tree; now it is refused where it is too deep.
#[test]
fn a_tree_of_too_many_levels_is_refused_at_once() {
    let line = |levels: usize| {
        (0..levels)
            .map(|level| format!("n{level}"))
            .collect::<Vec<_>>()
            .join(";")
    };
    assert!(parse(&line(1_000), Format::Levels).is_ok());
    let start = std::time::Instant::now();
    for text in [line(1_001), format!("a;n0\n{}", line(200_000)), line(200_000)] {
        let found = parse(&text, Format::Levels).unwrap_err();
        assert_eq!(found.problems.len(), 1);
        assert_eq!(found.problems[0].kind, ProblemKind::TooDeep { most: 1_000 });
        assert_eq!(found.problems[0].line(), Some(text.matches('\n').count() + 1));
    }
    assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
    let indented: String = (0..1_001)
        .map(|level| format!("{}n{level}\n", " ".repeat(level)))
        .collect();
    let found = parse(&indented, Format::Indented).unwrap_err();
    assert_eq!(found.problems[0].line(), Some(1_001));
}
