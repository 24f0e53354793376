//! [`Mentions`]: the nodes of a tree as a text names them, and the tree they make.
//!
//! Every way to write a tree names nodes by their labels, and may name an inner node once per leaf:
//!
//! | line | mentions, each under the one before |
//! |---|---|
//! | `Engineer;Professional;ANY` | ANY, Professional, Engineer |
//! | `Lawyer;Professional;ANY` | ANY, Professional, Lawyer |
//! | `Janitor;ANY` | ANY, Janitor |
//!
//! Mentions with one label are one node, so the three lines make five nodes. They must agree: on the parent of an
//! inner node, on what is a leaf and what is not, on the root; and a leaf is mentioned once. All disagreements are
//! reported, because the owner of a file wants to mend it in one go.

use std::borrow::Cow;
use std::mem;

use hashbrown::{HashMap, HashSet};

use super::Taxonomy;
use super::problem::{Place, Problem, ProblemKind, Problems};
use crate::SUPPRESSED;

/// What a reader found: mentions of nodes, each after the mention of its parent, and problems met on the way.
#[derive(Debug, Default)]
pub(super) struct Mentions<'t> {
    list: Vec<Mention<'t>>,
    problems: Vec<Problem>,
}

#[derive(Debug)]
struct Mention<'t> {
    label: Cow<'t, str>,
    /// The place of its parent in the list.
    parent: Option<usize>,
    line: Option<usize>,
    /// Whether a later mention is under this one.
    inner: bool,
    /// How many mentions are above it.
    depth: usize,
}

/// How many levels a taxonomy may have. Every value walks up to the root, in many places; trees that people made have
/// less than twenty levels.
pub(super) const MOST_LEVELS: usize = 1_000;

impl<'t> Mentions<'t> {
    /// Adds a node under an earlier mention and tells its place in the list.
    pub fn add(&mut self, label: Cow<'t, str>, parent: Option<usize>, line: Option<usize>) -> usize {
        let mut depth = 0;
        if let Some(parent) = parent {
            self.list[parent].inner = true;
            depth = self.list[parent].depth + 1;
        }
        self.list.push(Mention {
            label,
            parent,
            line,
            inner: false,
            depth,
        });
        self.list.len() - 1
    }

    /// Adds a problem.
    pub fn report(&mut self, place: Place, kind: ProblemKind) {
        self.problems.push(Problem { place, kind });
    }

    /// Where a mention is: its line, or else the labels that lead to it.
    pub fn place(&self, mention: usize) -> Place {
        if let Some(line) = self.list[mention].line {
            return Place::Line(line);
        }
        let up = std::iter::successors(Some(mention), |&at| self.list[at].parent);
        let mut labels: Vec<String> = up.map(|at| self.list[at].label.to_string()).collect();
        labels.reverse();
        Place::Path(labels)
    }

    /// Whether there is no mention yet.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The tree, or everything that is wrong with it.
    pub fn assemble(mut self) -> Result<Taxonomy, Problems> {
        if self.is_empty() && self.problems.is_empty() {
            self.report(Place::File, ProblemKind::Empty);
        }
        // Told alone and at once: all that is said of other problems would take long on such a tree.
        if let Some(deep) = self.list.iter().position(|mention| mention.depth >= MOST_LEVELS) {
            let kind = ProblemKind::TooDeep { most: MOST_LEVELS };
            let place = self.place(deep);
            return Err(Problems {
                problems: vec![Problem { place, kind }],
            });
        }
        let problems = mem::take(&mut self.problems);
        Draft::new(&self, problems).finish()
    }
}

/// The nodes that mentions make, one per label.
struct Draft<'m> {
    mentions: &'m Mentions<'m>,
    nodes: Vec<DraftNode>,
    /// The node of each mention.
    node_of: Vec<usize>,
    by_label: HashMap<&'m str, usize>,
    /// Wrong mentions of inner nodes that need no second report; a mistake in one node shows in all its leaves.
    reported: HashSet<(&'m str, Option<usize>)>,
    problems: Vec<Problem>,
}

