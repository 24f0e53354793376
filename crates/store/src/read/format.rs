//! [`Format`]: what kind of file a path names, told by its extension.

use std::path::Path;

use crate::error::ReadError;

/// A format of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Text with a separator between fields, a comma unless the [`FileSource`](crate::FileSource) says otherwise.
    Csv,
    /// Text with tabs between fields.
    Tsv,
    /// One JSON object per line.
    JsonLines,
    /// Apache Parquet.
    Parquet,
    /// Apache Arrow IPC, also known as Feather 2.
    Arrow,
    /// A sheet of a workbook: Excel or OpenDocument.
    Excel,
}

/// How the bytes of a file are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compression {
    None,
    Gzip,
    Zstd,
}

/// Every known extension. Text formats may be packed as well.
const EXTENSIONS: [(&str, Format); 14] = [
    ("csv", Format::Csv),
    ("tsv", Format::Tsv),
    ("txt", Format::Csv),
    ("data", Format::Csv),
    ("jsonl", Format::JsonLines),
    ("ndjson", Format::JsonLines),
    ("parquet", Format::Parquet),
    ("arrow", Format::Arrow),
    ("ipc", Format::Arrow),
    ("feather", Format::Arrow),
    ("xlsx", Format::Excel),
    ("xls", Format::Excel),
    ("xlsb", Format::Excel),
    ("ods", Format::Excel),
];

impl Format {
    /// The format of a file, by its extension; of `data.csv.gz` and `data.csv.zst`, by the inner one.
    pub fn of(path: &Path) -> Result<Format, ReadError> {
        formats_of(path).map(|(format, _)| format)
    }

    /// Whether its cells are text with something between them, so that nothing tells what a cell is.
    pub fn is_separated(self) -> bool {
        matches!(self, Format::Csv | Format::Tsv)
    }

    fn is_text(self) -> bool {
        matches!(self, Format::Csv | Format::Tsv | Format::JsonLines)
    }
}

pub(super) fn formats_of(path: &Path) -> Result<(Format, Compression), ReadError> {
    let compression = match extension(path).as_str() {
        "gz" => Compression::Gzip,
        "zst" => Compression::Zstd,
        _ => Compression::None,
    };
    let inner = match compression {
        Compression::None => extension(path),
        Compression::Gzip | Compression::Zstd => path
            .file_stem()
            .map(|stem| extension(stem.as_ref()))
            .unwrap_or_default(),
    };
    EXTENSIONS
        .iter()
        .find(|(known, _)| *known == inner)
        .map(|&(_, format)| (format, compression))
        .filter(|(format, compression)| *compression == Compression::None || format.is_text())
        .ok_or_else(|| ReadError::UnknownFormat {
            path: path.into(),
            text: extensions(true),
            others: extensions(false),
        })
}

fn extension(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}

/// The extensions of formats that are text, or are not.
fn extensions(text: bool) -> Vec<&'static str> {
    let of_kind = EXTENSIONS.iter().filter(|(_, format)| format.is_text() == text);
    of_kind.map(|(name, _)| *name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_tells_the_format() {
        let formats = |path: &str| formats_of(Path::new(path)).ok();
        assert_eq!(formats("a/adult.data"), Some((Format::Csv, Compression::None)));
        assert_eq!(formats("A.CSV.GZ"), Some((Format::Csv, Compression::Gzip)));
        assert_eq!(formats("a.ndjson.zst"), Some((Format::JsonLines, Compression::Zstd)));
        assert_eq!(formats("a.feather"), Some((Format::Arrow, Compression::None)));
        for path in ["a", "a.doc", "a.gz", "a.parquet.gz", ".csv"] {
            assert_eq!(formats(path), None, "{path}");
        }
    }
}
