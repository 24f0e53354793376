//! Methods and their settings.

use crate::dice::Dice;
use crate::policy::{Kind, Method};

use super::columns::Drawn;

const NAMES: [&str; 10] = [
    "refine",
    "full-domain",
    "local",
    "toc",
    "upc",
    "mondrian",
    "k-member",
    "k-member-p",
    "microaggregation",
    "anatomy",
];

/// Any method.
pub(super) fn method(dice: &mut Dice, has_class: bool) -> Method {
    let name = if dice.percent(30) { "refine" } else { *dice.pick(&NAMES) };
    named(dice, name, has_class)
}

/// Any but anatomy, which has no past and no future.
pub(super) fn with_versions(dice: &mut Dice) -> Method {
    let name = *dice.pick(&NAMES[..9]);
    let mut method = named(dice, name, false);
    method.budget = None;
    method
}

/// This method, with some settings.
pub(super) fn named(dice: &mut Dice, name: &'static str, has_class: bool) -> Method {
    let word = |word: &&str| format!("\"{word}\"");
    let share = |dice: &mut Dice| format!("{:?}", dice.from_to(1, 10) as f64 / 10.0);
    let mut settings: Vec<(&'static str, String)> = Vec::new();
    match name {
        "refine" => {
            let without = ["certainty", "distortion", "discernibility"];
            let with = [
                "information-gain",
                "gain-only",
                "classification",
                "certainty",
                "distortion",
                "discernibility",
            ];
            let objectives: &[&str] = if has_class { &with } else { &without };
            settings.push(("objective", word(dice.pick(objectives))));
            if dice.percent(15) {
                settings.push(("weigh", word(&"records")));
            }
            if dice.percent(15) {
                settings.push(("steps", dice.below(4).to_string()));
            }
        }
        "full-domain" => settings.push(("objective", word(dice.pick(&["loss", "discernibility"])))),
        "toc" => {
            settings.push(("utility_weight", share(dice)));
            settings.push(("nearest", word(dice.pick(&["cluster", "seed"]))));
            if dice.percent(40) {
                settings.push(("threshold", share(dice)));
                settings.push(("subspace", dice.from_to(1, 12).to_string()));
            }
        }
        "upc" => {
            settings.push(("loss_at_most", share(dice)));
            if dice.percent(40) {
                settings.push(("subspace", dice.from_to(1, 12).to_string()));
            }
        }
        "mondrian" => settings.push(("strict", dice.percent(50).to_string())),
        "microaggregation" => settings.push(("centre", word(dice.pick(&["mean", "median", "mode"])))),
        _ => {}
    }
    settings.push(("seed", dice.from_to(1, 99).to_string()));
    let budget = (name != "anatomy" && dice.percent(30)).then(|| *dice.pick(&[5, 10, 20, 40, 60]));
    Method { name, settings, budget }
}

/// Says for some quasi columns how a group is shown.
pub(super) fn forms(dice: &mut Dice, method: &Method, quasi: &mut [Drawn]) {
    for drawn in quasi.iter_mut().filter(|_| method.groups()) {
        let forms: &[&'static str] = match drawn.column.kind {
            Kind::Plain => &["set"],
            Kind::Tree(_) => &["set", "ancestor"],
            Kind::Numbers(_) => &["set", "interval"],
        };
        drawn.column.form = dice.percent(40).then(|| *dice.pick(forms));
    }
}
