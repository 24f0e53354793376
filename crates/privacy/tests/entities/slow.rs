//! The audit as its definitions read: every person's tree is written out as a text, and texts are compared.

use std::collections::{BTreeMap, BTreeSet};

use scumble_privacy::{Diversity, EntityDemand, SecretValues};

use crate::plain::{Plain, PlainOriginals, PlainTable};
use crate::slow_compared::{Rows, disclosures, distances, gains};

/// The first row of the parent with the key that a row has.
pub fn parent_row(tables: &[PlainTable], table: usize, row: usize) -> Option<usize> {
    let (parent, columns) = tables[table].parent.as_ref()?;
    let foreign: Vec<&String> = columns.iter().map(|&column| &tables[table].rows[row][column]).collect();
    let parent = &tables[*parent];
    let key = |row: &Vec<String>| -> Vec<String> { parent.key.iter().map(|&column| row[column].clone()).collect() };
    let is_whole = foreign.iter().all(|cell| !cell.is_empty());
    parent
        .rows
        .iter()
        .position(|row| is_whole && key(row).iter().eq(foreign.iter().copied()))
}

/// The rows from the person down to a row; `None` if it belongs to nobody.
fn lineage(tables: &[PlainTable], table: usize, row: usize) -> Option<Vec<(usize, usize)>> {
    let mut above = match tables[table].parent {
        None => Vec::new(),
        Some((parent, _)) => lineage(tables, parent, parent_row(tables, table, row)?)?,
    };
    above.push((table, row));
    Some(above)
}

/// What a row shows with all rows below it.
pub fn tree(tables: &[PlainTable], table: usize, row: usize) -> String {
    let own: Vec<&String> = tables[table]
        .quasi
        .iter()
        .map(|&column| &tables[table].rows[row][column])
        .collect();
    let mut text = format!("({own:?}");
    for (child, below) in tables.iter().enumerate() {
        if below.parent.as_ref().is_none_or(|(parent, _)| *parent != table) {
            continue;
        }
        let rows = (0..below.rows.len()).filter(|&own| parent_row(tables, child, own) == Some(row));
        let mut rows: Vec<String> = rows.map(|row| tree(tables, child, row)).collect();
        rows.sort();
        text.push_str(&format!(" {child}:{rows:?}"));
    }
    text + ")"
}

/// The rows of a table that cannot be told apart, each with its person.
fn groups(tables: &[PlainTable], table: usize) -> BTreeMap<Vec<String>, Vec<(usize, usize)>> {
    let mut groups: BTreeMap<Vec<String>, Vec<(usize, usize)>> = BTreeMap::new();
    for row in 0..tables[table].rows.len() {
        if let Some(lineage) = lineage(tables, table, row) {
            let path = lineage.iter().map(|&(table, row)| tree(tables, table, row)).collect();
            groups.entry(path).or_default().push((row, lineage[0].1));
        }
    }
    groups
}

/// The level of each group that a demand is about, with its rows, ascending.
pub fn levels(plain: &Plain, demand: &EntityDemand) -> Vec<(f64, u64)> {
    let tables = &plain.tables;
    let groups = match demand {
        EntityDemand::Anonymity { .. } => groups(tables, 0),
        EntityDemand::Confidence { table, .. }
        | EntityDemand::Diversity { table, .. }
        | EntityDemand::Closeness { table, .. }
        | EntityDemand::DeltaDisclosure { table, .. }
        | EntityDemand::BetaLikeness { table, .. } => groups(tables, *table),
    };
    let beside_all = |table: usize, column: usize, levels: &dyn Fn(&[Rows]) -> Vec<f64>| {
        let rows = |group: &Vec<(usize, usize)>| {
            let rows = group
                .iter()
                .map(|&(row, person)| (&tables[table].rows[row][column][..], person));
            rows.collect()
        };
        let texts: Vec<Rows> = groups.values().map(rows).collect();
        let sizes = groups.values().map(|group| group.len() as u64);
        levels(&texts).into_iter().zip(sizes).collect()
    };
    let mut levels: Vec<(f64, u64)> = match demand {
        EntityDemand::Closeness {
            table, about, distance, ..
        } => beside_all(*table, about.0, &|groups| distances(groups, distance)),
        EntityDemand::DeltaDisclosure { table, about, .. } => beside_all(*table, about.0, &disclosures),
        EntityDemand::BetaLikeness {
            table, about, enhanced, ..
        } => beside_all(*table, about.0, &|groups| gains(groups, *enhanced)),
        EntityDemand::Anonymity { .. } | EntityDemand::Confidence { .. } | EntityDemand::Diversity { .. } => {
            alone(tables, demand, &groups)
        }
    };
    levels.sort_by(|a, b| a.0.total_cmp(&b.0));
    levels
}

