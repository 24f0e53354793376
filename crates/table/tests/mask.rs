//! Masks: what is shown for every value, and which masks are refused.

use scumble_table::taxonomy::{Format, parse};
use scumble_table::{Column, Cut, Discretized, Interval, Mask, MaskError, NodeId, Taxonomy, ValueOrder};

const MISSING: Option<&str> = None;

fn jobs() -> Taxonomy {
    let text = "Janitor;Blue;ANY\nMover;Blue;ANY\nEngineer;White;ANY\nLawyer;White;ANY\n";
    parse(text, Format::Levels).unwrap()
}

fn column(order: ValueOrder, cells: &[Option<&str>]) -> Column {
    Column::from_cells("c", order, cells.iter().copied())
}

/// What each row shows.
fn shown(mask: &Mask, column: &Column, taxonomy: Option<&Taxonomy>) -> Vec<Option<String>> {
    let (of_code, labels) = mask.labels(column, taxonomy);
    let label = |code: u32| labels.at(of_code[code as usize] as usize).map(str::to_owned);
    column.codes().iter().map(label).collect()
}

fn texts(cells: &[Option<&str>]) -> Vec<Option<String>> {
    cells.iter().map(|cell| cell.map(str::to_owned)).collect()
}

fn cut(labels: &[&str]) -> Mask {
    Mask::Generalize(Cut::parse(&jobs(), labels.iter().copied()).unwrap())
}

fn discretize(labels: &[&str]) -> Mask {
    Mask::Discretize(Discretized::parse(labels.iter().copied()).unwrap())
}

#[test]
fn an_exact_mask_shows_every_value_as_it_is() {
    let cells = [Some("b"), MISSING, Some("a"), Some("b")];
    let column = column(ValueOrder::Natural, &cells);
    assert_eq!(shown(&Mask::Exact, &column, None), texts(&cells));
}

#[test]
fn suppression_shows_the_disclosed_values_alone() {
    let column = column(ValueOrder::Natural, &[Some("fr"), MISSING, Some("de"), Some("it")]);
    let mask = Mask::Suppress(texts(&[Some("it"), Some("no such value")]));
    assert_eq!(
        shown(&mask, &column, None),
        texts(&[Some("*"), Some("*"), Some("*"), Some("it")])
    );
    let mask = Mask::Suppress(texts(&[Some("fr"), MISSING]));
    assert_eq!(
        shown(&mask, &column, None),
        texts(&[Some("fr"), MISSING, Some("*"), Some("*")])
    );
}

/// A reader cannot tell two rows apart that show the same text, so the labels are distinct.
#[test]
fn equal_labels_are_one() {
    let column = column(ValueOrder::Natural, &[Some("fr"), Some("*"), Some("de")]);
    let (of_code, labels) = Mask::Suppress(texts(&[Some("*")])).labels(&column, None);
    assert_eq!(labels.iter().collect::<Vec<_>>(), [Some("*")]);
    assert_eq!(of_code, [0, 0, 0]);
}

#[test]
fn generalization_shows_the_node_of_the_cut_above_a_value() {
    let cells = [Some("Lawyer"), Some("Mover"), Some("Engineer"), Some("Janitor")];
    let column = column(ValueOrder::Taxonomy(&jobs()), &cells);
    let show = |labels: &[&str]| shown(&cut(labels), &column, Some(&jobs()));
    assert_eq!(show(&["ANY"]), texts(&[Some("ANY"); 4]));
    assert_eq!(
        show(&["White", "Janitor", "Mover"]),
        texts(&[Some("White"), Some("Mover"), Some("White"), Some("Janitor")])
    );
    assert_eq!(show(&["Janitor", "Mover", "Engineer", "Lawyer"]), texts(&cells));
}

/// The root covers the missing value too; below it, whether a value is missing shows.
#[test]
fn a_missing_value_is_hidden_by_the_root_alone() {
    let column = column(ValueOrder::Taxonomy(&jobs()), &[MISSING, Some("Mover")]);
    assert_eq!(shown(&cut(&["ANY"]), &column, Some(&jobs())), texts(&[Some("ANY"); 2]));
    assert_eq!(
        shown(&cut(&["Blue", "White"]), &column, Some(&jobs())),
        texts(&[MISSING, Some("Blue")])
    );
}

