//! Figure 4.9(a) of Fung 2007: CRX, TopN suppressed and discretized, C4.5.

use std::process::ExitCode;

use scumble_papers::{Anonymity, CRX_TOP9, Masking, Public, THESIS, run};
use scumble_utility::classify::Learner;

fn main() -> ExitCode {
    run("figure_4_9a", |data| {
        let figure = Anonymity {
            title: "Figure 4.9(a): suppress and discretize TopN in CRX, C4.5",
            public: &Public::crx(data)?,
            top: CRX_TOP9,
            masking: Masking::Suppress,
            objective: THESIS,
            learner: Learner::C45,
            k_at_most: 600,
        };
        let measured = figure.measure()?;
        let mut sheet = figure.sheet(&measured, 15.4);
        sheet.claims.push(Anonymity::worst_cost(&measured, 4.0, 300));
        sheet.notes.push("One row of the test part is half a point.".to_owned());
        sheet.claims.push(Anonymity::upper(&measured, 42.0));
        Ok(sheet)
    })
}
