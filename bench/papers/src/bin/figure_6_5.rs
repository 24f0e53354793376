//! Figure 6.5 of Fung 2007: Adult Set A, anonymity on the join with an earlier release, C4.5.

use std::process::ExitCode;

use scumble_papers::{AnonymityOnJoin, Bound, Claim, Set, largest, run, smallest};

fn main() -> ExitCode {
    run("figure_6_5", |data| {
        let figure = AnonymityOnJoin {
            title: "Figure 6.5: anonymity on the join, Set A, C4.5",
            set: &Set::A,
            tops: 3..=6,
        };
        figure.sheet(data, |errors| {
            let (benefits, of_records) = (errors.benefits(), errors.costs_of_records());
            vec![
                Claim::new("KAE", Bound::AtMost, 18.4, errors.alone),
                Claim::new("largest XYE − BLE", Bound::AtMost, 0.9, largest(errors.costs())),
                Claim::new("smallest RJE − XYE", Bound::AtLeast, 3.9, smallest(benefits)),
                Claim::new("largest XYE − XYE(row)", Bound::AtMost, 0.2, largest(of_records)),
            ]
        })
    })
}
