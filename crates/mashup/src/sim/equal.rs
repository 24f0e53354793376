//! What parties find together is what one machine finds on the joined table.

use fastrand::Rng;
use scumble_table::ReleasedColumn;

use crate::Fault;

use super::drive::{Known, Side, run};
use super::judges::Open;
use super::world::{Form, World};

/// What the release of one machine shows, column by column; plain columns are compared by sorted rows.
fn expected(world: &World) -> Option<(usize, Vec<Vec<Option<String>>>)> {
    let refined = world.refined()?;
    let table = world.joined();
    let shown = refined.masks.iter().enumerate().map(|(column, mask)| {
        let taxonomy = match &world.forms[column] {
            Form::Tree(taxonomy) => Some(taxonomy),
            _ => None,
        };
        let shown = ReleasedColumn::new(table.columns()[column].clone(), mask, taxonomy, true);
        let label = |code: u32| shown.labels()[shown.label_of_code()[code as usize] as usize].clone();
        shown.codes().iter().map(label).collect()
    });
    let mut columns: Vec<Vec<Option<String>>> = shown.collect();
    let rest = world.cells[world.forms.len()..].iter();
    columns.extend(rest.map(|cells| cells.iter().cloned().map(Some).collect()));
    Some((refined.trace.steps.len(), columns))
}

fn sorted_rows<'c>(columns: impl Iterator<Item = &'c Vec<Option<String>>>) -> Vec<Vec<Option<String>>> {
    let columns: Vec<_> = columns.collect();
    let mut rows: Vec<Vec<Option<String>>> = (0..columns[0].len())
        .map(|row| columns.iter().map(|column| column[row].clone()).collect())
        .collect();
    rows.sort();
    rows
}

pub fn check(world: &World, sides: &[Side], what: &str) -> usize {
    let Some((steps, mut columns)) = expected(world) else {
        for side in sides {
            assert!(
                matches!(side.end, Some(Err(Fault::CannotBeMet { .. }))),
                "{what}: {:?}",
                side.end
            );
        }
        return 0;
    };
    if !world.has_class {
        columns.remove(world.forms.len());
    }
    let mut first: Option<&Known> = None;
    for side in sides {
        let Some(Ok(known)) = &side.end else {
            panic!("{what}: {:?}", side.end)
        };
        assert_eq!(known.refinements, steps, "{what}");
        assert_eq!(sorted_rows(known.cells.values()), sorted_rows(columns.iter()), "{what}");
        let first = *first.get_or_insert(known);
        assert_eq!(known.penalties, first.penalties, "{what}");
    }
    steps
}

#[test]
fn parties_find_what_one_machine_finds() {
    let mut steps = 0;
    for seed in 0..2000 {
        let mut rng = Rng::with_seed(seed);
        let parties = 2 + rng.usize(0..4);
        let world = World::random(&mut rng, parties);
        steps += check(&world, &run(&world, seed, || Open), &format!("seed {seed}"));
    }
    assert!(steps > 4000, "only {steps} refinements were compared");
}
