//! What the cells of the columns of all releases can be, by what is declared of them.
//!
//! | declared of a column | this table | an earlier release of ours | one of another tool |
//! |---|---|---|---|
//! | `type = "continuous"` | numbers, intervals | by its mask | numbers, intervals, also in forms of other tools |
//! | a taxonomy | nodes | by its mask | nodes, sets of nodes |
//! | neither, masked | values, `*` | by its mask | values, unless `cells` says otherwise |
//! | neither, published as it is | values | values | values, unless `cells` says otherwise |
//!
//! A label that is not understood would match nothing, and what matches nothing is not counted. So a column that this
//! table reads as numbers or by a taxonomy must hold such labels elsewhere, too.

use std::sync::Arc;

use scumble_privacy::THIS;
use scumble_table::{Domain, Forms, FormsOf, Label, Meaning, SharedForms, Taxonomy, Written, parse_number};

use super::Releases;
use scumble_policy::{Cells, CellsOf, ColumnKind, ColumnPolicy, Role, Taxonomies};

impl Releases<'_> {
    /// What the values of a column are. All releases that have it agree on that, but for what they say themselves.
    pub fn domain(&self, column: &str) -> Domain<Arc<Taxonomy>> {
        if self.is_here.contains(column) {
            let listed = self.policy.column(column);
            return listed.map_or(Domain::Words, |column| domain_of(column, self.taxonomies));
        }
        let mut trees = self.policy.earlier.iter().flat_map(|release| &release.taxonomies);
        let file = trees.find(|(name, _)| name.get_ref() == column).map(|(_, file)| file);
        let tree = file.and_then(|file| self.taxonomies.of_file(file.get_ref()));
        tree.map_or(Domain::Words, |tree| Domain::Nodes(tree.clone()))
    }

    /// What is declared of the cells of a column of an earlier release.
    pub fn declared(&self, release: usize, column: &str) -> Option<Cells> {
        self.heads[release - 1].cells_of(column)
    }

    /// What the cells of a column can be.
    pub fn forms(&self, release: usize, column: &str) -> SharedForms {
        let domain = self.domain(column);
        if release == THIS {
            let written = written_here(&domain, self.policy.column(column));
            return Forms { domain, written };
        }
        match self.declared(release, column) {
            Some(Cells { of, written }) => Forms {
                domain: match of {
                    CellsOf::Numbers => Domain::Numbers,
                    CellsOf::AsHere | CellsOf::Nodes => domain,
                },
                written,
            },
            // Nobody's word is a number, an interval or a node by chance; but a word may look like any label.
            None => Forms {
                written: match domain {
                    Domain::Words => Written::Exact,
                    Domain::Numbers => Written::Any,
                    Domain::Nodes(_) => Written::Sets,
                },
                domain,
            },
        }
    }
}

fn domain_of(column: &ColumnPolicy, taxonomies: &Taxonomies) -> Domain<Arc<Taxonomy>> {
    match (&column.kind, taxonomies.shared(column)) {
        (ColumnKind::Continuous { .. }, _) => Domain::Numbers,
        (ColumnKind::Categorical { .. }, Some(tree)) => Domain::Nodes(Arc::clone(tree)),
        (ColumnKind::Categorical { .. }, None) => Domain::Words,
    }
}

/// What a column of this table shows. A file that is audited may be of another tool, whose intervals no number looks like.
fn written_here(domain: &Domain<Arc<Taxonomy>>, column: Option<&ColumnPolicy>) -> Written {
    if column.is_none_or(|column| column.role != Role::Quasi) {
        return Written::Exact;
    }
    match domain {
        Domain::Words => Written::Suppressed,
        Domain::Numbers => Written::Any,
        Domain::Nodes(_) => Written::Generalized,
    }
}

/// Whether a text is a label in these forms: any word is one of words, but not of numbers or of a taxonomy.
pub fn include(forms: FormsOf, text: &str) -> bool {
    let label = Label::parse(Some(text), forms);
    match forms.domain {
        Domain::Words => true,
        Domain::Numbers => match label.meaning() {
            Meaning::Everything | Meaning::Interval(_) => true,
            Meaning::Set(members) => members.iter().flatten().all(|member| parse_number(member).is_some()),
            Meaning::Itself | Meaning::Node(..) | Meaning::Masked { .. } => parse_number(text).is_some(),
        },
        Domain::Nodes(tree) => match label.meaning() {
            Meaning::Everything | Meaning::Node(..) => true,
            Meaning::Set(members) => members.iter().flatten().all(|member| tree.find(member).is_some()),
            Meaning::Itself | Meaning::Interval(_) | Meaning::Masked { .. } => false,
        },
    }
}

/// What the labels of a domain are, in words.
pub fn in_words<T>(domain: &Domain<T>) -> &'static str {
    match domain {
        Domain::Nodes(_) => "labels of its taxonomy",
        Domain::Numbers => "numbers and intervals",
        Domain::Words => "labels",
    }
}

#[cfg(test)]
mod tests {
    use scumble_table::taxonomy::{Format, parse};

    use super::*;

    #[test]
    fn nodes_and_sets_of_them_are_labels_of_a_taxonomy() {
        let tree = parse("Lawyer;Professional;ANY\nJanitor;ANY\n", Format::Levels).unwrap();
        let labels = |text: &str| include(Forms::any(Some(&tree)), text);
        for label in ["Lawyer", "Professional", "ANY", "*", "{Lawyer|Janitor}", "{Lawyer|}"] {
            assert!(labels(label), "{label}");
        }
        for strange in ["Lawyr", "{Lawyer|Cook}", "[0, 1)", "Law***"] {
            assert!(!labels(strange), "{strange}");
        }
        let values = |text: &str| include(Forms::exact(Domain::Nodes(&tree)), text);
        assert!(values("Lawyer") && !values("Professional") && !values("*"));
    }

    #[test]
    fn numbers_intervals_and_sets_of_numbers_are_labels_of_a_continuous_column() {
        let numbers = Forms {
            domain: Domain::Numbers,
            written: Written::Any,
        };
        for label in ["37", "37.5", "[20, 40)", "[20, 40]", "20-40", "{1|2|}", "*"] {
            assert!(include(numbers, label), "{label}");
        }
        for strange in ["old", "{1|old}", "3*"] {
            assert!(!include(numbers, strange), "{strange}");
        }
    }
}
