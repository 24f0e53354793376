//! Figure 4.6(a) of Fung 2007: Adult, TopN generalized and discretized, C4.5.

use std::process::ExitCode;

use scumble_papers::{ADULT_TOP9, Anonymity, Masking, Public, run};
use scumble_utility::classify::Learner;

fn main() -> ExitCode {
    run("figure_4_6a", |data| {
        let figure = Anonymity {
            title: "Figure 4.6(a): generalize and discretize TopN in Adult, C4.5",
            public: &Public::adult(data)?,
            top: ADULT_TOP9,
            masking: Masking::Generalize,
            learner: Learner::C45,
            k_at_most: 1000,
        };
        let measured = figure.measure()?;
        let mut sheet = figure.sheet(&measured, 14.7);
        sheet.claims.push(Anonymity::worst_cost(&measured, 2.0, 600));
        sheet
            .notes
            .push("The taxonomies are ours; those of the thesis are not available.".to_owned());
        sheet.claims.push(Anonymity::upper(&measured, 21.5));

        let public = Public::adult_with(data, "adult-arx")?;
        let with_others = Anonymity {
            public: &public,
            ..figure
        };
        let mut claim = Anonymity::worst_cost(&with_others.measure()?, 2.0, 600);
        claim.what += ", with the taxonomies of ARX";
        sheet.claims.push(claim);
        Ok(sheet)
    })
}
