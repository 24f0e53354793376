//! What the cells of a released file are, by what is declared of it.
//!
//! | declared | by | a column of words holds | of numbers or nodes |
//! |---|---|---|---|
//! | `cells` | the user | values, or any label | the same |
//! | how the column is masked | the certificate beside the file | what this mask shows | what this mask shows |
//! | role, type and taxonomy, and the method | the policy | what this method shows: values, `*`, sets | any label |
//! | nothing | nobody | any label | any label |
//!
//! In a column of numbers, or of the nodes of a taxonomy, what is neither cannot be a value. So there labels of other tools
//! are read, too, where no certificate says that the file is ours. A word of the data may look like any of them.
//!
//! Invariant: whoever declares more goes before those below. What nobody declares is read by its looks, and told.

use std::collections::{HashMap, HashSet};

use scumble_report::{Certificate, Level};
use scumble_table::{Dictionary, Domain, Forms, FormsOf, Label, Meaning, Taxonomy, Written};

use crate::earlier::certified_cells;
use scumble_bind::looks_like_a_label;
use scumble_policy::{Approach, Cells, CellsOf, ColumnKind, Gathering, Kind, Of, Policy, Role};

/// What is declared of a released file.
pub(crate) struct Declared<'a> {
    said: &'a [(String, Cells)],
    certificate: Option<&'a Certificate>,
    certified: HashMap<String, Cells>,
    policy: Option<&'a Policy>,
}

/// What the cells of a column can be, and who says so.
pub(crate) struct DeclaredForms<'t> {
    /// What they can be.
    pub forms: FormsOf<'t>,
    /// Who says so.
    pub by: DeclaredBy,
}

/// Who says what the cells of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeclaredBy {
    User,
    Certificate,
    Policy,
    Nobody,
}

impl<'a> Declared<'a> {
    /// By what the user says of columns, the certificate beside the file, and the policy.
    pub fn new(
        said: &'a [(String, Cells)],
        certificate: Option<&'a Certificate>,
        policy: Option<&'a Policy>,
    ) -> Declared<'a> {
        let certified = certificate.into_iter().flat_map(certified_cells);
        Declared {
            said,
            certificate,
            certified: certified.map(|(column, cells)| (column.into_inner(), cells)).collect(),
            policy,
        }
    }

    /// What the cells of a column can be, which has this taxonomy.
    pub fn forms<'t>(&self, column: &str, taxonomy: Option<&'t Taxonomy>) -> DeclaredForms<'t> {
        let domain = || self.domain(column, taxonomy);
        let of_file = |Cells { of, written }: Cells, by| DeclaredForms {
            forms: Forms {
                domain: match of {
                    CellsOf::Numbers => Domain::Numbers,
                    CellsOf::AsHere | CellsOf::Nodes => domain(),
                },
                written,
            },
            by,
        };
        if let Some(said) = self.said_of(column) {
            return of_file(said, DeclaredBy::User);
        }
        if let Some(certified) = self.certified(column) {
            return of_file(certified, DeclaredBy::Certificate);
        }
        let (written, by) = match (domain(), self.policy) {
            (Domain::Words, None) => (Written::Any, DeclaredBy::Nobody),
            (Domain::Words, Some(policy)) => (shows(policy, column), DeclaredBy::Policy),
            (Domain::Numbers | Domain::Nodes(_), _) => (Written::Any, DeclaredBy::Policy),
        };
        DeclaredForms {
            forms: Forms {
                domain: domain(),
                written,
            },
            by,
        }
    }

    /// What the user or the certificate says that a column shows.
    pub fn written(&self, column: &str) -> Option<Written> {
        let declared = self.said_of(column).or_else(|| self.certified(column));
        declared.map(|cells| cells.written)
    }

    /// Whether a column is masked; `looked_up`, if people are looked up by it.
    pub fn is_masked(&self, column: &str, looked_up: bool) -> bool {
        match (self.policy, self.certificate) {
            (Some(policy), _) => masks(policy, column),
            (None, Some(certificate)) => {
                let mut columns = certificate.columns.iter();
                columns.any(|own| own.name == column && is_masked(own.mask.is_some(), column, &own.role, certificate))
            }
            (None, None) => looked_up,
        }
    }

    /// The largest group that is asked for.
    pub fn group_asked(&self) -> Option<u64> {
        match (self.policy, self.certificate) {
            (Some(policy), _) => policy
                .require
                .iter()
                .filter_map(|require| asked(&require.get_ref().kind))
                .max(),
            (None, Some(certificate)) => {
                let counts = certificate
                    .require
                    .iter()
                    .filter(|template| template.kind == "anonymity");
                let counts = counts.filter_map(|template| match template.bound {
                    Level::Count(k) => Some(k),
                    Level::Measure(_) | Level::Infinite => None,
                });
                counts.max()
            }
            (None, None) => None,
        }
    }

    fn domain<'t>(&self, column: &str, taxonomy: Option<&'t Taxonomy>) -> Domain<&'t Taxonomy> {
        let listed = self.policy.and_then(|policy| policy.column(column));
        match (taxonomy, listed.map(|column| &column.kind)) {
            (Some(taxonomy), _) => Domain::Nodes(taxonomy),
            (None, Some(ColumnKind::Continuous { .. })) => Domain::Numbers,
            (None, Some(ColumnKind::Categorical { .. }) | None) => Domain::Words,
        }
    }

    fn said_of(&self, column: &str) -> Option<Cells> {
        let mut said = self.said.iter();
        said.find(|(name, _)| name == column).map(|(_, cells)| *cells)
    }

    fn certified(&self, column: &str) -> Option<Cells> {
        self.certified.get(column).copied()
    }
}

