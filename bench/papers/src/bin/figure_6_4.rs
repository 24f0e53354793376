//! Figure 6.4 of Fung 2007: Adult Set A, anonymity on the join with an earlier release, distortion.

use std::process::ExitCode;

use scumble_papers::{Bound, Claim, DistortionOnJoin, Set, largest, run, smallest};

fn main() -> ExitCode {
    run("figure_6_4", |data| {
        let figure = DistortionOnJoin {
            title: "Figure 6.4: anonymity on the join, Set A, distortion",
            set: &Set::A,
            tops: 3..=6,
        };
        let mut sheet = figure.sheet(data, |found| {
            let benefits = || found.categorical_benefits();
            vec![
                Claim::new("KAD", Bound::AtMost, 9.23, found.alone.categorical),
                Claim::new(
                    "smallest KAD − XYD, Top3 to Top5",
                    Bound::AtLeast,
                    1.0,
                    smallest(benefits().take(3)),
                ),
                Claim::new(
                    "smallest KAD − XYD, Top3 to Top6",
                    Bound::AtLeast,
                    1.0,
                    smallest(benefits()),
                ),
                Claim::new("largest KAD − XYD", Bound::AtLeast, 7.16, largest(benefits())),
            ]
        })?;
        sheet.notes.push(
            "Top6 is all of T1. With the common columns known, a group of the join has as many records of T1 as its \
             group of T1 alone, so Top6 asks for the same as KAD, and saves nothing by definition. The paper has a \
             benefit of at least 1 for Top6, too, and does not say how."
                .to_owned(),
        );
        Ok(sheet)
    })
}
