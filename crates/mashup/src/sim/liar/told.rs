//! Lies about what columns show, once masks are fixed.
//!
//! | lie | who finds it out, before anything is read |
//! |---|---|
//! | texts that repeat, are empty, or are of no record; a penalty that is none | whoever is told |
//! | a mask that the column cannot have, or that takes other refinements than were made | whoever is told |
//! | something else to each | whoever compares what was told |
//! | values that do not keep a template of the liar's | whoever recounts it |

use std::collections::BTreeMap;

use crate::{Cells, Digest, Masked, Message, Packed, Plain, Shown, Written};

use super::{Lied, World, run_lying, worlds_with_a_holder, worlds_with_a_reader, worlds_with_a_teller};

/// What to say instead of a masked column; nothing if this lie cannot be told of it.
type LieAboutMasked = fn(&mut Masked, usize) -> Option<()>;

/// Tells each record apart.
fn one_label_each(masked: &mut Masked, records: usize) -> Option<()> {
    let Shown::Records(shown) = &mut masked.shown else {
        return None;
    };
    let all: Vec<u32> = (0..records as u32).collect();
    *shown = Packed::new(&all, records as u32);
    tell_labels(
        masked,
        (0..records).map(|record| Some(format!("label {record}"))).collect(),
    );
    Some(())
}

/// The same in words that the column could have.
fn one_value_each(masked: &mut Masked, records: usize) -> Option<()> {
    one_label_each(masked, records)?;
    let interval = |record: usize| Some(format!("[{record}, {}]", record + 1));
    tell_labels(masked, (0..records).map(interval).collect());
    Some(())
}

/// Labels, with the mask that a world tells for them.
fn tell_labels(masked: &mut Masked, labels: Vec<Option<String>>) {
    masked.mask = format!("{:?}", labels.iter().collect::<std::collections::BTreeSet<_>>());
    masked.labels = labels;
}

/// One label for everything, as often as there are labels.
fn repeated_labels(masked: &mut Masked, _: usize) -> Option<()> {
    let first = masked.labels.first()?.clone();
    (masked.labels.len() > 1).then(|| masked.labels.fill(first))
}

fn an_empty_label(masked: &mut Masked, _: usize) -> Option<()> {
    masked.labels[0] = Some(String::new());
    Some(())
}

fn a_label_of_no_record(masked: &mut Masked, _: usize) -> Option<()> {
    masked.labels.push(Some("nobody".to_owned()));
    Some(())
}

fn a_penalty_that_is_no_number(masked: &mut Masked, _: usize) -> Option<()> {
    masked.penalty = f64::NAN;
    Some(())
}

fn a_penalty_below_nothing(masked: &mut Masked, _: usize) -> Option<()> {
    masked.penalty = -0.25;
    Some(())
}

fn a_penalty_above_everything(masked: &mut Masked, _: usize) -> Option<()> {
    masked.penalty = 1.5;
    Some(())
}

fn another_mask(masked: &mut Masked, _: usize) -> Option<()> {
    masked.mask.push('!');
    Some(())
}

fn a_value_that_nobody_knows(masked: &mut Masked, _: usize) -> Option<()> {
    let Shown::Values(pairs) = &mut masked.shown else {
        return None;
    };
    pairs.push((1_000_000, 0));
    Some(())
}

fn a_value_without_a_label(masked: &mut Masked, _: usize) -> Option<()> {
    let Shown::Values(pairs) = &mut masked.shown else {
        return None;
    };
    pairs.pop().map(|_| ())
}

fn two_values_with_one_label(masked: &mut Masked, _: usize) -> Option<()> {
    let Shown::Values(pairs) = &mut masked.shown else {
        return None;
    };
    let [(_, first), .., (_, last)] = &mut pairs[..] else {
        return None;
    };
    (masked.labels[*first as usize].as_deref() != Some("*")).then(|| *last = *first)
}

fn everything_as_it_is(masked: &mut Masked, records: usize) -> Option<()> {
    let Shown::Records(_) = masked.shown else { return None };
    let all: Vec<u32> = (0..records as u32).collect();
    masked.shown = Shown::Records(Packed::new(&all, records as u32));
    tell_labels(
        masked,
        (0..records).map(|record| Some(format!("value {record}"))).collect(),
    );
    Some(())
}

