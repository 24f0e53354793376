//! The private part of one party: where its data and its keys are. Nothing of it is shared.

use std::path::{Path, PathBuf};

use crate::spanned::Spanned;
use toml::de::DeValue;

use super::deadline::Deadline;
use super::parties::read_address;
use crate::data::Data;
use crate::parse::{read_data, read_document};
use crate::problems::Problems;
use crate::section::{Item, Section};
use crate::text::PolicyText;

/// What one party needs beside the agreement. Whatever is not given may come from elsewhere, such as a command line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Private {
    /// Its data. What cells mean is agreed on: see [`Agreement::data`](super::Agreement::data).
    pub data: Option<Data>,
    /// The file with its certificate.
    pub cert: Option<PathBuf>,
    /// The file with the key of the certificate.
    pub key: Option<PathBuf>,
    /// The file with the certificate of those who vouch for all parties.
    pub ca: Option<PathBuf>,
    /// Where to listen, if not at the address of the agreement.
    pub listen: Option<String>,
    /// The folder of the release.
    pub out: Option<PathBuf>,
    /// How long a run may take.
    pub deadline: Option<Deadline>,
}

impl Private {
    /// Checks a text, which messages call `name`; its paths are relative to `folder`.
    pub fn parse(text: &str, name: &str, folder: &Path) -> Result<Private, Problems> {
        parse(&PolicyText::of_file(name, text), folder)
    }
}

fn parse(text: &PolicyText, folder: &Path) -> Result<Private, Problems> {
    let mut problems = Problems::new(text);
    let Some(document) = read_document(text, &mut problems) else {
        return Err(problems);
    };
    let mut section = Section::new("the private part", document.span(), document.get_ref());
    let data = section.item("data");
    let data = data.and_then(|item| read_own_data(&item, folder, &mut problems));
    let mut path = |key| {
        let path = section.item(key)?.path(folder, &mut problems);
        path.map(Spanned::into_inner)
    };
    let (cert, key, ca) = (path("cert"), path("key"), path("ca"));
    let listen = section.item("listen");
    let listen = listen.and_then(|item| read_address(&item, &mut problems));
    let out = section.item("out").and_then(|item| item.path(folder, &mut problems));
    let deadline = section.item("deadline");
    let deadline = deadline.and_then(|item| read_deadline(&item, &mut problems));
    section.finish(&[], &mut problems);
    let private = Private {
        data,
        cert,
        key,
        ca,
        listen,
        out: out.map(Spanned::into_inner),
        deadline,
    };
    problems.none_or(private)
}

fn read_deadline(item: &Item, problems: &mut Problems) -> Option<Deadline> {
    let deadline = item.text(problems)?.get_ref().parse();
    if deadline.is_err() {
        item.must_be(Deadline::FORM, problems);
    }
    deadline.ok()
}

/// `data = "bank.csv"`, or `[data]` as in a policy but for what is agreed on.
fn read_own_data(item: &Item, folder: &Path, problems: &mut Problems) -> Option<Data> {
    if let DeValue::String(_) = item.value() {
        let file = item.path(folder, problems)?;
        return Some(Data::of_file(file.into_inner()));
    }
    let DeValue::Table(table) = item.value() else {
        item.must_be("a path, or a table with `file`", problems);
        return None;
    };
    let mut section = Section::new("[data]", item.span(), table);
    for key in ["missing", "missing_marks", "trim"] {
        let message = format!("`{key}` is not for one party to say");
        let help = "all read their cells alike: say it in [data] of the agreement";
        section.refuse(key, &message, help, problems);
    }
    for key in ["url", "table", "query"] {
        section.refuse(key, "the data of a party is in a file", "name its `file`", problems);
    }
    section.refuse("population", NO_LEDGER.0, NO_LEDGER.1, problems);
    Some(read_data(section, folder, problems))
}

/// Why there is no `population`, and what to do.
pub(super) const NO_LEDGER: (&str, &str) = (
    "`population` is for a ledger, and parties keep none together",
    "take it out",
);
