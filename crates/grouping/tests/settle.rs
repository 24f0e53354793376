//! `gather` makes groups that the audit passes, of whatever a method returns.

mod asked;
mod dice;

use std::collections::BTreeSet;

use asked::{Asked, anonymity};
use dice::Dice;
use proptest::prelude::*;
use scumble_grouping::{
    Anatomy, Failure, Grouping, KMember, Local, MemberObjective, Method, Microaggregation, Mondrian, Nearest, Problem,
    Protection, RangeSecret, Space, Toc, Upc, gather,
};
use scumble_level::Conditions;
use scumble_progress::{Running, Stage};

/// A method that knows nothing: random groups of random rows, some of which are left over.
struct Careless {
    seed: u64,
    loss_at_most: Option<f64>,
}

impl Method for Careless {
    fn groups(&self, problem: &Problem, _: &Conditions) -> Result<Vec<Vec<u32>>, Failure> {
        let mut dice = Dice(self.seed);
        let mut groups = vec![Vec::new(); 1 + dice.roll(problem.table.rows().max(1))];
        for row in 0..problem.table.rows() as u32 {
            // The last one is given up.
            let group = dice.roll(groups.len());
            groups[group].push(row);
        }
        groups.pop();
        Ok(groups)
    }

    fn loss_at_most(&self) -> Option<f64> {
        self.loss_at_most
    }
}

/// Every method of the crate, and two careless ones.
fn each_method(
    asked: &Asked,
    mut body: impl FnMut(&dyn Method) -> Result<(), TestCaseError>,
) -> Result<(), TestCaseError> {
    let seed = asked.seed;
    let loss_at_most = [0.2, 0.5, 1.0][Dice(seed).roll(3)];
    let world = &asked.world;
    let sensitive = || Space::new(&world.table, &world.sensitive());
    let space = sensitive();
    let conditions = asked.conditions();
    let secrets = conditions.range_diversities().map(|check| RangeSecret {
        codes: check.codes,
        contributions: check.contributions,
        at_most: check.at_most,
    });
    body(&Local)?;
    body(&Mondrian { strict: true })?;
    body(&Mondrian { strict: false })?;
    body(&KMember {
        objective: MemberObjective::Utility,
    })?;
    body(&KMember {
        objective: MemberObjective::Protection(Protection::SDiversity(&space)),
    })?;
    body(&Microaggregation {
        columns: &world.quasi(),
    })?;
    body(&Anatomy::of(world.sensitive[0].0, &asked.requirement))?;
    body(&Toc {
        utility_weight: 0.5,
        threshold: Some(0.5),
        subspace: Some(10),
        nearest: Nearest::ToCluster,
        sensitive: sensitive(),
    })?;
    body(&Upc {
        loss_at_most,
        subspace: Some(10),
        secrets: secrets.collect(),
    })?;
    body(&Careless {
        seed,
        loss_at_most: None,
    })?;
    body(&Careless {
        seed,
        loss_at_most: Some(loss_at_most),
    })
}

/// What a grouping owes to whoever asked for it.
fn check(asked: &Asked, method: &dyn Method, grouping: &Grouping) -> Result<(), TestCaseError> {
    let groups = grouping.rows();
    let left_out = asked.rows() - groups.iter().map(Vec::len).sum::<usize>();
    prop_assert!(
        left_out as u64 <= asked.rows_left_out_at_most,
        "{left_out} rows are left out"
    );
    prop_assert!(asked.passes_audit(grouping), "a template is broken");
    let looks: BTreeSet<_> = asked.shown(&groups).into_iter().collect();
    prop_assert_eq!(looks.len(), groups.len(), "two groups look alike");
    let most = method.loss_at_most().unwrap_or(1.0);
    for group in &groups {
        prop_assert!(
            asked.space.loss(&asked.space.hull(group)) <= most,
            "a group loses too much"
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn groups_keep_everything_or_nothing_could(seed in any::<u64>()) {
        let asked = Asked::roll(seed, 40);
        each_method(&asked, |method| match gather(method, &asked.problem()) {
            Ok(grouping) => check(&asked, method, &grouping),
            Err(Failure::CannotBeMet(levels)) => {
                prop_assert_eq!(method.loss_at_most(), None);
                prop_assert_eq!(levels.len(), asked.requirement.templates.len());
                prop_assert!(!asked.can_be_met(), "all rows as one group keep everything");
                Ok(())
            }
            Err(Failure::LeavesOut { rows, most }) => {
                prop_assert!(method.loss_at_most().is_some());
                prop_assert_eq!(most, asked.rows_left_out_at_most);
                prop_assert!(rows > most);
                Ok(())
            }
            Err(other) => Err(TestCaseError::fail(format!("{other:?}"))),
        })?;
    }
}

/// Leaves every row alone.
struct Idle;

impl Method for Idle {
    fn groups(&self, problem: &Problem, _: &Conditions) -> Result<Vec<Vec<u32>>, Failure> {
        Ok((0..problem.table.rows() as u32).map(|row| vec![row]).collect())
    }
}

#[test]
fn a_repair_that_is_told_to_stop_stops() {
    let asked = Asked::of(Dice(1).world(40, 2, 1), anonymity(15));
    let stopped = Running::begin(&|| true, Stage::Searching, None);
    let problem = Problem {
        work: stopped.work(),
        ..asked.problem()
    };
    assert!(gather(&Idle, &asked.problem()).is_ok());
    assert_eq!(gather(&Idle, &problem), Err(Failure::Interrupted));
}
