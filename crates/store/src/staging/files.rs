//! [`ReleasePart`]: every file that a release may have, whichever flow writes it.
//!
//! This is the one place that knows. A file is written under the name that it has here, so what one flow writes, every
//! other finds when it replaces the release.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use serde::Deserialize;

use scumble_table::ReleaseFormat;

/// The name of the certificate of a release.
pub const CERTIFICATE: &str = "certificate.json";

/// The folder for what must not leave the house.
pub(super) const PRIVATE: &str = "private";

/// A file of a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReleasePart<'n> {
    /// What was required and what was found. It is what makes the others a release.
    Certificate,
    /// The one table.
    Released(ReleaseFormat),
    /// The sensitive columns, where they are published apart.
    Secrets(ReleaseFormat),
    /// One of several tables, or a look-up, by its name.
    Table(&'n str, ReleaseFormat),
    /// Of which row of the data each row of one of several tables is.
    Rows(&'n str),
    /// Every step of the search.
    Trace,
    /// The page for the person who decides.
    Page,
    /// The same as plain text.
    PlainPage,
    /// What was measured.
    Evaluation,
    /// What an adversary makes of it.
    Attack,
    /// What a party saw of a mashup.
    Transcript,
    /// Which rows hold cells that a spreadsheet would take for formulas.
    Formulas,
}

impl ReleasePart<'_> {
    /// Every file whose name does not depend on the data, the certificate first.
    pub const FIXED: [ReleasePart<'static>; 12] = [
        ReleasePart::Certificate,
        ReleasePart::Released(ReleaseFormat::Csv),
        ReleasePart::Released(ReleaseFormat::Parquet),
        ReleasePart::Secrets(ReleaseFormat::Csv),
        ReleasePart::Secrets(ReleaseFormat::Parquet),
        ReleasePart::Trace,
        ReleasePart::Page,
        ReleasePart::PlainPage,
        ReleasePart::Evaluation,
        ReleasePart::Attack,
        ReleasePart::Transcript,
        ReleasePart::Formulas,
    ];

    /// Its path in the folder of the release.
    pub fn path(self) -> PathBuf {
        let private = |name: &str| Path::new(PRIVATE).join(name);
        match self {
            ReleasePart::Certificate => CERTIFICATE.into(),
            ReleasePart::Released(format) => format.file_name().into(),
            ReleasePart::Secrets(format) => format.secrets_file_name().into(),
            ReleasePart::Table(name, format) => format!("{name}.{}", format.extension()).into(),
            ReleasePart::Rows(table) => private("rows").join(format!("{table}.csv")),
            ReleasePart::Trace => private("trace.json"),
            ReleasePart::Page => private("report.html"),
            ReleasePart::PlainPage => private("report.md"),
            ReleasePart::Evaluation => private("evaluation.json"),
            ReleasePart::Attack => private("attack.json"),
            ReleasePart::Transcript => private("transcript.jsonl"),
            ReleasePart::Formulas => private("formulas.json"),
        }
    }

    /// Whether it makes a folder one that holds a release. A private file alone does not.
    pub(super) fn is_public(self) -> bool {
        !is_private(&self.path())
    }
}

/// Whether a file of a release, by its path in the folder, must not leave the house.
pub(super) fn is_private(path: &Path) -> bool {
    path.starts_with(PRIVATE)
}

/// The files that a certificate names: the tables of a release of several, and what belongs to them. A certificate is input
/// like any other, so it can name files of these kinds in its own folder, and nothing else.
pub(super) fn named_by_certificate(certificate: &[u8]) -> Vec<PathBuf> {
    #[derive(Deserialize, Default)]
    #[serde(default)]
    struct Names {
        tables: Vec<Named>,
        lookups: Vec<Named>,
    }
    #[derive(Deserialize)]
    struct Named {
        name: String,
        file: PathBuf,
    }
    let names: Names = serde_json::from_slice(certificate).unwrap_or_default();
    let rows = names.tables.iter().map(|table| ReleasePart::Rows(&table.name).path());
    let rows: Vec<PathBuf> = rows.collect();
    let tables = names.tables.into_iter().chain(names.lookups).map(|named| named.file);
    tables.chain(rows).filter(|path| may_be_named(path)).collect()
}

/// Whether a path that was read somewhere may be that of a file of a release.
pub(super) fn may_be_named(path: &Path) -> bool {
    let is_plain = path.components().all(|part| matches!(part, Component::Normal(_)));
    let has_extension = |extension: &str| path.extension() == Some(OsStr::new(extension));
    let is_table = || {
        ReleaseFormat::ALL
            .map(ReleaseFormat::extension)
            .into_iter()
            .any(has_extension)
    };
    let is_fixed = || ReleasePart::FIXED.iter().any(|file| file.path() == path);
    let folder = path.parent().unwrap_or(Path::new(""));
    let rows = ReleasePart::Rows("").path();
    is_plain
        && (is_fixed()
            || (folder == Path::new("") && is_table())
            || (Some(folder) == rows.parent() && has_extension("csv")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_certificate_names_tables_of_its_own_folder_and_nothing_else() {
        let certificate = r#"{
            "version": 1,
            "tables": [
                { "name": "students", "file": "students.csv", "rows": {} },
                { "name": "../../up", "file": "../up.csv" },
                { "name": "/root", "file": "/root/deep.csv" },
                { "name": "policy", "file": "policy.toml" },
                { "name": "inner", "file": "inner/table.csv" }
            ],
            "lookups": [{ "name": "teachers", "file": "teachers.parquet", "rows": 3, "key": "tid" }]
        }"#;
        let named = named_by_certificate(certificate.as_bytes());
        let expected = [
            "students.csv",
            "teachers.parquet",
            "private/rows/students.csv",
            "private/rows/policy.csv",
            "private/rows/inner.csv",
        ];
        assert_eq!(named, expected.map(PathBuf::from));
    }

    #[test]
    fn what_is_no_certificate_names_nothing() {
        for text in ["", "old", "[]", r#"{"tables": 3}"#, r#"{"version": 1, "rows": {}}"#] {
            assert!(named_by_certificate(text.as_bytes()).is_empty(), "{text}");
        }
    }
}
