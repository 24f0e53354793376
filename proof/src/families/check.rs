//! What is checked of a release of two tables.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::{Families, Part};
use crate::csv;
use crate::definitions::families::{Bound, Family, Member, anonymity, secrets};
use crate::definitions::labels::covers;
use crate::findings::Findings;
use crate::policy::{Column, Kind, Role};
use crate::run::Program;
use crate::table::{Cell, number};

/// Writes a case into an empty folder, runs it, and checks what was released.
pub fn examine(case: &Families, program: &Program, folder: &Path) -> Findings {
    let mut findings = Findings::default();
    if let Err(error) = case.write(folder) {
        findings.fault("the case cannot be written", error.to_string());
        return findings;
    }
    let ran = program.run(folder, &["publish", "policy.toml"]);
    findings.exit(&ran, "publish several tables");
    let out = folder.join("out");
    if ran.code != Some(0) {
        if out.join("certificate.json").exists() {
            findings.fault("a run that failed leaves a release", ran.said);
        }
        return findings;
    }
    findings.published = true;
    let read = || Some((Files::read(&out, "persons")?, Files::read(&out, "visits")?));
    let Some((persons, visits)) = read() else {
        findings.fault("a release cannot be read", "of several tables");
        return findings;
    };
    persons.check("persons", &case.persons, &mut findings);
    visits.check("visits", &case.visits, &mut findings);
    let certificate = fs::read_to_string(out.join("certificate.json")).unwrap_or_default();
    let certificate: Value = serde_json::from_str(&certificate).unwrap_or_default();
    levels(case, &persons, &visits, &certificate, &mut findings);
    let ran = program.run(folder, &["audit", "out", "policy.toml"]);
    findings.exit(&ran, "audit several tables");
    if ran.code != Some(0) {
        findings.fault("the audit disagrees with publish", ran.said);
    }
    tamper(case, program, folder, persons, visits, &mut findings);
    findings
}

/// One released table, and of which row of the data each row is.
struct Files {
    header: Vec<String>,
    rows: Vec<Vec<Cell>>,
    origin: Vec<usize>,
}

impl Files {
    fn read(out: &Path, name: &str) -> Option<Files> {
        let records = |path: &Path| csv::read(&fs::read_to_string(path).ok()?).ok();
        let mut released = records(&out.join(format!("{name}.csv")))?.into_iter();
        let origin = records(&out.join("private/rows").join(format!("{name}.csv")))?;
        let cell = |text: String| (!text.is_empty()).then_some(text);
        Some(Files {
            header: released.next()?,
            rows: released.map(|record| record.into_iter().map(cell).collect()).collect(),
            origin: origin
                .iter()
                .skip(1)
                .map(|record| record[0].parse().ok())
                .collect::<Option<_>>()?,
        })
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.header.iter().position(|column| column == name)
    }

    /// Columns, and cells beside those of the data.
    fn check(&self, name: &str, part: &Part, findings: &mut Findings) {
        for column in &part.columns {
            let shown = self.find(&column.name);
            let Some(place) = shown else {
                if column.role != Role::Unlisted {
                    findings.fault("a column is lacking", format!("{name}.{}", column.name));
                }
                continue;
            };
            if column.role == Role::Unlisted {
                findings.fault(
                    "a column that is not listed is published",
                    format!("{name}.{}", column.name),
                );
                continue;
            }
            let from = part.table.find(&column.name).unwrap_or(0);
            let fits = |(row, origin): (&Vec<Cell>, &usize)| {
                let text = part.table.rows.get(origin.wrapping_sub(1)).map(|row| &row.cells[from]);
                text.is_some_and(|text| fits(column, &row[place], text))
            };
            if self.origin.len() != self.rows.len() || !self.rows.iter().zip(&self.origin).all(fits) {
                findings.fault(
                    "a released cell does not cover its value",
                    format!("{name}.{}", column.name),
                );
            }
        }
    }

    fn member(&self, row: usize, quasi: &str, secret: &str) -> Option<Member> {
        Some(Member {
            quasi: vec![self.rows[row][self.find(quasi)?].clone()],
            secret: self.rows[row][self.find(secret)?].clone(),
        })
    }
}