/// Runs a lie about masked columns; what no template names is shown as it is.
fn lying_about_masked(world: &World, seed: u64, liar: usize, lie: LieAboutMasked) -> Lied<'_> {
    run_lying(world, seed, liar, |_, message| {
        let Message::Masked(masked) = message else { return None };
        if !world.is_masked(masked.column as usize) {
            return None;
        }
        let mut said = masked.clone();
        lie(&mut said, world.records())?;
        Some(Message::Masked(said))
    })
}

/// What is told by group is not read by record because someone tells records apart; whoever does is found out.
#[test]
fn who_tells_records_apart_reads_nobody() {
    for lie in [one_label_each, one_value_each, everything_as_it_is] {
        let (mut lied, mut leaky, mut read) = (0, 0, 0);
        for (seed, world, liar) in worlds_with_a_reader(40).take(200) {
            let run = lying_about_masked(&world, seed, liar, lie);
            if run.lies == 0 {
                continue;
            }
            lied += 1;
            let by_lying = run.read_by_lying(seed);
            leaky += usize::from(by_lying > 0);
            read += by_lying;
        }
        assert!(lied > 20, "only {lied} lied");
        assert_eq!((leaky, read), (0, 0), "of {lied} runs");
    }
}

/// A column that no template names is shown as it is, whatever is in it. To name it is up to those who agree.
#[test]
fn what_no_template_names_is_up_to_its_holder() {
    let (mut lied, mut read) = (0, 0);
    for (seed, world, liar) in worlds_with_a_reader(40).take(200) {
        let run = run_lying(&world, seed, liar, |_, message| {
            let Message::Masked(masked) = message else { return None };
            let mut said = masked.clone();
            let is_masked = world.is_masked(masked.column as usize);
            (!is_masked).then(|| one_label_each(&mut said, world.records()))??;
            Some(Message::Masked(said))
        });
        if run.changed {
            let seen = run.sides[1 - liar.min(1)].sight.borrow();
            // The liar itself, who counts on other groups, may stop.
            assert!(run.honest().all(|(_, side)| side.fault().is_none()), "seed {seed}");
            assert!(
                world.keeps_requirement(seen.as_ref().expect("it was told")),
                "seed {seed}"
            );
            lied += 1;
            read += run.read_by_lying(seed);
        }
    }
    assert!(lied > 20 && read > 0, "{lied} lied, {read} were read");
}

#[test]
fn a_masked_column_that_cannot_be_is_refused() {
    let lies: [(&str, LieAboutMasked); 13] = [
        ("one label each", one_label_each),
        ("one value each", one_value_each),
        ("everything as it is", everything_as_it_is),
        ("repeated labels", repeated_labels),
        ("an empty label", an_empty_label),
        ("a label of no record", a_label_of_no_record),
        ("a penalty that is no number", a_penalty_that_is_no_number),
        ("a penalty below nothing", a_penalty_below_nothing),
        ("a penalty above everything", a_penalty_above_everything),
        ("another mask", another_mask),
        ("a value that nobody knows", a_value_that_nobody_knows),
        ("a value without a label", a_value_without_a_label),
        ("two values with one label", two_values_with_one_label),
    ];
    for (what, lie) in lies {
        let runs = worlds_with_a_reader(30).take(120);
        let mut lied = 0;
        for (seed, world, liar) in runs {
            let run = lying_about_masked(&world, seed, liar, lie);
            if run.lies > 0 {
                run.assert_found_out(&format!("{what}, seed {seed}"));
                assert_eq!(run.read_by_lying(seed), 0, "{what}, seed {seed}");
                lied += 1;
            }
        }
        assert!(lied > 10, "{what}: only {lied} lied");
    }
}

/// What is told must be the same for all, or groups would be other ones for each.
#[test]
fn who_tells_each_something_else_is_found_out() {
    let mut lied = 0;
    for (seed, world, liar) in worlds_with_a_reader(30).take(300) {
        let fooled = (liar + 1) % world.parties;
        let run = run_lying(&world, seed, liar, |to, message| {
            let Message::Masked(masked) = message else { return None };
            let Shown::Records(shown) = masked.shown.clone() else {
                return None;
            };
            let labels = masked.labels.len() as u32;
            let mut of_record = shown.unpack(world.records(), labels)?;
            of_record.rotate_right(1);
            (to == fooled).then(|| {
                Message::Masked(Masked {
                    shown: Shown::Records(Packed::new(&of_record, labels)),
                    ..masked.clone()
                })
            })
        });
        // Two cannot be told different things; to a single one it is the liar's own affair what it says.
        if run.changed && world.parties > 2 {
            run.assert_found_out(&format!("seed {seed}"));
            assert_eq!(run.read(), Default::default(), "seed {seed}");
            lied += 1;
        }
    }
    assert!(lied > 10, "only {lied} lied");
}

