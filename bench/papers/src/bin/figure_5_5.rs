//! Figure 5.5(a) of Fung 2007: German credit, TopN as secrets, C4.5.

use std::process::ExitCode;

use scumble_papers::Counted::All;
use scumble_papers::{Bound, Claim, Public, Secrets, run, worst_cost};

fn main() -> ExitCode {
    run("figure_5_5", |data| {
        let figure = Secrets {
            title: "Figure 5.5(a): German, TopN as secrets, C4.5",
            public: &Public::german(data)?,
            // The thesis writes Ag for the first, which is a column of numbers; Account-status (As) is meant.
            top: &[
                "account-status",
                "credit-history",
                "savings-account",
                "installments",
                "loan-purpose",
                "debtors",
            ],
            thresholds: &[0.3, 0.5, 0.7, 0.9],
        };
        let measured = figure.measure()?;
        let mut sheet = figure.sheet(&measured);
        let benefits = measured.iter().map(|own| own.benefit(All));
        sheet.claims = vec![
            Claim::new("BE", Bound::Is, 28.8, measured[0].base),
            Claim::new(
                "average RE − SE",
                Bound::AtLeast,
                4.3,
                benefits.sum::<f64>() / measured.len() as f64,
            ),
            Claim::new(
                "largest SE − BE of Top2 to Top6",
                Bound::AtMost,
                31.0 - 28.8,
                worst_cost(&measured[1..], All),
            ),
        ];
        Ok(sheet)
    })
}
