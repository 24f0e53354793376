//! Figure 5.3(a) of Fung 2007: CRX, TopN as secrets, C4.5.

use std::process::ExitCode;

use scumble_papers::Counted::All;
use scumble_papers::{Bound, Claim, Public, Secrets, run, worst_cost};

fn main() -> ExitCode {
    run("figure_5_3", |data| {
        let figure = Secrets {
            title: "Figure 5.3(a): CRX, TopN as secrets, C4.5",
            public: &Public::crx(data)?,
            top: &["A9", "A10", "A7", "A6"],
            thresholds: &[0.5, 0.7, 0.9],
        };
        let measured = figure.measure()?;
        let mut sheet = figure.sheet(&measured);
        sheet.claims = vec![
            Claim::new("BE", Bound::Is, 15.4, measured[0].base),
            Claim::new("largest SE − BE", Bound::AtMost, 1.1, worst_cost(&measured, All)),
            Claim::new("RE − SE of Top1", Bound::AtLeast, 10.1, measured[0].benefit(All)),
            Claim::new("RE − SE of Top4", Bound::AtLeast, 31.3, measured[3].benefit(All)),
        ];
        Ok(sheet)
    })
}
