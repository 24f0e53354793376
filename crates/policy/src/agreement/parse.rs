//! From the text of an agreement to a checked [`Agreement`], or to all that is wrong with it.
//!
//! The reader is that of policies. What has its place elsewhere is refused first, and the rest is read as if it were
//! the policy of the joined table.

use std::collections::BTreeMap;
use std::path::Path;

use crate::spanned::Spanned;
use scumble_refine::Weigh;

use super::agreed::Agreement;
use super::check;
use super::parties::{Party, read_owners, read_parties};
use super::private::NO_LEDGER;
use super::taxonomies::read_taxonomies;
use crate::data::{Data, Place};
use crate::parse::{Asked, Columns, read_cells, read_document};
use crate::problems::Problems;
use crate::section::{Item, Section};
use crate::text::PolicyText;

impl Agreement {
    /// Checks the text of an agreement, which messages call `name`; its paths are relative to `folder`.
    ///
    /// # Errors
    /// All that is wrong with it.
    pub fn parse(text: &str, name: &str, folder: &Path) -> Result<Agreement, Problems> {
        parse(&PolicyText::of_file(name, text), folder)
    }
}

fn parse(text: &PolicyText, folder: &Path) -> Result<Agreement, Problems> {
    let mut problems = Problems::new(text);
    let Some(document) = read_document(text, &mut problems) else {
        return Err(problems);
    };
    let document = Section::new("the agreement", document.span(), document.get_ref());
    let (mut agreement, method) = read(document, text, folder, &mut problems);
    check::check(&agreement, &method, &mut problems);
    // After the check, which tells whoever asked for something else.
    agreement.policy.method.weigh = Weigh::Records;
    problems.none_or(agreement)
}

/// The agreement, with stand-ins for what is wrong, and what its `[method]` says.
fn read<'d>(
    mut document: Section<'d>,
    text: &PolicyText,
    folder: &Path,
    problems: &mut Problems,
) -> (Agreement, Vec<Item<'d>>) {
    refuse_earlier(&mut document, problems);
    let parties = read_parties(document.item("party"), problems);
    let (key, same_records) = read_key(document.needed_table("key", problems), problems);
    let data = read_agreed_data(document.table("data", problems), problems);
    let columns = document.needed_table("columns", problems);
    let (columns, owners) = read_columns(columns, &parties, folder, problems);
    let taxonomies = document.table("taxonomies", problems);
    let agreed_taxonomies = read_taxonomies(&taxonomies, folder, problems);
    let mut asked = Asked {
        require: document.item("require"),
        method: document.table("method", problems),
        release: document.table("release", problems),
    };
    document.finish(&[], problems);
    let method = asked.method.items().to_vec();
    let by_record = read_by_record(&mut asked.release, problems);
    let agreement = Agreement {
        parties,
        key,
        same_records,
        policy: asked.read(data, columns, text, folder, problems),
        by_record,
        owners,
        agreed_taxonomies,
        folder: folder.to_owned(),
    };
    (agreement, method)
}

fn refuse_earlier(document: &mut Section, problems: &mut Problems) {
    for key in ["earlier", "inconsistent"] {
        let message = format!("[[{key}]] is no part of an agreement: nobody has both tables to match their records");
        let help = "take it out; a party that published its own columns before can publish after that with a policy of \
                    its own";
        document.refuse(key, &message, help, problems);
    }
}

/// The column of ids, and whether all have the same.
fn read_key(mut section: Section, problems: &mut Problems) -> (String, bool) {
    let item = section.needed(
        "column",
        "add `column = \"ssn\"`, which every party's file has",
        problems,
    );
    let same_records = section.item("same_records");
    let same_records = same_records.and_then(|item| item.flag(problems));
    section.finish(&[], problems);
    let name = item.as_ref().and_then(|item| item.text(problems));
    if let (Some(item), Some("")) = (&item, name.as_ref().map(|name| name.get_ref().as_str())) {
        item.must_be("the name of a column", problems);
    }
    let name = name.map_or_else(String::new, |name| name.into_inner());
    (name, same_records.unwrap_or(false))
}

/// What cells mean; where they are is for each party to say.
fn read_agreed_data(mut section: Section, problems: &mut Problems) -> Data {
    for key in ["file", "url", "table", "query"] {
        let message = format!("`{key}` is no part of an agreement");
        let help = "each party names its own data, with `--data` or in its private part";
        section.refuse(key, &message, help, problems);
    }
    for key in ["names", "separator", "comment", "sheet"] {
        let message = format!("`{key}` is no part of an agreement");
        let help = "each party says how its own file is written, in [data] of its private part";
        section.refuse(key, &message, help, problems);
    }
    section.refuse("population", NO_LEDGER.0, NO_LEDGER.1, problems);
    read_cells(Place::File("the joined table".into()), section, problems)
}

/// The columns, and who has each.
fn read_columns(
    section: Section,
    parties: &[Party],
    folder: &Path,
    problems: &mut Problems,
) -> (Columns, BTreeMap<String, Vec<usize>>) {
    let mut owners = BTreeMap::new();
    let mut read_party = |column: &Spanned<String>, section: &mut Section, problems: &mut Problems| {
        owners.insert(
            column.get_ref().clone(),
            read_owners(column, section, parties, problems),
        );
    };
    let columns = Columns::read_with(section, folder, &mut read_party, problems);
    (columns, owners)
}

fn read_by_record(release: &mut Section, problems: &mut Problems) -> bool {
    let help = "each party names its own folder, with `--out` or in its private part";
    release.refuse("folder", "`folder` is no part of an agreement", help, problems);
    let message =
        "`order` is no part of an agreement: rows are always sorted, because any other order would tell whose they are";
    release.refuse("order", message, "take it out", problems);
    let message = "`unlisted` is no part of an agreement: a column that is not listed stays with its party";
    release.refuse("unlisted", message, "list the columns to publish, as other", problems);
    let by_record = release.item("by_record");
    by_record.and_then(|item| item.flag(problems)).unwrap_or(false)
}
