//! The names of the door: what `crates/scumble` shows at its root is what edges and examples call.

use std::collections::BTreeSet;
use std::path::Path;

use syn::{Item, UseTree, Visibility};

use crate::code::code_under;

/// Where edges and examples are.
const CALLERS: [&str; 5] = [
    "cli/src",
    "bench",
    "proof/src",
    "fuzz/bodies",
    "crates/scumble/examples",
];

/// The names at the root of the door that neither an edge nor an example says.
pub fn unused(workspace: &Path) -> Vec<String> {
    let door = std::fs::read_to_string(workspace.join("crates/scumble/src/lib.rs")).unwrap();
    let callers = CALLERS.iter().flat_map(|folder| code_under(&workspace.join(folder)));
    let said: Vec<String> = callers.map(|file| std::fs::read_to_string(file).unwrap()).collect();
    let first_page = door.lines().filter(|line| line.starts_with("//!"));
    let words: BTreeSet<&str> = said
        .iter()
        .map(String::as_str)
        .chain(first_page)
        .flat_map(|text| text.split(|c: char| !c.is_alphanumeric() && c != '_'))
        .collect();
    let shown = shown_at_root(&door);
    assert!(shown.len() > 50, "the door shows more than that");
    shown.into_iter().filter(|name| !words.contains(&name[..])).collect()
}

/// The names that a root shows by `pub use`, those of its modules left aside.
fn shown_at_root(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    for item in syn::parse_file(text).unwrap().items {
        if let Item::Use(shown) = item
            && matches!(shown.vis, Visibility::Public(_))
        {
            add_names(&shown.tree, &mut names);
        }
    }
    names
}

fn add_names(tree: &UseTree, names: &mut Vec<String>) {
    match tree {
        UseTree::Path(path) => add_names(&path.tree, names),
        UseTree::Name(name) => names.push(name.ident.to_string()),
        UseTree::Rename(rename) => names.push(rename.rename.to_string()),
        UseTree::Group(group) => group.items.iter().for_each(|tree| add_names(tree, names)),
        UseTree::Glob(_) => panic!("the door names what it shows"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_root_are_found_and_those_of_modules_are_not() {
        let text = "mod a; pub use a::{B, c::D as E}; use a::F; pub mod g { pub use a::H; } pub use i;";
        assert_eq!(shown_at_root(text), ["B", "E", "i"]);
    }
}
