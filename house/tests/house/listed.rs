//! The table of folders in the README: every crate has a row, and the file that it says to open first is there.

use std::path::Path;

use crate::members::Member;

/// What is wrong with the rows of a README.
pub fn problems(readme: &str, members: &[Member], workspace: &Path) -> Vec<String> {
    let rows: Vec<(&str, &str)> = readme.lines().filter_map(row).collect();
    let unlisted = members.iter().filter(|member| {
        let folder = member.folder.strip_prefix(workspace).unwrap_or(&member.folder);
        !rows.iter().any(|(listed, _)| folder.starts_with(listed))
    });
    let unlisted = unlisted.map(|member| format!("no row is about `{}`", member.name));
    let missing = rows
        .iter()
        .filter(|(folder, file)| !workspace.join(folder).join(file).exists());
    unlisted
        .chain(missing.map(|(folder, file)| format!("`{folder}` has no `{file}`")))
        .collect()
}

/// The folder of a row, and the file to open first.
fn row(line: &str) -> Option<(&str, &str)> {
    let cells: Vec<&str> = line.strip_prefix("| [")?.split('|').map(str::trim).collect();
    let (folder, _) = cells.first()?.split_once(']')?;
    let file = cells.get(2)?.strip_prefix('`')?.strip_suffix('`')?;
    Some((folder, file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_names_a_folder_and_a_file() {
        let line = "| [crates/table](crates/table) | columns as codes; no input | `src/column.rs` |";
        assert_eq!(row(line), Some(("crates/table", "src/column.rs")));
        assert_eq!(row("| folder | idea | open first |"), None);
        assert_eq!(row("| [docs](docs) | [file formats](docs/formats.md) | |"), None);
    }
}
