//! What parties find together is what one machine finds on the joined table.

use fastrand::Rng;

use crate::judge::Secure;
use crate::{Fault, Message};

use super::drive::{Side, run};
use super::judges::{Open, Record, Recorded};
use super::party::sorted_rows;
use super::world::World;

/// What the release of one machine shows, row by row, and after how many steps; `None` if there is none.
fn expected(world: &World) -> Option<(usize, Vec<Vec<Option<String>>>)> {
    let refined = world.refined()?;
    let table = world.joined();
    let shown = refined.masks.iter().enumerate().map(|(column, mask)| {
        let shown = world.released(column, table.columns()[column].clone(), mask);
        let label = |code: u32| {
            shown
                .labels()
                .at(shown.label_of_code()[code as usize] as usize)
                .map(str::to_owned)
        };
        shown.codes().iter().map(label).collect()
    });
    let mut columns: Vec<Vec<Option<String>>> = shown.collect();
    let from = world.class() + usize::from(!world.has_class);
    let rest = world.cells[from..].iter();
    columns.extend(rest.map(|cells| cells.iter().cloned().map(Some).collect()));
    Some((refined.trace.steps.len(), sorted_rows(columns.iter())))
}

/// Makes sure that every party has the release of one machine, or that none has one; how many steps led there.
pub fn check(world: &World, sides: &[Side], what: &str) -> usize {
    let Some((steps, rows)) = expected(world) else {
        for side in sides {
            let fault = side.fault();
            assert!(
                matches!(fault, Some(Fault::CannotBeMet { .. })),
                "{what}: {:?}",
                side.end
            );
        }
        return 0;
    };
    for side in sides {
        let Some(known) = side.known() else {
            panic!("{what}: {:?}", sides.iter().map(Side::fault).collect::<Vec<_>>())
        };
        assert_eq!(known.refinements, steps, "{what}");
        assert_eq!(known.rows(), rows, "{what}");
        assert_eq!(Some(&known.masks), sides[0].known().map(|first| &first.masks), "{what}");
    }
    steps
}

/// The judge of this program.
pub fn secure(parties: usize) -> Secure {
    Secure::new(parties).expect("2 to 8 parties")
}

#[test]
fn parties_find_what_one_machine_finds() {
    let (mut steps, record) = (0, Record::default());
    for seed in 0..2000 {
        let mut rng = Rng::with_seed(seed);
        let parties = 2 + rng.usize(0..4);
        let world = World::random(&mut rng, parties, 70);
        let judge = || Recorded {
            judge: Open,
            record: record.clone(),
        };
        steps += check(&world, &run(&world, seed, judge), &format!("seed {seed}"));
    }
    assert!(steps > 4000, "only {steps} refinements were compared");
    let (consents, refusals) = (record.consents.get(), record.refusals.get());
    assert!(
        consents > 200 && refusals > 200,
        "{consents} consents, {refusals} refusals"
    );
}

#[test]
fn so_many_steps_are_the_first_steps_of_one_machine() {
    for seed in 0..60 {
        let mut rng = Rng::with_seed(seed);
        let mut world = World::random(&mut rng, 3, 40);
        let Some(all) = world.refined() else { continue };
        for steps in 0..=all.trace.steps.len() + 1 {
            world.steps = Some(steps);
            let made = check(
                &world,
                &run(&world, seed, || Open),
                &format!("seed {seed}, {steps} steps"),
            );
            assert_eq!(made, steps.min(all.trace.steps.len()));
        }
    }
}

/// Worlds in which something is refused and something is not, within so many rounds, with their seeds.
pub fn contested(parties: usize, records: usize, rounds: usize) -> impl Iterator<Item = (u64, World)> {
    (0..).filter_map(move |seed| {
        let world = World::random(&mut Rng::with_seed(seed), parties, records);
        let record = Record::default();
        let judge = || Recorded {
            judge: Open,
            record: record.clone(),
        };
        run(&world, seed, judge);
        let is_contested = record.consents.get() > 0 && record.refusals.get() > 0;
        let is_short = record.bids.take().len() / parties <= rounds;
        (is_contested && is_short).then_some((seed, world))
    })
}

/// With the computation that this program uses. It is slow, so there are few worlds.
#[test]
fn parties_find_it_by_secure_computation() {
    let (mut steps, record) = (0, Record::default());
    for (parties, worlds) in [(2, 7), (3, 4), (5, 1)] {
        for (seed, world) in contested(parties, 14, 3).take(worlds) {
            let judge = || Recorded {
                judge: secure(parties),
                record: record.clone(),
            };
            steps += check(
                &world,
                &run(&world, seed, judge),
                &format!("{parties} parties, seed {seed}"),
            );
        }
    }
    assert!(steps >= 12, "only {steps} refinements were compared");
    let (consents, refusals) = (record.consents.get(), record.refusals.get());
    assert!(
        consents >= 12 && refusals >= 12,
        "{consents} consents, {refusals} refusals"
    );
}

#[test]
fn eight_parties_find_it_by_secure_computation() {
    let mut world = World::random(&mut Rng::with_seed(3), 8, 20);
    world.steps = Some(1);
    let sides = run(&world, 3, || secure(8));
    assert_eq!(check(&world, &sides, "eight parties"), 1);
    for (own, side) in sides.iter().enumerate() {
        let is_secure = |bytes: &[u8]| matches!(Message::decode(0, bytes), Ok((_, Message::Secure(_))));
        let heard = |from: usize| {
            side.received
                .iter()
                .any(|(party, bytes)| *party == from && is_secure(bytes))
        };
        assert!(
            (0..8).filter(|&from| from != own).all(heard),
            "everyone computes with everyone"
        );
    }
}
