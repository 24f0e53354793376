//! Figure 4.9(b) of Fung 2007: German credit, TopN suppressed and discretized, C4.5.

use std::process::ExitCode;

use scumble_papers::{Anonymity, GERMAN_TOP9, Masking, Public, THESIS, run};
use scumble_utility::classify::Learner;

fn main() -> ExitCode {
    run("figure_4_9b", |data| {
        let figure = Anonymity {
            title: "Figure 4.9(b): suppress and discretize TopN in German, C4.5",
            public: &Public::german(data)?,
            top: GERMAN_TOP9,
            masking: Masking::Suppress,
            objective: THESIS,
            learner: Learner::C45,
            k_at_most: 1000,
        };
        let measured = figure.measure()?;
        let mut sheet = figure.sheet(&measured, 28.8);
        sheet.claims.push(Anonymity::worst_cost(&measured, 4.0, 100));
        sheet.notes.push("One row of the test part is 0.3 points.".to_owned());
        sheet.claims.push(Anonymity::upper(&measured, 36.0));
        Ok(sheet)
    })
}
