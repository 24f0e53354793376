//! [`Problems`]: everything that is wrong with a taxonomy file, at once.
//!
//! Labels of the file may be shown: the owner of the data wrote them to be published.

use std::fmt;

/// All that is wrong with a taxonomy, in the order of the file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Problems {
    /// At least one.
    pub problems: Vec<Problem>,
}

/// One thing to change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where it is.
    pub place: Place,
    /// What it is.
    pub kind: ProblemKind,
}

/// A place in a taxonomy file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The file as a whole.
    File,
    /// A line, counted from 1.
    Line(usize),
    /// The labels from the root to a node; JSON has no lines worth naming.
    Path(Vec<String>),
}

/// What can be wrong with a taxonomy file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProblemKind {
    /// No node at all.
    #[error("there is no node; write at least a root")]
    Empty,
    /// A label without text.
    #[error("a label is empty; name the node or remove it")]
    EmptyLabel,
    /// A leaf that an earlier place has.
    #[error("the leaf {label:?} is already {first}; keep one of them")]
    LeafTwice {
        /// The leaf.
        label: String,
        /// Where it was met first.
        first: Place,
    },
    /// An inner node with another parent at an earlier place.
    #[error("{label:?} is under {parent:?} here but under {first_parent:?} {first}; give it one parent or two names")]
    TwoParents {
        /// The inner node.
        label: String,
        /// Its parent here.
        parent: String,
        /// Its parent there.
        first_parent: String,
        /// Where it was met first.
        first: Place,
    },
    /// One label for a leaf and for an inner node.
    #[error("{label:?} is a leaf and an inner node (the other is {first}); rename the inner node")]
    LeafAndInner {
        /// The label.
        label: String,
        /// Where it was met first.
        first: Place,
    },
    /// A second root.
    #[error("{label:?} is a second root, the first is {root:?} ({first}); lead every value to one root")]
    TwoRoots {
        /// The root met here.
        label: String,
        /// The root met first.
        root: String,
        /// Where it was met first.
        first: Place,
    },
    /// The root below another node.
    #[error("{label:?} is the root ({first}) but stands below another node here; rename one of them")]
    RootBelow {
        /// The root.
        label: String,
        /// Where it was met first.
        first: Place,
    },
    /// A label that comes back in its line after another one.
    #[error("{label:?} comes twice in this line with another label between; a value cannot contain itself")]
    Repeated {
        /// The label.
        label: String,
    },
    /// The sign for suppressed values, below the root.
    #[error("`*` stands for a suppressed value, so only the root may be called `*`; rename this node")]
    Reserved,
    /// A line indented like no line that it could belong to.
    #[error("the indentation fits no line above; indent it like its siblings, with the same tabs or spaces")]
    Indentation,
    /// A quoted label that does not end.
    #[error("a quote is opened and not closed; write a label that contains quotes as \"say \"\"so\"\"\"")]
    OpenQuote,
    /// A quoted label that goes on after its end.
    #[error("there is text after a closing quote; write a label that contains quotes as \"say \"\"so\"\"\"")]
    AfterQuote,
    /// More levels than any value needs.
    #[error("the tree has more than {most} levels from here on; leave some out")]
    TooDeep {
        /// How many there may be.
        most: usize,
    },
    /// Text that is not JSON.
    #[error("not JSON at column {column}: {reason}")]
    Json {
        /// The column, counted from 1.
        column: usize,
        /// What the JSON reader says.
        reason: String,
    },
    /// JSON that is not a tree of labels.
    #[error(
        "not a tree of labels; write \"leaf\", {{\"label\": \"node\", \"children\": […]}} or {{\"node\": [\"leaf\", …]}}"
    )]
    Shape,
}

impl Problem {
    /// The line, if the place is one.
    pub fn line(&self) -> Option<usize> {
        match self.place {
            Place::Line(line) => Some(line),
            _ => None,
        }
    }

    /// What is wrong and what to change, without the place.
    pub fn message(&self) -> String {
        self.kind.to_string()
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File => write!(f, "in the file"),
            Place::Line(line) => write!(f, "on line {line}"),
            Place::Path(labels) => {
                write!(f, "at")?;
                let mut separator = " ";
                for label in labels {
                    write!(f, "{separator}{label:?}")?;
                    separator = " > ";
                }
                Ok(())
            }
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Place::File => write!(f, "{}", self.kind),
            Place::Line(line) => write!(f, "line {line}: {}", self.kind),
            path @ Place::Path(_) => write!(f, "{path}: {}", self.kind),
        }
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for problem in &self.problems {
            write!(f, "{separator}{problem}")?;
            separator = "\n";
        }
        Ok(())
    }
}
