//! The JSON format, long or short, and both may be mixed.
//!
//! ```json
//! {"label": "ANY", "children": [{"label": "White collar", "children": ["Manager", "Professional"]}, "Janitor"]}
//! ```
//! ```json
//! {"ANY": {"White collar": ["Manager", "Professional"], "Janitor": null}}
//! ```
//!
//! An object with the key `label` is one node in long form; any other object has one node per key, with what is under
//! the node as the value: an object, a list of nodes, one leaf, or `null` for nothing. So a node called `label` needs
//! the long form. Labels are taken as they stand, and must be text. A key that comes twice in an object is the same
//! node twice, not the last one alone.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};

use super::assemble::Mentions;
use super::problem::{Place, ProblemKind};

/// JSON as far as a tree of labels needs it, with every entry of every object.
enum Json {
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
    Null,
    /// A number or a truth value.
    Other,
}

/// Reads the format. serde_json refuses more than 127 objects and lists inside each other, so recursion is safe.
pub(super) fn read(text: &str) -> Mentions<'static> {
    let mut mentions = Mentions::default();
    match serde_json::from_str(text) {
        Ok(json) => under(&mut mentions, json, None),
        Err(_) if text.trim().is_empty() => {}
        Err(error) => {
            let reason = error.to_string();
            let place = format!(" at line {} column {}", error.line(), error.column());
            let kind = ProblemKind::Json {
                column: error.column(),
                reason: reason.strip_suffix(&place).unwrap_or(&reason).to_owned(),
            };
            mentions.report(Place::Line(error.line()), kind);
        }
    }
    mentions
}

/// Mentions what a key or `children` leads to.
fn under(mentions: &mut Mentions, json: Json, parent: Option<usize>) {
    match json {
        Json::List(items) => items.into_iter().for_each(|item| nodes(mentions, item, parent)),
        Json::Null => {}
        other => nodes(mentions, other, parent),
    }
}

/// Mentions a leaf, a node in long form, or the nodes of an object in short form.
fn nodes(mentions: &mut Mentions, json: Json, parent: Option<usize>) {
    match json {
        Json::Text(label) => node(mentions, label, Json::Null, parent),
        Json::Object(entries) if entries.iter().any(|(key, _)| key == "label") => match long_form(entries) {
            Some((label, children)) => node(mentions, label, children, parent),
            None => report(mentions, parent, ProblemKind::Shape),
        },
        Json::Object(entries) => {
            for (label, children) in entries {
                node(mentions, label, children, parent);
            }
        }
        Json::List(_) | Json::Null | Json::Other => report(mentions, parent, ProblemKind::Shape),
    }
}

fn node(mentions: &mut Mentions, label: String, children: Json, parent: Option<usize>) {
    if label.is_empty() {
        return report(mentions, parent, ProblemKind::EmptyLabel);
    }
    let mention = mentions.add(label.into(), parent, None);
    under(mentions, children, Some(mention));
}

/// A problem right under a node.
fn report(mentions: &mut Mentions, parent: Option<usize>, kind: ProblemKind) {
    let place = parent.map_or(Place::File, |parent| mentions.place(parent));
    mentions.report(place, kind);
}

/// The label and the children of an object that has `label`, at most `children` besides, and neither twice.
fn long_form(entries: Vec<(String, Json)>) -> Option<(String, Json)> {
    let (mut label, mut children) = (None, None);
    for (key, value) in entries {
        match (&*key, value) {
            ("label", Json::Text(text)) if label.is_none() => label = Some(text),
            ("children", below) if children.is_none() => children = Some(below),
            _ => return None,
        }
    }
    Some((label?, children.unwrap_or(Json::Null)))
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_str<E>(self, text: &str) -> Result<Json, E> {
        Ok(Json::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Json, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Json::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Json::Object(entries))
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Json, E> {
        Ok(Json::Other)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Json, E> {
        Ok(Json::Other)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Json, E> {
        Ok(Json::Other)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Json, E> {
        Ok(Json::Other)
    }
}
