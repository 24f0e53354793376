//! The join with earlier releases: every way to put a record of this release beside one of each earlier one, such that all
//! may be about one person.
//!
//! Two records may be, if on each column that both have (or on those of `join`) their cells can stand for one value, and no
//! pair of the policy says otherwise: it does where all that the cells may stand for is what the pair says. A group is the matches that show the same on `of`, where a column that several
//! releases have stands once for each.

use std::collections::{BTreeMap, BTreeSet};

use super::confidence;
use super::labels::{Made, Meaning, meaning, meet};
use super::sight::{Past, Sight};
use super::template::{Measure, Template};
use crate::policy::{About, Inconsistent, Kind, Per};
use crate::table::Cell;

/// One record of each release: its number in this one, then in each earlier one.
type Match = Vec<usize>;

/// The level of the worst group of the join.
pub fn level(template: &Template, sight: &Sight) -> Option<f64> {
    let releases = releases(sight);
    let matches = matches(&releases, sight)?;
    let copies: Vec<Copy> = template.of.iter().flat_map(|name| copies(&releases, name)).collect();
    let mut groups: BTreeMap<Vec<&Cell>, Vec<&Match>> = BTreeMap::new();
    for found in &matches {
        let shown = copies.iter().map(|copy| copy.cell(&releases, found)).collect();
        groups.entry(shown).or_default().push(found);
    }
    let levels = groups.values().map(|group| match &template.measure {
        Measure::Rows(per) => Some(counted(&releases, group, per) as f64),
        Measure::Share(about) => share(&releases, group, about, sight),
        _ => None,
    });
    let levels = levels.collect::<Option<Vec<f64>>>()?;
    levels
        .into_iter()
        .reduce(|a, b| if template.at_least() { a.min(b) } else { a.max(b) })
}

/// This release, then the earlier ones.
fn releases(sight: &Sight) -> Vec<Past> {
    let this = Past {
        name: "this".to_owned(),
        join: None,
        header: sight.header.clone(),
        rows: sight.rows.clone(),
        made: Made::ByMasks,
    };
    [this].into_iter().chain(sight.earlier.iter().cloned()).collect()
}

/// A column of one release.
#[derive(Clone, Copy)]
struct Copy {
    release: usize,
    column: usize,
}

impl Copy {
    fn cell<'r>(&self, releases: &'r [Past], found: &Match) -> &'r Cell {
        &releases[self.release].rows[found[self.release]][self.column]
    }
}

/// The columns that a name stands for: `old.C` is one copy, `this.C` the own one, `C` that of every release that has it.
fn copies(releases: &[Past], name: &str) -> Vec<Copy> {
    let copy = |release: usize, name: &str| {
        let column = releases[release].header.iter().position(|column| column == name)?;
        Some(Copy { release, column })
    };
    for (number, release) in releases.iter().enumerate() {
        let rest = name.strip_prefix(&release.name).and_then(|rest| rest.strip_prefix('.'));
        if let Some(rest) = rest {
            return copy(number, rest).into_iter().collect();
        }
    }
    (0..releases.len()).filter_map(|release| copy(release, name)).collect()
}

fn matches(releases: &[Past], sight: &Sight) -> Option<Vec<Match>> {
    let mut matches: Vec<Match> = (0..releases[0].rows.len()).map(|row| vec![row]).collect();
    for number in 1..releases.len() {
        let agreeing = (0..number)
            .map(|other| agreeing(&releases[other], &releases[number], sight))
            .collect::<Option<Vec<BTreeSet<(usize, usize)>>>>()?;
        let mut longer = Vec::new();
        for found in &matches {
            let fits = |&row: &usize| (0..number).all(|other| agreeing[other].contains(&(found[other], row)));
            let rows = (0..releases[number].rows.len()).filter(fits);
            longer.extend(rows.map(|row| [&found[..], &[row]].concat()));
        }
        matches = longer;
    }
    Some(matches)
}