/// The level of each group by itself.
fn alone(
    tables: &[PlainTable],
    demand: &EntityDemand,
    groups: &BTreeMap<Vec<String>, Vec<(usize, usize)>>,
) -> Vec<(f64, u64)> {
    let level = |group: &Vec<(usize, usize)>| match demand {
        EntityDemand::Anonymity { .. } => group.len() as f64,
        EntityDemand::Confidence { table, about, .. } => {
            let cells = group
                .iter()
                .map(|&(row, person)| (&tables[*table].rows[row][about.column.0], person));
            let cells: Vec<(&String, usize)> = cells.collect();
            let sets: Vec<Vec<String>> = match &about.values {
                SecretValues::Every => cells.iter().map(|(cell, _)| vec![(*cell).clone()]).collect(),
                SecretValues::Sets(sets) => sets.clone(),
            };
            let persons: BTreeSet<usize> = cells.iter().map(|(_, person)| *person).collect();
            let with = |set: &Vec<String>| {
                let having = cells.iter().filter(|(cell, _)| set.contains(cell));
                having.map(|(_, person)| *person).collect::<BTreeSet<usize>>().len()
            };
            sets.iter().map(with).max().unwrap_or(0) as f64 / persons.len() as f64
        }
        EntityDemand::Diversity { table, about, measure } => {
            let mut counts: BTreeMap<&String, u64> = BTreeMap::new();
            for (row, _) in group {
                *counts.entry(&tables[*table].rows[*row][about.0]).or_default() += 1;
            }
            diversity(*measure, &counts.into_values().collect::<Vec<u64>>())
        }
        EntityDemand::Closeness { .. } | EntityDemand::DeltaDisclosure { .. } | EntityDemand::BetaLikeness { .. } => {
            unreachable!("these are beside all")
        }
    };
    let groups = groups.values();
    groups.map(|group| (level(group), group.len() as u64)).collect()
}

fn diversity(measure: Diversity, counts: &[u64]) -> f64 {
    let size: u64 = counts.iter().sum();
    match measure {
        Diversity::Distinct { .. } => counts.len() as f64,
        Diversity::Entropy { .. } => {
            let shares = counts.iter().map(|&count| count as f64 / size as f64);
            2f64.powf(shares.map(|share| -share * share.log2()).sum())
        }
        Diversity::Recursive { c, .. } => {
            let mut falling = counts.to_vec();
            falling.sort_by(|a, b| b.cmp(a));
            let keeps = |l: &usize| (falling[0] as f64) < c * falling[l - 1..].iter().sum::<u64>() as f64;
            (1..=falling.len()).rev().find(keeps).unwrap_or(0) as f64
        }
    }
}

/// All faults, in the order in which the audit tells them.
pub fn faults(plain: &Plain, originals: Option<&PlainOriginals>) -> Vec<String> {
    let mut faults = Vec::new();
    for place in 0..plain.tables.len() {
        let kind = format!("table `{}`", plain.tables[place].name);
        key_faults(&kind, &plain.tables[place], &mut faults);
        orphans(plain, place, &mut faults);
    }
    for lookup in &plain.lookups {
        key_faults(&format!("look-up `{}`", lookup.name), lookup, &mut faults);
    }
    for (kind, table) in with_kinds(plain) {
        for &(column, lookup) in &table.refers {
            let lookup = &plain.lookups[lookup];
            for (row, cells) in table.rows.iter().enumerate() {
                let cell = &cells[column];
                let generalized = table.quasi.contains(&column) && (cell == "*" || cell.contains(['{', '[']));
                if !cell.is_empty() && !generalized && lookup.rows.iter().all(|row| row[0] != *cell) {
                    faults.push(format!(
                        "{kind} `{}`, row {}: the look-up `{}` has no row with the key in `{}`",
                        table.name,
                        row + 1,
                        lookup.name,
                        table.header[column]
                    ));
                }
            }
        }
    }
    if let Some(originals) = originals {
        (0..plain.tables.len()).for_each(|place| differences(plain, originals, place, &mut faults));
    }
    faults
}

