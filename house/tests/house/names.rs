//! Whose names a module uses: every path in its code, traced through imports and re-exports to the module that defines it.
//!
//! A [`Use`] is never of a module by itself, only of something defined in one. Showing what a module inside defines (`pub use` of a
//! child) is not a use of it: that is a list of exports.

use std::collections::{BTreeMap, BTreeSet};

use crate::modules::Module;

/// One module uses what another defines.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Use {
    pub by: Vec<String>,
    pub of: Vec<String>,
    /// The path as it is written there.
    pub path: String,
}

/// All uses between the modules of a crate, each pair of modules once.
pub fn uses(modules: &[Module]) -> Vec<Use> {
    let names = Names::new(modules);
    let mut uses = BTreeMap::new();
    for (place, module) in modules.iter().enumerate() {
        let imports = module.imports.iter().filter(|import| import.name.is_some());
        let imports = imports.map(|import| (&import.path, import.is_shown));
        let mentions = module.mentions.iter().map(|path| (path, false));
        for (path, is_shown) in imports.chain(mentions) {
            let Some(Found::Item(of)) = names.find(place, path, false, &mut BTreeSet::new()) else {
                continue;
            };
            let is_of_child = modules[of].path.starts_with(&module.path);
            if of != place && !(is_shown && is_of_child) {
                uses.entry((place, of)).or_insert_with(|| path.join("::"));
            }
        }
    }
    let path = |place: usize| modules[place].path.clone();
    let uses = uses.into_iter().map(|((by, of), written)| Use {
        by: path(by),
        of: path(of),
        path: written,
    });
    uses.collect()
}

/// What a path stands for.
#[derive(Clone, Copy, Debug)]
enum Found {
    Module(usize),
    /// Something that the module defines.
    Item(usize),
}

struct Names<'m> {
    modules: &'m [Module],
    places: BTreeMap<&'m [String], usize>,
    /// Macros that are used from the root, wherever they are defined.
    macros: BTreeMap<&'m str, usize>,
}

/// The names that are being looked up, so that imports in a circle end.
type Asked = BTreeSet<(usize, String, bool)>;

impl<'m> Names<'m> {
    fn new(modules: &'m [Module]) -> Self {
        let places = modules
            .iter()
            .enumerate()
            .map(|(place, module)| (&module.path[..], place));
        let macros = modules.iter().enumerate().flat_map(|(place, module)| {
            let exported = module.exports_macros.iter();
            exported.map(move |name| (&name[..], place))
        });
        Names {
            modules,
            places: places.collect(),
            macros: macros.collect(),
        }
    }

    /// What a path in a module stands for; `None` if it is of another crate or a local name. A module and a function may have
    /// one name, so it matters which is meant.
    fn find(&self, from: usize, path: &[String], is_module: bool, asked: &mut Asked) -> Option<Found> {
        let (first, rest) = path.split_first()?;
        match &first[..] {
            "crate" => self.walk(0, rest, is_module, asked),
            "self" => self.walk(from, rest, is_module, asked),
            "super" => {
                let (_, parent) = self.modules[from].path.split_last()?;
                let parent = *self.places.get(parent)?;
                match rest.first().is_some_and(|next| next == "super") {
                    true => self.find(parent, rest, is_module, asked),
                    false => self.walk(parent, rest, is_module, asked),
                }
            }
            _ => self
                .walk(from, path, is_module, asked)
                .or_else(|| self.find_macro(from, path)),
        }
    }

    /// A macro is known, without its path, in the modules inside the one that defines it.
    fn find_macro(&self, from: usize, path: &[String]) -> Option<Found> {
        let [name] = path else { return None };
        let around = |module: &Module| self.modules[from].path.starts_with(&module.path);
        let exported = self.macros.get(&name[..]).copied();
        let defined = exported.filter(|&place| around(&self.modules[place]));
        defined.map(Found::Item)
    }

    /// What a path stands for that begins in a module.
    fn walk(&self, at: usize, path: &[String], is_module: bool, asked: &mut Asked) -> Option<Found> {
        let Some((name, rest)) = path.split_first() else {
            return Some(Found::Module(at));
        };
        match self.name(at, name, is_module || !rest.is_empty(), asked)? {
            Found::Module(inner) => self.walk(inner, rest, is_module, asked),
            // What follows is of a type: a variant or a function.
            item => Some(item),
        }
    }

