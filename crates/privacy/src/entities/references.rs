//! References to look-ups lead to a row, unless they are generalized or empty.
//!
//! | sales.track, quasi | | tracks: key |
//! |---|---|---|
//! | 17 | leads to row 1 | 17 |
//! | Rock, a node of the tree | generalized | 23 |
//! | {17\|23}, [17, 23], * | generalized | |
//! | an empty cell | says nothing | |
//! | 99, {17\|99} | leads nowhere: a fault | |
//!
//! What is generalized follows from what the cells of the column can be: in one that is published as it is nothing is, and
//! in one of words `[17, 23]` is a word.

use scumble_progress::{Interrupted, Work};
use scumble_table::{FormsOf, Label, Meaning, Released};

use super::fault::{Fault, Faults, Wrong};
use super::keys::{Cells, Keys};
use super::lineage::key_fault;
use crate::database::{LookupTable, Reference, ReleasedDatabase, column};

/// Reports keys of look-ups that are empty or twice there, and references that lead nowhere.
pub(super) fn check(database: &ReleasedDatabase, faults: &mut Faults, work: Work) -> Result<(), Interrupted> {
    let keys: Vec<Keys> = database.lookups.iter().map(|lookup| keys(lookup, faults)).collect();
    let lookups = Lookups {
        tables: &database.lookups,
        keys: &keys,
    };
    for table in &database.tables {
        for reference in &table.refers {
            let as_fault = |row, wrong| Fault::of_row(&table.name, row, wrong);
            work.go_on()?;
            lookups.check(&table.release, reference, as_fault, faults);
        }
    }
    for lookup in &database.lookups {
        for reference in &lookup.refers {
            let as_fault = |row, wrong| Fault::of_row(&lookup.name, row, wrong).of_lookup();
            work.go_on()?;
            lookups.check(&lookup.release, reference, as_fault, faults);
        }
    }
    Ok(())
}

fn keys<'a>(lookup: &'a LookupTable, faults: &mut Faults) -> Keys<'a> {
    let key = [Cells::Released(column(&lookup.release, lookup.key))];
    let (keys, of_keys) = Keys::new(&key, lookup.release.rows());
    for (row, fault) in of_keys {
        faults.add(|| Fault::of_row(&lookup.name, row, key_fault(&fault, &key)).of_lookup());
    }
    keys
}

struct Lookups<'a> {
    tables: &'a [LookupTable],
    keys: &'a [Keys<'a>],
}

impl Lookups<'_> {
    fn check(
        &self,
        release: &Released,
        reference: &Reference,
        as_fault: impl Fn(usize, Wrong) -> Fault,
        faults: &mut Faults,
    ) {
        let cells = Cells::Released(column(release, reference.column));
        let keys = &self.keys[reference.lookup];
        let leads = |text: &str| keys.has(text) || is_generalized(text, reference.forms.as_ref(), keys);
        let is_lost = |value: u32| u32::from(cells.text(value).is_some_and(|text| !leads(text)));
        let is_lost: Vec<u32> = (0..cells.values()).map(is_lost).collect();
        if !is_lost.contains(&1) {
            return;
        }
        let rows = cells.look_up(&is_lost).into_iter().enumerate();
        for (row, _) in rows.filter(|&(_, is_lost)| is_lost == 1) {
            let wrong = || Wrong::NoLookup {
                lookup: self.tables[reference.lookup].name.clone(),
                column: cells.name().to_owned(),
            };
            faults.add(|| as_fault(row, wrong()));
        }
    }
}

/// Whether a label in these forms is shown in place of several values; those that it lists are keys.
fn is_generalized(label: &str, forms: FormsOf, keys: &Keys) -> bool {
    match Label::parse(Some(label), forms).meaning() {
        Meaning::Everything | Meaning::Interval(_) => true,
        Meaning::Node(taxonomy, node) => !taxonomy.children(*node).is_empty(),
        Meaning::Set(members) => members.iter().flatten().all(|member| keys.has(member)),
        Meaning::Itself | Meaning::Masked { .. } => false,
    }
}
