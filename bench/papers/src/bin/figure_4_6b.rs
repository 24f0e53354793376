//! Figure 4.6(b) of Fung 2007: Adult, TopN generalized and discretized, naive Bayes.

use std::process::ExitCode;

use scumble_papers::{Generalized, run};
use scumble_utility::classify::Learner;

fn main() -> ExitCode {
    run("figure_4_6b", |data| {
        let figure = Generalized {
            title: "Figure 4.6(b): generalize and discretize TopN in Adult, naive Bayes",
            learner: Learner::NaiveBayes,
            base: 18.07,
            cost_at_most: 1.5,
            k_at_most: 1000,
        };
        let (mut sheet, _) = figure.sheet(data)?;
        let orange = "The thesis used the naive Bayes of Orange, which differs in details.";
        sheet.notes.push(orange.to_owned());
        Ok(sheet)
    })
}
