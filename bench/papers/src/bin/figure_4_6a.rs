//! Figure 4.6(a) of Fung 2007: Adult, TopN generalized and discretized, C4.5.

use std::process::ExitCode;

use scumble_papers::{Anonymity, Generalized, run};
use scumble_utility::classify::Learner;

fn main() -> ExitCode {
    run("figure_4_6a", |data| {
        let figure = Generalized {
            title: "Figure 4.6(a): generalize and discretize TopN in Adult, C4.5",
            learner: Learner::C45,
            base: 14.7,
            cost_at_most: 2.0,
            k_at_most: 600,
        };
        let (mut sheet, measured) = figure.sheet(data)?;
        sheet.claims.push(Anonymity::upper(&measured, 21.5));
        Ok(sheet)
    })
}
