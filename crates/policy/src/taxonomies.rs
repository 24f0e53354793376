//! The taxonomy files of a policy, read.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::spanned::Spanned;
use scumble_table::Taxonomy;
use scumble_table::taxonomy::{Format, Place, parse};

use crate::column::ColumnPolicy;
use crate::policy::Policy;
use crate::problems::Problems;
use crate::words::quoted;

/// The taxonomies that a policy names. Columns that name one file share one tree.
#[derive(Clone, Debug, Default)]
pub struct Taxonomies {
    by_file: BTreeMap<PathBuf, Arc<Taxonomy>>,
}

impl Taxonomies {
    /// The taxonomy of a column.
    pub fn of(&self, column: &ColumnPolicy) -> Option<&Taxonomy> {
        self.shared(column).map(Arc::as_ref)
    }

    /// The taxonomy of a column, for those who keep it.
    pub fn shared(&self, column: &ColumnPolicy) -> Option<&Arc<Taxonomy>> {
        self.of_file(column.taxonomy()?.get_ref())
    }

    /// The taxonomy in a file that the policy names.
    pub fn of_file(&self, file: &Path) -> Option<&Arc<Taxonomy>> {
        self.by_file.get(file)
    }
}

/// What a taxonomy file holds, as far as it can be told.
#[derive(Clone, Debug)]
pub enum TaxonomyText {
    /// This text.
    Text(String),
    /// There is no such file.
    NotThere,
    /// Something else than text.
    NotText,
}

/// Gets the text of a taxonomy file.
pub type TextOf<'r, E> = dyn FnMut(&Path) -> Result<TaxonomyText, E> + 'r;

impl Policy {
    /// All taxonomies, from the texts of their files.
    ///
    /// # Errors
    /// What is wrong with any of them, together; whatever goes wrong with a file.
    pub fn taxonomies<E: From<Problems>>(&self, text_of: &mut TextOf<E>) -> Result<Taxonomies, E> {
        self.taxonomies_that(text_of, &mut |_, _, _| ())
    }

    /// All taxonomies, where `check` looks at the text of each.
    pub fn taxonomies_that<E: From<Problems>>(
        &self,
        text_of: &mut TextOf<E>,
        check: &mut CheckText,
    ) -> Result<Taxonomies, E> {
        let of_tables = self.tables().iter().flat_map(|table| &table.columns);
        let of_columns = self.columns.iter().chain(of_tables).filter_map(ColumnPolicy::taxonomy);
        let of_earlier = self.earlier.iter().flat_map(|release| &release.taxonomies);
        let files = of_columns.chain(of_earlier.map(|(_, file)| file));
        parse_all(files, self.data.trim, text_of, check, Problems::new(self.source()))
    }
}

/// Parses files, each once, and lets `check` look at the text of each. Where blanks around cells do not count (`trims`), no
/// label may have any: it could not be found in a cell again.
fn parse_all<'f, E: From<Problems>>(
    files: impl Iterator<Item = &'f Spanned<PathBuf>>,
    trims: bool,
    text_of: &mut TextOf<E>,
    check: &mut CheckText,
    mut problems: Problems,
) -> Result<Taxonomies, E> {
    let mut taxonomies = Taxonomies::default();
    let mut seen: HashSet<&Path> = HashSet::new();
    for file in files {
        if !seen.insert(file.get_ref()) {
            continue;
        }
        let text = text_of(file.get_ref())?;
        let Some(text) = text.reported(file, &mut problems) else {
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
    Ok(problems.none_or(taxonomies)?)
}

impl TaxonomyText {
    /// The text; `None` if there is none, which is then reported.
    fn reported(self, file: &Spanned<PathBuf>, problems: &mut Problems) -> Option<String> {
        let name = file.get_ref().display().to_string();
        match self {
            TaxonomyText::Text(text) => return Some(text),
            TaxonomyText::NotThere => {
                let message = format!("there is no taxonomy file {}", quoted(&name));
                problems.at(file.span(), message, None);
            }
            TaxonomyText::NotText => problems.in_file(name, None, "is not UTF-8 text", None),
        }
        None
    }

    /// One taxonomy.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn taxonomy(self, file: &Path, mut problems: Problems) -> Result<Taxonomy, Problems> {
        let text = self.reported(&Spanned::new(0..0, file.to_owned()), &mut problems);
        let taxonomy = text.and_then(|text| parse_text(file, &text, &mut problems));
        problems.none_or(())?;
        Ok(taxonomy.expect("what is no taxonomy was reported"))
    }
}

/// Reports labels with blanks around them, which only quotes and JSON can give them.
fn report_blanks(path: &Path, text: &str, taxonomy: &Taxonomy, problems: &mut Problems) {
    let labels = taxonomy.nodes().map(|node| taxonomy.label(node));
    for label in labels.filter(|label| label.trim_ascii() != *label) {
        let line = text.lines().position(|line| line.contains(label)).map(|line| line + 1);
        let message = format!(
            "the label {} has blanks around it, and blanks around cells are no part of them",
            quoted(label)
        );
        let help = "take the blanks out, or set `trim = false` in [data] if they are part of the values".to_owned();
        problems.in_file(path.display().to_string(), line, message, Some(help));
    }
}

/// Looks at the text of a taxonomy file, and reports what is wrong with it.
pub type CheckText<'c> = dyn FnMut(&Spanned<PathBuf>, &str, &mut Problems) + 'c;

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
