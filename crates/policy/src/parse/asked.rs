//! What a document asks of one table, beside what the table is.

use std::path::Path;

use super::columns::Columns;
use super::method::{check_approach, read_method};
use super::release::read_release;
use super::require;
use crate::data::Data;
use crate::policy::Policy;
use crate::problems::Problems;
use crate::section::{Item, Section};
use crate::text::PolicyText;

/// The parts of a document that say what is asked of the data and its columns, not yet read.
pub struct Asked<'d> {
    pub require: Option<Item<'d>>,
    pub method: Section<'d>,
    pub release: Section<'d>,
}

impl Asked<'_> {
    /// The policy that asks this, after no earlier release.
    pub fn read(
        self,
        data: Data,
        columns: Columns,
        text: &PolicyText,
        folder: &Path,
        problems: &mut Problems,
    ) -> Policy {
        let mut require = require::read_all(self.require, &columns, folder, problems);
        for section in &mut require {
            let abouts = section.get_mut().kind.secrets_mut().iter_mut();
            abouts.for_each(|about| about.unite(columns.alike(about.column.get_ref())));
        }
        let method = read_method(self.method, &columns, problems);
        require::check_together(&require, &method, problems);
        let columns = columns.into_list();
        check_approach(method.approach, &require, &columns, problems);
        Policy {
            data,
            columns,
            require,
            method,
            release: read_release(self.release, folder, problems),
            earlier: Vec::new(),
            inconsistent: Vec::new(),
            persons: None,
            text: text.clone(),
        }
    }
}
