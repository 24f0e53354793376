//! Figure 4.6(b) of Fung 2007: Adult, TopN generalized and discretized, naive Bayes.

use std::process::ExitCode;

use scumble_papers::{ADULT_TOP9, Anonymity, Masking, Public, run};
use scumble_utility::classify::Learner;

fn main() -> ExitCode {
    run("figure_4_6b", |data| {
        let figure = Anonymity {
            title: "Figure 4.6(b): generalize and discretize TopN in Adult, naive Bayes",
            public: &Public::adult(data)?,
            top: ADULT_TOP9,
            masking: Masking::Generalize,
            learner: Learner::NaiveBayes,
            k_at_most: 1000,
        };
        let measured = figure.measure()?;
        let mut sheet = figure.sheet(&measured, 18.07);
        sheet.claims.push(Anonymity::worst_cost(&measured, 1.5, 1000));
        sheet
            .notes
            .push("The taxonomies are ours; those of the thesis are not available.".to_owned());
        sheet
            .notes
            .push("The thesis used the naive Bayes of Orange, which differs in details.".to_owned());

        let public = Public::adult_with(data, "adult-arx")?;
        let with_others = Anonymity {
            public: &public,
            ..figure
        };
        let mut claim = Anonymity::worst_cost(&with_others.measure()?, 1.5, 1000);
        claim.what += ", with the taxonomies of ARX";
        sheet.claims.push(claim);
        Ok(sheet)
    })
}
