//! What was lost, and what the release is still good for.

use scumble_report::{Bin, Block, Histogram, Plot, Section, Table, figure};
use scumble_utility::classify::{ErrorRate, Errors, Learner};
use scumble_utility::{
    AssociationKind, Associations, ColumnChange, GroupSizes, InformationLoss, QueryError, RangeDiversity,
};

use crate::evaluation::{Evaluation, Lost, TableMeasures};

/// How many pairs of columns are listed: those that changed most.
const MOST_PAIRS: usize = 15;

/// The measures of loss, which every release has.
fn loss(loss: &InformationLoss, sizes: &GroupSizes) -> Vec<Block> {
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let shares = [
        (
            "certainty penalty (NCP)",
            Some(loss.certainty_penalty.mean),
            "share of its domain that a quasi cell may stand for",
        ),
        (
            "loss metric (LM)",
            Some(loss.loss_metric),
            "the same, of the other values",
        ),
        (
            "generalization cost (GENC)",
            loss.generalization_cost.map(|cost| cost.mean),
            "how high in their trees the categorical cells are",
        ),
        (
            "utility measure (UM)",
            loss.utility_measure,
            "LM per group, each group counted once",
        ),
        (
            "worst group (WGU)",
            loss.worst_group_utility,
            "the same of the group that is worst off",
        ),
        (
            "class of the group (CM)",
            loss.classification_metric,
            "rows whose class is not that of most of their group",
        ),
        (
            "range of secrets (MPM)",
            loss.max_range_protection,
            "how narrow the sensitive values of a group are",
        ),
    ];
    let figures = [
        (
            "discernibility (DM)",
            Some(loss.discernibility as f64),
            "each row costs the size of its group",
        ),
        (
            "group size (C_AVG)",
            loss.average_group_size,
            "average group, in multiples of the k asked for",
        ),
        (
            "distortion, categorical",
            loss.categorical_distortion,
            "steps of generalization per row",
        ),
        (
            "distortion, continuous",
            loss.continuous_distortion,
            "shares of the range per row",
        ),
    ];
    let shares = shares.map(|(name, share, says)| (name, share.map(percent), says));
    let figures = figures.map(|(name, number, says)| (name, number.map(figure), says));
    let mut table = Table::new(&["measure", "#", "what it says (smaller is better)"]);
    for (name, value, says) in shares.into_iter().chain(figures) {
        if let Some(value) = value {
            table.push([name, &value, says]);
        }
    }
    let bins = sizes.histogram.iter().map(|bin| Bin {
        label: if bin.from == bin.to {
            bin.from.to_string()
        } else {
            format!("{}–{}", bin.from, bin.to)
        },
        rows: bin.rows,
    });
    let histogram = Plot::Histogram(Histogram {
        bins: bins.collect(),
        x: "size of the group on all quasi columns".to_owned(),
        y: "rows".to_owned(),
        bound: None,
    });
    let caption = format!(
        "{} groups on all quasi columns: smallest {}, median {}, largest {}",
        sizes.groups, sizes.smallest, sizes.median, sizes.largest
    );
    vec![
        Block::Table(table),
        Block::Figure {
            caption,
            plot: histogram,
        },
    ]
}

/// What each column lost by itself.
fn columns(columns: &[ColumnChange]) -> Block {
    let mut table = Table::new(&[
        "column",
        "#cells changed",
        "#certainty penalty",
        "#distance of its distribution",
        "#cells not understood",
    ]);
    for column in columns {
        table.push([
            column.column.clone(),
            format!("{:.1} %", 100.0 * column.cells_changed),
            format!("{:.1} %", 100.0 * column.certainty_penalty),
            figure(column.distribution_distance),
            column.unknown_cells.to_string(),
        ]);
    }
    part("Column by column", vec![Block::Table(table)])
}

/// What pairs of columns still say of each other.
fn association(associations: &Associations) -> Option<Block> {
    let change = associations.mean_absolute_change?;
    let mut pairs: Vec<_> = associations.pairs.iter().collect();
    let moved = |pair: &&scumble_utility::Association| (pair.after - pair.before).abs();
    pairs.sort_by(|a, b| moved(b).total_cmp(&moved(a)));
    let mut table = Table::new(&["pair of columns", "measure", "#before", "#after"]);
    for pair in pairs.iter().take(MOST_PAIRS) {
        let kind = match pair.kind {
            AssociationKind::RankCorrelation => "rank correlation",
            AssociationKind::CramersV => "Cramér's V",
        };
        table.push([
            pair.columns.join(" and "),
            kind.to_owned(),
            format!("{:.3}", pair.before),
            format!("{:.3}", pair.after),
        ]);
    }
    let words = format!(
        "Over {} pairs of columns, association changed by {change:.3} on average. Those that changed most:",
        associations.pairs.len()
    );
    Some(part("Association kept", vec![Block::Text(words), Block::Table(table)]))
}

