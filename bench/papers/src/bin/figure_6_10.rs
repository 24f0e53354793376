//! Figure 6.10 of Fung 2007: Adult Set B, TopN as secrets on the join with an earlier release, C4.5.

use std::process::ExitCode;

use scumble_papers::{Bound, Claim, ConfidenceOnJoin, Set, largest, mean, run, smallest};

fn main() -> ExitCode {
    run("figure_6_10", |data| {
        let figure = ConfidenceOnJoin {
            title: "Figure 6.10: confidence on the join, Set B, TopN as secrets, C4.5",
            set: &Set::B,
        };
        figure.sheet(data, |errors, counted| {
            let benefits = || errors.benefits(counted);
            let over_common = smallest(errors.benefits_over_common(counted));
            vec![
                Claim::new("average XYE − BLE", Bound::AtMost, 1.1, mean(errors.costs(counted))),
                Claim::new("smallest RSE − XYE", Bound::AtLeast, 0.1, smallest(benefits())),
                Claim::new("largest RSE − XYE", Bound::AtLeast, 1.9, largest(benefits())),
                Claim::new("smallest RJE − XYE", Bound::AtLeast, 0.7, over_common),
            ]
        })
    })
}
