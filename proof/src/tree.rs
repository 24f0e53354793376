//! [`Tree`]s: taxonomies as drawn, written in each of the three forms of a file.
//!
//! Invariant: a node comes after its parent and before its next sibling, so leaves are in the order of the file.

use serde_json::{Value, json};

/// A taxonomy.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    /// The nodes, the root first.
    pub nodes: Vec<Node>,
    /// How its file is written.
    pub form: Form,
}

/// One node.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// What it is called.
    pub label: String,
    /// Its parent; the root has none.
    pub parent: Option<usize>,
}

/// A form of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// `leaf;parent;root`, one line per leaf.
    Levels,
    /// One node per line, deeper ones further in.
    Indented,
    /// Objects with `label` and `children`.
    Long,
    /// Objects of labels.
    Short,
}

impl Tree {
    /// The nodes below one.
    pub fn children(&self, of: usize) -> Vec<usize> {
        let is_child = |&node: &usize| self.nodes[node].parent == Some(of);
        (0..self.nodes.len()).filter(is_child).collect()
    }

    /// Whether nothing is below a node.
    pub fn is_leaf(&self, node: usize) -> bool {
        self.children(node).is_empty()
    }

    /// All leaves, in order.
    pub fn leaves(&self) -> Vec<usize> {
        (0..self.nodes.len()).filter(|&node| self.is_leaf(node)).collect()
    }

    /// The node with this label.
    pub fn find(&self, label: &str) -> Option<usize> {
        self.nodes.iter().position(|node| node.label == label)
    }

    /// A node, its parent, and so on up to the root.
    pub fn path(&self, node: usize) -> Vec<usize> {
        std::iter::successors(Some(node), |&node| self.nodes[node].parent).collect()
    }

    /// Whether one node is the other, or above it.
    pub fn is_above(&self, upper: usize, lower: usize) -> bool {
        self.path(lower).contains(&upper)
    }

    /// The leaves under a node, itself if it is one.
    pub fn leaves_under(&self, node: usize) -> Vec<usize> {
        self.leaves()
            .into_iter()
            .filter(|&leaf| self.is_above(node, leaf))
            .collect()
    }

    /// The longest way down to a leaf.
    pub fn height(&self, node: usize) -> usize {
        let below = self.children(node).into_iter().map(|child| self.height(child) + 1);
        below.max().unwrap_or(0)
    }

    /// The closest node above both, itself included.
    pub fn common(&self, a: usize, b: usize) -> usize {
        let above: Vec<usize> = self.path(b);
        let met = self.path(a).into_iter().find(|node| above.contains(node));
        // The root is above all.
        met.unwrap_or(0)
    }

    /// The ending of its file, and the text.
    pub fn file(&self) -> (&'static str, String) {
        match self.form {
            Form::Levels => (
                "csv",
                self.leaves().into_iter().map(|leaf| self.level_line(leaf)).collect(),
            ),
            Form::Indented => (
                "txt",
                (0..self.nodes.len()).map(|node| self.indented_line(node)).collect(),
            ),
            Form::Long => ("json", self.long(0).to_string()),
            Form::Short => (
                "json",
                json!({ self.nodes[0].label.clone(): self.short(0) }).to_string(),
            ),
        }
    }

    fn level_line(&self, leaf: usize) -> String {
        let quoted = |node: usize| {
            let label = &self.nodes[node].label;
            if label.contains([';', '"', '\n']) {
                format!("\"{}\"", label.replace('"', "\"\""))
            } else {
                label.clone()
            }
        };
        let labels: Vec<String> = self.path(leaf).into_iter().map(quoted).collect();
        format!("{}\n", labels.join(";"))
    }

    fn indented_line(&self, node: usize) -> String {
        let depth = self.path(node).len() - 1;
        format!("{}{}\n", "  ".repeat(depth), self.nodes[node].label)
    }

    fn long(&self, node: usize) -> Value {
        let label = &self.nodes[node].label;
        let children: Vec<Value> = self.children(node).into_iter().map(|child| self.long(child)).collect();
        if children.is_empty() {
            json!(label)
        } else {
            json!({ "label": label, "children": children })
        }
    }

    /// What is under a node: a list if those are leaves, else an object.
    fn short(&self, node: usize) -> Value {
        let children = self.children(node);
        let label = |node: usize| self.nodes[node].label.clone();
        if children.iter().all(|&child| self.is_leaf(child)) {
            return children.into_iter().map(label).collect();
        }
        let below = |child: usize| {
            let inner = if self.is_leaf(child) {
                Value::Null
            } else {
                self.short(child)
            };
            (label(child), inner)
        };
        Value::Object(children.into_iter().map(below).collect())
    }
}
