//! The same columns again: what two versions tell together.
//!
//! Somebody knows Anna's quasi values, and that she is in both versions. She may be in any group whose cells cover these
//! values. What a group of the one and a group of the other have in common is then all that she can be, and the template
//! must hold of it. Where both versions show every value in the same way, somebody who knows who came or left looks at what
//! one version has more of; the template must hold of that, too, or there is nothing.

use std::collections::BTreeMap;

use super::groups::{groups_of, tally};
use super::labels::{covers, is_one};
use super::sight::Sight;
use super::template::{Measure, Template};
use super::{confidence, diversity};
use crate::policy::Policy;
use crate::table::Cell;

/// A person in both versions: their values by the names of columns.
pub type Person = BTreeMap<String, Cell>;

/// Whether the template is compared, and holds of what every pair of groups has in common that one of these people may be
/// in; `None` if it is of a kind that is not compared.
pub fn stayed_hold(template: &Template, old: &Sight, new: &Sight, people: &[Person]) -> Option<bool> {
    let about = secrets(template)?;
    let groups = [groups_of(old, &template.of)?, groups_of(new, &template.of)?];
    for person in people {
        let may_be_in = |sight: &Sight, shown: &Vec<Cell>| {
            let mut columns = template.of.iter().zip(shown);
            columns.all(|(name, label)| may_be_behind(sight, name, label, &person[name]))
        };
        for before in groups[0].keys().filter(|shown| may_be_in(old, shown)) {
            for after in groups[1].keys().filter(|shown| may_be_in(new, shown)) {
                for column in &about {
                    let before = old.cells(old.find(column)?, &groups[0][before]);
                    let after = new.cells(new.find(column)?, &groups[1][after]);
                    if !holds(template, column, new.policy, &common(&before, &after)) {
                        return Some(false);
                    }
                }
            }
        }
    }
    Some(true)
}

/// Whether the template holds of what one version has more of than the other, group by group. Both show every value in the
/// same way.
pub fn changed_hold(template: &Template, old: &Sight, new: &Sight) -> Option<bool> {
    let about = secrets(template)?;
    let groups = [groups_of(old, &template.of)?, groups_of(new, &template.of)?];
    for shown in groups[0].keys().chain(groups[1].keys()) {
        for column in &about {
            let cells = |sight: &Sight, version: usize| {
                let rows = groups[version].get(shown).cloned().unwrap_or_default();
                Some(sight.cells(sight.find(column)?, &rows))
            };
            let (before, after) = (cells(old, 0)?, cells(new, 1)?);
            let parts = [more(&before, &after), more(&after, &before)];
            if !parts.iter().all(|part| holds(template, column, new.policy, part)) {
                return Some(false);
            }
        }
    }
    Some(true)
}

/// The columns with secrets, if versions are compared by such a template.
fn secrets(template: &Template) -> Option<Vec<String>> {
    match &template.measure {
        _ if template.any.is_some_and(|any| any < template.of.len()) => None,
        Measure::Share(about) => Some(about.iter().map(|about| about.column.clone()).collect()),
        Measure::Spread(_, about) => Some(vec![about.clone()]),
        // Of rows, two groups that are large enough always have enough in common.
        Measure::Rows(_)
        | Measure::People
        | Measure::Distance(..)
        | Measure::Delta(_)
        | Measure::Beta(..)
        | Measure::Guarded(..)
        | Measure::Ranges(_) => None,
    }
}

/// Whether a value may be behind a label. Of a column that is published as it is, the label is the value. In a suppressed
/// column each value is shown everywhere or nowhere, so what it shows is not behind a star elsewhere.
fn may_be_behind(sight: &Sight, name: &str, label: &Cell, value: &Cell) -> bool {
    let Some(column) = sight.column(name) else { return false };
    if sight.as_they_are.iter().any(|column| column == name) {
        return is_one(&column.kind, label, value);
    }
    let is_shown = || {
        let place = sight.find(name);
        place.is_some_and(|place| sight.all_cells(place).contains(value))
    };
    let is_suppressed = sight.suppressed.iter().any(|column| column == name);
    let is_elsewhere = is_suppressed && label.as_deref() == Some("*") && value != label && is_shown();
    !is_elsewhere && covers(&column.kind, !sight.policy.method.masks(), label, value)
}

/// What both have, as often as both have it.
fn common(a: &[Cell], b: &[Cell]) -> Vec<Cell> {
    let b = tally(b);
    let both = tally(a).into_iter().flat_map(|(value, count)| {
        let count = count.min(b.get(&value).copied().unwrap_or(0));
        std::iter::repeat_n(value, count)
    });
    both.collect()
}

/// What the first has more of.
fn more(a: &[Cell], b: &[Cell]) -> Vec<Cell> {
    let b = tally(b);
    let more = tally(a).into_iter().flat_map(|(value, count)| {
        let count = count.saturating_sub(b.get(&value).copied().unwrap_or(0));
        std::iter::repeat_n(value, count)
    });
    more.collect()
}

fn holds(template: &Template, column: &str, policy: &Policy, part: &[Cell]) -> bool {
    if part.is_empty() {
        return true;
    }
    let Some(kind) = policy.column(column).map(|column| &column.kind) else {
        return true;
    };
    match &template.measure {
        Measure::Share(about) => {
            let mut of_column = about.iter().filter(|about| about.column == column);
            of_column.all(|about| template.holds(confidence::largest_share(part, kind, &about.secrets)))
        }
        Measure::Spread(spread, _) => template.holds(diversity::level(part, *spread)),
        Measure::Rows(_)
        | Measure::People
        | Measure::Distance(..)
        | Measure::Delta(_)
        | Measure::Beta(..)
        | Measure::Guarded(..)
        | Measure::Ranges(_) => true,
    }
}
