//! The groups do not depend on how many threads there are, and a method that is told to stop does.

use rayon::ThreadPoolBuilder;
use scumble_grouping::{
    Anatomy, Failure, KMember, Local, MemberObjective, Method, Microaggregation, Mondrian, Nearest, Problem,
    Protection, Space, Toc, Upc, gather,
};
use scumble_progress::{Event, Running, Stage, Trial};

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
    let stopped = Running::begin(&|| true, Stage::Searching, None);
    let problem = Problem {
        table: &task.world.table,
        space: &task.space(),
        requirement: &task.requirement,
        rows_left_out_at_most: 0,
        seed: 3,
        work: stopped.work(),
    };
    each_method(&task, |name, method| {
        assert_eq!(
            method.groups(&problem, &task.conditions()),
            Err(Failure::Interrupted),
            "{name}"
        );
    });
}

/// Every method, with the repair after it: shares rise to 1, what is heard changes nothing, and whenever it is told to stop
/// it does.
#[test]
fn a_watch_hears_shares_and_may_stop_a_method_at_any_look() {
    let task = large(3_000);
    let one_thread = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let space = task.space();
    let gathered = |method: &dyn Method, watch: &Trial| {
        Stage::Searching.run(watch, |work| {
            let problem = Problem {
                table: &task.world.table,
                space: &space,
                requirement: &task.requirement,
                rows_left_out_at_most: 0,
                seed: 3,
                work,
            };
            one_thread.install(|| gather(method, &problem))
        })
    };
    let toc = Toc {
        utility_weight: 0.5,
        threshold: None,
        subspace: None,
        nearest: Nearest::ToCluster,
        sensitive: Space::new(&task.world.table, &task.world.sensitive()),
    };
    let upc = Upc {
        loss_at_most: 1.0,
        subspace: None,
        secrets: Vec::new(),
    };
    let check = |name: &str, method: &dyn Method| {
        let patient = Trial::patient();
        let found = gathered(method, &patient).unwrap();
        assert_eq!(patient.fault(), None, "{name}");
        let is_phase = |event: &Event| matches!(event, Event::Phase { .. });
        assert!(
            patient.events().iter().filter(|event| is_phase(event)).count() > 2,
            "{name}"
        );
        let looks = patient.looks();
        assert_eq!(gathered(method, &Trial::with_patience(looks)), Ok(found), "{name}");
        let is_tried = |stop: &usize| *stop < 4 || looks - stop < 4 || stop.is_multiple_of(looks / 8 + 1);
        for stop in (0..looks).filter(is_tried) {
            let stopped = gathered(method, &Trial::with_patience(stop));
            assert_eq!(stopped, Err(Failure::Interrupted), "{name} at look {stop} of {looks}");
        }
    };
    each_method(&task, check);
    check("TOC", &toc);
    check("UPC", &upc);
    check("local", &Local);
}
