//! Lies about what columns show, once masks are fixed.

use crate::{Masked, Message, Packed, Shown};

use super::{run_lying, worlds_with_a_liar};

/// Tells each record apart, as far as the form of a message lets it.
fn one_label_each(records: usize) -> impl FnMut(usize, &Message) -> Option<Message> {
    move |_, message| {
        let Message::Masked(masked) = message else { return None };
        let (labels, shown) = match &masked.shown {
            Shown::Values(_) => return None,
            Shown::Records(_) => {
                let all: Vec<u32> = (0..records as u32).collect();
                let labels = all.iter().map(|record| Some(format!("label {record}"))).collect();
                (labels, Shown::Records(Packed::new(&all, records as u32)))
            }
        };
        Some(Message::Masked(Masked {
            labels,
            shown,
            ..masked.clone()
        }))
    }
}

/// What is told by group is not read by record because someone tells every record apart.
#[test]
fn one_label_for_each_record_reads_nobody() {
    let (mut lied, mut leaky, mut read) = (0, 0, 0);
    for (seed, world, liar) in worlds_with_a_liar(40).take(200) {
        let run = run_lying(&world, seed, liar, one_label_each(world.records()));
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
