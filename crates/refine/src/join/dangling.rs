//! Records that dangle: those with no match in the other releases.
//!
//! The guarantee of a template on the join is about people who are in all releases. A record that matches nothing is about
//! somebody whom another release does not cover, and then a group of the join may vanish on the way (section 6.2.2).

use scumble_privacy::{History, THIS};
use scumble_table::{Codes, Table, collapse};

use super::matching::{Combination, Matching, Shown};
use super::side::Side;

/// How many records have no match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dangling {
    /// Records of this table that are in no match at all.
    pub of_this: u64,
    /// For each earlier release, who is not covered.
    pub earlier: Vec<DanglingIn>,
}

/// How many records of this table and of an earlier release have no match in each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DanglingIn {
    /// Records of this table that match no record of the release.
    pub of_this: u64,
    /// Records of the release that are in no match.
    pub of_release: u64,
}

/// Counts the records of a table, as it is before masking, and of the earlier releases that have no match. Masking only
/// ever adds matches.
pub fn dangling(table: &Table, history: &History) -> Dangling {
    let sides: Vec<Side> = history
        .earlier
        .iter()
        .zip(1..)
        .map(|(earlier, release)| Side::new(&earlier.table, history.join_columns(release), &[], &[], |_| 0))
        .collect();
    let mut matching = Matching::new(history, &sides);
    let columns = history.join_columns(THIS);
    let codes: Vec<&Codes> = columns.iter().map(|&id| table.column(id).codes()).collect();
    let kinds = collapse(table.rows(), &codes);
    let shown: Vec<Vec<Shown>> = matching
        .columns
        .iter_mut()
        .map(|join| join.shown_as_they_are(table.column(join.id).dictionary()))
        .collect();
    let mut dangling = Dangling {
        of_this: 0,
        earlier: vec![DanglingIn::default(); sides.len()],
    };
    let mut covered: Vec<Vec<bool>> = sides.iter().map(|side| vec![false; side.kinds() as usize]).collect();
    for (&row, &records) in kinds.rows.iter().zip(&kinds.weights) {
        let records = u64::from(records);
        let of_columns = shown.iter().zip(&codes);
        let shown: Vec<Shown> = of_columns
            .map(|(shown, codes)| shown[codes.at(row as usize) as usize])
            .collect();
        let combination = matching.combination(&shown, &sides);
        for (matched, dangling) in matching.matched(combination).iter().zip(&mut dangling.earlier) {
            dangling.of_this += if matched.is_empty() { records } else { 0 };
        }
        if !cover(&matching, combination, &mut Vec::new(), &sides, &mut covered) {
            dangling.of_this += records;
        }
    }
    for ((side, covered), dangling) in sides.iter().zip(&covered).zip(&mut dangling.earlier) {
        let alone = (0..side.kinds()).filter(|&kind| !covered[kind as usize]);
        dangling.of_release = alone.map(|kind| side.records(kind)).sum();
    }
    dangling
}

/// Marks the kinds that are in a match of a combination; whether there is one.
fn cover(
    matching: &Matching,
    combination: Combination,
    chosen: &mut Vec<u32>,
    sides: &[Side],
    covered: &mut [Vec<bool>],
) -> bool {
    let at = chosen.len();
    if at == sides.len() {
        return true;
    }
    let mut any = false;
    for &kind in &matching.matched(combination)[at] {
        if !matching.goes_with(chosen, kind, sides) {
            continue;
        }
        chosen.push(kind);
        // Without ties the releases match on their own: what one finds, it finds whatever the others chose.
        let found = cover(matching, combination, chosen, sides, covered);
        chosen.pop();
        if found {
            covered[at][kind as usize] = true;
        }
        any |= found;
    }
    any
}
