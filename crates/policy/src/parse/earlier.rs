//! Reading the `[[earlier]]` and `[[inconsistent]]` sections.

use std::path::{Path, PathBuf};

use toml::de::DeValue;

use crate::earlier::{
    CELLS, Cells, EarlierPolicy, Inconsistent, InconsistentCondition, JOIN_WORD, ON_DANGLING, OnDangling, THIS_WORD,
    is_release_name,
};
use crate::problems::Problems;
use crate::section::{Item, Section};
use crate::spanned::Spanned;
use crate::words::quoted;

/// Reads the `[[earlier]]` sections.
pub(super) fn read_earlier(item: Option<Item>, folder: &Path, problems: &mut Problems) -> Vec<EarlierPolicy> {
    let sections = item.and_then(|item| item.sections(problems)).unwrap_or_default();
    sections
        .into_iter()
        .filter_map(|section| read_release(section, folder, problems))
        .collect()
}

fn read_release(mut section: Section, folder: &Path, problems: &mut Problems) -> Option<EarlierPolicy> {
    let name = section.needed("name", "add `name = \"clinic2024\"`", problems);
    let name = name.and_then(|item| read_name(&item, problems));
    let file = section.needed("file", "add `file = \"clinic2024/released.csv\"`", problems);
    let file = file.and_then(|item| item.path(folder, problems));
    let join = section.item("join").map(|item| item.names(problems));
    let on_dangling = section.item("on_dangling");
    let on_dangling = on_dangling.and_then(|item| item.word("`on_dangling` value", &ON_DANGLING, &[], problems));
    let taxonomies = section.item("taxonomies");
    let taxonomies = taxonomies.map(|item| read_taxonomies(&item, folder, problems));
    let cells = section.item("cells");
    let cells = cells.map(|item| read_cells(&item, problems));
    section.finish(&[], problems);
    Some(EarlierPolicy {
        name: name?,
        file: file?,
        join: join.flatten(),
        on_dangling: on_dangling.unwrap_or(OnDangling::Error),
        taxonomies: taxonomies.unwrap_or_default(),
        quasi: None,
        recoded: Vec::new(),
        cells: cells.unwrap_or_default(),
        trim: None,
        from_ledger: false,
    })
}

fn read_name(item: &Item, problems: &mut Problems) -> Option<Spanned<String>> {
    let name = item.text(problems)?;
    match name.get_ref().as_str() {
        word @ (THIS_WORD | JOIN_WORD) => {
            let message = format!("no earlier release can be called {}", quoted(word));
            let help = "the word has a meaning of its own; choose another".to_owned();
            problems.at(name.span(), message, Some(help));
            None
        }
        word if is_release_name(word) => Some(name),
        _ => {
            item.must_be("a word of letters, digits, `_` and `-`", problems);
            None
        }
    }
}

fn read_taxonomies(item: &Item, folder: &Path, problems: &mut Problems) -> Vec<(Spanned<String>, Spanned<PathBuf>)> {
    let Some(section) = item.section("`taxonomies`", problems) else {
        return Vec::new();
    };
    let files = section.items().iter().filter_map(|item| {
        let column = Spanned::new(item.key_span(), item.key().to_owned());
        Some((column, item.path(folder, problems)?))
    });
    files.collect()
}

/// `cells = { zip = "labels" }`.
fn read_cells(item: &Item, problems: &mut Problems) -> Vec<(Spanned<String>, Cells)> {
    let Some(section) = item.section("`cells`", problems) else {
        return Vec::new();
    };
    let cells = section.items().iter().filter_map(|item| {
        let column = Spanned::new(item.key_span(), item.key().to_owned());
        Some((column, item.word("`cells` value", &CELLS, &[], problems)?))
    });
    cells.collect()
}

/// Reads the `[[inconsistent]]` sections.
pub(super) fn read_inconsistent(item: Option<Item>, problems: &mut Problems) -> Vec<Inconsistent> {
    let sections = item.and_then(|item| item.sections(problems)).unwrap_or_default();
    sections
        .iter()
        .filter_map(|section| read_pair(section, problems))
        .collect()
}

fn read_pair(section: &Section, problems: &mut Problems) -> Option<Inconsistent> {
    let [a, b] = section.items() else {
        let help = "such as `this = { sex = \"Male\" }` and `clinic2024 = { condition = \"Pregnant\" }`".to_owned();
        section.report("[[inconsistent]] must name two releases", Some(help), problems);
        return None;
    };
    let [a, b] = [a, b].map(|item| read_condition(item, problems));
    Some(Inconsistent { conditions: [a?, b?] })
}

fn read_condition(item: &Item, problems: &mut Problems) -> Option<InconsistentCondition> {
    let listed = item.section("[[inconsistent]]", problems)?;
    let [column] = listed.items() else {
        item.must_be("a table with one column, such as { sex = \"Male\" }", problems);
        return None;
    };
    if let DeValue::Table(_) = column.value() {
        // TOML reads `a.b = …` as a table in a table.
        let help = "put a column name with a dot in quotes".to_owned();
        problems.at(
            column.key_span(),
            format!("{} must be a value", quoted(column.key())),
            Some(help),
        );
        return None;
    }
    Some(InconsistentCondition {
        release: Spanned::new(item.key_span(), item.key().to_owned()),
        column: Spanned::new(column.key_span(), column.key().to_owned()),
        within: column.text(problems)?,
    })
}
