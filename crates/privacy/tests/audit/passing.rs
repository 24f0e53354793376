//! Passing the audit: all templates must hold, and what passes comes back.

use scumble_privacy::{
    Demand, Diversity, History, LossDomain, LossPerGroup, Promises, Requirement, Sense, Template, audit, recount,
};
use scumble_table::{Column, ColumnId, Labels, Mask, Range, Released, ReleasedColumn, Table, ValueOrder};

use crate::definitions::every_kind;
use crate::example::{released, template};

fn anonymity(of: &[usize], k: u64) -> Template {
    template(of, Demand::Anonymity { k, per: vec![] })
}

const GROUPS: &str = "
    job          sex  #
    Professional F    3
    Manager      F    2";

#[test]
fn the_bound_itself_holds_and_one_more_does_not() {
    let requirement = |k| Requirement {
        templates: vec![anonymity(&[0, 1], k)],
    };
    let at_bound = audit(released(GROUPS).release, &requirement(2), &[], &History::default()).unwrap();
    assert_eq!(at_bound.findings()[0].level, 2.0);
    assert_eq!(at_bound.release().rows(), 5);
    let above = audit(released(GROUPS).release, &requirement(3), &[], &History::default()).unwrap_err();
    assert_eq!((above.findings[0].level, above.findings[0].holds), (2.0, false));
}

/// One template that fails is enough to stop a release, whatever the others say. Findings are in policy order, also
/// where templates share their groups.
#[test]
fn every_template_must_hold() {
    let distinct = Diversity::Distinct { l: 2 };
    let about = scumble_table::ColumnId(0);
    let diverse = Demand::Diversity {
        about,
        measure: distinct,
    };
    let templates = vec![
        anonymity(&[1], 5),
        template(&[1], diverse),
        anonymity(&[0], 3),
        anonymity(&[1], 6),
    ];
    let failed = audit(
        released(GROUPS).release,
        &Requirement { templates },
        &[],
        &History::default(),
    )
    .unwrap_err();
    let found: Vec<_> = failed
        .findings
        .iter()
        .map(|finding| (finding.level, finding.holds))
        .collect();
    assert_eq!(found, [(5.0, true), (2.0, true), (2.0, false), (5.0, false)]);
}

#[test]
fn nothing_released_gives_nobody_away() {
    let cells = || Column::from_cells("c", ValueOrder::Natural, [Some("v1")]);
    let table = Table::new(1, (0..5).map(|_| cells()).collect());
    let masks = vec![(Mask::Exact, None, true); 5];
    let nothing = Released::new(table, &masks, Some(&[true]));
    let demands = every_kind();
    let requirement = Requirement {
        templates: demands.into_iter().map(|demand| template(&[0], demand)).collect(),
    };
    let audited = audit(nothing, &requirement, &[], &History::default()).expect("nothing is released");
    assert!(audited.findings().iter().all(|finding| finding.level == 0.0));
}

/// That nothing was broken says nothing where nothing was promised.
#[test]
fn what_promises_nothing_does_not_pass() {
    let nothing = Requirement { templates: Vec::new() };
    let failed = audit(released(GROUPS).release, &nothing, &[], &History::default()).unwrap_err();
    assert!(failed.findings.is_empty() && failed.loss_per_group.is_none());
}

#[test]
fn a_release_carries_what_it_was_audited_for() {
    let requirement = |k| Requirement {
        templates: vec![anonymity(&[0, 1], k)],
    };
    let audited = audit(released(GROUPS).release, &requirement(2), &[], &History::default()).unwrap();
    assert_eq!(audited.requirement(), &requirement(2));
    assert_eq!(audited.findings_of(&requirement(2)), Some(audited.findings()));
    assert_eq!(audited.findings_of(&requirement(1)), None);
}

/// Ages of 0 to 100 in two groups, which lose 0.1 and 0.3.
#[test]
fn what_a_group_loses_is_audited_too() {
    let release = || {
        let labels = Labels::from_iter([Some("[20, 30]"), Some("[40, 70]")]);
        Released::of_columns(4, vec![ReleasedColumn::told("age", true, labels, &[0, 0, 1, 1], 0.2)])
    };
    let promises = |at_most| Promises {
        requirement: Requirement {
            templates: vec![anonymity(&[0], 2)],
        },
        demands: Vec::new(),
        loss_per_group: Some(LossPerGroup {
            at_most,
            columns: vec![(ColumnId(0), LossDomain::Numbers(Range::new(0.0, 100.0).unwrap()))],
        }),
    };
    let audited = audit(release(), promises(0.3), &[], &History::default()).unwrap();
    let (bound, found) = audited.loss_per_group().unwrap();
    assert_eq!((bound.at_most, found.level, found.holds), (0.3, 0.3, true));
    let failed = audit(release(), promises(0.29), &[], &History::default()).unwrap_err();
    assert!(failed.findings[0].holds);
    assert_eq!(
        failed.loss_per_group.map(|loss| (loss.level, loss.holds)),
        Some((0.3, false))
    );
}

/// Two places with one text are one value to whoever reads the file: here a group of four, with one disease.
#[test]
fn what_is_counted_is_the_text_that_is_written() {
    let told = |name, labels: &[Option<&str>], of_row: &[u32]| {
        ReleasedColumn::told(name, true, Labels::from_iter(labels.iter().copied()), of_row, 0.0)
    };
    let release = Released::of_columns(
        4,
        vec![
            told("job", &[Some("37"), Some("37")], &[0, 0, 1, 1]),
            told("disease", &[Some("HIV"), Some("HIV"), None, Some("")], &[0, 1, 0, 1]),
            told("ward", &[None, Some("")], &[0, 1, 0, 1]),
        ],
    );
    let diversity = |about| Demand::Diversity {
        about: ColumnId(about),
        measure: Diversity::Distinct { l: 2 },
    };
    let templates = vec![
        anonymity(&[0], 4),
        template(&[0], diversity(1)),
        template(&[0], diversity(2)),
    ];
    let found = recount(&release, &Requirement { templates }, &[], &History::default());
    let levels: Vec<f64> = found.iter().map(|finding| finding.level).collect();
    assert_eq!(levels, [4.0, 1.0, 1.0]);
}

/// Whatever else is found, and in whatever order.
#[test]
fn what_is_no_number_keeps_no_bound() {
    for demand in every_kind() {
        let template = template(&[0], demand);
        assert!(!template.is_met_by(f64::NAN), "{}", template.kind());
        let (sense, best) = (template.sense(), template.sense().best());
        for level in [best, 0.0, 1.0, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(sense.worse(level, f64::NAN).is_nan() && sense.worse(f64::NAN, level).is_nan());
        }
    }
    assert_eq!(Sense::AtMost.worse(0.5, 0.25), 0.5);
}
