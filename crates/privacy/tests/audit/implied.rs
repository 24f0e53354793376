//! Templates that hold whenever another one does (Fung, Theorems 4.1.1 and 5.1.1).

use scumble_privacy::{Demand, Distance, Diversity, SecretValues, Secrets};
use scumble_table::ColumnId;

use crate::definitions::{diseases, every_kind};
use crate::example::{each, every, template};

const DISEASE: ColumnId = ColumnId(3);
const DEBT: ColumnId = ColumnId(4);

/// Whether a demand is implied by a stricter one on a column more, and not the other way round.
#[track_caller]
fn assert_stricter(strict: &Demand, loose: &Demand) {
    let (strict, loose) = (template(&[0, 1], strict.clone()), template(&[0], loose.clone()));
    assert!(loose.implied_by(&strict), "{loose:?} by {strict:?}");
    assert!(!strict.implied_by(&loose), "{strict:?} by {loose:?}");
}

#[track_caller]
fn assert_unrelated(a: &Demand, b: &Demand) {
    let (a, b) = (template(&[0], a.clone()), template(&[0], b.clone()));
    assert!(!a.implied_by(&b) && !b.implied_by(&a), "{a:?} and {b:?}");
}

/// Each kind implies itself on fewer columns, and no other kind; personal and range diversity not even themselves.
#[test]
fn a_wider_quasi_identifier_implies_a_narrower_one_of_its_kind() {
    for (place, demand) in every_kind().into_iter().enumerate() {
        let (wide, narrow) = (template(&[0, 1], demand.clone()), template(&[0], demand));
        assert_eq!(narrow.implied_by(&wide), narrow.is_anti_monotone(), "{narrow:?}");
        assert!(!wide.implied_by(&narrow), "{narrow:?}");
        for (other_place, other) in every_kind().into_iter().enumerate() {
            let other = template(&[0], other);
            if other.kind() != narrow.kind() {
                assert!(!other.implied_by(&wide), "{place} {other_place}");
            }
        }
    }
}

#[test]
fn whoever_knows_any_three_knows_any_two() {
    let any = |any, columns: &[usize]| {
        let mut template = template(columns, Demand::Anonymity { k: 2, per: vec![] });
        template.of.any = any;
        template
    };
    assert!(any(Some(2), &[0, 1, 2]).implied_by(&any(Some(3), &[0, 1, 2, 3])));
    assert!(!any(Some(3), &[0, 1, 2]).implied_by(&any(Some(2), &[0, 1, 2, 3])));
    assert!(any(Some(2), &[0, 1, 2]).implied_by(&any(None, &[0, 1, 2])));
    assert!(!any(None, &[0, 1, 2]).implied_by(&any(Some(2), &[0, 1, 2])));
    assert!(any(None, &[0, 1]).implied_by(&any(Some(2), &[0, 1, 2])));
}

#[test]
fn counts_of_records_and_of_people() {
    let anonymity = |k, per: &[usize]| Demand::Anonymity {
        k,
        per: per.iter().copied().map(ColumnId).collect(),
    };
    assert_stricter(&anonymity(5, &[]), &anonymity(4, &[]));
    assert_stricter(&anonymity(5, &[2]), &anonymity(4, &[2]));
    assert_unrelated(&anonymity(5, &[2]), &anonymity(5, &[]));
    let k_map = |k, population| Demand::KMap { k, population };
    assert_stricter(&k_map(5, 0), &k_map(4, 0));
    assert_unrelated(&k_map(5, 0), &k_map(5, 1));
}

#[test]
fn confidence_in_more_secrets_is_stricter() {
    let confidence = |at_most, about: Vec<Secrets>| Demand::Confidence { at_most, about };
    let hiv = || each(DISEASE, "HIV");
    assert_stricter(&confidence(0.5, hiv()), &confidence(0.7, hiv()));
    assert_stricter(&confidence(0.5, each(DISEASE, "HIV Flu")), &confidence(0.5, hiv()));
    assert_stricter(&confidence(0.5, every(DISEASE)), &confidence(0.5, hiv()));
    assert_stricter(
        &confidence(0.5, [every(DISEASE), every(DEBT)].concat()),
        &confidence(0.5, every(DEBT)),
    );
    assert_unrelated(&confidence(0.5, every(DISEASE)), &confidence(0.5, every(DEBT)));
    // Two values together may be in more rows than each of them.
    let together = Secrets {
        column: DISEASE,
        values: SecretValues::Sets(vec![vec!["HIV".into(), "Flu".into()]]),
    };
    assert_unrelated(&confidence(0.5, vec![together]), &confidence(0.5, every(DISEASE)));
}

#[test]
fn diversity_is_compared_with_its_own_measure() {
    let diversity = |measure| Demand::Diversity {
        about: DISEASE,
        measure,
    };
    let (distinct, entropy) = (
        |l| diversity(Diversity::Distinct { l }),
        |l| diversity(Diversity::Entropy { l }),
    );
    let recursive = |c, l| diversity(Diversity::Recursive { c, l });
    assert_stricter(&distinct(3), &distinct(2));
    assert_stricter(&entropy(2.5), &entropy(2.0));
    assert_stricter(&recursive(2.0, 3), &recursive(2.0, 2));
    assert_stricter(&recursive(1.0, 2), &recursive(2.0, 2));
    assert_unrelated(&recursive(1.0, 2), &recursive(2.0, 3));
    assert_unrelated(&distinct(2), &entropy(2.0));
}

#[test]
fn comparisons_with_the_whole() {
    let closeness = |at_most, distance| Demand::Closeness {
        about: DISEASE,
        at_most,
        distance,
    };
    assert_stricter(&closeness(0.1, Distance::Equal), &closeness(0.2, Distance::Equal));
    let by_tree = |at_most| closeness(at_most, Distance::Taxonomy(diseases()));
    assert_stricter(&by_tree(0.1), &by_tree(0.2));
    assert_unrelated(&closeness(0.1, Distance::Equal), &closeness(0.1, Distance::Ordered));
    let delta = |below| Demand::DeltaDisclosure { about: DISEASE, below };
    assert_stricter(&delta(0.5), &delta(1.0));
    let beta = |at_most, enhanced| Demand::BetaLikeness {
        about: DISEASE,
        at_most,
        enhanced,
    };
    assert_stricter(&beta(1.0, false), &beta(2.0, false));
    assert_stricter(&beta(1.0, true), &beta(1.0, false));
    assert_unrelated(&beta(1.0, false), &beta(2.0, true));
}
