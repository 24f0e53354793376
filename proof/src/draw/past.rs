//! Cases with releases that are out already, about the same people.

use crate::case::{Case, Out};
use crate::dice::Dice;
use crate::policy::{About, Column, Demand, Earlier, Inconsistent, Kind, Method, Per, Policy, Require, Role, Secrets};
use crate::table::{Row, Table, number};

use super::assemble::{assemble, clear};
use super::columns::{self, Drawn, Manners};
use super::method;

pub(super) fn joined(seed: u64, dice: &mut Dice) -> Case {
    let mut drawn = Vec::new();
    for place in 0..dice.from_to(1, 3) {
        drawn.push(columns::column(dice, &format!("q{place}"), Role::Quasi, Manners::Clear));
    }
    drawn.push(columns::column(dice, "s0", Role::Sensitive, Manners::Clear));
    let mut refine = method::named(dice, "refine", false);
    refine.budget = None;
    let mut case = assemble(seed, dice, &mut drawn, refine, true);
    case.policy.reading = clear();
    case.data.rows.truncate(14);
    let releases = if dice.percent(80) { 1 } else { 2 };
    for number in 1..=releases {
        let (earlier, out) = release(dice, &case, &drawn, number);
        case.policy.earlier.push(earlier);
        case.earlier.push(out);
    }
    case.policy.require = (0..dice.from_to(1, 2)).map(|_| require(dice, &case)).collect();
    case.policy.inconsistent = inconsistent(dice, &case, &drawn);
    case.tamper = dice.percent(30).then(|| dice.below(1 << 30) as u64);
    case
}

/// A release with some columns of the table, and one of its own, about most of its people.
fn release(dice: &mut Dice, case: &Case, drawn: &[Drawn], place: usize) -> (Earlier, Out) {
    let name = format!("old{place}");
    let count = dice.from_to(1, drawn.len());
    let common = dice.some_of(drawn, count);
    let ward = format!("ward{place}");
    let by_masks = dice.percent(35);
    let covers_all = dice.percent(60);
    let mut table = Table {
        header: common
            .iter()
            .map(|drawn| drawn.column.name.clone())
            .chain([ward.clone()])
            .collect(),
        rows: Vec::new(),
    };
    for row in &case.data.rows {
        if !covers_all && dice.percent(20) {
            continue;
        }
        let mut cells: Vec<String> = Vec::new();
        for Drawn { column, .. } in &common {
            let value = &row.cells[case.data.find(&column.name).unwrap_or(0)];
            cells.push(if by_masks {
                value.clone()
            } else {
                released(dice, column, value)
            });
        }
        cells.push((*dice.pick(&["W", "V", "1-5", "U"])).to_owned());
        table.rows.push(Row {
            person: row.person,
            cells,
        });
    }
    let join = (common.len() > 1 && dice.percent(40)).then(|| {
        let count = dice.from_to(1, common.len() - 1);
        dice.some_of(&table.header[..common.len()], count)
    });
    let earlier = Earlier {
        file: if by_masks {
            format!("{name}/out/released.csv")
        } else {
            format!("{name}.csv")
        },
        name,
        join,
        report_dangling: dice.percent(70),
    };
    let policy = by_masks.then(|| own_policy(dice, &common, &ward));
    (earlier, Out { table, policy })
}

/// A value as some other tool may have released it.
fn released(dice: &mut Dice, column: &Column, value: &str) -> String {
    if dice.percent(65) {
        return value.to_owned();
    }
    match &column.kind {
        Kind::Tree(tree) => {
            let path = tree.find(value).map(|leaf| tree.path(leaf)).unwrap_or_default();
            path.get(1).map_or(value, |&node| &tree.nodes[node].label).to_owned()
        }
        Kind::Numbers(_) => match number(value) {
            Some(number) if number >= 0.0 => {
                let (from, to) = (number.floor(), number.floor() + 3.0);
                match dice.below(6) {
                    0 => format!("[{from}, {to}["),
                    1 => format!("]{}, {to}]", from - 1.0),
                    2 => format!("{from}-{to}"),
                    3 => format!("<{to}"),
                    4 => format!(">={from}"),
                    _ => "*".to_owned(),
                }
            }
            _ => "*".to_owned(),
        },
        Kind::Plain => "*".to_owned(),
    }
}

/// What this program was asked when it published the release.
fn own_policy(dice: &mut Dice, common: &[Drawn], ward: &str) -> Policy {
    let quasi = |drawn: &Drawn| Column {
        role: Role::Quasi,
        ranges: None,
        form: None,
        ..drawn.column.clone()
    };
    let ward = columns::numbered(ward, Role::Sensitive).column;
    let demand = Demand::Anonymity(dice.from_to(1, 3), Per::This);
    Policy {
        reading: clear(),
        columns: common.iter().map(quasi).chain([ward]).collect(),
        require: vec![Require {
            of: None,
            any: None,
            demand,
        }],
        method: Method {
            name: "refine",
            settings: Vec::new(),
            budget: None,
        },
        earlier: Vec::new(),
        inconsistent: Vec::new(),
        publish_unlisted: false,
        input_order: false,
    }
}

fn require(dice: &mut Dice, case: &Case) -> Require {
    let quasi = case.policy.with_role(Role::Quasi);
    let count = dice.from_to(1, quasi.len());
    let mut of = dice.some_of(&quasi, count);
    let past: Vec<String> = case
        .policy
        .earlier
        .iter()
        .zip(&case.earlier)
        .flat_map(|(earlier, out)| {
            out.table
                .header
                .iter()
                .map(|column| format!("{}.{column}", earlier.name))
        })
        .collect();
    if dice.percent(60) {
        let count = dice.from_to(1, 2);
        of.extend(dice.some_of(&past, count));
    }
    if dice.percent(6) {
        of[0] = format!("this.{}", of[0]);
    }
    let old = &dice.pick(&case.policy.earlier).name;
    let ward = past
        .iter()
        .filter(|name| name.contains(".ward"))
        .cloned()
        .collect::<Vec<_>>();
    let demand = match dice.below(10) {
        0..4 => Demand::Anonymity(dice.from_to(1, 4), Per::This),
        4 => Demand::Anonymity(dice.from_to(1, 4), Per::Join),
        5 => Demand::Anonymity(dice.from_to(1, 3), Per::Release(old.clone())),
        6 => Demand::Anonymity(dice.from_to(1, 2), Per::Columns(vec![dice.pick(&ward).clone()])),
        place => {
            let column = if place < 9 {
                dice.pick(&ward).clone()
            } else {
                "s0".to_owned()
            };
            let about = About {
                column,
                secrets: Secrets::Every,
            };
            Demand::Confidence(dice.from_to(5, 10) as f64 / 10.0, vec![about])
        }
    };
    Require {
        of: Some(of),
        any: None,
        demand,
    }
}

fn inconsistent(dice: &mut Dice, case: &Case, drawn: &[Drawn]) -> Vec<Inconsistent> {
    let fitting: Vec<&Drawn> = drawn
        .iter()
        .filter(|drawn| !matches!(drawn.column.kind, Kind::Numbers(_)))
        .collect();
    if fitting.is_empty() || dice.percent(75) {
        return Vec::new();
    }
    let here = *dice.pick(&fitting);
    let value = dice.pick(&here.values).clone();
    vec![Inconsistent {
        this: (here.column.name.clone(), value),
        release: case.policy.earlier[0].name.clone(),
        that: ("ward1".to_owned(), "W".to_owned()),
    }]
}
