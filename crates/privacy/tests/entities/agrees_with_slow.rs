//! On random databases, sound and with planted faults, the audit finds what the slow version finds.

use proptest::prelude::*;
use scumble_privacy::{Distance, Diversity, EntityDemand, Finding, SecretValues, Secrets, Sense, audit_entities};
use scumble_table::ColumnId;

use crate::plain::{Plain, PlainOriginals, told};
use crate::random::{Dice, database, originals, plant, plant_in_originals, secret_tree, taxonomy};
use crate::slow;

fn demands(plain: &Plain, dice: &mut Dice) -> Vec<EntityDemand> {
    let mut demands = vec![EntityDemand::Anonymity { k: 2 }];
    for _ in 0..4 {
        let table = dice.roll(plain.tables.len());
        let about = ColumnId(plain.tables[table].others[0]);
        let set = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
        let confidence = |values| EntityDemand::Confidence {
            at_most: 0.5,
            table,
            about: Secrets { column: about, values },
        };
        let diversity = |measure| EntityDemand::Diversity { table, about, measure };
        let closeness = |distance| EntityDemand::Closeness {
            table,
            about,
            at_most: 0.25,
            distance,
        };
        let beta = |enhanced| EntityDemand::BetaLikeness {
            table,
            about,
            at_most: 0.5,
            enhanced,
        };
        let below = 0.7;
        demands.push(match dice.roll(11) {
            0 => confidence(SecretValues::Every),
            1 => confidence(SecretValues::Sets(vec![set(&["x"]), set(&["y", "z"])])),
            2 => diversity(Diversity::Distinct { l: 2 }),
            3 => diversity(Diversity::Entropy { l: 1.5 }),
            4 => diversity(Diversity::Recursive { c: 1.5, l: 2 }),
            5 => closeness(Distance::Equal),
            6 => closeness(Distance::Ordered),
            7 => closeness(Distance::Taxonomy(secret_tree())),
            8 => EntityDemand::DeltaDisclosure { table, about, below },
            9 => beta(false),
            _ => beta(true),
        });
    }
    demands
}

fn check_finding(plain: &Plain, demand: &EntityDemand, finding: &Finding) -> Result<(), TestCaseError> {
    if plain.tables[0].rows.is_empty() {
        prop_assert_eq!((finding.level, finding.holds), (0.0, true));
        return Ok(());
    }
    let template = demand.template();
    let levels = slow::levels(plain, demand);
    let worst = match template.sense() {
        Sense::AtLeast => levels.first().map_or(f64::INFINITY, |level| level.0),
        Sense::AtMost => levels.last().map_or(0.0, |level| level.0),
    };
    let near = |a: f64, b: f64| a == b || (a - b).abs() < 1e-9;
    prop_assert!(near(finding.level, worst), "{demand:?}: {finding:?}, slow {levels:?}");
    prop_assert_eq!(finding.holds, template.is_met_by(worst));
    let groups: u64 = finding.spread.iter().map(|at| at.groups).sum();
    let rows: u64 = finding.spread.iter().map(|at| at.rows).sum();
    prop_assert_eq!(
        (groups, rows),
        (levels.len() as u64, levels.iter().map(|level| level.1).sum())
    );
    // Each level with its rows: groups of one level that differ by rounding may be apart.
    let mut slow = levels.iter();
    for at in &finding.spread {
        let of_level: Vec<_> = slow.by_ref().take(at.groups as usize).collect();
        prop_assert!(
            of_level.iter().all(|level| near(level.0, at.level)),
            "{finding:?}, slow {levels:?}"
        );
    }
    Ok(())
}

fn check(plain: &Plain, of: Option<&PlainOriginals>, dice: &mut Dice) -> Result<(), TestCaseError> {
    let demands = demands(plain, dice);
    let (findings, faults) = plain.recount(&demands, of, Some(&taxonomy()));
    for (demand, finding) in demands.iter().zip(&findings) {
        check_finding(plain, demand, finding)?;
    }
    let expected = slow::faults(plain, of);
    prop_assert_eq!(
        faults.count(),
        expected.len() as u64,
        "{:?}\n{:?}",
        told(&faults),
        &expected
    );
    prop_assert_eq!(told(&faults), &expected[..expected.len().min(20)]);
    if of.is_none() {
        let passes = findings.iter().all(|finding| finding.holds) && faults.count() == 0;
        match audit_entities(plain.released(), &demands, None) {
            Ok(audited) => {
                prop_assert!(passes);
                prop_assert_eq!(audited.findings(), &findings[..]);
                check_classes(plain, audited.classes())?;
            }
            Err(failed) => {
                prop_assert!(!passes);
                prop_assert_eq!((failed.findings, failed.faults), (findings, faults));
            }
        }
    }
    Ok(())
}

fn check_classes(plain: &Plain, classes: &[u32]) -> Result<(), TestCaseError> {
    let trees: Vec<String> = (0..classes.len())
        .map(|person| slow::tree(&plain.tables, 0, person))
        .collect();
    for a in 0..classes.len() {
        for b in 0..a {
            prop_assert_eq!(classes[a] == classes[b], trees[a] == trees[b]);
        }
    }
    let last = classes.iter().max().map_or(0, |&last| last + 1);
    prop_assert!((0..last).all(|class| classes.contains(&class)));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]
    #[test]
    fn sound_databases(seed: u64) {
        let mut dice = Dice(seed);
        let plain = database(&mut dice);
        check(&plain, None, &mut dice)?;
        let sound = originals(&plain, &mut dice);
        prop_assert_eq!(slow::faults(&plain, Some(&sound)), Vec::<String>::new());
        check(&plain, Some(&sound), &mut dice)?;
    }

    #[test]
    fn databases_with_faults(seed: u64) {
        let mut dice = Dice(seed);
        let mut plain = database(&mut dice);
        let mut of = originals(&plain, &mut dice);
        plant(&mut plain, &mut dice);
        plant_in_originals(&mut of, &mut dice);
        check(&plain, None, &mut dice)?;
        check(&plain, Some(&of), &mut dice)?;
    }
}
