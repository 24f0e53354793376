//! A first policy, written from an [`Inspection`]: it publishes as it stands, and its comments say what to look at.

use std::fmt::Write;

use toml_writer::{ToTomlKey, ToTomlValue};

use super::display::percent;
use super::guess::GuessedType;
use super::{InspectedColumn, Inspection, shown_path};
use scumble_policy::Role;
use scumble_policy::counted;

/// The k to begin with.
const ANONYMITY: usize = 5;

/// From so many values on, some of them can be put together in a taxonomy.
const ENOUGH_TO_GROUP: usize = 5;

impl Inspection {
    /// The text of a policy to begin with. Its `file` is the path as it was given, relative or not.
    ///
    /// It publishes as it stands, except a table of one row: nobody can hide in that.
    pub fn policy(&self) -> String {
        let mut text = String::from(
            "# A first policy, from the names of the columns and from counts. Only you know what others know of the\n\
             # people in this table: check every role before you publish.\n",
        );
        for section in [
            self.data(),
            self.columns(),
            self.require(),
            self.method(),
            RELEASE.to_owned(),
        ] {
            text.extend(["\n", &section]);
        }
        text
    }

    fn data(&self) -> String {
        let source = &self.source;
        let mut text = format!("[data]\nfile = {}\n", shown_path(&source.path).to_toml_value());
        let mut set = |key: &str, value: String| text.extend([key, " = ", &value, "\n"]);
        if let Some(names) = &source.names {
            set("names", texts(names));
        }
        if let Some(separator) = source.separator {
            set("separator", mark(separator));
        }
        if let Some(comment) = source.comment {
            set("comment", mark(comment));
        }
        if !source.trim {
            set("trim", "false".to_owned());
        }
        if let Some(sheet) = &source.sheet {
            set("sheet", sheet.to_toml_value());
        }
        let suspected = self.suspected_marks();
        if !suspected.is_empty() {
            text.push_str("# These look like marks for missing values. Take out what is a value.\n");
        }
        if !suspected.is_empty() || !source.marks.is_empty() {
            let marks: Vec<&str> = source.marks.iter().map(String::as_str).chain(suspected).collect();
            put(&mut text, format_args!("missing_marks = {}\n", texts(&marks)));
        }
        text
    }

    /// The suspected marks of all columns, each once.
    fn suspected_marks(&self) -> Vec<&'static str> {
        let suspected = self.columns.iter().flat_map(|column| &column.suspected_missing);
        let mut marks: Vec<&str> = suspected.map(|suspected| suspected.mark).collect();
        marks.sort_unstable();
        marks.dedup();
        marks
    }

    fn columns(&self) -> String {
        let mut text = String::from(
            "[columns]\n\
             # identifier: never published. quasi: published masked. sensitive, class, other: published as they are.\n\
             # A column that is taken out of this list is not published.\n",
        );
        let keys: Vec<String> = self.columns.iter().map(|column| column.name.to_toml_key()).collect();
        let width = keys.iter().map(|key| key.chars().count()).max().unwrap_or(0);
        for (column, key) in self.columns.iter().zip(&keys) {
            let InspectedColumn {
                distinct,
                groups,
                reason,
                ..
            } = column;
            let (values, alone) = (counted(*distinct, "different value"), percent(groups.unique_share));
            put(
                &mut text,
                format_args!("\n# {values}, {alone} of rows alone with theirs; {reason}\n"),
            );
            for hint in hints(column) {
                put(&mut text, format_args!("# {hint}\n"));
            }
            put(&mut text, format_args!("{key:width$} = {{ {} }}\n", settings(column)));
        }
        text
    }

    fn require(&self) -> String {
        // A larger group than the table cannot be had, and in a group of one nobody hides.
        let k = self.rows.clamp(2, ANONYMITY);
        let mut text = format!(
            "[[require]]\n\
             # At least so many rows agree on all quasi columns. Offices that publish usually ask for 5 to 11.\n\
             anonymity = {k}\n"
        );
        if self.columns.iter().any(|column| column.role == Role::Sensitive) {
            text.push_str("# Anonymity does not hide a sensitive value that all rows of a group share.\n");
        }
        text
    }

    fn method(&self) -> String {
        let (objective, why) = match self.columns.iter().find(|column| column.role == Role::Class) {
            Some(_) => ("information-gain", "keeps what predicts the class"),
            None => ("certainty", "keeps values as exact as possible"),
        };
        format!(
            "[method]\n\
             objective = \"{objective}\"  # {why}\n\
             # rows_suppressed_at_most = 0.01  # leaving out a few rare rows often saves detail for all others\n"
        )
    }
}

const RELEASE: &str = "[release]\nfolder = \"out\"\n# format = \"parquet\"\n";

fn settings(column: &InspectedColumn) -> String {
    let role = column.role.word();
    match (column.role, column.guessed) {
        (Role::Quasi | Role::Sensitive, GuessedType::Continuous) => {
            format!("role = \"{role}\", type = \"continuous\"")
        }
        _ => format!("role = \"{role}\""),
    }
}

/// What to add to a quasi column so that more of it can be published.
fn hints(column: &InspectedColumn) -> Vec<String> {
    let taxonomy = || format!("taxonomy = {}", file_name(&column.name).to_toml_value());
    let hint = match column.guessed {
        _ if column.role != Role::Quasi => return Vec::new(),
        GuessedType::Continuous => {
            "Add your own ends, such as range = [0, 120]; else the smallest and the largest value show.".to_owned()
        }
        GuessedType::Date => format!(
            "With months and years above the days, more can be published: {}",
            taxonomy()
        ),
        GuessedType::Categorical if column.distinct >= ENOUGH_TO_GROUP => {
            format!("With groups above its values, more can be published: {}", taxonomy())
        }
        GuessedType::Categorical => return Vec::new(),
    };
    vec![hint]
}

/// A file name made of the name of a column.
fn file_name(column: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() { c } else { '-' };
    let name: String = column.chars().map(plain).flat_map(char::to_lowercase).collect();
    format!("{name}.csv")
}

fn texts(texts: &[impl AsRef<str>]) -> String {
    let texts: Vec<String> = texts.iter().map(|text| text.as_ref().to_toml_value()).collect();
    format!("[{}]", texts.join(", "))
}

/// A character between cells or before comments, as the policy writes it.
fn mark(byte: u8) -> String {
    match byte {
        b'\t' => "\"tab\"".to_owned(),
        mark => char::from(mark).to_string().to_toml_value(),
    }
}

fn put(text: &mut String, what: std::fmt::Arguments) {
    text.write_fmt(what).expect("a String can always be written to");
}
