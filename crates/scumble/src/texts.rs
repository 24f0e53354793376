//! The texts that a run begins with: policies, agreements and taxonomies, read from their files.

use std::io::ErrorKind;
use std::path::Path;

use scumble_policy::{Agreement, Policy, PolicyText, Private, Problems, Taxonomies, TaxonomyText};
use scumble_table::Taxonomy;

use crate::error::Error;
use crate::errors::TextError;

/// Reads and checks the file of a policy over one table; its paths are relative to its folder.
///
/// # Errors
/// A file that cannot be read, or all that is wrong with it.
pub fn read_policy(path: &Path) -> Result<Policy, Error> {
    read_text(path, Policy::parse_one_table)
}

/// Reads and checks the file of a policy, over one table or several; its paths are relative to its folder.
///
/// # Errors
/// A file that cannot be read, or all that is wrong with it.
pub fn read_any_policy(path: &Path) -> Result<Policy, Error> {
    read_text(path, Policy::parse)
}

/// Reads and checks the file of an agreement; its paths are relative to its folder.
///
/// # Errors
/// A file that cannot be read, or all that is wrong with it.
pub fn read_agreement(path: &Path) -> Result<Agreement, Error> {
    read_text(path, Agreement::parse)
}

/// Reads and checks the private part of one party; its paths are relative to its folder.
///
/// # Errors
/// A file that cannot be read, or all that is wrong with it.
pub fn read_private(path: &Path) -> Result<Private, Error> {
    read_text(path, Private::parse)
}

fn read_text<T>(path: &Path, parse: fn(&str, &str, &Path) -> Result<T, Problems>) -> Result<T, Error> {
    let text = std::fs::read_to_string(path).map_err(TextError::opening(path))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    Ok(parse(&text, &path.display().to_string(), folder)?)
}

/// Reads all taxonomy files of a policy; what is wrong with any of them is reported together.
///
/// # Errors
/// A file that cannot be read, or all that is wrong with them.
pub fn read_taxonomies(policy: &Policy) -> Result<Taxonomies, Error> {
    policy.taxonomies(&mut taxonomy_text)
}

/// Reads all taxonomy files of an agreement, which must hold what was agreed on.
///
/// # Errors
/// A file that cannot be read, or all that is wrong with them.
pub fn read_agreed_taxonomies(agreement: &Agreement) -> Result<Taxonomies, Error> {
    agreement.taxonomies(&mut taxonomy_text)
}

/// Reads one taxonomy file, which no policy names.
pub(crate) fn read_taxonomy(path: &Path) -> Result<Taxonomy, Error> {
    let problems = Problems::new(&PolicyText::of_command_line(""));
    Ok(taxonomy_text(path)?.taxonomy(path, problems)?)
}

fn taxonomy_text(path: &Path) -> Result<TaxonomyText, Error> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(TaxonomyText::Text(text)),
        Err(reason) if reason.kind() == ErrorKind::NotFound => Ok(TaxonomyText::NotThere),
        Err(reason) if reason.kind() == ErrorKind::InvalidData => Ok(TaxonomyText::NotText),
        Err(reason) => Err(TextError::opening(path)(reason).into()),
    }
}
