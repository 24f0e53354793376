//! Passing the audit: all templates must hold, and what passes comes back.

use scumble_privacy::{Demand, Diversity, History, Requirement, Template, audit};
use scumble_table::{Column, Mask, Released, Table, ValueOrder};

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
