//! Random cases, each from its seed.
//!
//! | case | of 100 | tries |
//! |---|---|---|
//! | alone | 60 | every method and every kind of requirement |
//! | versions | 18 | a ledger, and the same columns again after people came and left |
//! | joined | 16 | releases that are out already, in our forms and in those of others |
//! | families | 6 | persons, and rows that hang off them |

mod assemble;
mod columns;
mod families;
mod method;
mod past;
mod require;
mod values;

use crate::case::{Case, Next, TAG};
use crate::dice::Dice;
use crate::policy::{Demand, Kind, Require, Role, Spread};
use crate::table::Row;
use crate::trial::Trial;
use assemble::{assemble, clear, row, table};
use columns::{Drawn, Manners};
use require::GUARD;

/// A text that stands in one cell and must be seen nowhere.
const PLANTED: &str = "Zq7Wv9secret";

/// The trial of a seed.
pub fn draw(seed: u64) -> Trial {
    let mut dice = Dice::new(seed);
    let case = match dice.below(100) {
        0..60 => alone(seed, &mut dice),
        60..78 => versions(seed, &mut dice),
        78..94 => past::joined(seed, &mut dice),
        _ => return Trial::Families(Box::new(families::draw(&mut dice))),
    };
    Trial::Table(Box::new(case))
}

fn alone(seed: u64, dice: &mut Dice) -> Case {
    let mut drawn = people(dice, Manners::Any);
    let has_class = drawn.iter().any(|drawn| drawn.column.role == Role::Class);
    let method = method::method(dice, has_class);
    let mut case = assemble(seed, dice, &mut drawn, method, false);
    case.twice = dice.percent(20);
    case.tamper = dice.percent(50).then(|| dice.below(1 << 30) as u64);
    if dice.percent(3) {
        on_the_edge(dice, &mut case);
    }
    case.mask_again = case.policy.method.masks() && dice.percent(40);
    if case.policy.method.masks() && dice.percent(30) {
        let rows = dice.from_to(1, 30);
        case.other = Some(table(dice, &drawn, &case.policy.reading, rows));
    }
    plant(dice, &mut case);
    case
}

/// Makes one group of as many rows of each secret as miss a recursive bound by nothing.
fn on_the_edge(dice: &mut Dice, case: &mut Case) {
    let secrets = case.policy.with_role(Role::Sensitive);
    let Some(place) = secrets.first().and_then(|name| case.data.find(name)) else {
        return;
    };
    let Some(first) = case.data.rows.first().cloned() else {
        return;
    };
    // In floating point 0.55 · 100 and 1.1 · 50 are a little more than 55.
    let (hundredths, counts) = *dice.pick(&[(55, [55, 50, 50]), (110, [55, 25, 25])]);
    let mut values: Vec<String> = case.data.rows.iter().map(|row| row.cells[place].clone()).collect();
    values.sort();
    values.dedup();
    if values.len() < 3 || secrets[0] == TAG {
        return;
    }
    case.data.rows.clear();
    for (value, count) in values.into_iter().zip(counts) {
        for _ in 0..count {
            let mut row = Row {
                person: case.data.rows.len(),
                ..first.clone()
            };
            row.cells[place].clone_from(&value);
            for own in ["id", TAG].iter().filter_map(|name| case.data.find(name)) {
                row.cells[own] = format!("t{}", row.person);
            }
            case.data.rows.push(row);
        }
    }
    let demand = Demand::Diversity(Spread::Recursive { hundredths, l: 2 }, secrets[0].clone());
    case.policy.require = vec![Require {
        of: None,
        any: None,
        demand,
    }];
}

fn versions(seed: u64, dice: &mut Dice) -> Case {
    let mut drawn = people(dice, Manners::Clear);
    let method = method::with_versions(dice);
    let mut case = assemble(seed, dice, &mut drawn, method, true);
    case.policy.reading = clear();
    let stay = *dice.pick(&[60, 80, 90, 100]);
    let mut data = case.data.clone();
    data.rows.retain(|_| dice.percent(stay));
    for person in 0..dice.below(4) {
        data.rows.push(row(dice, &drawn, &clear(), 1000 + person));
    }
    let masks = case.policy.method.masks();
    case.next = Some(Next {
        data,
        like: masks && dice.percent(40),
        report_newcomers: dice.percent(50),
    });
    case
}

/// The columns of a table about people.
fn people(dice: &mut Dice, manners: Manners) -> Vec<Drawn> {
    let mut drawn = Vec::new();
    for number in 0..*dice.pick(&[1, 1, 2, 2, 2, 3, 4]) {
        drawn.push(columns::column(dice, &format!("q{number}"), Role::Quasi, manners));
    }
    for number in 0..*dice.pick(&[0, 1, 1, 1, 2]) {
        drawn.push(columns::column(dice, &format!("s{number}"), Role::Sensitive, manners));
    }
    if dice.percent(25) {
        drawn.push(columns::column(dice, "the class", Role::Class, manners));
    }
    if dice.percent(25) {
        drawn.push(columns::column(dice, "note", Role::Other, manners));
    }
    if dice.percent(40) {
        drawn.push(columns::numbered("id", Role::Identifier));
    }
    if dice.percent(if manners == Manners::Any { 15 } else { 5 }) {
        drawn.push(columns::column(dice, "loose", Role::Unlisted, manners));
    }
    if dice.percent(40) {
        drawn.push(columns::numbered(TAG, Role::Sensitive));
    }
    let guarded = drawn
        .iter()
        .find(|drawn| drawn.column.role == Role::Sensitive && matches!(drawn.column.kind, Kind::Tree(_)));
    if let Some(Drawn { column, .. }) = guarded.cloned().filter(|_| dice.percent(50)) {
        let Kind::Tree(tree) = &column.kind else { return drawn };
        let role = *dice.pick(&[Role::Identifier, Role::Other]);
        let values = tree.nodes.iter().map(|node| node.label.clone()).collect();
        let guard = columns::numbered(GUARD, role);
        drawn.push(Drawn { values, ..guard });
    }
    drawn
}

/// Puts the planted text in a cell that nobody may see: of an identifier, or where it is an error.
fn plant(dice: &mut Dice, case: &mut Case) {
    if case.data.rows.is_empty() || dice.percent(75) {
        return;
    }
    let is_error = dice.percent(30);
    let fits = |column: usize| {
        let column = &case.policy.columns[column];
        let is_plain = matches!(column.kind, Kind::Plain);
        if is_error {
            !is_plain
        } else {
            column.role == Role::Identifier && column.name != GUARD
        }
    };
    let fitting: Vec<usize> = (0..case.policy.columns.len()).filter(|&column| fits(column)).collect();
    if fitting.is_empty() {
        return;
    }
    let column = *dice.pick(&fitting);
    let row = dice.below(case.data.rows.len());
    PLANTED.clone_into(&mut case.data.rows[row].cells[column]);
    case.planted = Some(PLANTED.to_owned());
}
