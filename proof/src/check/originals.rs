//! Released cells beside the data: each covers a value that somebody has, and nobody who was left out is seen.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::case::{Case, TAG};
use crate::definitions::labels::{Interval, covers};
use crate::findings::Findings;
use crate::policy::{Column, Demand, Kind, Per, Policy, Role};
use crate::release::{Release, canonical};
use crate::table::{Cell, Table, number};

use super::matching::can_be_matched;

/// The rows that are not dropped for a missing value, by number; `None` where it is not said which columns are looked at.
pub(super) fn kept(case: &Case, data: &Table) -> Option<Vec<usize>> {
    let policy = &case.policy;
    let all = 0..data.rows.len();
    if !policy.reading.drop {
        return Some(all.collect());
    }
    let is_missing = |row: usize, column: &Column| {
        let place = data.find(&column.name).unwrap_or(0);
        policy.reading.cell(&data.rows[row].cells[place]).is_none()
    };
    let loose = policy.columns.iter().filter(|column| column.role == Role::Unlisted);
    if loose
        .into_iter()
        .any(|column| all.clone().any(|row| is_missing(row, column)))
    {
        return None;
    }
    let is_read = |column: &&Column| column.role != Role::Identifier || is_counted(policy, &column.name);
    let read: Vec<&Column> = policy.columns.iter().filter(is_read).collect();
    Some(
        all.filter(|&row| !read.iter().any(|column| is_missing(row, column)))
            .collect(),
    )
}

/// Whether a template counts by a column.
fn is_counted(policy: &Policy, name: &str) -> bool {
    let mut demands = policy.require.iter().map(|require| &require.demand);
    demands.any(|demand| match demand {
        Demand::Anonymity(_, Per::Columns(columns)) => columns.iter().any(|column| column == name),
        Demand::Personal(_, _, guarding) => guarding == name,
        _ => false,
    })
}

/// For each released row, the row of the data that it is, if a column tells.
pub(super) fn lineage(data: &Table, release: &Release) -> Option<Vec<usize>> {
    let (place, original) = (release.find(TAG)?, data.find(TAG)?);
    let find = |row: &Vec<Cell>| {
        let tag = row[place].as_ref()?;
        data.rows
            .iter()
            .position(|original_row| original_row.cells[original] == *tag)
    };
    release.rows.iter().map(find).collect()
}

pub(super) fn check(case: &Case, data: &Table, release: &Release, findings: &mut Findings) {
    let policy = &case.policy;
    let shown: Vec<(usize, usize, &Column)> = release
        .header
        .iter()
        .enumerate()
        .filter_map(|(place, name)| Some((place, data.find(name)?, policy.column(name)?)))
        .filter(|(_, _, column)| policy.method.name != "microaggregation" || column.role != Role::Quasi)
        .collect();
    let fits = |released: usize, original: usize| {
        shown.iter().all(|&(place, from, column)| {
            let label = &release.rows[released][place];
            let value = policy.reading.cell(&data.rows[original].cells[from]);
            cell_fits(policy, column, label, value)
        })
    };
    let originals = kept(case, data).unwrap_or_else(|| (0..data.rows.len()).collect());
    match lineage(data, release) {
        Some(lineage) => {
            let wrong = lineage
                .iter()
                .enumerate()
                .find(|&(released, &original)| !fits(released, original));
            if let Some((released, _)) = wrong {
                findings.fault(
                    "a released cell does not cover its value",
                    format!("row {}", released + 1),
                );
            }
            if is_twice(&lineage) {
                findings.fault("a row is published twice", "by its tag");
            }
            left_out(case, data, release, &lineage, findings);
            written(case, data, release, &lineage, findings);
            centres(case, data, release, &lineage, findings);
        }
        None if !can_be_matched(release.rows.len(), &originals, fits) => {
            findings.fault("a released cell does not cover its value", "no matching of rows fits");
        }
        None => {}
    }
    if kept(case, data).is_some() {
        secrets_apart(case, data, release, &originals, findings);
    }
    missing_is_shown(release, findings);
}

fn is_twice(lineage: &[usize]) -> bool {
    lineage.iter().collect::<BTreeSet<_>>().len() < lineage.len()
}

fn cell_fits(policy: &Policy, column: &Column, label: &Cell, value: Cell) -> bool {
    if column.role == Role::Quasi {
        return covers(&column.kind, policy.method.groups(), label, &value);
    }
    canonical(policy, &column.name, label.clone()) == canonical(policy, &column.name, value)
}

