//! [`Findings`]: what is wrong with one case.

use crate::case::Case;
use crate::run::Ran;

/// Something that must not be.
#[derive(Clone, Debug)]
pub struct Fault {
    /// Which promise is broken, in a few words that are the same for every case.
    pub rule: &'static str,
    /// What was seen.
    pub told: String,
}

/// What was found in one case.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// The faults.
    pub faults: Vec<Fault>,
    /// Whether there was a release to check.
    pub published: bool,
}

impl Findings {
    pub(crate) fn fault(&mut self, rule: &'static str, told: impl Into<String>) {
        let told = told.into();
        self.faults.push(Fault { rule, told });
    }

    /// Checks the exit code, and that nothing was said that nobody may see.
    pub(crate) fn ran(&mut self, ran: &Ran, case: &Case, what: &str) {
        self.exit(ran, what);
        if case.planted.as_ref().is_some_and(|planted| ran.said.contains(planted)) {
            self.fault("a cell is shown in a message", what);
        }
    }

    /// Checks the exit code.
    pub(crate) fn exit(&mut self, ran: &Ran, what: &str) {
        let last = ran.said.lines().rev().take(4).collect::<Vec<_>>().join(" / ");
        match ran.code {
            Some(0..=2) => {}
            Some(3) => self.fault("the environment is blamed", format!("{what}: {last}")),
            code => self.fault("it crashes", format!("{what}: exit code {code:?}: {last}")),
        }
    }
}
