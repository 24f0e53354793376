//! Figure 4.5 of Fung 2007: Adult, TopN suppressed and discretized, C4.5.

use std::process::ExitCode;

use scumble_papers::{ADULT_TOP9, Anonymity, Masking, Public, THESIS, Trees, run};
use scumble_utility::classify::Learner;

fn main() -> ExitCode {
    run("figure_4_5", |data| {
        let figure = Anonymity {
            title: "Figure 4.5: suppress and discretize TopN in Adult, C4.5",
            public: &Public::adult(data, Trees::Own)?,
            top: ADULT_TOP9,
            masking: Masking::Suppress,
            objective: THESIS,
            learner: Learner::C45,
            k_at_most: 1000,
        };
        let measured = figure.measure()?;
        let mut sheet = figure.sheet(&measured, 14.7);
        sheet.claims.push(Anonymity::worst_cost(&measured, 2.5, 1000));
        sheet.claims.push(Anonymity::upper(&measured, 21.5));
        Ok(sheet)
    })
}
