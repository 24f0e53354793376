//! A case from the columns that were drawn: its rows, its requirement, and how its cells are read.

use super::columns::Drawn;
use super::method;
use super::require::{self, Around};
use crate::case::Case;
use crate::dice::Dice;
use crate::policy::{Demand, Kind, Method, Policy, Role};
use crate::table::{Reading, Row, Table};

/// How cells are read, without exceptions.
pub(super) fn clear() -> Reading {
    Reading {
        trim: true,
        marks: Vec::new(),
        drop: false,
    }
}

pub(super) fn assemble(seed: u64, dice: &mut Dice, drawn: &mut Vec<Drawn>, mut method: Method, versions: bool) -> Case {
    method::forms(dice, &method, quasi_of(drawn));
    let around = Around {
        columns: drawn,
        method: &method,
        versions,
    };
    let require = require::require(dice, &around);
    if require.iter().any(require::is_about_the_whole) && !dice.percent(3) {
        method.budget = None;
    }
    let reading = reading(dice);
    let rows = match dice.below(100) {
        0 => 0,
        1..8 => dice.from_to(1, 3),
        8..75 => dice.from_to(4, 20),
        75..96 => dice.from_to(21, 40),
        _ => dice.from_to(41, 120),
    };
    let data = table(dice, drawn, &reading, rows);
    let needs_people = require.iter().any(|require| matches!(require.demand, Demand::KMap(_)));
    let population = needs_people.then(|| {
        let more = dice.below(20);
        let mut population = data.clone();
        population
            .rows
            .extend((0..more).map(|person| row(dice, drawn, &reading, 1000 + person)));
        population.rows.retain(|_| dice.percent(90));
        population
    });
    Case {
        seed,
        data,
        policy: Policy {
            reading,
            columns: drawn.iter().map(|drawn| drawn.column.clone()).collect(),
            require,
            method,
            earlier: Vec::new(),
            inconsistent: Vec::new(),
            publish_unlisted: dice.percent(2),
            input_order: dice.percent(5),
        },
        population,
        earlier: Vec::new(),
        next: None,
        planted: None,
        twice: false,
        tamper: None,
        mask_again: false,
        other: None,
    }
}

/// The quasi columns, which come first.
fn quasi_of(drawn: &mut [Drawn]) -> &mut [Drawn] {
    let end = drawn
        .iter()
        .take_while(|drawn| drawn.column.role == Role::Quasi)
        .count();
    &mut drawn[..end]
}

fn reading(dice: &mut Dice) -> Reading {
    let marks: &[&str] = if dice.percent(25) { &["?"] } else { &[] };
    Reading {
        trim: !dice.percent(20),
        marks: marks.iter().map(|&mark| mark.to_owned()).collect(),
        drop: dice.percent(15),
    }
}

pub(super) fn table(dice: &mut Dice, drawn: &[Drawn], reading: &Reading, rows: usize) -> Table {
    Table {
        header: drawn.iter().map(|drawn| drawn.column.name.clone()).collect(),
        rows: (0..rows).map(|person| row(dice, drawn, reading, person)).collect(),
    }
}

pub(super) fn row(dice: &mut Dice, drawn: &[Drawn], reading: &Reading, person: usize) -> Row {
    let cell = |drawn: &Drawn| match &drawn.values[..] {
        [] => format!("t{person}"),
        _ if dice.percent(drawn.blank) => blank(dice, drawn, reading),
        values if drawn.skewed => {
            let most = dice.from_to(1, values.len());
            let most = dice.from_to(1, most);
            values[dice.below(most)].clone()
        }
        values => dice.pick(values).clone(),
    };
    let cells = drawn.iter().map(cell).collect();
    Row { person, cells }
}

/// A cell that looks blank. Where anything but a value is an error, it is missing.
fn blank(dice: &mut Dice, drawn: &Drawn, reading: &Reading) -> String {
    let text = *dice.pick(&["", "", "?", " ", " ?", "\u{a0}"]);
    let is_word = matches!(drawn.column.kind, Kind::Plain);
    if is_word || reading.cell(text).is_none() {
        text.to_owned()
    } else {
        String::new()
    }
}
