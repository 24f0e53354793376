//! Who is at most risk, in counts: never which rows.

use scumble_attack::{AttackReport, GroupCounts, KnownReport, Risks, SingledOut};
use scumble_report::{Block, Cell, Section, Table, Tone};

use super::board;
use crate::evaluation::Evaluation;

/// The section: the risks of the release alone, and what else boards ask for if it was measured.
pub(super) fn section(risks: &Risks, singled_out: Option<&SingledOut>, evaluation: Option<&Evaluation>) -> Section {
    let mut blocks = alone(risks);
    blocks.extend(singled_out.into_iter().flat_map(|found| standing_out(found, "rows")));
    blocks.extend(evaluation.into_iter().flat_map(board::blocks));
    Section::new("Who is at most risk", blocks)
}

fn alone(risks: &Risks) -> Vec<Block> {
    let mut above = Table::new(&[
        "risk of a row above",
        "its group has fewer rows than",
        "#rows",
        "#share",
    ]);
    for mark in &risks.prosecutor.above {
        above.push([
            Cell::from(mark.risk.to_string()),
            Cell::from(mark.group.to_string()),
            should_be_none(mark.rows),
            Cell::from(format!("{:.1} %", 100.0 * mark.share)),
        ]);
    }
    let words = format!(
        "On all quasi columns together ({}), the {} rows make {} groups; {} rows are alone in theirs. One who looks for a \
         person and knows that they are in the release picks the right row with probability at most {:.4}, on average {:.4}.",
        risks.of.join(", "),
        risks.rows,
        risks.groups,
        risks.uniques,
        risks.prosecutor.highest,
        risks.prosecutor.average,
    );
    let mut violating = Table::new(&["rows that violate", "#rows"]);
    for violated in &risks.violating {
        let k = format!("{}-anonymity", violated.k);
        violating.push([Cell::from(k), should_be_none(violated.rows)]);
    }
    if let Some(expected) = risks.prosecutor.expected {
        let words = "re-identifications expected, if every row is linked to somebody";
        violating.push([words.to_owned(), format!("{expected:.0}")]);
    }
    let tables = vec![Block::Table(above), Block::Table(violating)];
    vec![Block::Text(words), Block::Beside(tables)]
}

/// What tells rows or persons apart beside the masked columns.
pub(crate) fn standing_out(found: &SingledOut, what: &str) -> Vec<Block> {
    let words = format!(
        "Masks say nothing of the columns that are published as they are ({}). Whoever knows these of a person finds \
         them, if they are alone there. Most values have: {}.",
        found.as_they_are.of.join(", "),
        found.as_they_are.most_values.join(", "),
    );
    let marks: Vec<u64> = found
        .as_they_are
        .violating
        .iter()
        .map(|violating| violating.k)
        .collect();
    let below = marks.iter().map(|k| format!("#fewer than {k} alike"));
    let head: Vec<String> = ["on".to_owned(), format!("#{what} alone")]
        .into_iter()
        .chain(below)
        .collect();
    let mut table = Table::new(&head.iter().map(String::as_str).collect::<Vec<_>>());
    let row = |name: &str, alone: Cell, counts: &GroupCounts| {
        let below = marks.iter().map(|&k| counts.below(k).unwrap_or_default().to_string());
        let cells = [Cell::from(name.to_owned()), alone].into_iter();
        cells.chain(below.map(Cell::from)).collect::<Vec<Cell>>()
    };
    let alone = should_be_none(found.as_they_are.uniques);
    table.push(row("the columns published as they are", alone, &found.as_they_are));
    let others = [
        ("these and the masked ones", &found.with_masked),
        ("the table of secrets", &found.secrets),
    ];
    for (name, counts) in others {
        // Rows of a group should differ in their secrets, so these counts are told, and are not called bad.
        let counts = counts
            .iter()
            .map(|counts| row(name, Cell::from(counts.uniques.to_string()), counts));
        counts.for_each(|cells| table.push(cells));
    }
    vec![Block::Text(words), Block::Table(table)]
}

/// A count that should be 0.
fn should_be_none(rows: u64) -> Cell {
    Cell {
        text: rows.to_string(),
        tone: if rows == 0 { Tone::Good } else { Tone::Watch },
    }
}

/// What an adversary who knows every quasi column makes of the release.
pub(super) fn attacked(attack: &AttackReport) -> Option<Section> {
    let known = attack.known.as_ref()?;
    let mut blocks = vec![Block::Text(format!(
        "The adversary knows {} of all {} people and looks each of them up in the release.",
        known.shared.join(", "),
        known.linkage.people,
    ))];
    blocks.push(Block::Table(linkage(known)));
    if !known.linkage.fewer_columns.is_empty() {
        let mut fewer = Table::new(&["knowing only", "#people narrowed"]);
        for narrowing in &known.linkage.fewer_columns {
            fewer.push([narrowing.columns.join(", "), narrowing.people.to_string()]);
        }
        blocks.push(Block::Table(fewer));
    }
    if !known.inference.is_empty() {
        blocks.push(Block::Text(
            "Their best guess of each secret is the most frequent value among the matching rows. Right is how often it is.".to_owned(),
        ));
        blocks.push(Block::Table(inference(known)));
    }
    Some(Section::new("Attacked", blocks))
}

fn linkage(known: &KnownReport) -> Table {
    let linkage = &known.linkage;
    let mut table = Table::new(&["record linkage", "#"]);
    if let Some(rows) = &linkage.matching_rows {
        table.push(["fewest matching rows of a person".to_owned(), rows.smallest.to_string()]);
        table.push(["people with so few".to_owned(), rows.people_at_smallest.to_string()]);
        table.push(["median of matching rows".to_owned(), rows.median.to_string()]);
    }
    let narrowed = format!("people narrowed to fewer than {} rows", linkage.k);
    table.push([narrowed, linkage.narrowed.to_string()]);
    table.push(["people with one matching row".to_owned(), linkage.uniques.to_string()]);
    table.push(["people without any".to_owned(), linkage.without_match.to_string()]);
    table
}

fn inference(known: &KnownReport) -> Table {
    let head = [
        "attribute inference of",
        "#highest confidence",
        "#mean",
        "#without the release",
        "#guesses certain",
        "#right",
        "#right without the release",
    ];
    let mut table = Table::new(&head);
    let share = |share: f64| format!("{:.1} %", 100.0 * share);
    for secret in &known.inference {
        table.push([
            secret.column.clone(),
            share(secret.highest),
            share(secret.mean),
            share(secret.baseline),
            secret.certain.to_string(),
            secret.right.map_or_else(String::new, share),
            secret.baseline_right.map_or_else(String::new, share),
        ]);
    }
    table
}
