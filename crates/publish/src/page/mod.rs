//! `private/report.html` and `report.md`: one page for the person who decides whether a release goes out.

mod asked;
mod columns;
mod found;
mod holds;
mod risk;

use scumble_attack::AttackReport;
use scumble_privacy::Finding;
use scumble_report::{Certificate, Frontier, Page, Section, TraceFile};

use crate::flow::ReleaseFacts;
use crate::plan::Plan;
use crate::policy::Policy;
use crate::stops::Stop;

pub(crate) use columns::{ColumnPicture, Counted};

/// All that the page of a release is made from.
pub(crate) struct Material<'a> {
    pub policy: &'a Policy,
    pub plan: &'a Plan<'a>,
    pub facts: ReleaseFacts,
    pub certificate: &'a Certificate,
    pub findings: &'a [Finding],
    pub columns: Vec<ColumnPicture<'a>>,
    pub trace: Option<&'a TraceFile>,
    pub stops: &'a [Stop],
    pub frontier: Option<&'a Frontier>,
    pub attack: Option<&'a AttackReport>,
}

impl Material<'_> {
    /// The page.
    pub(crate) fn page(&self) -> Page {
        let risks = self.certificate.risks.as_ref().map(risk::risks);
        let risks = risks.map(|blocks| Section::new("Who is at most risk", blocks));
        let sections = [
            Some(asked::summary(self.plan, self.certificate)),
            Some(asked::asked(self.policy, self.plan, &self.plan.warnings)),
            Some(holds::section(self.plan, self.findings)),
            risks,
            self.attack.and_then(risk::attacked),
            Some(columns::section(&self.columns)),
            self.frontier.map(found::frontier_section),
            self.trace.map(|trace| found::trace_section(trace, self.stops)),
            Some(asked::reproduce(self.policy, &self.facts)),
        ];
        Page {
            title: format!("Release of {}", self.facts.data),
            subtitle: "What was asked, what holds, what it cost. It names values of the data: keep it in the house."
                .to_owned(),
            sections: sections.into_iter().flatten().collect(),
        }
    }
}
