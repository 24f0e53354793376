//! Figure 6.7 of Fung 2007: Adult Set B, anonymity on the join with an earlier release, C4.5.

use std::process::ExitCode;

use scumble_papers::{AnonymityOnJoin, Bound, Claim, Set, largest, mean, run};

fn main() -> ExitCode {
    run("figure_6_7", |data| {
        let figure = AnonymityOnJoin {
            title: "Figure 6.7: anonymity on the join, Set B, C4.5",
            set: &Set::B,
            tops: 3..=7,
        };
        let mut sheet = figure.sheet(data, |errors| {
            let cost = mean(errors.costs());
            let of_records = largest(errors.costs_of_records());
            vec![
                Claim::new("KAE", Bound::AtMost, 18.2, errors.alone),
                Claim::new("average XYE − BLE", Bound::AtMost, 0.75, cost),
                Claim::new("largest XYE − XYE(row)", Bound::AtMost, 0.0, of_records),
            ]
        })?;
        sheet
            .notes
            .push("Which TopN the paper tries is in its picture only; these are ours.".to_owned());
        Ok(sheet)
    })
}
