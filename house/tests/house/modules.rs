//! A [`Module`] is what is written in one module of a crate: what it defines, imports and mentions.
//!
//! Nothing is looked up here (see `names`). What is only built for tests is left out. Methods that are called on a value are not
//! mentions: whose they are, only a compiler knows.

use std::collections::BTreeSet;
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, ImplItem, Item, ItemMod, ItemUse, Macro, Meta, UseTree, Visibility};

/// One module.
#[derive(Debug, Default)]
pub struct Module {
    /// Its place: the names from the crate's root to it.
    pub path: Vec<String>,
    pub defines: BTreeSet<String>,
    /// Those of its macros that can be used from the crate's root.
    pub exports_macros: BTreeSet<String>,
    pub imports: Vec<Import>,
    /// Paths in its code, as they are written.
    pub mentions: BTreeSet<Vec<String>>,
}

/// One name of a `use`.
#[derive(Debug)]
pub struct Import {
    /// The name it gets here; `None` if all names of what it stands for are imported (`*`).
    pub name: Option<String>,
    pub path: Vec<String>,
    /// Whether others can use the name from here.
    pub is_shown: bool,
}

/// The modules of a crate, its root first.
pub fn read(root: &Path) -> Vec<Module> {
    let mut modules = Vec::new();
    read_items(Vec::new(), &parsed(root).items, root.parent().unwrap(), &mut modules);
    modules
}

/// The modules of a crate that is one text.
#[cfg(test)]
pub fn of_text(text: &str) -> Vec<Module> {
    let mut modules = Vec::new();
    let items = syn::parse_file(text).unwrap().items;
    read_items(Vec::new(), &items, Path::new("nowhere"), &mut modules);
    modules
}

fn parsed(file: &Path) -> syn::File {
    let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// Reads a module of these items, and the modules in it, whose files are in `folder`.
fn read_items(path: Vec<String>, items: &[Item], folder: &Path, modules: &mut Vec<Module>) {
    let mut reader = Reader::default();
    reader.module.path = path.clone();
    for item in items {
        reader.visit_item(item);
        if !is_for_tests(attributes(item)) {
            reader.define(item);
        }
    }
    modules.push(reader.module);
    for child in reader.children {
        let name = child.ident.to_string();
        let inner = folder.join(&name);
        let path = path.iter().cloned().chain([name.clone()]).collect();
        match &child.content {
            Some((_, items)) => read_items(path, items, &inner, modules),
            None => {
                let beside = folder.join(format!("{name}.rs"));
                let file = if beside.is_file() { beside } else { inner.join("mod.rs") };
                read_items(path, &parsed(&file).items, &inner, modules);
            }
        }
    }
}

#[derive(Default)]
struct Reader<'ast> {
    module: Module,
    children: Vec<&'ast ItemMod>,
}

impl Reader<'_> {
    fn define(&mut self, item: &Item) {
        let name = match item {
            Item::Const(item) => &item.ident,
            Item::Enum(item) => &item.ident,
            Item::Fn(item) => &item.sig.ident,
            Item::Macro(item) => match &item.ident {
                Some(name) => name,
                None => return,
            },
            Item::Static(item) => &item.ident,
            Item::Struct(item) => &item.ident,
            Item::Trait(item) => &item.ident,
            Item::TraitAlias(item) => &item.ident,
            Item::Type(item) => &item.ident,
            Item::Union(item) => &item.ident,
            _ => return,
        };
        self.module.defines.insert(name.to_string());
        let is_exported = |attribute: &Attribute| attribute.path().is_ident("macro_export");
        if attributes(item).iter().any(is_exported) {
            self.module.exports_macros.insert(name.to_string());
        }
    }

    fn import(&mut self, tree: &UseTree, mut path: Vec<String>, is_shown: bool) {
        let (name, last) = match tree {
            UseTree::Path(tree) => {
                path.push(tree.ident.to_string());
                return self.import(&tree.tree, path, is_shown);
            }
            UseTree::Group(group) => {
                let trees = group.items.iter();
                return trees.for_each(|tree| self.import(tree, path.clone(), is_shown));
            }
            UseTree::Glob(_) => (None, None),
            UseTree::Name(tree) if tree.ident == "self" => (path.last().cloned(), None),
            UseTree::Name(tree) => (Some(tree.ident.to_string()), Some(tree.ident.to_string())),
            UseTree::Rename(tree) if tree.ident == "self" => (Some(tree.rename.to_string()), None),
            UseTree::Rename(tree) => (Some(tree.rename.to_string()), Some(tree.ident.to_string())),
        };
        path.extend(last);
        self.module.imports.push(Import { name, path, is_shown });
    }

    /// Every path among the tokens of a macro, which may be code; names of fields and methods are not.
    fn mention_tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let (mut colons, mut is_field) = (0, false);
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => {
                    if colons != 2 {
                        self.mention(std::mem::take(&mut path));
                    }
                    if !is_field {
                        path.push(ident.to_string());
                    }
                    (colons, is_field) = (0, false);
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
                TokenTree::Punct(punct) => {
                    self.mention(std::mem::take(&mut path));
                    (colons, is_field) = (0, punct.as_char() == '.');
                }
                TokenTree::Group(group) => {
                    self.mention(std::mem::take(&mut path));
                    (colons, is_field) = (0, false);
                    self.mention_tokens(group.stream());
                }
                TokenTree::Literal(_) => (colons, is_field) = (0, false),
            }
        }
        self.mention(path);
    }

    fn mention(&mut self, path: Vec<String>) {
        if !path.is_empty() {
            self.module.mentions.insert(path);
        }
    }
}

impl<'ast> Visit<'ast> for Reader<'ast> {
    fn visit_item(&mut self, item: &'ast Item) {
        if !is_for_tests(attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        let attributes = match item {
            ImplItem::Const(item) => &item.attrs[..],
            ImplItem::Fn(item) => &item.attrs,
            ImplItem::Type(item) => &item.attrs,
            ImplItem::Macro(item) => &item.attrs,
            _ => &[],
        };
        if !is_for_tests(attributes) {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        self.children.push(item);
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        let is_shown = !matches!(item.vis, Visibility::Inherited);
        self.import(&item.tree, Vec::new(), is_shown);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.leading_colon.is_none() {
            self.mention(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, called: &'ast Macro) {
        visit::visit_macro(self, called);
        self.mention_tokens(called.tokens.clone());
    }

    fn visit_attribute(&mut self, _: &'ast Attribute) {}

    fn visit_visibility(&mut self, _: &'ast Visibility) {}
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Whether something is built for tests alone: `cfg(test)`, or `cfg(all(test, ..))`.
fn is_for_tests(attributes: &[Attribute]) -> bool {
    fn is_test(condition: TokenStream) -> bool {
        let tokens: Vec<TokenTree> = condition.into_iter().collect();
        match &tokens[..] {
            [TokenTree::Ident(name)] => name == "test",
            [TokenTree::Ident(name), TokenTree::Group(all)] if name == "all" => {
                let tokens: Vec<TokenTree> = all.stream().into_iter().collect();
                let parts = tokens.split(|token| matches!(token, TokenTree::Punct(comma) if comma.as_char() == ','));
                parts.into_iter().any(|part| is_test(part.iter().cloned().collect()))
            }
            _ => false,
        }
    }
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::List(list) if list.path.is_ident("cfg") => is_test(list.tokens.clone()),
        _ => false,
    })
}
