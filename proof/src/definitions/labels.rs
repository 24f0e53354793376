//! What a released cell may stand for, by what its column is. How a text looks decides nothing: in a column of words `1-5`
//! is a word.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::policy::Kind;
use crate::table::{Cell, number};

/// A stretch of numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub from: f64,
    /// The upper end.
    pub to: f64,
    /// Whether the lower end is no part of it.
    pub open_below: bool,
    /// Whether the upper end is no part of it.
    pub open_above: bool,
}

impl Interval {
    /// Our own form: `[a, b)` or `[a, b]`.
    pub fn read(text: &str) -> Option<Interval> {
        let open_above = text.ends_with(')');
        let inner = text.strip_prefix('[')?.strip_suffix([')', ']'])?;
        let (from, to) = inner.split_once(", ")?;
        Interval::between(number(from)?, number(to)?, false, open_above)
    }

    fn between(from: f64, to: f64, open_below: bool, open_above: bool) -> Option<Interval> {
        (from <= to).then_some(Interval {
            from,
            to,
            open_below,
            open_above,
        })
    }

    /// The forms of other tools that are drawn: `[20, 30[`, `]20, 30]`, `20-30`, `<20`, `>=90`.
    fn read_foreign(text: &str) -> Option<Interval> {
        if let Some(to) = text.strip_prefix('<') {
            return Interval::between(f64::NEG_INFINITY, number(to)?, false, true);
        }
        if let Some(from) = text.strip_prefix(">=") {
            return Interval::between(number(from)?, f64::INFINITY, false, false);
        }
        if let Some((from, to)) = text.split_once('-').filter(|(from, _)| !from.is_empty()) {
            return Interval::between(number(from)?, number(to)?, false, false);
        }
        let inner = text.strip_prefix(['[', ']'])?.strip_suffix(['[', ']'])?;
        let (from, to) = inner.split_once(", ")?;
        Interval::between(number(from)?, number(to)?, text.starts_with(']'), text.ends_with('['))
    }

    /// Whether a number lies in it.
    pub fn holds(&self, number: f64) -> bool {
        let above = self.from < number || (self.from == number && !self.open_below);
        let below = number < self.to || (number == self.to && !self.open_above);
        above && below
    }

    fn overlaps(&self, other: &Interval) -> bool {
        let (low, high) = (self.from.max(other.from), self.to.min(other.to));
        if low < high {
            return true;
        }
        low == high && self.holds(low) && other.holds(low)
    }
}

/// Whether a cell of a release may stand for a value of the data. In `groups`, a cell may be a set.
pub fn covers(kind: &Kind, groups: bool, label: &Cell, value: &Cell) -> bool {
    let Some(label) = label else { return value.is_none() };
    if label == "*" || (groups && is_in_set(kind, label, value)) {
        return true;
    }
    match (kind, value) {
        (Kind::Tree(tree), None) => label == &tree.nodes[0].label,
        (Kind::Tree(tree), Some(value)) => match (tree.find(label), tree.find(value)) {
            (Some(node), Some(leaf)) => tree.is_above(node, leaf),
            _ => false,
        },
        (_, None) => false,
        (Kind::Plain, Some(value)) => label == value,
        (Kind::Numbers(_), Some(value)) => {
            let Some(value) = number(value) else { return false };
            number(label) == Some(value) || Interval::read(label).is_some_and(|interval| interval.holds(value))
        }
    }
}

/// Whether a set `{a|b}` names a value. A value with a bar or a brace in it cannot be told from its neighbours, so any set
/// will do.
fn is_in_set(kind: &Kind, label: &str, value: &Cell) -> bool {
    let Some(members) = label.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) else {
        return false;
    };
    let Some(value) = value else { return false };
    let same = |member: &str| match kind {
        Kind::Numbers(_) => number(member) == number(value),
        Kind::Plain | Kind::Tree(_) => member == value,
    };
    value.contains(['|', '{', '}', '\\']) || members.split('|').any(same)
}

/// Whether two cells are one value: the same text or, of a column of numbers, the same number.
pub fn is_one(kind: &Kind, a: &Cell, b: &Cell) -> bool {
    match (kind, a, b) {
        (Kind::Numbers(_), Some(a), Some(b)) => number(a) == number(b) && (number(a).is_some() || a == b),
        _ => a == b,
    }
}