#[test]
fn who_says_to_have_been_told_otherwise_is_named() {
    let lies: [fn(&mut Vec<Digest>); 3] = [|digests| digests[0][0] ^= 1, |digests| digests.truncate(1), Vec::clear];
    for (number, lie) in lies.into_iter().enumerate() {
        for (seed, world, liar) in worlds_with_a_reader(20).take(20) {
            let run = run_lying(&world, seed, liar, |_, message| {
                let Message::Heard(digests) = message else { return None };
                let mut said = digests.clone();
                lie(&mut said);
                Some(Message::Heard(said))
            });
            run.assert_found_out(&format!("lie {number}, seed {seed}"));
            assert_eq!(run.read(), Default::default(), "lie {number}, seed {seed}");
        }
    }
}

/// What to say instead of the cells of a column.
type LieAboutCells = fn(&mut Cells, usize) -> Option<()>;

/// Lies about cells that nobody could have.
const ABOUT_CELLS: [(&str, LieAboutCells); 6] = [
    ("repeated texts", |cells, _| {
        let first = cells.texts.first()?.clone();
        (cells.texts.len() > 1).then(|| cells.texts.fill(first))
    }),
    ("one of each, all the same", |cells, records| {
        let all: Vec<u32> = (0..records as u32).collect();
        cells.texts = vec![cells.texts.first()?.clone(); records];
        cells.of_record = Packed::new(&all, records as u32);
        Some(())
    }),
    ("an empty text", |cells, _| {
        cells.texts[0] = Some(String::new());
        Some(())
    }),
    ("two that are missing", |cells, _| {
        (cells.texts.len() > 1).then(|| cells.texts.fill(None))
    }),
    ("a text of no record", |cells, _| {
        cells.texts.push(Some("nobody".to_owned()));
        Some(())
    }),
    ("too few records", |cells, records| {
        cells.of_record = Packed::Runs(vec![(0, records as u32 - 1)]);
        Some(())
    }),
];

#[test]
fn a_plain_column_that_cannot_be_is_refused() {
    for (what, lie) in ABOUT_CELLS {
        let mut lied = 0;
        for (seed, world, liar) in worlds_with_a_holder(30).take(30) {
            let run = run_lying(&world, seed, liar, |_, message| {
                let Message::Plain(plain) = message else { return None };
                let mut said = plain.clone();
                lie(&mut said.cells, world.records())?;
                Some(Message::Plain(said))
            });
            if run.lies > 0 {
                run.assert_found_out(&format!("{what}, seed {seed}"));
                lied += 1;
            }
        }
        assert!(lied > 10, "{what}: only {lied} lied");
    }
}

#[test]
fn a_class_that_cannot_be_is_refused() {
    for (what, lie) in ABOUT_CELLS {
        let mut lied = 0;
        for (seed, world, liar) in worlds_with_a_teller(30).take(20) {
            let run = run_lying(&world, seed, liar, |_, message| {
                let Message::Class(cells) = message else { return None };
                let mut said = cells.clone();
                lie(&mut said, world.records())?;
                Some(Message::Class(said))
            });
            if run.lies > 0 {
                run.assert_found_out(&format!("{what}, seed {seed}"));
                assert_eq!(run.read(), Default::default(), "{what}, seed {seed}");
                lied += 1;
            }
        }
        assert!(lied > 5, "{what}: only {lied} lied");
    }
}

