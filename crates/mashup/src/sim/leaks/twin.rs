//! The twin of a world differs from it only in what the release hides from one party, the observer.

use std::collections::BTreeMap;

use fastrand::Rng;
use scumble_refine::{Refined, Step};

use super::super::world::World;

/// What a twin has otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Raw values of others' masked columns, under the same released labels.
    Raw,
    /// Which of the people who look the same in the release has which values in others' plain columns.
    Owners,
    /// The values of people whom the observer does not know.
    Strays,
}

impl Change {
    /// Each alone, and what can be together.
    pub const ALL: [&[Change]; 3] = [&[Change::Raw], &[Change::Strays], &[Change::Raw, Change::Strays]];
}

/// A twin, if one was found whose release and steps are the same on one machine.
pub fn of(world: &World, observer: usize, changes: &[Change], rng: &mut Rng) -> Option<World> {
    let refined = world.refined()?;
    let looks = looks(world, &refined);
    let mut twin = world.clone();
    let mut is_changed = false;
    for change in changes {
        is_changed |= match change {
            Change::Raw => move_raw(&mut twin, observer, &looks, rng),
            Change::Owners => swap_owners(&mut twin, observer, &looks, rng),
            Change::Strays => change_strays(&mut twin, observer),
        };
    }
    let again = twin.refined().filter(|_| is_changed)?;
    let is_same = looks == self::looks(&twin, &again) && is_same_way(&refined, &again);
    is_same.then_some(twin)
}

/// What is shown of a masked column: its labels by record, and the penalty that the certificate tells.
#[derive(PartialEq)]
struct Look {
    labels: Vec<Option<String>>,
    penalty: f64,
}

/// What is shown of each masked column.
fn looks(world: &World, refined: &Refined) -> Vec<Look> {
    let table = world.joined();
    let masks = refined.masks.iter().enumerate();
    let columns = masks.map(|(column, mask)| {
        let shown = world.released(column, table.columns()[column].clone(), mask);
        let label = |code: u32| {
            shown
                .labels()
                .at(shown.label_of_code()[code as usize] as usize)
                .map(str::to_owned)
        };
        Look {
            labels: shown.codes().iter().map(label).collect(),
            penalty: shown.penalty(),
        }
    });
    columns.collect()
}

/// Whether the same was refined into the same, in the same order.
fn is_same_way(one: &Refined, other: &Refined) -> bool {
    let (one, other) = (&one.trace.steps, &other.trace.steps);
    let is_same = |(a, b): (&Step, &Step)| (a.column, &a.value, &a.into) == (b.column, &b.value, &b.into);
    one.len() == other.len() && one.iter().zip(other).all(is_same)
}

/// Gives records the raw value of another that shows the same: some at random, or all who do. Whether anything changed.
fn move_raw(world: &mut World, observer: usize, looks: &[Look], rng: &mut Rng) -> bool {
    let mut is_changed = false;
    for (column, Look { labels, .. }) in looks.iter().enumerate() {
        if world.owner_of[column] == Some(observer) {
            continue;
        }
        let (all, from) = (rng.bool(), rng.usize(0..labels.len()));
        let raw = world.cells[column][from].clone();
        for to in (0..labels.len()).filter(|&to| labels[to] == labels[from]) {
            if world.cells[column][to] != raw && (all || rng.bool()) {
                world.cells[column][to] = raw.clone();
                is_changed = true;
            }
        }
    }
    is_changed
}

/// Swaps the plain values of two people who look the same. Whether that can be told.
fn swap_owners(world: &mut World, observer: usize, looks: &[Look], rng: &mut Rng) -> bool {
    let look = |person: usize| {
        let masked = looks.iter().map(|column| column.labels[person].as_ref());
        let class = world.has_class.then(|| &world.cells[world.class()][person]);
        masked.chain([class]).collect::<Vec<_>>()
    };
    let mut groups: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    (0..world.records()).for_each(|person| groups.entry(look(person)).or_default().push(person));
    let groups: Vec<Vec<usize>> = groups.into_values().filter(|group| group.len() > 1).collect();
    let Some(mut group) = rng.choice(groups) else {
        return false;
    };
    rng.shuffle(&mut group);
    let others = world
        .plain_columns()
        .into_iter()
        .filter(|&(_, owner)| owner != observer);
    let mut is_changed = false;
    for (column, _) in others {
        is_changed |= world.cells[column][group[0]] != world.cells[column][group[1]];
        world.cells[column].swap(group[0], group[1]);
    }
    is_changed
}

/// Gives people whom the observer does not know other values. Whether there are any.
fn change_strays(world: &mut World, observer: usize) -> bool {
    let mut is_changed = false;
    let unknown = world
        .strays
        .iter_mut()
        .filter(|stray| !stray.held_by.contains(&observer));
    for stray in unknown {
        stray.mark += 1;
        is_changed |= !stray.held_by.is_empty();
    }
    is_changed
}