/// Values that only rows which are not published hold, or people of a population, are in no file.
fn left_out(case: &Case, data: &Table, release: &Release, lineage: &[usize], findings: &mut Findings) {
    let policy = &case.policy;
    if policy.method.name == "microaggregation" {
        return;
    }
    let masks = release.masks();
    for column in policy.columns.iter().filter(|column| column.role == Role::Quasi) {
        let (Some(from), Some(place)) = (data.find(&column.name), release.find(&column.name)) else {
            continue;
        };
        let value = |row: usize| policy.reading.cell(&data.rows[row].cells[from]);
        let published: BTreeSet<Cell> = lineage.iter().map(|&row| value(row)).collect();
        let mut all: BTreeSet<Cell> = (0..data.rows.len()).map(value).collect();
        let people = case.population.as_ref();
        if let Some((people, place)) = people.and_then(|people| Some((people, people.find(&column.name)?))) {
            let people = people.rows.iter();
            all.extend(people.map(|person| policy.reading.cell(&person.cells[place])));
        }
        let hidden: Vec<&String> = all
            .iter()
            .filter(|value| !published.contains(*value))
            .flatten()
            .collect();
        let cells: Vec<&String> = release.rows.iter().filter_map(|row| row[place].as_ref()).collect();
        let told = texts(masks.get(&column.name).unwrap_or(&Value::Null));
        let is_told = |hidden: &&&String| match &column.kind {
            // A tree names its leaves, whoever has them.
            Kind::Tree(_) => false,
            Kind::Plain => told.contains(hidden) || cells.contains(*hidden),
            Kind::Numbers(range) => {
                let texts = cells.iter().copied().chain(told.iter());
                let of_published = published.iter().flatten().any(|value| number(value) == number(hidden));
                !of_published && ends(policy, range, texts).contains(&bits(hidden))
            }
        };
        if hidden.iter().any(|hidden| is_told(&hidden)) {
            let told = format!("column {}: a value that no published row holds", column.name);
            findings.fault("a value of a row left out is published", told);
        }
    }
}

/// A number is written as a published row has it, or in no way in particular.
fn written(case: &Case, data: &Table, release: &Release, lineage: &[usize], findings: &mut Findings) {
    let policy = &case.policy;
    let are_numbers = |column: &&Column| matches!(column.kind, Kind::Numbers(_));
    for column in policy.columns.iter().filter(are_numbers) {
        let (Some(from), Some(place)) = (data.find(&column.name), release.find(&column.name)) else {
            continue;
        };
        let own: BTreeSet<Cell> = lineage
            .iter()
            .map(|&row| policy.reading.cell(&data.rows[row].cells[from]))
            .collect();
        let cells = release.rows.iter().filter_map(|row| row[place].as_deref());
        let mut texts = cells.flat_map(|cell| cell.trim_matches(['{', '}']).split('|'));
        let is_foreign = |text: &str| {
            let plain = number(text).map(|number| number.to_string());
            plain.is_some_and(|plain| plain != text) && !own.contains(&Some(text.to_owned()))
        };
        if texts.any(is_foreign) {
            let told = format!("column {}", column.name);
            findings.fault("a number is written in a way that no published row has", told);
        }
    }
}

fn bits(text: &str) -> Option<u64> {
    number(text).map(f64::to_bits)
}

/// The ends of intervals that come from the data: those that the policy does not declare.
fn ends<'t>(
    policy: &Policy,
    range: &Option<(String, String)>,
    texts: impl Iterator<Item = &'t String>,
) -> BTreeSet<Option<u64>> {
    let intervals: Vec<Interval> = texts.filter_map(|text| Interval::read(text)).collect();
    let mut ends: Vec<f64> = intervals
        .iter()
        .flat_map(|interval| [interval.from, interval.to])
        .collect();
    if policy.method.name == "full-domain" {
        // Ends within are at equal distances, and may be anybody's value by chance.
        let low = ends.iter().copied().fold(f64::INFINITY, f64::min);
        let high = ends.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        ends = vec![low, high];
    }
    let declared: Vec<Option<u64>> = range.iter().flat_map(|(from, to)| [bits(from), bits(to)]).collect();
    let found = ends.into_iter().map(|end| Some((end + 0.0).to_bits()));
    found.filter(|end| !declared.contains(end)).collect()
}

