//! Pictures of numbers, as SVG.
//!
//! A [`Plot`] is data; [`Plot::svg`] draws it. Colours are those of the light page, drawn from one small palette, so that
//! a style sheet can exchange them for the dark one by their value.

mod bars;
mod canvas;
mod curve;
mod histogram;
mod tree;

use crate::figure::{figure, whole};

pub use bars::{Bar, Bars};
pub use curve::Curve;
pub use histogram::{Bin, Histogram};
pub use tree::{Tree, TreeNode, TreePart};

/// A picture.
#[derive(Clone, Debug, PartialEq)]
pub enum Plot {
    /// How often each of some values occurs.
    Bars(Bars),
    /// How many rows have a level in each of some ranges.
    Histogram(Histogram),
    /// What a level costs.
    Curve(Curve),
    /// A taxonomy and the cut through it.
    Tree(Tree),
}

impl Plot {
    /// The picture as an SVG element, empty if there is nothing to show.
    pub fn svg(&self) -> String {
        match self {
            Plot::Bars(bars) => bars.svg(),
            Plot::Histogram(histogram) => histogram.svg(),
            Plot::Curve(curve) => curve.svg(),
            Plot::Tree(tree) => tree.svg(),
        }
    }

    /// What the picture says, as rows of words, for those who cannot see it.
    pub fn rows(&self) -> Vec<(String, String)> {
        match self {
            Plot::Bars(bars) => bars
                .bars
                .iter()
                .map(|bar| (bar.label.clone(), bar.note.clone()))
                .collect(),
            Plot::Histogram(histogram) => {
                let bins = histogram.bins.iter();
                bins.map(|bin| (bin.label.clone(), whole(bin.rows))).collect()
            }
            Plot::Curve(curve) => {
                let points = curve.points.iter();
                points
                    .map(|&(x, y)| (figure(x), format!("{:.1} %", 100.0 * y)))
                    .collect()
            }
            Plot::Tree(tree) => tree.rows(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Labels come from data: what would be markup must stay text.
    #[test]
    fn labels_are_escaped() {
        let bar = Bar {
            label: "<b>&".to_owned(),
            rows: 3,
            note: "3".to_owned(),
        };
        let bars = Plot::Bars(Bars {
            bars: vec![bar],
            most: 3,
            soft: false,
        });
        let svg = bars.svg();
        assert!(svg.contains("&lt;b&gt;&amp;") && !svg.contains("<b>"), "{svg}");
    }
}