struct DraftNode {
    first_mention: usize,
    parent: Option<usize>,
}

impl<'m> Draft<'m> {
    fn new(mentions: &'m Mentions<'m>, problems: Vec<Problem>) -> Self {
        let mut draft = Draft {
            mentions,
            nodes: Vec::new(),
            node_of: Vec::with_capacity(mentions.list.len()),
            by_label: HashMap::new(),
            reported: HashSet::new(),
            problems,
        };
        for mention in 0..mentions.list.len() {
            let node = draft.resolve(mention);
            draft.node_of.push(node);
        }
        draft
    }

    fn finish(mut self) -> Result<Taxonomy, Problems> {
        if self.problems.is_empty() {
            let nodes: Vec<_> = (0..self.nodes.len())
                .map(|node| (self.label(node), self.nodes[node].parent))
                .collect();
            let tree = Taxonomy::from_parents(&nodes);
            return Ok(tree.expect("labels differ and parents come first, or there would be a problem"));
        }
        self.problems.sort_by_key(Problem::line);
        Err(Problems {
            problems: self.problems,
        })
    }

    /// The node that a mention means; a wrong mention means the nearest guess, so that reading can go on.
    fn resolve(&mut self, mention: usize) -> usize {
        let Mention { label, parent, .. } = &self.mentions.list[mention];
        let parent = parent.map(|parent| self.node_of[parent]);
        match self.by_label.get(&**label) {
            Some(&known) => {
                if let Some(kind) = self.disagreement(mention, parent, known) {
                    self.report(mention, parent, kind);
                }
                known
            }
            None if parent.is_none() && !self.nodes.is_empty() => {
                let kind = self.second_root(label);
                self.report(mention, parent, kind);
                0
            }
            None => {
                if label == SUPPRESSED && parent.is_some() {
                    self.report(mention, parent, ProblemKind::Reserved);
                }
                self.nodes.push(DraftNode {
                    first_mention: mention,
                    parent,
                });
                self.by_label.insert(label, self.nodes.len() - 1);
                self.nodes.len() - 1
            }
        }
    }

    /// How a mention disagrees with the first mention of a node that has its label.
    fn disagreement(&self, mention: usize, parent: Option<usize>, known: usize) -> Option<ProblemKind> {
        let this = &self.mentions.list[mention];
        let node = &self.nodes[known];
        let first = || self.mentions.place(node.first_mention);
        let label = || this.label.to_string();
        let kind = match (parent, node.parent) {
            _ if this.inner != self.mentions.list[node.first_mention].inner => ProblemKind::LeafAndInner {
                label: label(),
                first: first(),
            },
            _ if !this.inner => ProblemKind::LeafTwice {
                label: label(),
                first: first(),
            },
            (None, Some(_)) => self.second_root(&this.label),
            (Some(_), None) => ProblemKind::RootBelow {
                label: label(),
                first: first(),
            },
            (Some(parent), Some(first_parent)) if parent != first_parent => ProblemKind::TwoParents {
                label: label(),
                parent: self.label(parent),
                first_parent: self.label(first_parent),
                first: first(),
            },
            _ => return None,
        };
        Some(kind)
    }

    fn second_root(&self, label: &str) -> ProblemKind {
        ProblemKind::TwoRoots {
            label: label.to_owned(),
            root: self.label(0),
            first: self.mentions.place(self.nodes[0].first_mention),
        }
    }

    fn label(&self, node: usize) -> String {
        self.mentions.list[self.nodes[node].first_mention].label.to_string()
    }

    fn report(&mut self, mention: usize, parent: Option<usize>, kind: ProblemKind) {
        let Mention { label, inner, .. } = &self.mentions.list[mention];
        if self.reported.insert((label, parent)) || !inner {
            let place = self.mentions.place(mention);
            self.problems.push(Problem { place, kind });
        }
    }
}
