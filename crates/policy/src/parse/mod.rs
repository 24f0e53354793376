//! From the text of a policy to a checked [`Policy`], or to all that is wrong with it.
//!
//! A part that is wrong is reported and read on with a stand-in, so one run finds every problem; the stand-ins never
//! leave this module, because a policy with a problem is not returned.

mod asked;
mod columns;
mod data;
mod document;
mod earlier;
mod method;
mod persons;
mod ranges;
mod release;
mod require;
mod tables;

use std::path::Path;

pub(crate) use asked::Asked;
pub(crate) use columns::Columns;
pub(crate) use data::{read_cells, read_data};
pub(crate) use document::read_document;

use crate::anatomy::check_alone;
use crate::policy::Policy;
use crate::problems::Problems;
use crate::quick::Quick;
use crate::section::Section;
use crate::text::PolicyText;
use earlier::{read_earlier, read_inconsistent};

impl Policy {
    /// Checks the text of a policy, which messages call `name`; its paths are relative to `folder`.
    ///
    /// # Errors
    /// All that is wrong with it.
    pub fn parse(text: &str, name: &str, folder: &Path) -> Result<Policy, Problems> {
        parse(&PolicyText::of_file(name, text), folder)
    }

    /// Checks the text of a policy where only one over one table will do.
    ///
    /// # Errors
    /// That it is over several, or all that is wrong with it.
    pub fn parse_one_table(text: &str, name: &str, folder: &Path) -> Result<Policy, Problems> {
        let text = PolicyText::of_file(name, text);
        let mut problems = Problems::new(&text);
        if let Some(document) = read_document(&text, &mut problems) {
            let policy = Section::new("the policy", document.span(), document.get_ref());
            refuse_several(policy, problems)?;
        }
        parse(&text, folder)
    }

    /// Checks a text as it is kept.
    pub(crate) fn of_text(text: &PolicyText, folder: &Path) -> Result<Policy, Problems> {
        parse(text, folder)
    }

    /// The policy that the flags of a command line ask for; its paths are relative to the current folder.
    ///
    /// # Errors
    /// All that is wrong with them.
    pub fn quick(quick: &Quick) -> Result<Policy, Problems> {
        parse(&quick.text()?, Path::new(""))
    }
}

/// The sections that only a policy over several tables has.
const PERSONS_SECTIONS: [&str; 3] = ["person", "tables", "lookups"];

fn refuse_several(mut policy: Section, mut problems: Problems) -> Result<(), Problems> {
    if let Some(key) = PERSONS_SECTIONS.into_iter().find(|key| policy.has(key)) {
        let message = "this policy is about several tables, and one is asked for";
        policy.refuse(
            key,
            message,
            "publish, audit, attack and evaluate take such a policy",
            &mut problems,
        );
    }
    problems.none_or(())
}

fn parse(text: &PolicyText, folder: &Path) -> Result<Policy, Problems> {
    let mut problems = Problems::new(text);
    let Some(document) = read_document(text, &mut problems) else {
        return Err(problems);
    };
    let policy = Section::new("the policy", document.span(), document.get_ref());
    let policy = if PERSONS_SECTIONS.iter().any(|key| policy.has(key)) {
        persons::read(policy, text, folder, &mut problems)
    } else {
        read(policy, text, folder, &mut problems)
    };
    problems.none_or(policy)
}

/// A policy over one table.
fn read(mut policy: Section, text: &PolicyText, folder: &Path, problems: &mut Problems) -> Policy {
    let data = read_data(policy.needed_table("data", problems), folder, problems);
    let columns = Columns::read(policy.needed_table("columns", problems), folder, problems);
    let asked = Asked {
        require: policy.item("require"),
        method: policy.table("method", problems),
        release: policy.table("release", problems),
    };
    let asked = asked.read(data, columns, text, folder, problems);
    let earlier = read_earlier(policy.item("earlier"), folder, problems);
    check_alone(&asked.method, &earlier, problems);
    let inconsistent = read_inconsistent(policy.item("inconsistent"), problems);
    policy.finish(&[], problems);
    Policy {
        earlier,
        inconsistent,
        ..asked
    }
}
