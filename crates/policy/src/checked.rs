//! Policies as values: put together or changed in code, checked as a text is, compared by what they ask.

use std::path::Path;

use crate::data::{Data, Place, RowsAt};
use crate::listed::ListedColumns;
use crate::method::Method;
use crate::policy::Policy;
use crate::problems::Problems;
use crate::release::Release;
use crate::require::Require;
use crate::spanned::Spanned;
use crate::text::PolicyText;
use crate::words::quoted;

impl Policy {
    /// A policy over one table that was not read from a text and is not checked yet: see [`Policy::checked`]. It is
    /// searched for and written as usual, into `out`.
    ///
    /// ```
    /// use scumble_policy::{ColumnPolicy, Counting, Data, Kind, Policy, Require, Role};
    ///
    /// let columns = [ColumnPolicy::new("job", Role::Quasi), ColumnPolicy::new("disease", Role::Sensitive)];
    /// let anonymity = Kind::Anonymity { k: 0, per: Counting::Records };
    /// let policy = Policy::new(Data::of_file("people.csv"), columns, [Require::of_all(anonymity)]);
    /// let problems = policy.checked().unwrap_err();
    /// assert_eq!(problems.to_string(), "policy: require[0].anonymity: `anonymity` must be a whole number, at least 1");
    /// ```
    pub fn new(data: Data, columns: impl Into<ListedColumns>, require: impl IntoIterator<Item = Require>) -> Policy {
        Policy {
            data,
            columns: columns.into(),
            require: require.into_iter().map(Spanned::from).collect(),
            method: Method::default(),
            release: Release::to_folder("out"),
            earlier: Vec::new(),
            inconsistent: Vec::new(),
            persons: None,
            text: PolicyText::of_value(""),
        }
    }

    /// The policy after the checks that a text goes through, with all that is left to be filled in: a section that names
    /// no columns is of all quasi columns. Problems are told by their keys; the text is the TOML that says the same.
    ///
    /// # Errors
    /// All that is wrong with it.
    pub fn checked(&self) -> Result<Policy, Problems> {
        let folder = Path::new("");
        let text = PolicyText::of_value(&self.to_toml(folder));
        let mut problems = Problems::new(&text);
        for path in self.paths().into_iter().filter(|path| path.to_str().is_none()) {
            // TOML is UTF-8, so another file would be meant.
            let message = format!("the path {} is not UTF-8", quoted(&path.to_string_lossy()));
            problems.overall(message, None);
        }
        problems.none_or(())?;
        Policy::of_text(&text, folder)
    }

    /// All paths that it names.
    fn paths(&self) -> Vec<&Path> {
        let tables = self.tables().iter();
        let rows = tables.clone().map(|table| &table.from);
        let rows = rows.chain(self.lookups().iter().map(|lookup| &lookup.from));
        let rows = rows.filter_map(|from| match from {
            RowsAt::File(file) | RowsAt::Named(file) => Some(file.get_ref().as_path()),
            RowsAt::Database(_) => None,
        });
        let at = match &self.data.at {
            Place::File(path) | Place::Folder(path) | Place::Sqlite(path) => Some(path.get_ref().as_path()),
            Place::Postgres(_) => None,
        };
        let columns = self.columns.iter().chain(tables.flat_map(|table| &table.columns));
        let taxonomies = columns.filter_map(|column| Some(column.taxonomy()?.get_ref().as_path()));
        let populations = self.require.iter().filter_map(|section| {
            let population = section.get_ref().kind.population()?;
            Some(population.get_ref().as_path())
        });
        let earlier = self.earlier.iter().flat_map(|release| {
            let trees = release.taxonomies.iter().map(|(_, file)| file.get_ref().as_path());
            trees.chain([release.file.get_ref().as_path()])
        });
        let all = rows.chain(at).chain(taxonomies).chain(populations).chain(earlier);
        all.chain([self.release.folder.as_path()]).collect()
    }
}

/// What policies ask is compared, not how it is written.
impl PartialEq for Policy {
    fn eq(&self, other: &Policy) -> bool {
        let Policy {
            data,
            columns,
            require,
            method,
            release,
            earlier,
            inconsistent,
            persons,
            text: _,
        } = self;
        *data == other.data
            && *columns == other.columns
            && *require == other.require
            && *method == other.method
            && *release == other.release
            && *earlier == other.earlier
            && *inconsistent == other.inconsistent
            && *persons == other.persons
    }
}
