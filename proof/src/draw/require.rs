//! What is required: every kind, with bounds that some releases meet.

use crate::dice::Dice;
use crate::policy::{About, Column, Demand, Kind, Method, Per, Require, Role, Secrets, Spread};

use super::columns::Drawn;

/// The name of the column with the nodes that people guard.
pub(super) const GUARD: &str = "guard";

/// What a requirement may be about.
pub(super) struct Around<'a> {
    pub columns: &'a [Drawn],
    pub method: &'a Method,
    /// Whether versions will be compared: then secrets matter most.
    pub versions: bool,
}

impl Around<'_> {
    fn names(&self, roles: &[Role]) -> Vec<String> {
        let fitting = self.columns.iter().filter(|drawn| roles.contains(&drawn.column.role));
        fitting.map(|drawn| drawn.column.name.clone()).collect()
    }

    /// Whether people guard nodes of a column.
    fn is_guarded(&self, column: &Column) -> bool {
        let guard = self.columns.iter().find(|drawn| drawn.column.name == GUARD);
        match &column.kind {
            Kind::Tree(tree) => guard.is_some_and(|guard| guard.values[0] == tree.nodes[0].label),
            Kind::Plain | Kind::Numbers(_) => false,
        }
    }

    /// Columns that can be inferred; anatomy tells of sensitive ones alone.
    fn secrets(&self) -> Vec<&Drawn> {
        let fits = |column: &Column| match column.role {
            Role::Sensitive => column.name != "tag",
            Role::Class => self.method.name != "anatomy",
            Role::Quasi | Role::Other | Role::Identifier | Role::Unlisted => false,
        };
        self.columns.iter().filter(|drawn| fits(&drawn.column)).collect()
    }
}

/// Whether groups are compared with the release as a whole, so that no row may be left out.
pub(super) fn is_about_the_whole(require: &Require) -> bool {
    matches!(
        require.demand,
        Demand::Closeness(..) | Demand::Delta(..) | Demand::Beta(..)
    )
}

/// One to three sections.
pub(super) fn require(dice: &mut Dice, around: &Around) -> Vec<Require> {
    let count = *dice.pick(&[1, 1, 1, 2, 2, 3]);
    let mut all: Vec<Require> = (0..count).filter_map(|_| one(dice, around)).collect();
    if all.is_empty() {
        let demand = Demand::Anonymity(dice.from_to(1, 4), Per::This);
        all.push(Require {
            of: None,
            any: None,
            demand,
        });
    }
    all
}

fn one(dice: &mut Dice, around: &Around) -> Option<Require> {
    let demand = demand(dice, around)?;
    let needs_all = matches!(demand, Demand::Personal(..) | Demand::RangeDiversity(..));
    let quasi = around.names(&[Role::Quasi]);
    let may_be_part = !needs_all || around.method.masks();
    let of = (dice.percent(35) && may_be_part).then(|| {
        let count = dice.from_to(1, quasi.len());
        dice.some_of(&quasi, count)
    });
    let known = of.as_ref().unwrap_or(&quasi).len();
    let any = (!needs_all && dice.percent(15)).then(|| dice.from_to(1, known));
    Some(Require { of, any, demand })
}

fn demand(dice: &mut Dice, around: &Around) -> Option<Demand> {
    let secrets = around.secrets();
    let anatomy = around.method.name == "anatomy";
    let is_about_secrets = anatomy || (around.versions && dice.percent(70));
    if secrets.is_empty() || (!is_about_secrets && dice.percent(30)) {
        return (!anatomy).then(|| about_records(dice, around));
    }
    let drawn = *dice.pick(&secrets);
    let name = drawn.column.name.clone();
    let tenths = |dice: &mut Dice, from, to| dice.from_to(from, to) as f64 / 10.0;
    let kinds = if around.versions { 6 } else { 12 };
    Some(match dice.below(kinds) {
        0 | 1 => Demand::Confidence(tenths(dice, 4, 10), about(dice, drawn)),
        2 if !anatomy => Demand::AlphaK(tenths(dice, 4, 10), dice.from_to(1, 4), vec![every(name)]),
        3 if !anatomy => Demand::PSensitive(dice.from_to(1, 3), dice.from_to(1, 4), name),
        2..5 => Demand::Diversity(spread(dice), name),
        5 => Demand::Beta(tenths(dice, 5, 50), dice.percent(40), name),
        6 => Demand::Delta(tenths(dice, 5, 30), name),
        7 | 8 => Demand::Closeness(tenths(dice, 1, 9), distance(dice, &drawn.column.kind), name),
        9 | 10 if !anatomy && around.is_guarded(&drawn.column) => {
            Demand::Personal(tenths(dice, 4, 10), name, GUARD.to_owned())
        }
        _ if !anatomy && drawn.column.ranges.is_some() => Demand::RangeDiversity(tenths(dice, 2, 10), name),
        _ => Demand::Diversity(spread(dice), name),
    })
}

fn about_records(dice: &mut Dice, around: &Around) -> Demand {
    let others = around.names(&[Role::Identifier, Role::Sensitive, Role::Other]);
    match dice.below(10) {
        0 | 1 if around.method.masks() && !around.versions => Demand::KMap(dice.from_to(1, 4)),
        2 if !others.is_empty() => {
            let per = vec![dice.pick(&others).clone()];
            Demand::Anonymity(dice.from_to(1, 3), Per::Columns(per))
        }
        _ => Demand::Anonymity(dice.from_to(1, 5), Per::This),
    }
}

fn every(column: String) -> About {
    About {
        column,
        secrets: Secrets::Every,
    }
}

fn about(dice: &mut Dice, drawn: &Drawn) -> Vec<About> {
    let column = drawn.column.name.clone();
    let mut values: Vec<String> = drawn
        .values
        .iter()
        .filter(|value| value.trim() == *value && *value != "*")
        .cloned()
        .collect();
    if let Kind::Tree(tree) = &drawn.column.kind {
        let inner = tree.nodes.iter().skip(1).map(|node| node.label.clone());
        values.extend(inner.filter(|label| label.trim() == label));
        values.sort();
        values.dedup();
    }
    let is_listed = !matches!(drawn.column.kind, Kind::Numbers(_)) && !values.is_empty();
    let count = dice.from_to(1, 2);
    let secrets = match dice.below(4) {
        0 if is_listed => Secrets::Listed(dice.some_of(&values, count)),
        1 if is_listed => {
            let listed = dice.some_of(&values, count).into_iter();
            Secrets::Bounds(listed.zip([0.6, 0.9]).collect())
        }
        _ => Secrets::Every,
    };
    vec![About { column, secrets }]
}

fn spread(dice: &mut Dice) -> Spread {
    match dice.below(3) {
        0 => Spread::Distinct(dice.from_to(1, 3)),
        1 => Spread::Entropy(dice.from_to(10, 22) as f64 / 10.0),
        _ => Spread::Recursive {
            hundredths: *dice.pick(&[50, 55, 80, 100, 110, 150, 200, 300, 450]),
            l: dice.from_to(1, 3),
        },
    }
}

fn distance(dice: &mut Dice, kind: &Kind) -> Option<&'static str> {
    let fitting: &[&'static str] = match kind {
        Kind::Plain => &["equal", "equal", "ordered"],
        Kind::Tree(_) => &["equal", "ordered", "taxonomy"],
        Kind::Numbers(_) => &["equal", "ordered"],
    };
    dice.percent(70).then(|| *dice.pick(fitting))
}
