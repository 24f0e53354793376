//! Values that a reader takes for one, counted as several: the run must say so.
//!
//! `1` and `1.0` in a column of words, or é written as one letter and as two, make a group look more diverse than it is.

use std::collections::BTreeSet;

use crate::case::Case;
use crate::definitions::{Measure, Sight, templates};
use crate::findings::Findings;
use crate::policy::Kind;
use crate::run::Ran;
use crate::table::number;

pub(super) fn check(case: &Case, ran: &Ran, seen: &Sight, findings: &mut Findings) {
    let about: BTreeSet<String> = templates(&case.policy)
        .into_iter()
        .flat_map(|template| counted(template.measure))
        .collect();
    for name in about {
        let is_plain = case
            .policy
            .column(&name)
            .is_some_and(|column| matches!(column.kind, Kind::Plain));
        let Some(place) = seen.find(&name).filter(|_| is_plain) else {
            continue;
        };
        let values: BTreeSet<String> = seen.all_cells(place).into_iter().flatten().collect();
        let read: BTreeSet<String> = values.iter().map(|value| as_read(value)).collect();
        let is_said = ran
            .said
            .lines()
            .any(|line| line.contains("warning") && line.contains(&name));
        if read.len() < values.len() && !is_said {
            findings.fault("alike values are counted as different, and nothing is said", name);
        }
    }
}

/// The columns whose different values a template counts.
fn counted(measure: Measure) -> Vec<String> {
    match measure {
        Measure::Share(about) => about.into_iter().map(|about| about.column).collect(),
        Measure::Spread(_, about) | Measure::Distance(_, about) | Measure::Delta(about) | Measure::Beta(_, about) => {
            vec![about]
        }
        Measure::Rows(_) | Measure::People | Measure::Guarded(..) | Measure::Ranges(_) => Vec::new(),
    }
}

/// One text for what reads the same.
fn as_read(value: &str) -> String {
    match number(value) {
        Some(number) => format!("{number:?}"),
        None => value.replace("e\u{301}", "\u{e9}"),
    }
}
