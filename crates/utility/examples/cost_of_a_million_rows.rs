//! What the measures cost on a million rows of 14 columns: `cargo run --release --example cost_of_a_million_rows`.
//!
//! Half of the columns are quasi: four continuous ones in intervals, four with a taxonomy in the nodes of a cut. The
//! rest are shown as they are.

use std::hint::black_box;
use std::time::Instant;

use fastrand::Rng;
use scumble_table::{
    Codes, Column, Cut, Dictionary, Discretized, Mask, Range, ReleasedColumn, Table, Taxonomy, taxonomy,
};
use scumble_utility::{
    Compared, Comparison, Domain, Generated, Role, SensitiveRange, Tally, Workload, associations, column_changes,
    group_sizes, information_loss, query_error, range_diversity,
};

const ROWS: usize = 1_000_000;

/// Distinct values of the columns: the first four continuous and quasi, the next four in a tree and quasi.
const DISTINCT: [usize; 14] = [74, 20_000, 120, 96, 16, 42, 14, 100, 2, 9, 5, 3, 1000, 50];

fn numbers(distinct: usize) -> Dictionary {
    let texts: Vec<String> = (0..distinct).map(|number| number.to_string()).collect();
    Dictionary::new(texts.iter().map(|text| &text[..]).collect(), false)
}

/// Two groups of columns, each driven by one number, so that there is something to lose.
fn data() -> Table {
    let mut random = Rng::with_seed(1);
    let drivers: Vec<[f64; 2]> = (0..ROWS).map(|_| [random.f64(), random.f64()]).collect();
    let columns = DISTINCT.iter().enumerate().map(|(place, &distinct)| {
        let code = |driver: &[f64; 2]| {
            let mixed = (driver[place % 2] + random.f64()) / 2.0;
            (mixed * distinct as f64) as u32
        };
        let codes: Vec<u32> = drivers.iter().map(code).collect();
        Column::new(format!("c{place}"), numbers(distinct), Codes::collect(distinct, codes))
    });
    Table::new(ROWS, columns.collect())
}

/// A tree with eight nodes under its root.
fn tree(distinct: usize) -> Taxonomy {
    let lines = (0..distinct).map(|value| format!("{value};part {};ANY\n", value * 8 / distinct));
    taxonomy::parse(&lines.collect::<String>(), taxonomy::Format::Levels).expect("labels differ")
}

fn timed<R>(what: &str, work: impl FnOnce() -> R) -> R {
    let start = Instant::now();
    let result = black_box(work());
    println!("{what:<28} {:>7.0} ms", start.elapsed().as_secs_f64() * 1000.0);
    result
}

fn main() {
    let data = data();
    let trees: Vec<Option<Taxonomy>> = (0..14)
        .map(|place| (4..8).contains(&place).then(|| tree(DISTINCT[place])))
        .collect();
    let range = |place: usize| Range::new(0.0, DISTINCT[place] as f64 - 1.0).expect("ends in order");
    let released: Vec<Column> = (0..14)
        .map(|place| {
            let mask = match (&trees[place], place) {
                (None, 0..4) => {
                    let bounds: Vec<f64> = (1..6).map(|part| (part * DISTINCT[place] / 6) as f64).collect();
                    Mask::Discretize(Discretized::Intervals(range(place).tile(&bounds)))
                }
                (Some(tree), _) => {
                    let nodes = tree.children(tree.root()).to_vec();
                    Mask::Generalize(Cut::new(tree, nodes).expect("the children of the root are a cut"))
                }
                _ => Mask::Exact,
            };
            ReleasedColumn::new(data.columns()[place].clone(), &mask, trees[place].as_ref(), true).as_read()
        })
        .collect();

    let start = Instant::now();
    let comparison = timed("compare", || {
        let columns = data.columns().iter().enumerate().map(|(place, column)| Compared {
            name: &column.name,
            role: match place {
                0..8 => Role::Quasi,
                8 => Role::Class,
                12 | 13 => Role::Sensitive,
                _ => Role::Other,
            },
            domain: match &trees[place] {
                Some(tree) => Domain::Tree(tree),
                None if place < 4 || place == 12 => Domain::Continuous(range(place)),
                None => Domain::Flat,
            },
            before: Tally::of(column),
            after: &released[place],
        });
        Comparison::new(ROWS as u64, ROWS, columns.collect())
    });
    timed("information loss", || information_loss(&comparison, Some(10)));
    timed("group sizes", || group_sizes(comparison.groups()));
    timed("columns", || column_changes(&comparison));
    timed("range diversity", || {
        range_diversity(&comparison, "c12", &SensitiveRange::Width(50.0)).expect("the column is continuous")
    });
    timed("association", || associations(&comparison, &data));
    for dimensions in [2, 3, 5] {
        let settings = Generated {
            dimensions,
            ..Generated::default()
        };
        let workload = timed(&format!("draw queries of {dimensions} columns"), || {
            Workload::generate(&settings, &comparison, &data).expect("there are eight quasi columns")
        });
        timed("query error", || query_error(&workload, &comparison, &data));
    }
    println!(
        "all of it {:>28.0} ms, {} groups",
        start.elapsed().as_secs_f64() * 1000.0,
        comparison.groups().len()
    );
}