fn with_kinds(plain: &Plain) -> impl Iterator<Item = (&'static str, &PlainTable)> {
    let tables = plain.tables.iter().map(|table| ("table", table));
    tables.chain(plain.lookups.iter().map(|table| ("look-up", table)))
}

fn names(table: &PlainTable, columns: &[usize]) -> String {
    let names: Vec<String> = columns
        .iter()
        .map(|&column| format!("`{}`", table.header[column]))
        .collect();
    names.join(", ")
}

fn key_faults(kind: &str, table: &PlainTable, faults: &mut Vec<String>) {
    let key = |row: usize| -> Vec<&String> { table.key.iter().map(|&column| &table.rows[row][column]).collect() };
    for row in 0..table.rows.len() {
        let at = format!("{kind}, row {}:", row + 1);
        if let Some(&empty) = table.key.iter().find(|&&column| table.rows[row][column].is_empty()) {
            faults.push(format!("{at} the key column `{}` is empty", table.header[empty]));
        } else if let Some(first) = (0..row).find(|&first| !table.key.is_empty() && key(first) == key(row)) {
            let columns = names(table, &table.key);
            faults.push(format!("{at} the key in {columns} is that of row {}", first + 1));
        }
    }
}

fn orphans(plain: &Plain, place: usize, faults: &mut Vec<String>) {
    let table = &plain.tables[place];
    let Some((parent, columns)) = &table.parent else { return };
    for row in 0..table.rows.len() {
        if parent_row(&plain.tables, place, row).is_none() {
            faults.push(format!(
                "table `{}`, row {}: `{}` has no row with the key in {}",
                table.name,
                row + 1,
                plain.tables[*parent].name,
                names(table, columns)
            ));
        }
    }
}

fn differences(plain: &Plain, originals: &PlainOriginals, place: usize, faults: &mut Vec<String>) {
    let (table, original) = (&plain.tables[place], &originals.tables[place]);
    let rows = &originals.rows[place];
    let there = |row: usize| Some(rows[row] as usize).filter(|&of| of < original.rows.len());
    let mut fault =
        |row: usize, wrong: String| faults.push(format!("table `{}`, row {}: {wrong}", table.name, row + 1));
    for row in 0..rows.len() {
        if there(row).is_none() {
            fault(row, "it is of no row of the original".to_owned());
        } else if let Some(first) = (0..row).find(|&first| rows[first] == rows[row]) {
            fault(
                row,
                format!("it is of the same row of the original as row {}", first + 1),
            );
        }
    }
    for row in 0..rows.len() {
        let (Some(of), Some((parent, _))) = (there(row), &table.parent) else {
            continue;
        };
        let Some(released) = parent_row(&plain.tables, place, row) else {
            continue;
        };
        let of_released = originals.rows[*parent][released] as usize;
        if parent_row(&originals.tables, place, of) != Some(of_released) {
            let parent = &plain.tables[*parent].name;
            fault(row, format!("in the original it belongs to another row of `{parent}`"));
        }
    }
    for column in 0..table.header.len() {
        let name = &table.header[column];
        for row in 0..rows.len() {
            let Some(of) = there(row) else { continue };
            let (label, value) = (&table.rows[row][column], &original.rows[of][column]);
            if table.quasi.contains(&column) && !covers(label, value) {
                fault(
                    row,
                    format!("what column `{name}` shows does not cover the original value"),
                );
            } else if table.others.contains(&column) && label != value {
                fault(row, format!("column `{name}` differs from the original"));
            }
        }
    }
}

/// Labels of the random tables: `*`, the node `AB`, the set `{a|c}`, the interval `[1, 3)`, or a value.
fn covers(label: &str, value: &str) -> bool {
    match label {
        "*" => true,
        "AB" => ["a", "b"].contains(&value),
        "{a|c}" => ["a", "c"].contains(&value),
        "[1, 3)" => ["1", "2"].contains(&value),
        _ => label == value,
    }
}