#[test]
fn discretization_shows_the_interval_that_holds_a_number() {
    let cells = [
        Some("1"),
        Some("36.9"),
        Some("37"),
        Some("99"),
        MISSING,
        Some("0.9"),
        Some("100"),
    ];
    let column = column(ValueOrder::Number, &cells);
    let (low, high) = (Some("[1, 37)"), Some("[37, 99]"));
    assert_eq!(
        shown(&discretize(&["[1, 37)", "[37, 99]"]), &column, None),
        texts(&[low, low, high, high, MISSING, Some("*"), Some("*")])
    );
    assert_eq!(shown(&discretize(&["*"]), &column, None), texts(&[Some("*"); 7]));
}

#[test]
fn a_number_in_a_gap_between_intervals_is_suppressed() {
    let column = column(ValueOrder::Number, &[Some("5"), Some("7"), Some("8"), Some("10")]);
    assert_eq!(
        shown(&discretize(&["[1, 5]", "[8, 10)"]), &column, None),
        texts(&[Some("[1, 5]"), Some("*"), Some("[8, 10)"), Some("*")])
    );
}

/// The single number 5 has its own interval between two half-open ones.
#[test]
fn an_interval_of_one_number_holds_it() {
    let column = column(ValueOrder::Number, &[Some("4"), Some("5"), Some("6")]);
    assert_eq!(
        shown(&discretize(&["[1, 5)", "[5, 5]", "[6, 9]"]), &column, None),
        texts(&[Some("[1, 5)"), Some("[5, 5]"), Some("[6, 9]")])
    );
}

#[test]
fn a_cut_meets_every_path_exactly_once() {
    let parse = |labels: &[&str]| Cut::parse(&jobs(), labels.iter().copied());
    for labels in [&["ANY"][..], &["Blue", "White"], &["Blue", "Engineer", "Lawyer"]] {
        assert!(parse(labels).is_ok(), "{labels:?}");
    }
    for labels in [
        &[][..],
        &["Blue"],
        &["White"],
        &["Blue", "Lawyer"],
        &["Blue", "White", "Mover"],
        &["ANY", "Blue"],
        &["Blue", "Blue", "White"],
    ] {
        assert_eq!(parse(labels), Err(MaskError::NotACut), "{labels:?}");
    }
    assert_eq!(parse(&["Blue", "Grey"]), Err(MaskError::UnknownNode("Grey".into())));
}

#[test]
fn a_cut_reads_back_from_its_labels_in_any_order() {
    let jobs = jobs();
    let cut = Cut::parse(&jobs, ["White", "Mover", "Janitor"]).unwrap();
    let labels: Vec<&str> = cut.nodes().iter().map(|&node| jobs.label(node)).collect();
    assert_eq!(labels, ["Janitor", "Mover", "White"]);
    assert_eq!(Cut::parse(&jobs, labels).unwrap(), cut);
    assert_eq!(
        Cut::new(&jobs, vec![NodeId(4), NodeId(1)]),
        Cut::parse(&jobs, ["Blue", "White"])
    );
}

#[test]
fn intervals_read_back_and_must_be_apart_and_in_order() {
    let parse = |labels: &[&str]| Discretized::parse(labels.iter().copied());
    let interval = |from, to, closed| Interval { from, to, closed };
    assert_eq!(
        parse(&["[1, 37)", "[37, 99]"]),
        Ok(Discretized::Intervals(vec![
            interval(1.0, 37.0, false),
            interval(37.0, 99.0, true)
        ]))
    );
    assert_eq!(parse(&["*"]), Ok(Discretized::Whole));
    for labels in [
        &["[1, 37]", "[37, 99]"][..],
        &["[1, 38)", "[37, 99]"],
        &["[37, 99]", "[1, 37)"],
        &["[1, 2)", "[1, 2)"],
    ] {
        assert_eq!(parse(labels), Err(MaskError::Overlap), "{labels:?}");
    }
    for labels in [&["[1, 37)", "*"][..], &["37"], &["[9, 1]"]] {
        assert!(matches!(parse(labels), Err(MaskError::NotAnInterval(_))), "{labels:?}");
    }
}
