//! [`Tree`]: a taxonomy from left to right, and where the cut goes through it.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::canvas::{ACCENT, INK, LINE, MUTED, draw, fitted, small, widest};

/// A tree, its nodes in pre-order.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    /// The root first, every child after its parent.
    pub nodes: Vec<TreeNode>,
}

/// A node.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeNode {
    /// Its label.
    pub label: String,
    /// How far it is from the root.
    pub depth: usize,
    /// Where it is.
    pub part: TreePart,
    /// What is written beside it.
    pub note: String,
}

/// Where a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreePart {
    /// More general than what is shown.
    Above,
    /// Shown.
    Cut,
    /// Hidden behind the node above it.
    Below,
}

const LINE_HEIGHT: i32 = 20;
const INDENT: i32 = 26;

impl Tree {
    pub(super) fn svg(&self) -> String {
        if self.nodes.is_empty() {
            return String::new();
        }
        let deepest = self.nodes.iter().map(|node| node.depth).max().unwrap_or(0) as i32;
        let labels = widest(self.nodes.iter().map(|node| &node.label[..]), 260);
        let notes = widest(self.nodes.iter().map(|node| &node.note[..]), 160);
        let width = deepest * INDENT + 30 + (labels + notes) as i32;
        let height = LINE_HEIGHT * self.nodes.len() as i32 + 4;
        let place = |line: usize| {
            let depth = self.nodes[line].depth as i32;
            (10 + depth * INDENT, line as i32 * LINE_HEIGHT + LINE_HEIGHT / 2 + 2)
        };
        draw((width as u32, height as u32), |area| {
            for line in 1..self.nodes.len() {
                let (x, y) = place(line);
                let depth = self.nodes[line].depth;
                let parent = (0..line).rev().find(|&above| self.nodes[above].depth < depth);
                let (parent_x, parent_y) = place(parent.unwrap_or(0));
                area.draw(&PathElement::new([(parent_x, parent_y), (parent_x, y), (x, y)], LINE))?;
            }
            for (line, node) in self.nodes.iter().enumerate() {
                let (x, y) = place(line);
                let label = match node.part {
                    TreePart::Cut => {
                        area.draw(&Circle::new((x, y), 5, ACCENT.filled()))?;
                        INK
                    }
                    TreePart::Above => {
                        area.draw(&Circle::new((x, y), 3, MUTED.filled()))?;
                        INK
                    }
                    TreePart::Below => {
                        area.draw(&Circle::new((x, y), 2, LINE.filled()))?;
                        MUTED
                    }
                };
                let left = |colour| small(colour).pos(Pos::new(HPos::Left, VPos::Center));
                let shown = fitted(&node.label, labels);
                let after = x + 10 + widest([&shown[..]].into_iter(), labels) as i32 + 8;
                area.draw(&Text::new(shown, (x + 10, y), left(label)))?;
                area.draw(&Text::new(node.note.clone(), (after, y), left(MUTED)))?;
            }
            Ok(())
        })
    }

    pub(super) fn rows(&self) -> Vec<(String, String)> {
        let shown = self.nodes.iter().filter(|node| node.part == TreePart::Cut);
        shown.map(|node| (node.label.clone(), node.note.clone())).collect()
    }
}
