//! Anonymity: how many rows a group has, or how many different combinations of some columns.

use std::collections::BTreeSet;

use super::groups::Groups;
use super::sight::Sight;
use crate::policy::Per;
use crate::table::Cell;

pub(super) fn levels(sight: &Sight, groups: &Groups, per: &Per) -> Option<Vec<f64>> {
    let Per::Columns(columns) = per else {
        return Some(groups.values().map(|rows| rows.len() as f64).collect());
    };
    let places = columns
        .iter()
        .map(|name| sight.find(name))
        .collect::<Option<Vec<usize>>>()?;
    let different = |rows: &Vec<usize>| {
        let combination = |&row: &usize| places.iter().map(|&place| &sight.rows[row][place]).collect();
        let combinations: BTreeSet<Vec<&Cell>> = rows.iter().map(combination).collect();
        combinations.len() as f64
    };
    Some(groups.values().map(different).collect())
}
