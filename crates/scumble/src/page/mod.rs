//! `private/report.html` and `report.md`: one page for the person who decides whether a release goes out.

mod asked;
mod board;
mod columns;
mod facts;
mod found;
mod holds;
mod join;
mod lost;
mod risk;
mod tables;

use scumble_attack::AttackReport;
use scumble_privacy::Finding;
use scumble_report::{Certificate, Frontier, Page, TraceFile};

use crate::evaluation::{Evaluation, Lost};

use crate::compared::ComparedVersion;
use crate::cover::Cover;
use crate::stops::Stop;
use crate::warning::Warning;
use scumble_bind::Plan;
use scumble_policy::Policy;

pub(crate) use columns::{ColumnPicture, Counted, Pictured};
pub(crate) use facts::ReleaseFacts;
pub(crate) use holds::{Held, held};
pub(crate) use risk::standing_out;
pub(crate) use tables::sections_of_tables;

/// All that the page of a release is made from.
pub(crate) struct Material<'a> {
    pub policy: &'a Policy,
    pub plan: &'a Plan,
    pub facts: ReleaseFacts,
    pub certificate: &'a Certificate,
    pub cover: &'a Cover,
    pub versions: &'a [ComparedVersion],
    pub findings: &'a [Finding],
    pub columns: Vec<ColumnPicture<'a>>,
    pub trace: Option<&'a TraceFile>,
    pub stops: &'a [Stop],
    /// How it was found, where there are no steps to tell.
    pub notes: &'a [String],
    pub frontier: Option<&'a Frontier>,
    pub attack: Option<&'a AttackReport>,
    /// What was lost, if that alone was measured.
    pub lost: Option<Lost>,
    /// Everything else that can be measured, if it was asked for.
    pub evaluation: Option<&'a Evaluation>,
    pub warnings: &'a [Warning],
}

impl Material<'_> {
    /// The page.
    pub(crate) fn page(&self) -> Page {
        let risks = self.certificate.risks.as_ref();
        let singled_out = self.certificate.singled_out.as_ref();
        let risks = risks.map(|risks| risk::section(risks, singled_out, self.evaluation));
        let lost = match self.evaluation {
            Some(evaluation) => lost::section(evaluation),
            None => lost::short_section(self.lost.as_ref()),
        };
        let sections = [
            Some(asked::summary(self.plan, self.certificate)),
            Some(asked::asked(self.policy, self.plan, self.warnings)),
            Some(holds::section(self.plan, self.findings.iter().map(Some))),
            join::section(self.plan, self.cover),
            join::versions(self.versions),
            risks,
            self.attack.and_then(risk::attacked),
            Some(columns::section(&self.columns)),
            Some(lost),
            self.frontier.map(found::frontier_section),
            self.trace.map(|trace| found::trace_section(trace, self.stops)),
            found::notes_section(self.notes),
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

/// All that the page of a measured release is made from.
pub(crate) struct EvaluationPage<'a> {
    pub name: &'a str,
    /// The policy, bound to the release.
    pub plan: &'a Plan,
    pub findings: &'a [Option<Finding>],
    pub evaluation: &'a Evaluation,
    pub columns: Vec<ColumnPicture<'a>>,
}

impl EvaluationPage<'_> {
    /// The page.
    pub(crate) fn page(&self) -> Page {
        let evaluation = self.evaluation;
        let sections = [
            Some(holds::section(self.plan, self.findings.iter().map(Option::as_ref))),
            Some(risk::section(
                &evaluation.risks,
                evaluation.singled_out.as_ref(),
                Some(evaluation),
            )),
            Some(columns::section(&self.columns)),
            Some(lost::section(evaluation)),
        ];
        Page {
            title: format!("Evaluation of {}", self.name),
            subtitle: "What holds, who is at risk, what was lost. It names values of the data: keep it in the house."
                .to_owned(),
            sections: sections.into_iter().flatten().collect(),
        }
    }
}
