//! What must hold of labels and queries of any tool, whatever the bytes.

use scumble_table::{Column, Range, Table, Taxonomy, ValueOrder, Written};
use scumble_utility::{
    Compared, Comparison, Domain, Role, Tally, Workload, column_changes, information_loss, query_error,
};

/// Measures a release whose labels are the lines, and answers the lines as queries. Every figure is a number in its range.
pub fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let lines: Vec<&str> = text.lines().take(200).collect();
    let people = people();
    let jobs = jobs();
    let shown: Vec<Column> = people
        .columns()
        .iter()
        .map(|column| labelled(&column.name, &lines))
        .collect();
    let domains = [
        Domain::Continuous(Range::new(0.0, 100.0).expect("0 is below 100")),
        Domain::Tree(&jobs),
        Domain::Flat,
    ];
    let compared = people.columns().iter().zip(&shown).zip(domains);
    let compared = compared.map(|((before, after), domain)| Compared {
        name: &before.name,
        role: Role::Quasi,
        domain,
        before: Tally::of(before),
        after,
        written: Written::Any,
    });
    let comparison = Comparison::new(people.rows() as u64, lines.len(), compared.collect());
    let loss = information_loss(&comparison, None);
    let shares = [
        Some(loss.certainty_penalty.mean),
        Some(loss.loss_metric),
        loss.utility_measure,
    ];
    assert!(shares.into_iter().flatten().all(is_share), "{loss:?}");
    for change in column_changes(&comparison) {
        let shares = [
            change.cells_changed,
            change.distribution_distance,
            change.certainty_penalty,
        ];
        assert!(shares.into_iter().all(is_share), "{change:?}");
    }
    match Workload::parse(&text, &comparison) {
        Ok(workload) => {
            let unwatched = scumble_progress::Work::unwatched();
            let error = query_error(&workload, &comparison, &people, unwatched).expect("nobody stops it");
            assert_eq!(error.answered + error.without_rows, error.queries);
            assert!(
                error
                    .average
                    .is_none_or(|average| average.is_finite() && average >= 0.0),
                "{error:?}"
            );
        }
        Err(error) => assert!((1..=text.lines().count()).contains(&error.line), "{error}"),
    }
}

fn is_share(share: f64) -> bool {
    (-1e-9..=1.0 + 1e-9).contains(&share)
}

fn people() -> Table {
    let column = |name, order, cells: [&str; 4]| Column::from_cells(name, order, cells.map(Some));
    let jobs = jobs();
    let columns = vec![
        column("age", ValueOrder::Number, ["20", "35", "35", "90"]),
        column(
            "job",
            ValueOrder::Taxonomy(&jobs),
            ["Engineer", "Lawyer", "Janitor", "Lawyer"],
        ),
        column("disease", ValueOrder::Natural, ["Flu", "HIV", "Flu", "Flu"]),
    ];
    Table::new(4, columns)
}

fn jobs() -> Taxonomy {
    let nodes = [
        ("ANY", None),
        ("Professional", Some(0)),
        ("Engineer", Some(1)),
        ("Lawyer", Some(1)),
        ("Janitor", Some(0)),
    ];
    Taxonomy::from_parents(&nodes.map(|(label, parent)| (label.to_owned(), parent))).expect("one root, no label twice")
}

fn labelled(name: &str, lines: &[&str]) -> Column {
    let cells = lines.iter().map(|line| Some(*line).filter(|line| !line.is_empty()));
    Column::from_cells(name, ValueOrder::Natural, cells)
}
