//! Pictures of numbers, as SVG.
//!
//! A [`Plot`] is data; [`Plot::svg`] draws it. Colours are those of the light page, drawn from one small palette, so that
//! a style sheet can exchange them for the dark one by their value.

mod bars;
mod curve;
mod histogram;
mod tree;

use plotters::prelude::*;

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

/// Words and outlines.
const INK: RGBColor = RGBColor(0x1b, 0x27, 0x33);
/// Words of less weight.
const MUTED: RGBColor = RGBColor(0x5c, 0x6b, 0x7a);
/// Grids and axes.
const LINE: RGBColor = RGBColor(0xd5, 0xdc, 0xe3);
/// What the picture is about.
const ACCENT: RGBColor = RGBColor(0x1f, 0x6f, 0xb2);
/// The same, of less weight.
const SOFT: RGBColor = RGBColor(0x9d, 0xc3, 0xe3);
/// A bound.
const MARK: RGBColor = RGBColor(0xb4, 0x53, 0x09);

const FONT: &str = "sans-serif";
const SMALL: u32 = 15;
/// The width of a small letter; without fonts at hand a text is as wide as its letters.
const LETTER: f64 = 0.5;

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type Drawn<'a> = Result<(), DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>>;

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

/// Draws into a string. Writing to a string does not fail, so neither does drawing.
fn draw(size: (u32, u32), picture: impl for<'a> FnOnce(&Area<'a>) -> Drawn<'a>) -> String {
    let mut svg = String::new();
    let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
    let drawn = picture(&area).and_then(|()| area.present());
    drop(area);
    if drawn.is_err() {
        svg.clear();
    }
    svg
}

fn small(colour: RGBColor) -> TextStyle<'static> {
    (FONT, SMALL).into_font().color(&colour)
}

/// A text that fits into so many pixels, cut where it must be.
fn fitted(text: &str, pixels: u32) -> String {
    let letters = (f64::from(pixels) / (f64::from(SMALL) * LETTER)) as usize;
    if text.chars().count() <= letters {
        return text.to_owned();
    }
    let kept: String = text.chars().take(letters.saturating_sub(1)).collect();
    format!("{kept}…")
}

/// The width of the widest text, within reason.
fn widest<'t>(texts: impl Iterator<Item = &'t str>, at_most: u32) -> u32 {
    let letters = texts.map(|text| text.chars().count()).max().unwrap_or(0);
    let pixels = letters as f64 * f64::from(SMALL) * LETTER;
    (pixels.ceil() as u32 + 2).min(at_most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut() {
        assert_eq!(fitted("short", 100), "short");
        assert_eq!(fitted("a rather long label", 60), "a rathe…");
    }

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
