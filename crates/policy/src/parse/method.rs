//! Reading the `[method]` section.

use scumble_refine::Objective;

use super::columns::Columns;
use crate::anatomy::check_anatomy;
use crate::column::{ColumnPolicy, Role};
use crate::method::{
    APPROACHES, Approach, CENTRES, CLASSIFICATION, COSTS, Gathering, GatheringPersons, Method, NEAREST, OBJECTIVES,
    PERSONS, WEIGHED,
};
use crate::problems::Problems;
use crate::require::{Counting, Kind, Require};
use crate::section::{Item, Section};
use crate::spanned::Spanned;
use crate::words::quoted;

/// How one table is searched.
pub(super) fn read_method(mut section: Section, columns: &Columns, problems: &mut Problems) -> Method {
    let name = section.item("name");
    let approach = name.and_then(|item| read_name(&item, problems));
    let approach = approach.unwrap_or(Approach::Refine);
    let (objective, rivals) = match approach {
        Approach::Refine => read_objective(section.item("objective"), columns, problems),
        _ => (Objective::Certainty, &[][..]),
    };
    let refine = approach == Approach::Refine;
    let weigh = if refine { section.item("weigh") } else { None };
    let weigh = weigh.and_then(|item| item.word("`weigh` value", &WEIGHED, &[], problems));
    let steps = if refine { section.item("steps") } else { None };
    let steps = steps.and_then(|item| item.whole(0, problems));
    let approach = read_approach(approach, &mut section, problems);
    let share = section
        .item("rows_suppressed_at_most")
        .and_then(|item| read_budget(item, approach, problems));
    let seed = section.item("seed").and_then(|item| item.whole(0, problems));
    section.finish(&[], problems);
    let usual = Method::default();
    let mut method = Method {
        approach,
        objective,
        rivals,
        weigh: weigh.unwrap_or(usual.weigh),
        rows_suppressed_at_most: share.unwrap_or(usual.rows_suppressed_at_most),
        seed: seed.unwrap_or(usual.seed),
        steps: steps.map(|steps| usize::try_from(steps).unwrap_or(usize::MAX)),
    };
    // A bound on the loss of every group can only be kept if rows that fit nowhere may go.
    if share.is_none() && method.loss_at_most().is_some() {
        method.rows_suppressed_at_most = 1.0;
    }
    method
}

/// The word of an approach; one for several tables is known, too.
fn read_name(item: &Item, problems: &mut Problems) -> Option<Approach> {
    let word = item.text(problems)?;
    if PERSONS.iter().any(|(known, _)| known == word.get_ref()) {
        let message = format!("the method {} is for several tables", quoted(word.get_ref()));
        let help = "name them in [person] and [[tables]], or choose a method for one table".to_owned();
        problems.at(item.span(), message, Some(help));
        return None;
    }
    item.word("method", &APPROACHES, &[], problems)
}

/// The share of rows that may be left out.
fn read_budget(item: Item, approach: Approach, problems: &mut Problems) -> Option<f64> {
    let fits = |share| (0.0..1.0).contains(&share);
    let share = item.number("a share: at least 0 and below 1", fits, problems)?;
    if share > 0.0 && approach == Approach::Anatomy {
        let help = "take it out; a value that too many rows have makes larger groups instead".to_owned();
        problems.at(item.span(), "the method anatomy leaves no row out", Some(help));
    }
    Some(share)
}

/// The settings of an approach that are its own.
fn read_approach(approach: Approach, section: &mut Section, problems: &mut Problems) -> Approach {
    let share = |item: Item, problems: &mut Problems| {
        let fits = |share| (0.0..=1.0).contains(&share);
        item.number("a number from 0 to 1", fits, problems)
    };
    let rows = |item: Item, problems: &mut Problems| item.whole(1, problems).map(|rows| rows as usize);
    let mut read = approach;
    match &mut read {
        Approach::FullDomain(cost) => {
            if let Some(item) = section.item("objective") {
                *cost = item.word("objective", &COSTS, &[], problems).unwrap_or(*cost);
            }
        }
        Approach::Gather(Gathering::Toc {
            utility_weight,
            threshold,
            subspace,
            nearest,
        }) => {
            let weight = section.item("utility_weight").and_then(|item| share(item, problems));
            *utility_weight = weight.unwrap_or(*utility_weight);
            *threshold = section.item("threshold").and_then(|item| share(item, problems));
            *subspace = section.item("subspace").and_then(|item| rows(item, problems));
            if let Some(item) = section.item("nearest") {
                let to = item.word("`nearest` value", &NEAREST, &[], problems);
                *nearest = to.unwrap_or(*nearest);
            }
        }
        Approach::Gather(Gathering::Upc { loss_at_most, subspace }) => {
            let most = section.item("loss_at_most").and_then(|item| share(item, problems));
            *loss_at_most = most.unwrap_or(*loss_at_most);
            *subspace = section.item("subspace").and_then(|item| rows(item, problems));
        }
        Approach::Gather(Gathering::Mondrian { strict }) => {
            let flag = section.item("strict").and_then(|item| item.flag(problems));
            *strict = flag.unwrap_or(*strict);
        }
        Approach::Gather(Gathering::Microaggregation { centre }) => {
            if let Some(item) = section.item("centre") {
                *centre = item.word("centre", &CENTRES, &[], problems).unwrap_or(*centre);
            }
        }
        Approach::Refine
        | Approach::Anatomy
        // Its words are not those of one table.
        | Approach::Persons(_)
        | Approach::Gather(Gathering::Local | Gathering::KMember | Gathering::KMemberP) => {}
    }
    read
}