/// Who tells values of its own that do not keep what it sees to is blamed for it. Where they do keep it, they are its own
/// affair: the release is one of such values.
#[test]
fn values_that_break_a_template_are_blamed_on_their_holder() {
    let (mut broken, mut kept) = (0, 0);
    for (seed, world, liar) in worlds_with_a_holder(30).take(80) {
        let mut said_of = BTreeMap::new();
        let run = run_lying(&world, seed, liar, |_, message| {
            let Message::Plain(Plain { column, cells }) = message else {
                return None;
            };
            said_of.insert(*column as usize, cells.texts[0].clone()?);
            let cells = Cells {
                texts: vec![cells.texts[0].clone()],
                of_record: Packed::Runs(vec![(0, world.records() as u32)]),
            };
            Some(Message::Plain(Plain { column: *column, cells }))
        });
        if !run.changed {
            continue;
        }
        let mut said = world.clone();
        for (column, text) in said_of {
            said.cells[column].fill(text);
        }
        let masked = run.sides[liar].sight.borrow();
        let keeps = said.keeps_requirement(masked.as_ref().expect("it told its columns"));
        let has_release = run.honest().all(|(_, side)| side.known().is_some());
        assert_eq!(has_release, keeps, "seed {seed}");
        if !keeps {
            run.assert_found_out(&format!("seed {seed}"));
            broken += 1;
        } else {
            kept += 1;
        }
    }
    assert!(broken > 10 && kept > 10, "{broken} broken, {kept} kept");
}

#[test]
fn who_would_write_something_else_is_named() {
    let lies: [fn(&mut Written); 3] = [
        |written| written.release[0] ^= 1,
        |written| written.plain.clear(),
        |written| {
            if let Some(first) = written.plain.first_mut() {
                first[0] ^= 1;
            }
        },
    ];
    for (number, lie) in lies.into_iter().enumerate() {
        for (seed, world, liar) in worlds_with_a_holder(20).take(20) {
            let run = run_lying(&world, seed, liar, |_, message| {
                let Message::Written(written) = message else {
                    return None;
                };
                let mut said = written.clone();
                lie(&mut said);
                Some(Message::Written(said))
            });
            run.assert_found_out(&format!("lie {number}, seed {seed}"));
        }
    }
}

/// Two who are told different values of a column find the one who told them, and not each other alone.
#[test]
fn who_tells_each_other_values_is_found_out() {
    let mut lied = 0;
    for (seed, world, liar) in worlds_with_a_holder(30).take(120) {
        let fooled = (liar + 1) % world.parties;
        let run = run_lying(&world, seed, liar, |to, message| {
            let Message::Plain(plain) = message else { return None };
            let texts = plain.cells.texts.len() as u32;
            let mut of_record = plain.cells.of_record.unpack(world.records(), texts)?;
            of_record.rotate_right(1);
            let mut said = plain.clone();
            said.cells.of_record = Packed::new(&of_record, texts);
            (to == fooled).then_some(Message::Plain(said))
        });
        if run.lies > 0 && run.changed && world.parties > 2 {
            run.assert_found_out(&format!("seed {seed}"));
            lied += 1;
        }
    }
    assert!(lied > 10, "only {lied} lied");
}

/// Who gives each another class is found out before anyone searches by it.
#[test]
fn who_tells_each_another_class_is_found_out() {
    let mut lied = 0;
    for (seed, world, liar) in worlds_with_a_teller(30).take(120) {
        let mut told = world.parties;
        let run = run_lying(&world, seed, liar, |to, message| {
            let Message::Class(cells) = message else { return None };
            // The first whom it tells is fooled.
            told = if told == world.parties { to } else { told };
            let texts = cells.texts.len() as u32;
            let mut of_record = cells.of_record.unpack(world.records(), texts)?;
            of_record.rotate_right(1);
            let mut said = cells.clone();
            said.of_record = Packed::new(&of_record, texts);
            (to == told).then_some(Message::Class(said))
        });
        if run.changed && world.parties > 2 {
            run.assert_found_out(&format!("seed {seed}"));
            assert_eq!(run.read(), Default::default(), "seed {seed}");
            lied += 1;
        }
    }
    assert!(lied > 10, "only {lied} lied");
}

#[test]
fn who_says_another_digest_of_the_class_is_named() {
    for (seed, world, liar) in worlds_with_a_teller(20).take(20) {
        let run = run_lying(&world, seed, liar, |_, message| match message {
            Message::ClassDigest(digest) => {
                let mut said = *digest;
                said[0] ^= 1;
                Some(Message::ClassDigest(said))
            }
            _ => None,
        });
        run.assert_found_out(&format!("seed {seed}"));
    }
}
