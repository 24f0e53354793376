//! The taxonomy files of a policy, read.

use std::collections::{BTreeMap, HashSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use scumble_table::Taxonomy;
use scumble_table::taxonomy::{Format, Place, parse};
use toml::Spanned;

use super::{ColumnKind, ColumnPolicy, DatabasePolicy, Policy};
use crate::error::{Error, Problems};

/// The taxonomies that a policy names. Columns that name one file share one tree.
#[derive(Debug, Default)]
pub struct Taxonomies {
    by_file: BTreeMap<PathBuf, Arc<Taxonomy>>,
}

impl Taxonomies {
    /// The taxonomy of a column.
    pub fn of(&self, column: &ColumnPolicy) -> Option<&Taxonomy> {
        self.shared(column).map(Arc::as_ref)
    }

    /// The taxonomy of a column, for those who keep it.
    pub(crate) fn shared(&self, column: &ColumnPolicy) -> Option<&Arc<Taxonomy>> {
        self.of_file(column.taxonomy()?.get_ref())
    }

    /// The taxonomy in a file that the policy names.
    pub(crate) fn of_file(&self, file: &Path) -> Option<&Arc<Taxonomy>> {
        self.by_file.get(file)
    }
}

impl ColumnPolicy {
    /// The file of its taxonomy.
    pub(crate) fn taxonomy(&self) -> Option<&Spanned<PathBuf>> {
        match &self.kind {
            ColumnKind::Categorical { taxonomy } => taxonomy.as_ref(),
            ColumnKind::Continuous { .. } => None,
        }
    }
}

impl Policy {
    /// Reads all taxonomy files; what is wrong with any of them is reported together.
    pub fn taxonomies(&self) -> Result<Taxonomies, Error> {
        self.taxonomies_that(&mut |_, _, _| ())
    }

    /// Reads all taxonomy files, and lets `check` look at the text of each.
    pub(crate) fn taxonomies_that(&self, check: &mut CheckText) -> Result<Taxonomies, Error> {
        let of_columns = self.columns.iter().filter_map(ColumnPolicy::taxonomy);
        let of_earlier = self.earlier.iter().flat_map(|release| &release.taxonomies);
        let files = of_columns.chain(of_earlier.map(|(_, file)| file));
        read_all(files, self.data.trim, check, Problems::new(self.source()))
    }
}

impl DatabasePolicy {
    /// Reads all taxonomy files; what is wrong with any of them is reported together.
    pub fn taxonomies(&self) -> Result<Taxonomies, Error> {
        let columns = self.tables.iter().flat_map(|table| &table.columns);
        let files = columns.filter_map(ColumnPolicy::taxonomy);
        read_all(files, self.cells.trim, &mut |_, _, _| (), Problems::new(self.source()))
    }
}

/// Reads files, each once, and lets `check` look at the text of each. Where blanks around cells do not count (`trims`), no
/// label may have any: it could not be found in a cell again.
fn read_all<'f>(
    files: impl Iterator<Item = &'f Spanned<PathBuf>>,
    trims: bool,
    check: &mut CheckText,
    mut problems: Problems,
) -> Result<Taxonomies, Error> {
    let mut taxonomies = Taxonomies::default();
    let mut seen: HashSet<&Path> = HashSet::new();
    for file in files {
        if !seen.insert(file.get_ref()) {
            continue;
        }
        let Some(text) = read_text(file, &mut problems)? else {
            continue;
        };
        check(file, &text, &mut problems);
        if let Some(taxonomy) = parse_text(file.get_ref(), &text, &mut problems) {
            if trims {
                report_blanks(file.get_ref(), &text, &taxonomy, &mut problems);
            }
            taxonomies.by_file.insert(file.get_ref().clone(), Arc::new(taxonomy));
        }
    }
    problems.none_or(taxonomies, Error::Taxonomy)
}

/// Reports labels with blanks around them, which only quotes and JSON can give them.
fn report_blanks(path: &Path, text: &str, taxonomy: &Taxonomy, problems: &mut Problems) {
    let labels = taxonomy.nodes().map(|node| taxonomy.label(node));
    for label in labels.filter(|label| label.trim_ascii() != *label) {
        let line = text.lines().position(|line| line.contains(label)).map(|line| line + 1);
        let message = format!(
            "the label {} has blanks around it, and blanks around cells are no part of them",
            super::quoted(label)
        );
        let help = "take the blanks out, or set `trim = false` in [data] if they are part of the values".to_owned();
        problems.in_file(path.display().to_string(), line, message, Some(help));
    }
}

/// Looks at the text of a taxonomy file, and reports what is wrong with it.
pub(crate) type CheckText<'c> = dyn FnMut(&Spanned<PathBuf>, &str, &mut Problems) + 'c;

/// One taxonomy; `None` if something is wrong with the file, which is then reported.
pub(crate) fn read_taxonomy(file: &Spanned<PathBuf>, problems: &mut Problems) -> Result<Option<Taxonomy>, Error> {
    let text = read_text(file, problems)?;
    Ok(text.and_then(|text| parse_text(file.get_ref(), &text, problems)))
}

/// The text of a file; `None` if there is no such file or it is not text, which is then reported.
fn read_text(file: &Spanned<PathBuf>, problems: &mut Problems) -> Result<Option<String>, Error> {
    let path = file.get_ref();
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(reason) if reason.kind() == ErrorKind::NotFound => {
            let message = format!(
                "there is no taxonomy file {}",
                super::quoted(&path.display().to_string())
            );
            problems.at(file.span(), message, None);
            Ok(None)
        }
        Err(reason) if reason.kind() == ErrorKind::InvalidData => {
            problems.in_file(path.display().to_string(), None, "is not UTF-8 text", None);
            Ok(None)
        }
        Err(reason) => Err(Error::Open {
            path: path.clone(),
            reason,
        }),
    }
}

/// The taxonomy that a text is; `None` if something is wrong with it, which is then reported.
fn parse_text(path: &Path, text: &str, problems: &mut Problems) -> Option<Taxonomy> {
    let wrong = match parse(text, Format::guess(text)) {
        Ok(taxonomy) => return Some(taxonomy),
        Err(wrong) => wrong,
    };
    let name = path.display().to_string();
    for problem in wrong.problems {
        let message = match &problem.place {
            Place::File | Place::Line(_) => problem.message(),
            path @ Place::Path(_) => format!("{path}: {}", problem.message()),
        };
        problems.in_file(name.clone(), problem.line(), message, None);
    }
    None
}
