//! `private/report.html` and `report.md` of several tables.

use scumble_attack::{EntityAttack, SingledOut};
use scumble_privacy::Finding;
use scumble_report::{Block, Certificate, CertifiedTable, CertifiedTables, Fact, Page, Section, Table, Tone, figure};

use super::words::Described;
use crate::evaluation::DatabaseEvaluation;
use crate::page::{Held, held, sections_of_tables, standing_out};
use crate::warning::Warning;
use scumble_policy::Policy;

/// All that the page is made from.
pub(super) struct Material<'a> {
    pub policy: &'a Policy,
    pub certificate: &'a Certificate,
    pub several: &'a CertifiedTables,
    pub demands: &'a [Described],
    pub findings: &'a [Finding],
    pub attack: Option<&'a EntityAttack>,
    /// What was measured of each table, if it was asked for.
    pub evaluation: Option<&'a DatabaseEvaluation>,
    pub warnings: &'a [Warning],
}

/// The page.
pub(super) fn page(material: &Material) -> Page {
    let held_ones = material
        .demands
        .iter()
        .zip(material.findings)
        .map(|(demand, finding)| Held {
            words: demand.words(),
            template: demand.demand.template(),
            finding: Some(finding),
        });
    let sections = [
        Some(summary(material)),
        Some(asked(material)),
        Some(held(held_ones)),
        Some(tables(material.several)),
        Some(columns(material.several)),
    ];
    let measured = material.evaluation.into_iter().flat_map(sections_of_tables);
    let sections = sections.into_iter().flatten().chain(measured);
    let last = [
        material.certificate.singled_out.as_ref().map(standing),
        material.attack.map(attacked),
        Some(reproduce(material.policy)),
    ];
    Page {
        title: format!("Release of {} tables", material.several.tables.len()),
        subtitle: "What was asked, what holds, what it cost. Keep it in the house.".to_owned(),
        sections: sections.chain(last.into_iter().flatten()).collect(),
    }
}

/// The page about the folder of a release that was measured.
pub(super) fn evaluation_page<'h>(
    folder: &str,
    held_ones: impl Iterator<Item = Held<'h>>,
    evaluation: &DatabaseEvaluation,
) -> Page {
    let measured = sections_of_tables(evaluation);
    let standing = evaluation.singled_out.as_ref().map(standing);
    Page {
        title: format!("Evaluation of {folder}"),
        subtitle: "What holds, and what was lost. Keep it in the house.".to_owned(),
        sections: std::iter::once(held(held_ones))
            .chain(standing)
            .chain(measured)
            .collect(),
    }
}

fn summary(material: &Material) -> Section {
    let certificate = material.certificate;
    let fact = |label: &str, value: String, tone| Fact {
        label: label.to_owned(),
        value,
        tone,
    };
    let (held, all) = (
        material.findings.iter().filter(|finding| finding.holds).count(),
        material.findings.len(),
    );
    let left_out = certificate.rows.left_out;
    let facts = vec![
        fact("persons published", certificate.rows.published.to_string(), Tone::Plain),
        fact(
            "persons left out",
            left_out.to_string(),
            if left_out == 0 { Tone::Good } else { Tone::Watch },
        ),
        fact(
            "templates that hold",
            format!("{held} of {all}"),
            if held == all { Tone::Good } else { Tone::Watch },
        ),
        fact(
            "different trees of rows",
            material.several.classes.to_string(),
            Tone::Plain,
        ),
        fact(
            "loss of the quasi cells (LM)",
            percent(certificate.information_loss),
            Tone::Plain,
        ),
        fact(
            "discernibility (DM)",
            material.several.discernibility.to_string(),
            Tone::Plain,
        ),
    ];
    let levels = material.demands.iter().zip(material.findings);
    let levels = levels.map(|(demand, finding)| demand.level_words(finding.level));
    Section::new("In short", vec![Block::Facts(facts), Block::List(levels.collect())])
}

fn asked(material: &Material) -> Section {
    let settings = material.certificate.method.settings.iter();
    let settings: Vec<String> = settings.map(|(key, value)| format!(", {key} {value}")).collect();
    let by = format!(
        "Persons were gathered by {}{}. A row that not every member of a cluster has a partner for is removed, with all \
         rows below it.",
        material.certificate.method.name,
        settings.concat()
    );
    let mut blocks = vec![
        Block::List(material.demands.iter().map(Described::words).collect()),
        Block::Text(by),
    ];
    if !material.warnings.is_empty() {
        blocks.push(Block::Text("To be known:".to_owned()));
        blocks.push(Block::List(material.warnings.iter().map(ToString::to_string).collect()));
    }
    Section::new("What was asked", blocks)
}

