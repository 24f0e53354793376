//! A [`Template`] is one condition of a policy, of one bound.

use crate::policy::{About, Demand, Per, Policy, Require, Role, Secrets, Spread};

/// One condition, of one bound.
#[derive(Clone, Debug)]
pub struct Template {
    /// The word of its kind.
    pub kind: &'static str,
    /// What is known.
    pub of: Vec<String>,
    /// How many of these one adversary knows.
    pub any: Option<usize>,
    /// What the level must keep.
    pub bound: f64,
    /// What is measured.
    pub measure: Measure,
}

/// What is measured of a group.
#[derive(Clone, Debug)]
pub enum Measure {
    /// Rows, or what else anonymity counts.
    Rows(Per),
    /// People of a population who look so.
    People,
    /// The share of secrets.
    Share(Vec<About>),
    /// How values are spread.
    Spread(Spread, String),
    /// How far values are from the whole, if the policy says how far they are from each other.
    Distance(Option<&'static str>, String),
    /// |ln(p/q)|.
    Delta(String),
    /// (p − q)/q; whether enhanced.
    Beta(bool, String),
    /// The share under a guarded node: the sensitive column, and that of the nodes.
    Guarded(String, String),
    /// How surely ranges are given away.
    Ranges(String),
}

/// The templates that a policy makes, in its order.
pub fn templates(policy: &Policy) -> Vec<Template> {
    let quasi = policy.with_role(Role::Quasi);
    policy
        .require
        .iter()
        .flat_map(|require| templates_of(require, &quasi))
        .collect()
}

fn templates_of(require: &Require, quasi: &[String]) -> Vec<Template> {
    let of = require.of.clone().unwrap_or_else(|| quasi.to_vec());
    let template = |kind, bound: f64, measure| Template {
        kind,
        of: of.clone(),
        any: require.any,
        bound,
        measure,
    };
    let whole = |count: usize| count as f64;
    match &require.demand {
        Demand::Anonymity(k, per) => vec![template("anonymity", whole(*k), Measure::Rows(per.clone()))],
        Demand::KMap(k) => vec![template("k-map", whole(*k), Measure::People)],
        Demand::Confidence(bound, about) => one_per_bound(*bound, about)
            .into_iter()
            .map(|(bound, about)| template("confidence", bound, Measure::Share(about)))
            .collect(),
        Demand::AlphaK(alpha, k, about) => vec![
            template("anonymity", whole(*k), Measure::Rows(Per::This)),
            template("confidence", *alpha, Measure::Share(about.clone())),
        ],
        Demand::PSensitive(p, k, about) => vec![
            template("anonymity", whole(*k), Measure::Rows(Per::This)),
            template(
                "diversity",
                whole(*p),
                Measure::Spread(Spread::Distinct(*p), about.clone()),
            ),
        ],
        Demand::Diversity(spread, about) => {
            let bound = match spread {
                Spread::Distinct(l) | Spread::Recursive { l, .. } => whole(*l),
                Spread::Entropy(l) => *l,
            };
            vec![template("diversity", bound, Measure::Spread(*spread, about.clone()))]
        }
        Demand::Closeness(bound, distance, about) => {
            vec![template(
                "closeness",
                *bound,
                Measure::Distance(*distance, about.clone()),
            )]
        }
        Demand::Delta(bound, about) => vec![template("delta-disclosure", *bound, Measure::Delta(about.clone()))],
        Demand::Beta(bound, enhanced, about) => {
            vec![template(
                "beta-likeness",
                *bound,
                Measure::Beta(*enhanced, about.clone()),
            )]
        }
        Demand::Personal(bound, about, guarding) => {
            vec![template(
                "personal",
                *bound,
                Measure::Guarded(about.clone(), guarding.clone()),
            )]
        }
        Demand::RangeDiversity(bound, about) => {
            vec![template("range-diversity", *bound, Measure::Ranges(about.clone()))]
        }
    }
}

/// Values with bounds of their own make a template each.
fn one_per_bound(bound: f64, about: &[About]) -> Vec<(f64, Vec<About>)> {
    let [
        About {
            column,
            secrets: Secrets::Bounds(bounds),
        },
    ] = about
    else {
        return vec![(bound, about.to_vec())];
    };
    let single = |(value, bound): &(String, f64)| {
        let secrets = Secrets::Listed(vec![value.clone()]);
        let column = column.clone();
        (*bound, vec![About { column, secrets }])
    };
    bounds.iter().map(single).collect()
}

/// Figures closer than this share of them differ by rounding.
const ROUNDING: f64 = 1e-9;

impl Template {
    /// Whether high levels are good.
    pub fn at_least(&self) -> bool {
        match self.measure {
            Measure::Rows(_) | Measure::People | Measure::Spread(..) => true,
            Measure::Share(_)
            | Measure::Distance(..)
            | Measure::Delta(_)
            | Measure::Beta(..)
            | Measure::Guarded(..)
            | Measure::Ranges(_) => false,
        }
    }

    /// Whether a level keeps the bound. One that is no number keeps none.
    pub fn holds(&self, level: f64) -> bool {
        let slack = ROUNDING * self.bound.abs();
        match self.measure {
            Measure::Delta(_) => level < self.bound - slack,
            _ if self.at_least() => level >= self.bound - slack,
            _ => level <= self.bound + slack,
        }
    }

    pub(super) fn worse(&self, a: f64, b: f64) -> f64 {
        if a.is_nan() || b.is_nan() {
            return f64::NAN;
        }
        if self.at_least() { a.min(b) } else { a.max(b) }
    }
}
