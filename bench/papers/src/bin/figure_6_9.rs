//! Figure 6.9 of Fung 2007: Adult Set A, TopN as secrets on the join with an earlier release, C4.5.

use std::process::ExitCode;

use scumble_papers::{Bound, Claim, ConfidenceOnJoin, Set, largest, run, smallest};

fn main() -> ExitCode {
    run("figure_6_9", |data| {
        let figure = ConfidenceOnJoin {
            title: "Figure 6.9: confidence on the join, Set A, TopN as secrets, C4.5",
            set: &Set::A,
        };
        figure.sheet(data, |errors, counted| {
            let benefits = || errors.benefits(counted);
            let over_common = smallest(errors.benefits_over_common(counted));
            vec![
                Claim::new("largest XYE − BLE", Bound::AtMost, 0.7, largest(errors.costs(counted))),
                Claim::new("smallest RSE − XYE", Bound::AtLeast, -0.2, smallest(benefits())),
                Claim::new("largest RSE − XYE", Bound::AtLeast, 5.6, largest(benefits())),
                Claim::new("smallest RJE − XYE", Bound::AtLeast, 4.1, over_common),
            ]
        })
    })
}