/// What was kept, removed and generalized, table by table.
fn tables(several: &CertifiedTables) -> Section {
    let head = [
        "table",
        "hangs off",
        "#rows",
        "#kept",
        "#removed",
        "#cells exact",
        "#generalized",
        "#removed with their row",
    ];
    let mut shown = Table::new(&head);
    for table in &several.tables {
        let masked = || table.columns.iter().filter_map(|column| column.masked);
        let removed = table.rows.left_out;
        let rows = table.rows.published + removed;
        shown.push([
            table.name.clone(),
            table.parent.clone().unwrap_or_default(),
            rows.to_string(),
            with_share(table.rows.published, rows),
            with_share(removed, rows),
            masked().map(|cells| cells.exact).sum::<u64>().to_string(),
            masked().map(|cells| cells.generalized).sum::<u64>().to_string(),
            (masked().count() as u64 * removed).to_string(),
        ]);
    }
    let mut blocks = vec![
        Block::Text("Cells are those of quasi columns; all others are published as they are.".to_owned()),
        Block::Table(shown),
    ];
    if !several.lookups.is_empty() {
        let mut lookups = Table::new(&["look-up", "#rows"]);
        several
            .lookups
            .iter()
            .for_each(|lookup| lookups.push([lookup.name.clone(), lookup.rows.to_string()]));
        blocks.push(Block::Text(
            "Published as they are, because rows only refer to them:".to_owned(),
        ));
        blocks.push(Block::Table(lookups));
    }
    Section::new("What was kept", blocks)
}

fn columns(several: &CertifiedTables) -> Section {
    let mut shown = Table::new(&[
        "quasi column",
        "#exact",
        "#generalized",
        "#loss of a kept cell",
        "#with removed ones",
    ]);
    for table in &several.tables {
        for column in &table.columns {
            let Some(cells) = column.masked else { continue };
            shown.push([
                format!("{}.{}", table.name, column.name),
                cells.exact.to_string(),
                cells.generalized.to_string(),
                figure(cells.loss),
                figure(with_removed(table, cells.loss)),
            ]);
        }
    }
    let words = "LM, as Nergiz and Clifton define it (definition 8), is the average over the quasi cells of all tables; a \
                 cell of a removed row loses 1. DM (definition 9) counts for each person how many cannot be told from \
                 them.";
    Section::new(
        "What was lost",
        vec![Block::Table(shown), Block::Text(words.to_owned())],
    )
}

/// The average loss of a column, cells of removed rows counted with 1.
fn with_removed(table: &CertifiedTable, loss: f64) -> f64 {
    let (kept, removed) = (table.rows.published as f64, table.rows.left_out as f64);
    (kept * loss + removed) / (kept + removed).max(1.0)
}

fn standing(found: &SingledOut) -> Section {
    Section::new("Who stands out", standing_out(found, "persons"))
}

fn attacked(attack: &EntityAttack) -> Section {
    let mut shown = Table::new(&[
        "rows known",
        "of",
        "#sets tried",
        "#fit nobody",
        "#fewest persons",
        "#average",
    ]);
    for known in &attack.known {
        shown.push([
            known.known.to_string(),
            known.table.clone(),
            known.sets.to_string(),
            known.not_found.to_string(),
            known.worst.map_or_else(|| "–".to_owned(), |worst| worst.to_string()),
            known.worst.map_or_else(|| "–".to_owned(), |_| figure(known.average)),
        ]);
    }
    let words = "An adversary knows some rows of a person in one table, in all their quasi columns, and looks for the \
                 persons of the release who could have them. Rows that were removed fit nobody.";
    Section::new("Attacked", vec![Block::Text(words.to_owned()), Block::Table(shown)])
}

fn reproduce(policy: &Policy) -> Section {
    let name = policy.source().file_name().unwrap_or("policy.toml");
    let words = "The same policy, data and version give the same release, byte for byte. The policy:";
    let version = format!("scumble {}", env!("CARGO_PKG_VERSION"));
    Section::new(
        "How to do it again",
        vec![
            Block::Code(format!("scumble publish {name}\nscumble audit FOLDER {name}")),
            Block::Text(words.to_owned()),
            Block::Code(policy.text_without_password()),
            Block::Text(format!("Made by {version}.")),
        ],
    )
}

fn with_share(part: u64, whole: u64) -> String {
    format!("{part} ({})", percent(part as f64 / whole.max(1) as f64))
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}