/// What a value is shown as by a mask of a certificate; `None` if the mask is none of these.
pub fn masked(kind: &Kind, mask: &Value, value: &Cell) -> Option<Cell> {
    let texts = |of: &str| -> Vec<Cell> {
        let list = mask[of].as_array().into_iter().flatten();
        list.map(|text| text.as_str().map(str::to_owned)).collect()
    };
    let star = Some("*".to_owned());
    match (mask["operation"].as_str(), kind) {
        (None, _) => Some(value.clone()),
        (Some("suppress"), _) if texts("disclosed").contains(value) => Some(value.clone()),
        (Some("suppress"), _) => Some(star),
        (Some("discretize"), _) if texts("intervals") == [star.clone()] => Some(star),
        (Some("discretize"), _) => Some(value.as_ref().and_then(|value| {
            let holds = |interval: &String| {
                Interval::read(interval)
                    .zip(number(value))
                    .is_some_and(|(i, n)| i.holds(n))
            };
            texts("intervals").into_iter().flatten().find(holds).or(star)
        })),
        (Some("generalize"), Kind::Tree(tree)) => {
            let cut = texts("cut");
            let is_root_alone = cut == [Some(tree.nodes[0].label.clone())];
            match value {
                None if is_root_alone => Some(cut[0].clone()),
                None => Some(None),
                Some(_) => cut.into_iter().find(|node| covers(kind, false, node, value)),
            }
        }
        (Some(_), _) => None,
    }
}

/// The closest of the labels that a column shows which is true of a value; `None` if none is.
pub fn closest(kind: &Kind, shown: &BTreeSet<Cell>, value: &Cell) -> Option<Cell> {
    let same = |label: &&Cell| is_one(kind, label, value);
    let narrower = |label: &&Cell| match (kind, label) {
        (Kind::Tree(tree), Some(label)) => tree
            .find(label)
            .map_or(usize::MAX, |node| tree.leaves_under(node).len()),
        (_, Some(label)) if label == "*" => usize::MAX,
        _ => 0,
    };
    let itself = shown.iter().find(same);
    let above = || {
        shown
            .iter()
            .filter(|label| covers(kind, false, label, value))
            .min_by_key(narrower)
    };
    itself.or_else(above).cloned()
}

/// What a cell may stand for, when records of two releases are compared.
#[derive(Clone, Debug)]
pub enum Meaning {
    /// Nothing is known of the person.
    Missing,
    /// This word.
    Word(String),
    /// Some number of these.
    Numbers(Interval),
    /// Something under this node.
    Node(usize),
    /// Anything.
    Anything,
    /// Anything that the column does not show elsewhere.
    AnythingBut(BTreeSet<Cell>),
}

/// How a release was made, as far as its cells tell more by it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Made {
    /// By masks of this program, so that a value is shown in one way.
    ByMasks,
    /// By somebody.
    Elsewhere,
}

/// The meaning of a cell of a column that shows these; `None` if it is nothing of the column.
pub fn meaning(kind: &Kind, made: Made, shown: &BTreeSet<Cell>, cell: &Cell) -> Option<Meaning> {
    let Some(text) = cell else {
        return Some(Meaning::Missing);
    };
    match kind {
        Kind::Tree(tree) => match tree.find(text) {
            Some(node) => Some(Meaning::Node(node)),
            None => (text == "*").then_some(Meaning::Anything),
        },
        Kind::Numbers(_) if text == "*" => Some(Meaning::Anything),
        Kind::Numbers(_) => {
            let single = || {
                let number = number(text)?;
                Interval::between(number, number, false, false)
            };
            single()
                .or_else(|| Interval::read(text))
                .or_else(|| Interval::read_foreign(text))
                .map(Meaning::Numbers)
        }
        Kind::Plain if text == "*" => Some(match made {
            Made::ByMasks => Meaning::AnythingBut(shown.iter().filter(|label| *label != cell).cloned().collect()),
            Made::Elsewhere => Meaning::Anything,
        }),
        Kind::Plain => Some(Meaning::Word(text.clone())),
    }
}

/// Whether two cells of one column can stand for one value.
pub fn meet(kind: &Kind, a: &Meaning, b: &Meaning) -> bool {
    use Meaning::{Anything, AnythingBut, Missing, Node, Numbers, Word};
    match (a, b) {
        (AnythingBut(shown), Missing) | (Missing, AnythingBut(shown)) => !shown.contains(&None),
        (AnythingBut(shown), Word(word)) | (Word(word), AnythingBut(shown)) => !shown.contains(&Some(word.clone())),
        (Anything | AnythingBut(_), _) | (_, Anything | AnythingBut(_)) => true,
        (Missing, Missing) => true,
        // The root also stands for the missing value.
        (Missing, Node(node)) | (Node(node), Missing) => *node == 0,
        (Word(a), Word(b)) => a == b,
        (Numbers(a), Numbers(b)) => a.overlaps(b),
        (Node(a), Node(b)) => match kind {
            Kind::Tree(tree) => tree.is_above(*a, *b) || tree.is_above(*b, *a),
            Kind::Plain | Kind::Numbers(_) => false,
        },
        (Missing | Word(_) | Numbers(_) | Node(_), _) => false,
    }
}
