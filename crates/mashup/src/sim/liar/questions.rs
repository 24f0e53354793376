//! A winner that asks and refines as it likes: it reads nothing of single records, and whoever notices blames it.

use scumble_privacy::{QuasiIdentifier, Requirement, Template};
use scumble_refine::Objective;
use scumble_table::ColumnId;

use crate::search::tricks::Trick;
use crate::{Event, Fault};

use super::super::drive::{Setting, Side, run_with};
use super::super::judges::{Open, Trusted};
use super::super::party::Conduct;
use super::super::world::{Form, World, confidence, counting, some_sets, tree, word};

const LIAR: usize = 0;
const HOLDER: usize = 1;
const SECRET: usize = 3;

/// The liar has column 0. The holder has column 1 and the secrets of 24 persons, of whom the first may have one, and every
/// fourth of the others.
fn world(first_has: bool, templates: Vec<Template>) -> World {
    let secret = |person: usize| match person {
        0 => usize::from(first_has),
        _ => usize::from(person % 4 == 1),
    };
    let column = |cell: &dyn Fn(usize) -> String| (0..24).map(cell).collect::<Vec<String>>();
    World {
        parties: 2,
        forms: vec![Form::Tree(tree(0, 3)), Form::Tree(tree(1, 3))],
        owner_of: vec![Some(LIAR), Some(HOLDER), None, Some(HOLDER), Some(HOLDER)],
        has_class: false,
        class_holders: Vec::new(),
        cells: vec![
            column(&|person| word(0, person % 6)),
            column(&|_| word(1, 0)),
            column(&|_| "no".to_owned()),
            column(&|person| word(SECRET, secret(person))),
            column(&|_| word(4, 0)),
        ],
        strays: Vec::new(),
        requirement: Requirement { templates },
        objective: Objective::Certainty,
        steps: None,
    }
}

/// At most half of a group have the secret; every group has at least so many.
fn templates(k: u64) -> Vec<Template> {
    let of = QuasiIdentifier::all(vec![ColumnId(0), ColumnId(1)]);
    let demands = [counting(k, &[]), confidence(0.5, &[ColumnId(SECRET)], some_sets)];
    let templates = demands.map(|demand| Template { of: of.clone(), demand });
    templates.into()
}

fn played(trick: Trick, first_has: bool, k: u64, seed: u64) -> Vec<Side> {
    let setting = Setting::new(seed).with(LIAR, Conduct::Asks(trick));
    let trusted = Trusted::default();
    run_with(
        &world(first_has, templates(k)),
        &setting,
        || trusted.clone(),
        |parcel| vec![parcel.bytes],
    )
}

/// What the liar was answered.
fn answers(sides: &[Side]) -> Vec<bool> {
    let answered = sides[LIAR].events.iter().filter_map(|event| match event {
        Event::Answered { consent, .. } => Some(*consent),
        _ => None,
    });
    answered.collect()
}

/// Without the rule, the answer is whether the first person has the secret: read in 60 of 60 runs.
#[test]
fn a_question_about_one_record_is_answered_the_same_whatever_its_secret() {
    let mut read = 0;
    for seed in 0..60 {
        let [with, without] = [true, false].map(|has| answers(&played(Trick::OneRecord, has, 2, seed)));
        assert_eq!(with.len(), 1);
        read += usize::from(with != without);
    }
    assert_eq!(read, 0, "of 60 secrets");
}

/// Also with the computation that the program uses.
#[test]
fn a_question_about_one_record_tells_nothing_in_a_secure_computation() {
    for has in [true, false] {
        let setting = Setting::new(5).with(LIAR, Conduct::Asks(Trick::OneRecord));
        let judge = || super::super::equal::secure(2);
        let sides = run_with(&world(has, templates(2)), &setting, judge, |parcel| vec![parcel.bytes]);
        assert_eq!(answers(&sides), [false]);
    }
}

/// The smallest part that is asked about is what the agreement says, whatever the asker would like.
#[test]
fn a_question_about_fewer_records_than_agreed_tells_nothing() {
    for k in [3, 5, 8] {
        for few in 1..k as u32 {
            for has in [true, false] {
                let sides = played(Trick::Few(few), has, k, 11);
                assert_eq!(answers(&sides), [false], "{few} records where {k} are agreed on");
            }
        }
        let sides = played(Trick::Few(k as u32), false, k, 11);
        let has_at_most_half = answers(&sides);
        assert_eq!(has_at_most_half.len(), 1, "as many as agreed on may be asked about");
    }
}

#[track_caller]
fn assert_blamed(trick: Trick) {
    for seed in 0..5 {
        let sides = played(trick, true, 2, seed);
        assert!(sides[HOLDER].known().is_none(), "{trick:?}: there is a release");
        let fault = sides[HOLDER].fault();
        assert_eq!(fault.and_then(Fault::party), Some(LIAR), "{trick:?}: {fault:?}");
    }
}

#[test]
fn a_value_is_asked_about_once() {
    assert_blamed(Trick::AskAgain);
    assert_blamed(Trick::AskTwice);
}

#[test]
fn a_question_that_nobody_may_ask_is_not_answered() {
    for trick in [Trick::OtherConsent, Trick::OtherColumn, Trick::ManyParts] {
        assert_blamed(trick);
        assert!(answers(&played(trick, true, 2, 1)).is_empty());
    }
}

#[test]
fn a_refinement_is_held_to_what_was_asked() {
    for trick in [Trick::Unasked, Trick::InSpite, Trick::Otherwise] {
        assert_blamed(trick);
    }
}

#[test]
fn who_asked_and_was_not_refused_refines() {
    for trick in [Trick::NotRefused, Trick::Finished] {
        assert_blamed(trick);
    }
}

#[test]
fn who_has_no_column_elsewhere_does_not_refine_it() {
    assert_blamed(Trick::Elsewhere);
}

#[test]
fn who_wins_for_ever_is_told_to_stop() {
    assert_blamed(Trick::ForEver);
}

/// Followers count for themselves: a refinement that leaves a group too small ends the run before anything is told.
#[test]
fn a_refinement_that_breaks_a_template_is_blamed_on_its_maker() {
    let alone = |world: World| World {
        requirement: Requirement {
            templates: templates(13).into_iter().take(1).collect(),
        },
        ..world
    };
    let setting = Setting::new(3).with(LIAR, Conduct::Asks(Trick::Unasked));
    let sides = run_with(
        &alone(world(true, templates(13))),
        &setting,
        || Open,
        |parcel| vec![parcel.bytes],
    );
    assert!(
        matches!(sides[HOLDER].fault(), Some(Fault::Breaks { from: LIAR })),
        "{:?}",
        sides[HOLDER].end
    );
    let setting = Setting::new(3).with(LIAR, Conduct::Asks(Trick::OneByOne));
    let sides = run_with(
        &alone(world(true, templates(13))),
        &setting,
        || Open,
        |parcel| vec![parcel.bytes],
    );
    assert_eq!(sides[HOLDER].fault().and_then(Fault::party), Some(LIAR));
}