/// How far off counts are.
fn queries(error: &QueryError) -> Block {
    let mut table = Table::new(&["relative error of counts", "#"]);
    let share = |share: Option<f64>| share.map_or_else(|| "none".to_owned(), |share| format!("{:.1} %", 100.0 * share));
    table.push(["average".to_owned(), share(error.average)]);
    table.push(["median".to_owned(), share(error.median)]);
    table.push(["95 % of queries are at most".to_owned(), share(error.percentile_95)]);
    let words = format!(
        "{} queries of the form \"how many rows have these values\", answered from the release as if the values behind \
         a label were equally frequent.",
        error.answered
    );
    part("Queries", vec![Block::Text(words), Block::Table(table)])
}

/// How often classifiers err.
fn classification(all: &[Errors]) -> Option<Block> {
    let first = all.first()?;
    let mut head = vec!["error"];
    head.extend(all.iter().map(|errors| match errors.learner {
        Learner::C45 => "#C4.5",
        Learner::NaiveBayes => "#naive Bayes",
    }));
    let mut table = Table::new(&head);
    let mut row = |name: &str, error: &dyn Fn(&Errors) -> Option<ErrorRate>| {
        let rates: Option<Vec<ErrorRate>> = all.iter().map(error).collect();
        let rates = rates
            .into_iter()
            .flatten()
            .map(|error| format!("{:.2} %", 100.0 * error.rate));
        let cells: Vec<String> = std::iter::once(name.to_owned()).chain(rates).collect();
        if cells.len() > 1 {
            table.push(cells);
        }
    };
    row("learnt from the data (BE)", &|errors| Some(errors.base));
    row("learnt from the release (AE)", &|errors| Some(errors.released));
    row("from the data without its quasi columns (UE)", &|errors| {
        Some(errors.without_quasi)
    });
    row("from the data without its sensitive columns (RE)", &|errors| {
        errors.without_sensitive
    });
    row("always the most frequent class", &|errors| Some(errors.majority));
    let words = format!(
        "Share of rows whose class is guessed wrong by a classifier that learnt from the other rows; {} rows took part.",
        first.rows
    );
    Some(part("Classification", vec![Block::Text(words), Block::Table(table)]))
}

/// How well sensitive ranges are kept.
fn ranges(all: &[RangeDiversity]) -> Option<Block> {
    let mut table = Table::new(&["sensitive column", "#worst group (WGP)", "#average"]);
    let written = |diversity: Option<f64>| diversity.map_or_else(String::new, figure);
    for column in all {
        table.push([column.column.clone(), written(column.worst_group), written(column.mean)]);
    }
    (!all.is_empty()).then(|| part("Range diversity", vec![Block::Table(table)]))
}

/// What was not measured.
fn not_measured(reasons: &[String]) -> Option<Block> {
    let list = vec![Block::List(reasons.to_vec())];
    (!reasons.is_empty()).then(|| part("Not measured", list))
}

pub(super) fn part(title: &str, blocks: Vec<Block>) -> Block {
    Block::Part {
        title: title.to_owned(),
        blocks,
    }
}

/// The section, with everything that can be measured.
pub(super) fn section(evaluation: &Evaluation) -> Section {
    Section::new(TITLE, measured(&evaluation.measures, &evaluation.not_measured))
}

/// What was measured of a table.
pub(super) fn measured(measures: &TableMeasures, reasons: &[String]) -> Vec<Block> {
    let mut blocks = loss(&measures.information_loss, &measures.group_sizes);
    blocks.push(columns(&measures.columns));
    blocks.extend(association(&measures.association));
    blocks.extend(measures.queries.as_ref().map(queries));
    blocks.extend(classification(&measures.classification));
    blocks.extend(ranges(&measures.range_diversity));
    blocks.extend(not_measured(reasons));
    blocks
}

/// The section, with what is always measured.
pub(super) fn short_section(lost: Option<&Lost>) -> Section {
    let few_alike = "Few rows agree on all quasi columns, so groups on all of them are not measured here.";
    let many_values = "A column has very many different values, so nothing is measured here.";
    let mut blocks = match lost.map(|lost| &lost.together) {
        Some(Some((information_loss, sizes))) => loss(information_loss, sizes),
        Some(None) => vec![Block::Text(few_alike.to_owned())],
        None => vec![Block::Text(many_values.to_owned())],
    };
    blocks.extend(lost.map(|lost| columns(&lost.columns)));
    let more = "Query error, classification error, association and more: publish with --evaluate, or scumble evaluate.";
    blocks.push(Block::Text(more.to_owned()));
    Section::new(TITLE, blocks)
}

pub(super) const TITLE: &str = "What was lost";
