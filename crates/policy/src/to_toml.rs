//! [`Policy::to_toml`]: a policy written back as TOML.
//!
//! Invariant: what is written parses to an equal policy. Settings are written out even if they are the usual ones, so the
//! text says the same in every version that reads it. Releases that only a ledger names are no part of a policy.

use std::path::Path;

use toml_writer::ToTomlKey;

use crate::column::Role;
use crate::data::{Data, DatabaseRows, Place, RowsAt};
use crate::earlier::{CELLS, Cells, EarlierPolicy, Inconsistent, ON_DANGLING, THIS_WORD};
use crate::facts::{column_line, of_column, of_data, of_kind, of_method, of_quasi_identifier, of_release};
use crate::persons::{LookupPolicy, Persons, TablePolicy};
use crate::policy::Policy;
use crate::release::{ORDERS, Release};
use crate::require::{Of, OfEarlier, Require};
use crate::spanned::Spanned;
use crate::words::word_of;
use crate::written::{Setting, WritePath, inline, lines, text, texts};

impl Policy {
    /// The policy as TOML, with paths relative to `folder`: parsed there, it is this policy. Paths outside of the folder
    /// must be absolute.
    ///
    /// ```
    /// # use std::path::Path;
    /// # use scumble_policy::Policy;
    /// let text = "[data]\nfile = 'people.csv'\n[columns]\njob = { role = 'quasi' }\n[[require]]\nanonymity = 5\n";
    /// let folder = Path::new("clinic");
    /// let policy = Policy::parse(text, "policy.toml", folder)?;
    /// let again = Policy::parse(&policy.to_toml(folder), "again.toml", folder)?;
    /// assert_eq!(again, policy);
    /// # Ok::<(), scumble_policy::Problems>(())
    /// ```
    pub fn to_toml(&self, folder: &Path) -> String {
        let path = |path: &Path| text(&from(path, folder));
        let mut document = Document::default();
        document.section("[data]", &data(&self.data, folder));
        if let Some(persons) = &self.persons {
            let tables_folder = match &self.data.at {
                Place::Folder(inside) => inside.get_ref(),
                Place::File(_) | Place::Sqlite(_) | Place::Postgres(_) => folder,
            };
            document.tables(persons, &|path| text(&from(path, tables_folder)));
        }
        document.columns(self, &path);
        for section in &self.require {
            document.section("[[require]]", &require(section.get_ref(), &path));
        }
        document.section("[method]", &of_method(&self.method));
        document.section("[release]", &release(&self.release, &path));
        let written_here = self.earlier.iter().filter(|release| !release.from_ledger);
        written_here.for_each(|release| document.section("[[earlier]]", &earlier(release, &path)));
        self.inconsistent.iter().for_each(|pair| document.inconsistent(pair));
        document.text
    }
}

/// A path from a folder, if it is in there. Other than in facts, `./people.csv` stays what it is.
fn from(path: &Path, folder: &Path) -> String {
    match path.strip_prefix(folder).unwrap_or(path).to_string_lossy() {
        rest if rest.is_empty() && !path.as_os_str().is_empty() => ".".to_owned(),
        rest => rest.into_owned(),
    }
}

#[derive(Default)]
struct Document {
    text: String,
}

impl Document {
    fn begin(&mut self, header: &str) {
        let blank = if self.text.is_empty() { "" } else { "\n" };
        self.text.extend([blank, header, "\n"]);
    }

    fn section(&mut self, header: &str, settings: &[Setting]) {
        self.begin(header);
        self.text.push_str(&lines(settings));
    }

    fn tables(&mut self, persons: &Persons, path: &WritePath) {
        for (place, table) in persons.tables.iter().enumerate() {
            let header = if place == 0 { "[person]" } else { "[[tables]]" };
            self.section(header, &of_table(table, path));
        }
        for lookup in &persons.lookups {
            self.section("[[lookups]]", &of_lookup(lookup, path));
        }
    }

    fn columns(&mut self, policy: &Policy, path: &WritePath) {
        self.begin("[columns]");
        for column in &policy.columns {
            self.text
                .push_str(&column_line(column.name.get_ref(), &of_column(column, path)));
        }
        for table in policy.tables() {
            self.begin(&format!("[columns.{}]", table.name.get_ref().to_toml_key()));
            for column in &table.columns {
                self.text
                    .push_str(&column_line(column.name.get_ref(), &of_column(column, path)));
            }
        }
        for lookup in policy.lookups() {
            self.begin(&format!("[columns.{}]", lookup.name.get_ref().to_toml_key()));
            for name in &lookup.columns {
                let role = ("role", text(Role::Other.word()));
                self.text.push_str(&column_line(name.get_ref(), &[role]));
            }
        }
    }

    fn inconsistent(&mut self, pair: &Inconsistent) {
        self.begin("[[inconsistent]]");
        for condition in &pair.conditions {
            let within = inline([(condition.column.get_ref(), text(condition.within.get_ref()))]);
            let release = condition.release.get_ref().to_toml_key();
            self.text.push_str(&format!("{release} = {within}\n"));
        }
    }
}

