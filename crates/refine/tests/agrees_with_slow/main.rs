//! The fast search takes the same steps as the slow one on thousands of random tables.

mod compare;
mod dice;
mod joins;
mod slow;

use proptest::prelude::*;

use compare::compare;
use dice::Dice;

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    #[test]
    fn every_step_is_the_slow_one(seed in any::<u64>(), rows in 1usize..30, columns in 1usize..5) {
        compare(&Dice(seed).problem(rows, columns))?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 30, ..ProptestConfig::default() })]

    /// Many columns, of which an adversary knows two or three.
    #[test]
    fn bounded_knowledge_of_many_columns_is_the_slow_one(seed in any::<u64>(), columns in 5usize..8) {
        let mut dice = Dice(seed);
        let mut problem = dice.problem(20, columns);
        for template in problem.templates.iter_mut().filter(|template| template.demand.is_anti_monotone()) {
            template.of = (0..columns).collect();
            template.any = 2 + dice.roll(2);
        }
        problem.rows_left_out_at_most = 0;
        compare(&problem.loosened(|| true))?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    /// One to three earlier releases, masked or not, with and without inconsistent pairs.
    #[test]
    fn every_step_on_a_join_is_the_slow_one(seed in any::<u64>(), columns in 1usize..4, releases in 1usize..4) {
        compare(&Dice(seed).problem_on_join(columns, releases))?;
    }
}

/// Two templates of bounded knowledge: one would split its sets for a candidate that the other refuses. It must not.
#[test]
fn a_refused_candidate_leaves_no_trace() {
    compare(&Dice(8_125_277_469_357_030_430).problem(25, 3)).unwrap();
}