/// The pairs of records of two releases that may be about one person.
fn agreeing(a: &Past, b: &Past, sight: &Sight) -> Option<BTreeSet<(usize, usize)>> {
    let is_joined = |name: &&String| {
        let by = |release: &Past| release.join.as_ref().is_none_or(|join| join.contains(name));
        b.header.contains(name) && by(a) && by(b)
    };
    let common: Vec<&String> = a.header.iter().filter(is_joined).collect();
    let meanings = |release: &Past| -> Option<Vec<Vec<Meaning>>> {
        common
            .iter()
            .map(|name| column_meanings(release, name, sight))
            .collect()
    };
    let (these, those) = (meanings(a)?, meanings(b)?);
    let may_be_one = |&(row, other): &(usize, usize)| {
        let meets = |column: usize| {
            let kind = kind_of(sight, common[column]);
            meet(kind, &these[column][row], &those[column][other])
        };
        let mut never_both = sight.policy.inconsistent.iter();
        (0..common.len()).all(meets) && !never_both.any(|pair| never(pair, a, row, b, other, sight))
    };
    let pairs = (0..a.rows.len()).flat_map(|row| (0..b.rows.len()).map(move |other| (row, other)));
    Some(pairs.filter(may_be_one).collect())
}

fn kind_of<'s>(sight: &'s Sight, name: &str) -> &'s Kind {
    sight.column(name).map_or(&Kind::Plain, |column| &column.kind)
}

fn column_meanings(release: &Past, name: &str, sight: &Sight) -> Option<Vec<Meaning>> {
    let place = release.header.iter().position(|column| column == name)?;
    let shown: BTreeSet<Cell> = release.rows.iter().map(|row| row[place].clone()).collect();
    let kind = kind_of(sight, name);
    release
        .rows
        .iter()
        .map(|row| meaning(kind, release.made, &shown, &row[place]))
        .collect()
}

/// Whether a pair of the policy says that nobody is both.
fn never(pair: &Inconsistent, a: &Past, row: usize, b: &Past, other: usize, sight: &Sight) -> bool {
    let is = |release: &Past, row: usize, (column, value): &(String, String)| {
        let place = release.header.iter().position(|name| name == column);
        let cell = place.and_then(|place| release.rows[row][place].as_ref());
        cell.is_some_and(|cell| is_certainly(kind_of(sight, column), cell, value))
    };
    a.name == "this" && b.name == pair.release && is(a, row, &pair.this) && is(b, other, &pair.that)
}

/// Whether all that a cell may stand for is a value, or under it. Of a node with one leaf that is known of the leaf, too; the
/// root also stands for the missing value, which is under nothing else.
fn is_certainly(kind: &Kind, cell: &str, value: &str) -> bool {
    let Kind::Tree(tree) = kind else {
        return cell == value;
    };
    let (Some(shown), Some(node)) = (tree.find(cell), tree.find(value)) else {
        return false;
    };
    let mut leaves = tree.leaves_under(shown).into_iter();
    node == 0 || (shown != 0 && leaves.all(|leaf| tree.is_above(node, leaf)))
}

fn counted(releases: &[Past], group: &[&Match], per: &Per) -> usize {
    let different = |release: usize| {
        group
            .iter()
            .map(|found| found[release])
            .collect::<BTreeSet<usize>>()
            .len()
    };
    match per {
        Per::This => different(0),
        Per::Join => group.len(),
        Per::Release(name) => releases
            .iter()
            .position(|release| release.name == *name)
            .map_or(0, different),
        Per::Columns(names) => {
            let copies: Vec<Copy> = names.iter().flat_map(|name| copies(releases, name)).collect();
            let shown = |found: &&Match| copies.iter().map(|copy| copy.cell(releases, found)).collect();
            group.iter().map(shown).collect::<BTreeSet<Vec<&Cell>>>().len()
        }
    }
}

/// The share of matches with a secret, which is in one release.
fn share(releases: &[Past], group: &[&Match], about: &[About], sight: &Sight) -> Option<f64> {
    let of_column = |about: &About| {
        let copy = copies(releases, &about.column).into_iter().next()?;
        let cells: Vec<Cell> = group.iter().map(|found| copy.cell(releases, found).clone()).collect();
        let kind = kind_of(sight, &about.column);
        Some(confidence::largest_share(&cells, kind, &about.secrets))
    };
    let shares = about.iter().map(of_column).collect::<Option<Vec<f64>>>()?;
    Some(shares.into_iter().fold(0.0, f64::max))
}