/// All texts in a mask.
fn texts(mask: &Value) -> Vec<String> {
    let lists = ["disclosed", "intervals"]
        .into_iter()
        .filter_map(|key| mask[key].as_array());
    lists.flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// A group that shows the mean of its numbers keeps their sum, up to how a number is written. Quasi columns that no template
/// is about are as they were, and part nobody from their group.
fn centres(case: &Case, data: &Table, release: &Release, lineage: &[usize], findings: &mut Findings) {
    let policy = &case.policy;
    if !policy.method.settings.contains(&("centre", "\"mean\"".to_owned())) {
        return;
    }
    let masks = release.masks();
    let quasi: Vec<usize> = (0..release.header.len())
        .filter(|&place| masks.get(&release.header[place]).is_some_and(|mask| !mask.is_null()))
        .collect();
    let looks = |row: usize| quasi.iter().map(|&place| &release.rows[row][place]).collect::<Vec<_>>();
    for &place in &quasi {
        let name = &release.header[place];
        let is_numbers = policy
            .column(name)
            .is_some_and(|column| matches!(column.kind, Kind::Numbers(_)));
        let Some(from) = data.find(name).filter(|_| is_numbers) else {
            continue;
        };
        for row in 0..release.rows.len() {
            let Some(shown) = release.rows[row][place].as_deref().and_then(number) else {
                continue;
            };
            let group = (0..release.rows.len()).filter(|&other| looks(other) == looks(row));
            let value = |row: usize| number(&policy.reading.cell(&data.rows[lineage[row]].cells[from])?);
            let Some(values) = group.map(value).collect::<Option<Vec<f64>>>() else {
                continue;
            };
            let count = values.len() as f64;
            let mean: f64 = values.iter().map(|value| value / count).sum();
            let largest = values.iter().map(|value| value.abs()).fold(0.0, f64::max);
            // The smallest numbers of all cannot be divided.
            if largest > 1e-300 && (shown - mean).abs() > 0.001 * largest {
                findings.fault(
                    "a centre is not the mean of its group",
                    format!("{name}: {shown} for {mean}"),
                );
                return;
            }
        }
    }
}

/// `null` among disclosed values says that somebody in the release misses the value.
fn missing_is_shown(release: &Release, findings: &mut Findings) {
    for (name, mask) in release.masks() {
        let discloses = mask["disclosed"]
            .as_array()
            .is_some_and(|values| values.contains(&Value::Null));
        let place = release.find(&name);
        let shows = place.is_some_and(|place| release.rows.iter().any(|row| row[place].is_none()));
        if discloses && !shows {
            findings.fault("the certificate tells of a missing value that no row shows", name);
        }
    }
}

/// Of two tables, the second has the secrets of everybody, as many in each group as the first has rows.
fn secrets_apart(case: &Case, data: &Table, release: &Release, originals: &[usize], findings: &mut Findings) {
    let Some((header, rows)) = &release.secrets else { return };
    let names: Vec<&String> = header.iter().filter(|name| *name != "group").collect();
    let canonical = |name: &str, cell: Cell| canonical(&case.policy, name, cell);
    let place = |name: &str| header.iter().position(|column| column == name).unwrap_or(0);
    let shown = rows.iter().map(|row| {
        names
            .iter()
            .map(|name| canonical(name, row[place(name)].clone()))
            .collect()
    });
    let mut shown: Vec<Vec<Cell>> = shown.collect();
    let original = |row: &usize| {
        let cell = |name: &&String| {
            let text = &data.rows[*row].cells[data.find(name).unwrap_or(0)];
            canonical(name, case.policy.reading.cell(text))
        };
        names.iter().map(cell).collect()
    };
    let mut expected: Vec<Vec<Cell>> = originals.iter().map(original).collect();
    shown.sort();
    expected.sort();
    if shown != expected {
        findings.fault("secrets apart are not those of the data", "as multisets");
    }
    let groups = |header: &[String], rows: &[Vec<Cell>]| {
        let place = header.iter().position(|column| column == "group");
        let mut groups: Vec<Cell> = rows
            .iter()
            .filter_map(|row| place.map(|place| row[place].clone()))
            .collect();
        groups.sort();
        groups
    };
    if groups(header, rows) != groups(&release.header, &release.rows) {
        findings.fault("secrets apart have other groups than the people", "by their numbers");
    }
}
