//! The earlier releases that the requirement is about.

use scumble_privacy::{Rule, THIS};
use scumble_report::{Block, Section, Table};

use crate::compared::ComparedVersion;
use crate::cover::Cover;
use scumble_bind::Plan;

/// Which releases there are, what they are matched by, and who is without a match; `None` if there are none.
pub(super) fn section(plan: &Plan, cover: &Cover) -> Option<Section> {
    if cover.releases.is_empty() {
        return None;
    }
    let mut table = Table::new(&[
        "release",
        "#records",
        "matched with this table by",
        "#records of this table without a match",
        "#its records without a match",
    ]);
    for (number, release) in (1..).zip(&cover.releases) {
        table.push([
            release.name.clone(),
            release.records.to_string(),
            matched_by(plan, number).join(", "),
            release.this_without_match.to_string(),
            release.without_match.to_string(),
        ]);
    }
    let mut blocks = vec![
        Block::Text(
            "Templates of anonymity and confidence are about the join: every record of this table beside every record of \
             each earlier release that may be about the same person."
                .to_owned(),
        ),
        Block::Table(table),
    ];
    if !cover.is_complete() {
        blocks.push(Block::Text(format!(
            "{} records of this table are in no match at all. The releases do not cover the same people, and what holds on the \
             join holds for those whom all of them cover.",
            cover.without_match
        )));
    }
    Some(Section::new("Earlier releases", blocks))
}

/// What comparing with earlier versions of the same columns tells; `None` if there are none.
pub(super) fn versions(versions: &[ComparedVersion]) -> Option<Section> {
    if versions.is_empty() {
        return None;
    }
    let mut table = Table::new(&[
        "version",
        "template",
        "#exposed: in both versions",
        "#exposed: who came",
        "#exposed: who left",
    ]);
    for version in versions {
        for template in &version.templates {
            table.push([
                version.name.clone(),
                template.template.clone(),
                template.stayed.to_string(),
                template.came.to_string(),
                template.gone.to_string(),
            ]);
        }
    }
    let mut blocks: Vec<Block> = Vec::new();
    if versions.iter().any(|version| !version.templates.is_empty()) {
        blocks.push(Block::Text(
            "Records whose group breaks a template once both versions are compared.".to_owned(),
        ));
        blocks.push(Block::Table(table));
    }
    let told = versions.iter().map(ToString::to_string);
    blocks.push(Block::List(told.collect()));
    Some(Section::new("Earlier versions", blocks))
}

/// The columns of this table that a release is matched by.
fn matched_by(plan: &Plan, release: usize) -> Vec<String> {
    let rules = plan.history_rules.iter().map(Rule::places);
    let own = rules.filter_map(|[a, b]| match (a.release, b.release) {
        (THIS, other) if other == release => Some(a.column),
        (other, THIS) if other == release => Some(b.column),
        _ => None,
    });
    let mut columns: Vec<String> = own.map(|id| plan.columns[id.0].name.clone()).collect();
    columns.dedup();
    columns
}
