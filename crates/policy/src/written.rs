//! Values as TOML on one line, each read back as the same value.

use std::fmt::Display;
use std::path::{Component, Path, PathBuf};

use toml_writer::{ToTomlKey, ToTomlValue, TomlStringBuilder};

/// A key of a section, and its value as TOML on one line.
pub type Setting = (&'static str, String);

/// How a path of a policy is written.
pub type WritePath<'w> = dyn Fn(&Path) -> String + 'w;

/// A text in quotes, on one line whatever it holds.
pub fn text(text: &str) -> String {
    TomlStringBuilder::new(text).as_basic().to_toml_value()
}

/// A list of texts.
pub fn texts(list: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let list: Vec<String> = list.into_iter().map(|one| text(one.as_ref())).collect();
    format!("[{}]", list.join(", "))
}

/// A path relative to `folder`, if it is in there, however it was written: `./trees//job.csv` is `trees/job.csv`.
pub fn relative(path: &Path, folder: &Path) -> String {
    let rest = path.strip_prefix(folder).unwrap_or(path).components();
    let rest: PathBuf = rest.filter(|part| *part != Component::CurDir).collect();
    match rest.to_string_lossy() {
        rest if rest.is_empty() => ".".to_owned(),
        rest => rest.into_owned(),
    }
}

/// A number, so that it is read back as the same one.
pub fn number(number: f64) -> String {
    format!("{number:?}")
}

/// A table on one line.
pub fn inline<K: AsRef<str>, V: Display>(settings: impl IntoIterator<Item = (K, V)>) -> String {
    let settings = settings.into_iter();
    let settings = settings.map(|(key, value)| format!("{} = {value}", key.as_ref().to_toml_key()));
    format!("{{ {} }}", settings.collect::<Vec<_>>().join(", "))
}

/// One setting per line.
pub fn lines(settings: &[Setting]) -> String {
    settings
        .iter()
        .map(|(key, value)| format!("{key} = {value}\n"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_told_from_the_folder_of_its_policy() {
        let relative = |path: &str| relative(&Path::new("clinic").join(path), Path::new("clinic"));
        assert_eq!(relative("./trees//job.csv"), "trees/job.csv");
        assert_eq!(relative("../job.csv"), "../job.csv");
        assert_eq!(relative("/trees/job.csv"), "/trees/job.csv");
        assert_eq!(relative("."), ".");
    }
}