fn data(data: &Data, folder: &Path) -> Vec<Setting> {
    let mut settings = Vec::new();
    match &data.at {
        Place::File(file) | Place::Sqlite(file) => settings.push(("file", text(&from(file.get_ref(), folder)))),
        // What is not said is beside the policy.
        Place::Folder(inside) if inside.get_ref() == folder => {}
        Place::Folder(inside) => settings.push(("folder", text(&from(inside.get_ref(), folder)))),
        Place::Postgres(url) => settings.push(("url", text(url.get_ref()))),
    }
    settings.extend(data.rows.as_ref().map(database_rows));
    settings.extend(of_data(data));
    settings.extend(data.names.as_ref().map(|names| ("names", texts(names))));
    settings.extend(data.separator.map(|separator| ("separator", mark(separator))));
    settings.extend(data.comment.map(|comment| ("comment", mark(comment))));
    settings.extend(data.sheet.as_ref().map(|sheet| ("sheet", text(sheet))));
    let population = data.population.as_ref();
    settings.extend(population.map(|population| ("population", text(population))));
    settings
}

fn database_rows(rows: &DatabaseRows) -> Setting {
    match rows {
        DatabaseRows::Table(table) => ("table", text(table.get_ref())),
        DatabaseRows::Query(query) => ("query", text(query.get_ref())),
    }
}

/// A character between cells or before comments.
fn mark(byte: u8) -> String {
    match byte {
        b'\t' => text("tab"),
        mark => text(char::from(mark).encode_utf8(&mut [0; 4])),
    }
}

fn of_table(table: &TablePolicy, path: &WritePath) -> Vec<Setting> {
    let mut settings = vec![("name", text(table.name.get_ref()))];
    settings.extend(rows_at(&table.from, path));
    settings.extend(names("key", &table.key));
    let parent = table.parent.as_ref();
    settings.extend(parent.map(|parent| ("parent", text(parent.get_ref()))));
    settings.extend(names("foreign_key", &table.foreign_key));
    settings.extend(refers(&table.refers));
    settings
}

fn of_lookup(lookup: &LookupPolicy, path: &WritePath) -> Vec<Setting> {
    let mut settings = vec![("name", text(lookup.name.get_ref()))];
    settings.extend(rows_at(&lookup.from, path));
    settings.extend(lookup.key.as_ref().map(|key| ("key", text(key.get_ref()))));
    settings.extend(refers(&lookup.refers));
    settings
}

fn rows_at(from: &RowsAt, path: &WritePath) -> Option<Setting> {
    match from {
        RowsAt::File(file) => Some(("file", path(file.get_ref()))),
        // It is found by the name of its table.
        RowsAt::Named(_) => None,
        RowsAt::Database(rows) => Some(database_rows(rows)),
    }
}

fn names(key: &'static str, names: &[Spanned<String>]) -> Option<Setting> {
    (!names.is_empty()).then(|| (key, texts(names.iter().map(Spanned::get_ref))))
}

fn refers(refers: &[(Spanned<String>, Spanned<String>)]) -> Option<Setting> {
    let pairs = refers
        .iter()
        .map(|(column, lookup)| (column.get_ref(), text(lookup.get_ref())));
    (!refers.is_empty()).then(|| ("refers", inline(pairs)))
}

fn require(require: &Require, path: &WritePath) -> Vec<Setting> {
    let mut settings = of_kind(&require.kind, path);
    settings.extend(of(&require.of).map(|of| ("of", of)));
    settings
}

/// The columns that an adversary knows, if the policy names them.
fn of(of: &Of) -> Option<String> {
    let elsewhere = match &of.earlier {
        OfEarlier::Quasi => return None,
        OfEarlier::Listed(elsewhere) => elsewhere.iter().map(|name| name.get_ref().clone()),
    };
    if of.any.is_some() {
        return Some(of_quasi_identifier(of));
    }
    let own = of.columns.iter().map(|column| {
        if of.this_alone.contains(column) {
            format!("{THIS_WORD}.{column}")
        } else {
            column.clone()
        }
    });
    Some(texts(own.chain(elsewhere)))
}

fn release(release: &Release, path: &WritePath) -> Vec<Setting> {
    let mut settings = vec![("folder", path(&release.folder))];
    settings.extend(of_release(release));
    settings.push(("order", text(word_of(release.order, &ORDERS))));
    settings
}

fn earlier(release: &EarlierPolicy, path: &WritePath) -> Vec<Setting> {
    let mut settings = vec![
        ("name", text(release.name.get_ref())),
        ("file", path(release.file.get_ref())),
        ("on_dangling", text(word_of(release.on_dangling, &ON_DANGLING))),
    ];
    let join = release.join.as_ref();
    settings.extend(join.map(|join| ("join", texts(join.iter().map(Spanned::get_ref)))));
    let taxonomies = release
        .taxonomies
        .iter()
        .map(|(column, file)| (column.get_ref(), path(file.get_ref())));
    if !release.taxonomies.is_empty() {
        settings.push(("taxonomies", inline(taxonomies)));
    }
    // What no word says was told by a certificate, which tells it again.
    let cells: Vec<(&String, String)> = release
        .cells
        .iter()
        .filter_map(|(column, cells)| Some((column.get_ref(), text(cells_word(cells)?))))
        .collect();
    if !cells.is_empty() {
        settings.push(("cells", inline(cells)));
    }
    settings
}

fn cells_word(cells: &Cells) -> Option<&'static str> {
    let mut words = CELLS.iter();
    words.find(|(_, known)| known == cells).map(|&(word, _)| word)
}
