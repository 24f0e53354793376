//! Circles among the modules of a crate.
//!
//! Modules are looked at level by level. The rooms of a level are a module's own code and each of the modules in it, with all that
//! is inside. There is a circle if one can walk from a room to another, along what they use, and back.

use std::collections::{BTreeMap, BTreeSet};

use crate::names::Use;

/// The name of a module's own code beside its children.
const OWN: &str = "(own code)";

/// Which rooms a level has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rooms {
    /// The modules in a module.
    Siblings,
    /// Those, and the code of the module itself.
    WithParent,
}

/// Each circle, told by its rooms and one shortest way around.
pub fn find(uses: &[Use], rooms: Rooms) -> Vec<String> {
    let mut levels: BTreeMap<&[String], Level> = BTreeMap::new();
    for used in uses {
        let shared = used.by.iter().zip(&used.of).take_while(|(by, of)| by == of).count();
        let is_with_parent = used.by.len().min(used.of.len()) == shared;
        if is_with_parent && rooms == Rooms::Siblings {
            continue;
        }
        let room = |path: &[String]| path.get(shared).map_or(OWN.to_owned(), String::clone);
        let level = levels.entry(&used.by[..shared]).or_default();
        level
            .entry(room(&used.by))
            .or_default()
            .entry(room(&used.of))
            .or_insert(used);
    }
    levels.iter().flat_map(|(path, level)| circles(path, level)).collect()
}

/// For each room the rooms it uses, with one use of each.
type Level<'u> = BTreeMap<String, BTreeMap<String, &'u Use>>;

fn circles(path: &[String], level: &Level) -> Vec<String> {
    let mut told = BTreeSet::new();
    let mut found = Vec::new();
    for room in level.keys() {
        let all: BTreeSet<&String> = reached(level, room)
            .into_iter()
            .filter(|other| reached(level, other).contains(room))
            .collect();
        if !all.is_empty() && told.insert(all.clone()) {
            let name = if path.is_empty() {
                "the root".to_owned()
            } else {
                path.join("::")
            };
            let rooms: Vec<&str> = all.iter().map(|room| &room[..]).collect();
            let way = all
                .iter()
                .filter_map(|room| way_around(level, room))
                .min_by_key(Vec::len);
            let way: Vec<String> = way.unwrap_or_default().iter().map(told_use).collect();
            found.push(format!("in {name}, {}: {}", rooms.join(", "), way.join("; ")));
        }
    }
    found
}

fn told_use(used: &&Use) -> String {
    let name = |path: &[String]| {
        if path.is_empty() {
            "the root".to_owned()
        } else {
            path.join("::")
        }
    };
    format!("{} uses `{}` of {}", name(&used.by), used.path, name(&used.of))
}

/// All rooms that one can walk to.
fn reached<'l>(level: &'l Level, from: &str) -> BTreeSet<&'l String> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from];
    while let Some(room) = open.pop() {
        for next in level.get(room).into_iter().flat_map(BTreeMap::keys) {
            if reached.insert(next) {
                open.push(next);
            }
        }
    }
    reached
}

/// A shortest walk from a room back to it.
fn way_around<'u>(level: &Level<'u>, room: &str) -> Option<Vec<&'u Use>> {
    let mut ways: Vec<(&str, Vec<&'u Use>)> = vec![(room, Vec::new())];
    let mut met = BTreeSet::new();
    while !ways.is_empty() {
        let mut longer = Vec::new();
        for (at, way) in &ways {
            for (next, used) in level.get(*at).into_iter().flatten() {
                let way: Vec<&Use> = way.iter().copied().chain([*used]).collect();
                if next == room {
                    return Some(way);
                }
                if met.insert(next) {
                    longer.push((&next[..], way));
                }
            }
        }
        ways = longer;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{modules::of_text, names};

    fn found(text: &str) -> Vec<String> {
        find(&names::uses(&of_text(text)), Rooms::WithParent)
    }

    #[test]
    fn modules_that_only_use_what_is_below_have_no_circle() {
        let text = "
            pub use a::A;
            mod a { use crate::b::B; use crate::c::C; pub struct A; }
            mod b { use crate::c::C; pub struct B; }
            mod c { mod deep { pub struct Deep; } use deep::Deep; pub struct C; }";
        assert_eq!(found(text), Vec::<String>::new());
    }

    #[test]
    fn two_siblings_that_use_each_other_are_a_circle() {
        let text = "mod a { use crate::b::B; pub struct A; } mod b { use super::a::A; pub struct B; } mod c { use crate::a::A; }";
        assert_eq!(
            found(text),
            ["in the root, a, b: a uses `crate::b::B` of b; b uses `super::a::A` of a"]
        );
    }

    #[test]
    fn a_circle_through_what_is_inside_of_modules_and_reexports_is_found() {
        let text = "
            pub use a::Deep;
            mod a { mod deep { pub struct Deep; } pub use deep::Deep; mod other { use crate::c::C; } }
            mod b { use crate::Deep; pub struct B; }
            mod c { use crate::b::B; pub struct C; }";
        let circles = found(text);
        assert_eq!(circles.len(), 1);
        assert!(circles[0].starts_with("in the root, a, b, c: "), "{}", circles[0]);
    }

    #[test]
    fn a_circle_below_the_root_is_found_at_its_level() {
        let text = "mod top { mod a { use super::b::B; pub struct A; } mod b { use super::a::A; pub struct B; } }";
        let circles = found(text);
        assert_eq!(circles.len(), 1);
        assert!(circles[0].starts_with("in top, a, b: "), "{}", circles[0]);
    }

    #[test]
    fn a_module_and_one_in_it_that_use_each_other_are_a_circle() {
        let text = "mod top { mod a { use super::Top; pub struct A; } use a::A; pub struct Top; }";
        assert_eq!(
            found(text),
            ["in top, (own code), a: top uses `a::A` of top::a; top::a uses `super::Top` of top"]
        );
        assert_eq!(
            find(&names::uses(&of_text(text)), Rooms::Siblings),
            Vec::<String>::new()
        );
        let only_shown = "mod top { mod a { use super::Top; pub struct A; } pub use a::A; pub struct Top; }";
        assert_eq!(found(only_shown), Vec::<String>::new());
    }
}
