//! Persons and their visits.

use crate::definitions::families::Bound;
use crate::dice::Dice;
use crate::families::{Families, Part};
use crate::policy::{Role, Secrets, Spread};
use crate::table::{Row, Table};

use super::assemble::{clear, row};
use super::columns::{self, Drawn, Manners};

const METHODS: [&str; 4] = ["entities", "miraclex", "miracle", "bitmap"];

/// Up to a dozen persons with up to three visits each.
pub fn draw(dice: &mut Dice) -> Families {
    let persons = columns_of(dice, 0);
    let visits = columns_of(dice, 1);
    let mut families = Families {
        persons: empty(&persons),
        visits: empty(&visits),
        k: dice.from_to(1, 3),
        bound: bound(dice),
        method: METHODS[dice.below(METHODS.len())],
        tamper: dice.below(1 << 20),
    };
    for person in 0..dice.from_to(2, 12) {
        families.persons.table.rows.push(keyed(dice, &persons, person));
        for _ in 0..dice.below(4) {
            families.visits.table.rows.push(keyed(dice, &visits, person));
        }
    }
    families
}

fn columns_of(dice: &mut Dice, table: usize) -> Vec<Drawn> {
    let mut drawn = vec![
        columns::column(dice, &format!("q{table}"), Role::Quasi, Manners::Clear),
        columns::column(dice, &format!("s{table}"), Role::Sensitive, Manners::Clear),
    ];
    drawn[1].column.ranges = None;
    if dice.percent(10) {
        drawn.push(columns::column(dice, "loose", Role::Unlisted, Manners::Clear));
    }
    drawn
}

fn empty(drawn: &[Drawn]) -> Part {
    let names = drawn.iter().map(|drawn| drawn.column.name.clone());
    Part {
        columns: drawn.iter().map(|drawn| drawn.column.clone()).collect(),
        table: Table {
            header: ["pid".to_owned()].into_iter().chain(names).collect(),
            rows: Vec::new(),
        },
    }
}

fn keyed(dice: &mut Dice, drawn: &[Drawn], person: usize) -> Row {
    let mut row = row(dice, drawn, &clear(), person);
    row.cells.insert(0, format!("k{person}"));
    row
}

fn bound(dice: &mut Dice) -> Option<(Bound, bool)> {
    let share = |dice: &mut Dice| dice.from_to(1, 10) as f64 / 10.0;
    let bound = match dice.below(6) {
        0 => return None,
        1 => Bound::Confidence(dice.from_to(5, 9) as f64 / 10.0, Secrets::Every),
        2 => Bound::Diversity(Spread::Distinct(dice.from_to(1, 2))),
        3 => Bound::Closeness(share(dice)),
        4 => Bound::Disclosure(2.0 * share(dice)),
        _ => Bound::Likeness(2.0 * share(dice), dice.percent(50)),
    };
    Some((bound, dice.percent(60)))
}