/// Whether a certified column is masked: a quasi column that a template names is, even if all its values are shown.
fn is_masked(has_mask: bool, column: &str, role: &str, certificate: &Certificate) -> bool {
    let templates = &certificate.require;
    let is_named = || {
        templates
            .iter()
            .any(|template| template.of.iter().any(|name| name == column))
    };
    let is_apart = certificate.secrets.is_some();
    has_mask || (role == Role::Quasi.word() && !is_apart && is_named())
}

fn asked(kind: &Kind) -> Option<u64> {
    match kind {
        Kind::Anonymity { k, .. } | Kind::AlphaK { k, .. } | Kind::PSensitive { k, .. } => Some(*k),
        Kind::KMap { .. }
        | Kind::Confidence { .. }
        | Kind::Diversity { .. }
        | Kind::Closeness { .. }
        | Kind::DeltaDisclosure { .. }
        | Kind::BetaLikeness { .. }
        | Kind::Personal { .. }
        | Kind::RangeDiversity { .. } => None,
    }
}

/// Whether its method masks a column.
fn masks(policy: &Policy, column: &str) -> bool {
    let is_quasi = policy.column(column).is_some_and(|column| column.role == Role::Quasi);
    let names = |of: &Of| of.columns.iter().any(|name| name == column);
    let is_named = || policy.require.iter().any(|require| names(&require.get_ref().of));
    is_quasi && policy.method.approach != Approach::Anatomy && is_named()
}

/// What its method shows of a column of words.
fn shows(policy: &Policy, column: &str) -> Written {
    if !masks(policy, column) {
        return Written::Exact;
    }
    match policy.method.approach {
        Approach::Refine | Approach::FullDomain(_) => Written::Suppressed,
        Approach::Gather(Gathering::Microaggregation { .. }) => Written::Centres,
        Approach::Gather(_) | Approach::Persons(_) => Written::Sets,
        Approach::Anatomy => Written::Exact,
    }
}

/// Whether a column has a cell that looks like a label, is read as a value, and is none of these values.
pub(crate) fn has_doubtful_cells(labels: &Dictionary, forms: FormsOf, values: &Dictionary) -> bool {
    let values: HashSet<&str> = values.texts().iter().collect();
    let is_word = |text: &str| *Label::parse(Some(text), forms).meaning() == Meaning::Itself;
    let mut texts = labels.texts().iter();
    texts.any(|text| looks_like_a_label(text) && is_word(text) && !values.contains(text))
}