/// It loses least by far, and takes seconds for thousands of persons.
const USUAL: GatheringPersons = GatheringPersons::Entities;

/// How persons of several tables are gathered.
pub(super) fn read_method_for_persons(mut section: Section, problems: &mut Problems) -> Method {
    let name = section.item("name");
    let gathering = name.and_then(|item| item.word("method for several tables", &PERSONS, &[], problems));
    let mut gathering = gathering.unwrap_or(USUAL);
    if gathering == GatheringPersons::Entities {
        for key in ["threshold", "climit"] {
            let help = "take it out, or choose miracle, miraclex or bitmap";
            section.refuse(key, "the method `entities` has no such setting", help, problems);
        }
    }
    let share = |share: f64| (0.0..=1.0).contains(&share);
    let threshold = section.item("threshold");
    let threshold = threshold.and_then(|item| item.number("a number from 0 to 1", share, problems));
    let climit = section.item("climit").and_then(|item| item.whole(1, problems));
    let seed = section.item("seed").and_then(|item| item.whole(0, problems));
    section.finish(&[], problems);
    match &mut gathering {
        GatheringPersons::Entities => {}
        GatheringPersons::Miracle(opening)
        | GatheringPersons::MiracleX(opening)
        | GatheringPersons::Bitmap(opening) => {
            opening.threshold = threshold;
            opening.climit = climit.map(|climit| usize::try_from(climit).unwrap_or(usize::MAX));
        }
    }
    let usual = Method::default();
    Method {
        approach: Approach::Persons(gathering),
        seed: seed.unwrap_or(usual.seed),
        ..usual
    }
}

/// Reports what an approach cannot keep, and forms that it does not show.
pub(super) fn check_approach(
    approach: Approach,
    require: &[Spanned<Require>],
    columns: &[ColumnPolicy],
    problems: &mut Problems,
) {
    let gathers = matches!(approach, Approach::Gather(_));
    let shows_forms = gathers && !matches!(approach, Approach::Gather(Gathering::Microaggregation { .. }));
    for form in columns.iter().filter_map(|column| column.form.as_ref()) {
        if !shows_forms {
            let message = format!("`form` has no meaning for the method {}", approach.word());
            let help = "take it out, or choose a method that gathers rows, such as local".to_owned();
            problems.at(form.span(), message, Some(help));
        }
    }
    if approach == Approach::Anatomy {
        check_anatomy(require, columns, problems);
    }
    let quasi = columns.iter().filter(|column| column.role == Role::Quasi).count();
    for section in require.iter().filter(|_| gathers) {
        let Require { kind, of, .. } = section.get_ref();
        let message = match kind {
            Kind::KMap { .. } => {
                "whoever looks like a group may look like others, too, so it is not known whom it hides among"
            }
            Kind::Personal { .. } | Kind::RangeDiversity { .. } if of.columns.len() < quasi => {
                "groups that keep this may break it together, so it must be of every quasi column"
            }
            Kind::Anonymity {
                per: Counting::Join | Counting::RecordsOf(_),
                ..
            } => "this method does not look at the join with earlier releases",
            Kind::Anonymity { .. }
            | Kind::Confidence { .. }
            | Kind::AlphaK { .. }
            | Kind::Diversity { .. }
            | Kind::PSensitive { .. }
            | Kind::Closeness { .. }
            | Kind::DeltaDisclosure { .. }
            | Kind::BetaLikeness { .. }
            | Kind::Personal { .. }
            | Kind::RangeDiversity { .. } => continue,
        };
        let help = "choose the method refine or full-domain, or ask for something else".to_owned();
        problems.at(section.span(), message, Some(help));
    }
}

/// The objective and its rivals; if none is named, the one that uses what the policy has.
fn read_objective(item: Option<Item>, columns: &Columns, problems: &mut Problems) -> (Objective, &'static [Objective]) {
    let (word, first, rivals) = CLASSIFICATION;
    let known: Vec<(&str, (Objective, &[Objective]))> = OBJECTIVES
        .iter()
        .map(|&(word, objective)| (word, (objective, &[][..])))
        .chain([(word, (first, rivals))])
        .collect();
    let chosen = item
        .as_ref()
        .and_then(|item| item.word("objective", &known, &[], problems));
    let needs_class = matches!(chosen, Some((Objective::InformationGain | Objective::GainOnly, _)));
    if let (Some(item), true) = (item, needs_class && columns.surely_without_class()) {
        let message = "this objective needs a class column";
        let help = "give one column the role class, or choose distortion, discernibility or certainty".to_owned();
        problems.at(item.span(), message, Some(help));
    }
    chosen.unwrap_or(match columns.class() {
        Some(_) => (Objective::InformationGain, &[]),
        None => (Objective::Certainty, &[]),
    })
}