    /// What a name stands for in a module. If `is_module`, a module of this name comes first, else an item.
    fn name(&self, at: usize, name: &str, is_module: bool, asked: &mut Asked) -> Option<Found> {
        if !asked.insert((at, name.to_owned(), is_module)) {
            return None;
        }
        let module = &self.modules[at];
        let child: Vec<String> = module.path.iter().cloned().chain([name.to_owned()]).collect();
        let child = self.places.get(&child[..]).map(|&place| Found::Module(place));
        if is_module && child.is_some() {
            return child;
        }
        if module.defines.contains(name) {
            return Some(Found::Item(at));
        }
        if let Some(&place) = self.macros.get(name).filter(|_| at == 0) {
            return Some(Found::Item(place));
        }
        let named = module
            .imports
            .iter()
            .filter(|import| import.name.as_deref() == Some(name));
        let mut imported = named
            .filter_map(|import| self.find(at, &import.path, is_module, asked))
            .collect::<Vec<_>>();
        imported.sort_by_key(|found| matches!(found, Found::Module(_)) != is_module);
        if let Some(&found) = imported.first() {
            return Some(found);
        }
        if child.is_some() {
            return child;
        }
        let mut globs = module.imports.iter().filter(|import| import.name.is_none());
        globs.find_map(|import| match self.find(at, &import.path, true, asked)? {
            Found::Module(of) => self.name(of, name, is_module, asked),
            // The variants of an enum, which are asked for by names that nothing else here has.
            Found::Item(_) => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modules::of_text;

    fn found(text: &str) -> Vec<String> {
        let name = |path: &[String]| {
            if path.is_empty() {
                "root".to_owned()
            } else {
                path.join("/")
            }
        };
        let uses = uses(&of_text(text));
        uses.iter()
            .map(|found| format!("{} > {}", name(&found.by), name(&found.of)))
            .collect()
    }

    #[test]
    fn names_are_traced_through_reexports_and_other_names() {
        let text = "
            mod a { mod deep { pub struct Thing; } pub use deep::Thing as Shown; }
            pub use a::Shown as Top;
            mod b { use crate::Top; }
            mod c { use super::a as other; fn f() -> other::Shown { loop {} } }
            mod d { use crate::*; fn f(_: Top) {} }";
        assert_eq!(found(text), ["b > a/deep", "c > a/deep", "d > a/deep"]);
    }

    #[test]
    fn paths_in_macros_are_found_and_fields_are_not() {
        let text = "
            mod a { pub fn one() {} }
            mod b { pub fn two() {} }
            pub use b::two;
            mod c { fn f() { assert!(x.two && crate::a::one()); vec![self::y.two]; } }";
        assert_eq!(found(text), ["c > a"]);
    }

    #[test]
    fn macros_are_found_where_they_are_defined() {
        let text = "
            mod a { #[macro_export] macro_rules! each { () => { $crate::b::two() } } }
            mod b { pub fn two() {} }
            mod c { use crate::each; }
            mod d { fn f() { crate::each!() } }";
        assert_eq!(found(text), ["a > b", "c > a", "d > a"]);
    }

    #[test]
    fn what_is_built_for_tests_is_left_out() {
        let text = "
            mod a { pub fn one() {} }
            mod b { #[cfg(test)] mod tests { use crate::a::one; } #[cfg(all(test, unix))] use crate::a::one; }
            mod c { #[cfg(not(test))] use crate::a::one; }";
        assert_eq!(found(text), ["c > a"]);
    }

    #[test]
    fn a_list_of_exports_is_no_use_but_calling_is() {
        let shown = "pub mod a { pub fn one() {} } pub use a::one;";
        assert_eq!(found(shown), Vec::<String>::new());
        assert_eq!(found(&format!("{shown} fn two() {{ one() }}")), ["root > a"]);
        assert_eq!(
            found("mod a { pub use crate::b::one; } mod b { pub fn one() {} }"),
            ["a > b"]
        );
    }

    #[test]
    fn a_function_with_the_name_of_its_module_is_told_from_it() {
        let text = "
            mod count { mod fast { pub fn run() {} } pub use fast::run; pub fn count() {} }
            use count::count;
            mod a { fn f() { crate::count(); } }
            mod b { fn f() { crate::count::run(); } }";
        assert_eq!(found(text), ["root > count", "a > count", "b > count/fast"]);
    }

    #[test]
    fn imports_of_each_other_end() {
        assert_eq!(
            found("mod a { pub use super::b::*; } mod b { pub use super::a::*; fn f() { x() } }"),
            [""; 0]
        );
    }
}
