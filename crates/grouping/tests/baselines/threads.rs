//! The groups do not depend on how many threads there are, and a method that is told to stop does.

use rayon::ThreadPoolBuilder;
use scumble_grouping::{
    Anatomy, Failure, KMember, MemberObjective, Method, Microaggregation, Mondrian, Problem, Protection, Space,
};

use crate::dice::Dice;
use crate::task::{Task, anonymity, asked_of};

/// A table large enough that threads share the work.
fn large(rows: usize) -> Task {
    let mut dice = Dice(11);
    let world = dice.world(rows, 4, 1);
    let requirement = asked_of(&world, vec![anonymity(5)]);
    Task {
        world,
        requirement,
        seed: 3,
    }
}

/// Every method on a task, by name.
fn each_method(task: &Task, mut body: impl FnMut(&str, &dyn Method)) {
    let sensitive = Space::new(&task.world.table, &task.world.sensitive());
    let protection = MemberObjective::Protection(Protection::SDiversity(&sensitive));
    body("strict Mondrian", &Mondrian { strict: true });
    body("relaxed Mondrian", &Mondrian { strict: false });
    body(
        "k-member",
        &KMember {
            objective: MemberObjective::Utility,
        },
    );
    body("k-member-p", &KMember { objective: protection });
    body(
        "microaggregation",
        &Microaggregation {
            columns: &task.world.quasi(),
        },
    );
    body("Anatomy", &Anatomy::of(task.world.sensitive[0].0, &task.requirement));
}

#[test]
fn groups_are_the_same_on_any_number_of_threads() {
    let task = large(12_000);
    let pools = [1, 2, 5].map(|threads| ThreadPoolBuilder::new().num_threads(threads).build().unwrap());
    each_method(&task, |name, method| {
        let [one, two, five] = [0, 1, 2].map(|pool: usize| pools[pool].install(|| task.gather(method)));
        assert!(one == two && one == five, "{name}");
        assert!(one.len() > 1, "{name}");
    });
}

#[test]
fn a_method_that_is_told_to_stop_stops() {
    let task = large(6_000);
    let problem = Problem {
        table: &task.world.table,
        space: &task.space(),
        requirement: &task.requirement,
        rows_left_out_at_most: 0,
        seed: 3,
        go_on: &|| false,
    };
    each_method(&task, |name, method| {
        assert_eq!(
            method.groups(&problem, &task.conditions()),
            Err(Failure::Interrupted),
            "{name}"
        );
    });
}
