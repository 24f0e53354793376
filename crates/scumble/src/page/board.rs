//! What boards ask for beside the requirement: uniques of the population, special uniques, Safe Harbor, WP216.

use scumble_attack::{PopulationUniques, Suda, UniquesModel};
use scumble_privacy::{Sense, TemplateKind};
use scumble_report::{Block, Cell, Table, Tone, figure};

use super::lost::part;
use crate::board::{Answer, Article29, SafeHarbor, Seen};
use crate::evaluation::Evaluation;
use scumble_policy::counted;

/// All that was measured of it.
pub(super) fn blocks(evaluation: &Evaluation) -> Vec<Block> {
    let uniques = evaluation.population_uniques.as_ref().map(population_uniques);
    let suda = evaluation.suda.as_ref().map(special_uniques);
    let always = [safe_harbor(&evaluation.safe_harbor), article29(&evaluation.article29)];
    uniques.into_iter().chain(suda).chain(always).collect()
}

fn population_uniques(uniques: &PopulationUniques) -> Block {
    let mut table = Table::new(&["unique on all quasi columns", "#"]);
    table.push(["rows of the release".to_owned(), uniques.sample.to_string()]);
    let models = [
        ("Pitman", UniquesModel::Pitman, uniques.pitman),
        ("Zayatz", UniquesModel::Zayatz, uniques.zayatz),
        ("slide negative binomial", UniquesModel::Snb, uniques.snb),
    ];
    for (name, model, estimate) in models {
        let recommended = uniques
            .recommended
            .is_some_and(|recommended| recommended.model == model);
        let name = format!(
            "people, estimated by {name}{}",
            if recommended { " (recommended here)" } else { "" }
        );
        let estimate = estimate.map_or_else(|| "does not fit".to_owned(), |people| format!("{people:.0}"));
        table.push([name, estimate]);
    }
    let words = format!(
        "The rows are taken as a sample of {} people ({:.2} %).",
        uniques.people,
        100.0 * uniques.sampling_fraction
    );
    part(
        "Uniques of the population",
        vec![Block::Text(words), Block::Table(table)],
    )
}

fn special_uniques(suda: &Suda) -> Block {
    let mut sizes = Table::new(&["told apart from all others by", "#rows of the data"]);
    for smallest in &suda.smallest {
        sizes.push([counted(smallest.size, "column"), smallest.rows.to_string()]);
    }
    let mut columns = Table::new(&["column", "#share of the sets it is in", "#share of the score"]);
    for column in &suda.columns {
        columns.push([
            column.column.clone(),
            format!("{:.1} %", 100.0 * column.share),
            format!("{:.1} %", 100.0 * column.share_of_score),
        ]);
    }
    let scores: Vec<String> = suda
        .scores
        .iter()
        .map(|quantile| format!("{:.0} %: {}", 100.0 * quantile.share, figure(quantile.score)))
        .collect();
    let words = format!(
        "Of the data before masking: {} of {} rows are told apart by {} columns or fewer (minimal sample uniques). SUDA \
         scores, quantiles of all rows: {}.",
        suda.rows_with_msu,
        suda.rows,
        suda.at_most,
        scores.join(", ")
    );
    let tables = Block::Beside(vec![Block::Table(sizes), Block::Table(columns)]);
    part("Special uniques (SUDA)", vec![Block::Text(words), tables])
}

pub(super) fn safe_harbor(check: &SafeHarbor) -> Block {
    let mut table = Table::new(&["", "kind of identifier (45 CFR 164.514)", "seen", "where, and why"]);
    for kind in check.kinds.iter().filter(|kind| kind.seen != Seen::NotSeen) {
        let seen = match kind.seen {
            Seen::Present => "yes",
            _ => "seems so",
        };
        let columns: Vec<String> = kind
            .columns
            .iter()
            .map(|column| format!("{}: {}", column.column, column.because.join(", ")))
            .collect();
        table.push([
            Cell::from(kind.letter.to_string()),
            Cell::from(kind.kind),
            Cell {
                text: seen.to_owned(),
                tone: Tone::Watch,
            },
            Cell::from(columns.join("; ")),
        ]);
    }
    let seen = table.rows.len();
    let words = format!(
        "{seen} of the 18 kinds seem present. This is a look at names and forms of values, no legal advice; and who \
         releases must not know that somebody could be identified."
    );
    let table = (seen > 0).then_some(Block::Table(table));
    part(
        "HIPAA Safe Harbor",
        [Block::Text(words)].into_iter().chain(table).collect(),
    )
}

fn article29(answers: &Article29) -> Block {
    let questions = [&answers.singling_out, &answers.linkability, &answers.inference];
    part("The three questions of WP216", questions.map(question).into())
}

fn question(answer: &Answer) -> Block {
    let mut table = Table::new(&["what speaks to it", "#"]);
    for speaking in &answer.templates {
        let template = &speaking.template;
        let words = format!("{} of {}: {}", template.kind, template.of.join(", "), speaking.says);
        // Rounded to the worse side, as everywhere.
        let sense = TemplateKind::of_word(&template.kind).map_or(Sense::AtMost, TemplateKind::sense);
        table.push([words, template.level.written(sense)]);
    }
    for of in &answer.figures {
        table.push([of.figure.clone(), figure(of.value)]);
    }
    let open = answer.open.iter().map(|open| format!("open: {open}"));
    part(answer.question, vec![Block::Table(table), Block::List(open.collect())])
}