fn fits(column: &Column, label: &Cell, text: &str) -> bool {
    let text = text.trim_ascii();
    let value = (!text.is_empty()).then(|| text.to_owned());
    match (column.role, &column.kind) {
        (Role::Quasi, kind) => covers(kind, true, label, &value),
        (_, Kind::Numbers(_)) => label.as_deref().map(number) == value.as_deref().map(number),
        _ => *label == value,
    }
}

/// The persons of a release, with their rows; `None` if a row belongs to nobody.
fn families(persons: &Files, visits: &Files) -> Option<Vec<Family>> {
    let (key, foreign) = (persons.find("pid")?, visits.find("pid")?);
    let is_kept = |row: &Vec<Cell>| persons.rows.iter().filter(|person| person[key] == row[foreign]).count() == 1;
    if !visits.rows.iter().all(is_kept) {
        return None;
    }
    let family = |person: usize| {
        let is_own = |&row: &usize| visits.rows[row][foreign] == persons.rows[person][key];
        let rows = (0..visits.rows.len())
            .filter(is_own)
            .map(|row| visits.member(row, "q1", "s1"));
        Some(Family {
            own: persons.member(person, "q0", "s0")?,
            rows: rows.collect::<Option<_>>()?,
        })
    };
    (0..persons.rows.len()).map(family).collect()
}

/// The levels of a release, in the order of the requirement; `None` if keys lead nowhere.
fn counted(case: &Families, persons: &Files, visits: &Files) -> Option<Vec<(bool, f64)>> {
    let families = families(persons, visits)?;
    let mut levels = Vec::new();
    if let Some(level) = anonymity(&families) {
        levels.push((level >= case.k as f64, level));
    }
    if let Some((bound, of_visits)) = &case.bound {
        let part = if *of_visits { &case.visits } else { &case.persons };
        let kind = part
            .columns
            .iter()
            .find(|column| column.role == Role::Sensitive)
            .map(|column| &column.kind)?;
        if let Some(level) = secrets(&families, *of_visits, kind, bound) {
            let holds = match bound {
                Bound::Confidence(share, _) => level <= share * (1.0 + 1e-9),
                Bound::Diversity(crate::policy::Spread::Distinct(l)) => level >= *l as f64,
                Bound::Diversity(_) => true,
                Bound::Closeness(most) | Bound::Likeness(most, _) => level <= most * (1.0 + 1e-9),
                Bound::Disclosure(below) => level < *below,
            };
            levels.push((holds, level));
        }
    }
    Some(levels)
}

fn levels(case: &Families, persons: &Files, visits: &Files, certificate: &Value, findings: &mut Findings) {
    let Some(levels) = counted(case, persons, visits) else {
        findings.fault("a key leads nowhere", "of several tables");
        return;
    };
    let entries = certificate["require"].as_array().cloned().unwrap_or_default();
    for ((holds, level), entry) in levels.into_iter().zip(&entries) {
        let told = entry["level"].as_f64();
        if !holds {
            findings.fault(
                "a template of several tables is broken",
                format!("level {level}, certified {entry}"),
            );
        } else if told.is_none_or(|told| (told - level).abs() > 1e-9) {
            findings.fault(
                "a level of several tables is wrong",
                format!("level {level}, certified {entry}"),
            );
        }
    }
}

/// Gives one quasi cell of a visit the text of another. If that breaks a template, the audit must say so.
fn tamper(
    case: &Families,
    program: &Program,
    folder: &Path,
    persons: Files,
    mut visits: Files,
    findings: &mut Findings,
) {
    let (Some(place), rows) = (visits.find("q1"), visits.rows.len()) else {
        return;
    };
    if rows < 2 {
        return;
    }
    visits.rows[case.tamper % rows][place] = visits.rows[case.tamper / rows % rows][place].clone();
    let is_broken = counted(case, &persons, &visits).is_some_and(|levels| levels.iter().any(|(holds, _)| !holds));
    let cells = |row: &Vec<Cell>| row.iter().map(|cell| cell.clone().unwrap_or_default()).collect();
    let records: Vec<Vec<String>> = visits.rows.iter().map(cells).collect();
    let text = csv::write([&visits.header].into_iter().chain(&records));
    if fs::write(folder.join("out/visits.csv"), text).is_err() {
        return;
    }
    let ran = program.run(folder, &["audit", "out", "policy.toml"]);
    findings.exit(&ran, "audit several tables that were tampered with");
    if is_broken && ran.code == Some(0) {
        findings.fault("the audit passes what was tampered with", ran.said);
    }
}
