//! Figure 6.6 of Fung 2007: Adult Set B, anonymity on the join with an earlier release, distortion.

use std::process::ExitCode;

use scumble_papers::{Bound, Claim, DistortionOnJoin, Set, run, smallest};

fn main() -> ExitCode {
    run("figure_6_6", |data| {
        let figure = DistortionOnJoin {
            title: "Figure 6.6: anonymity on the join, Set B, distortion",
            set: &Set::B,
            tops: 3..=7,
        };
        let mut sheet = figure.sheet(data, |found| {
            let words = smallest(found.categorical_benefits());
            let numbers = smallest(found.continuous_benefits());
            vec![
                Claim::new("smallest KAD − XYD of words", Bound::AtLeast, 0.0, words),
                Claim::new("smallest KAD − XYD of numbers", Bound::AtLeast, 0.0, numbers),
            ]
        })?;
        sheet.notes.push(
            "The numbers of the paper are in its picture only; its text calls the benefit very significant.".to_owned(),
        );
        Ok(sheet)
    })
}
