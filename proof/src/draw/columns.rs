//! Columns, with the values that their cells are drawn from.

use crate::dice::Dice;
use crate::policy::{Column, Kind, Ranges, Role};
use crate::table::number;

use super::values;

/// A column and what may stand in it.
#[derive(Clone)]
pub(super) struct Drawn {
    pub column: Column,
    pub values: Vec<String>,
    /// How many of 100 cells are blank.
    pub blank: usize,
    /// Whether the first values are frequent and the last rare, so that some rows stand out.
    pub skewed: bool,
}

/// How odd cells may be.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Manners {
    /// Anything.
    Any,
    /// No blanks, no stars, nothing missing: for what must be read without doubt.
    Clear,
}

/// A quasi, sensitive, class or other column.
pub(super) fn column(dice: &mut Dice, name: &str, role: Role, manners: Manners) -> Drawn {
    let may_have_tree = matches!(role, Role::Quasi | Role::Sensitive);
    let (kind, values) = match dice.below(10) {
        0..4 if may_have_tree => tree(dice, name, manners),
        4..7 if may_have_tree => numbers(dice, manners),
        _ if manners == Manners::Clear => (Kind::Plain, values::plain_words(dice)),
        _ => (Kind::Plain, values::words(dice)),
    };
    let ranges = match role {
        Role::Sensitive if dice.percent(60) => Some(ranges(dice, &kind)),
        _ => None,
    };
    let is_blank = manners == Manners::Any && dice.percent(35);
    Drawn {
        column: Column {
            name: name.to_owned(),
            role,
            kind,
            form: None,
            ranges,
        },
        values,
        blank: if is_blank {
            *dice.pick(&[12, 12, 12, 12, 12, 100])
        } else {
            0
        },
        skewed: dice.percent(50),
    }
}

/// A column with a value for each row.
pub(super) fn numbered(name: &str, role: Role) -> Drawn {
    Drawn {
        column: Column {
            name: name.to_owned(),
            role,
            kind: Kind::Plain,
            form: None,
            ranges: None,
        },
        values: Vec::new(),
        blank: 0,
        skewed: false,
    }
}

fn tree(dice: &mut Dice, name: &str, manners: Manners) -> (Kind, Vec<String>) {
    let mut tree = values::tree(dice, name);
    while manners == Manners::Clear && tree.nodes.iter().any(|node| node.label.trim() != node.label) {
        tree = values::tree(dice, name);
    }
    let leaves = tree
        .leaves()
        .into_iter()
        .map(|leaf| tree.nodes[leaf].label.clone())
        .collect();
    (Kind::Tree(tree), leaves)
}

fn numbers(dice: &mut Dice, manners: Manners) -> (Kind, Vec<String>) {
    let odd = manners == Manners::Any && dice.percent(35);
    let texts = values::numbers(dice, odd);
    let read: Vec<f64> = texts.iter().filter_map(|text| number(text)).collect();
    let (from, to) = (
        read.iter().copied().fold(f64::INFINITY, f64::min),
        read.iter().copied().fold(f64::NEG_INFINITY, f64::max),
    );
    let wider = if odd { 0.0 } else { dice.below(2) as f64 * 100.0 };
    let range = dice.percent(50).then(|| (written(from - wider), written(to + wider)));
    // Two ends that are one number make no range.
    (Kind::Numbers(range.filter(|_| from < to)), texts)
}

/// A number as TOML writes one.
fn written(number: f64) -> String {
    format!("{number:?}")
}

fn ranges(dice: &mut Dice, kind: &Kind) -> Ranges {
    match kind {
        Kind::Numbers(_) if dice.percent(70) => Ranges::Width(*dice.pick(&[1, 5, 10])),
        Kind::Numbers(_) => Ranges::Intervals(vec![(0, 4), (8, 20)]),
        Kind::Plain | Kind::Tree(_) => Ranges::Level(dice.from_to(1, 2)),
    }
}
