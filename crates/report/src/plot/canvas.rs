//! What all pictures are drawn with: colours, letters, and an area that becomes SVG.

use plotters::prelude::*;

/// Words and outlines.
pub(super) const INK: RGBColor = RGBColor(0x1b, 0x27, 0x33);
/// Words of less weight.
pub(super) const MUTED: RGBColor = RGBColor(0x5c, 0x6b, 0x7a);
/// Grids and axes.
pub(super) const LINE: RGBColor = RGBColor(0xd5, 0xdc, 0xe3);
/// What the picture is about.
pub(super) const ACCENT: RGBColor = RGBColor(0x1f, 0x6f, 0xb2);
/// The same, of less weight.
pub(super) const SOFT: RGBColor = RGBColor(0x9d, 0xc3, 0xe3);
/// A bound.
pub(super) const MARK: RGBColor = RGBColor(0xb4, 0x53, 0x09);
const FONT: &str = "sans-serif";

pub(super) const SMALL: u32 = 15;

/// The width of a small letter; without fonts at hand a text is as wide as its letters.
const LETTER: f64 = 0.5;

pub(super) type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

pub(super) type Drawn<'a> = Result<(), DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>>;

/// Draws into a string. Writing to a string does not fail, so neither does drawing.
pub(super) fn draw(size: (u32, u32), picture: impl for<'a> FnOnce(&Area<'a>) -> Drawn<'a>) -> String {
    let mut svg = String::new();
    let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
    let drawn = picture(&area).and_then(|()| area.present());
    drop(area);
    if drawn.is_err() {
        svg.clear();
    }
    svg
}

pub(super) fn small(colour: RGBColor) -> TextStyle<'static> {
    (FONT, SMALL).into_font().color(&colour)
}

/// A text that fits into so many pixels, cut where it must be.
pub(super) fn fitted(text: &str, pixels: u32) -> String {
    let letters = (f64::from(pixels) / (f64::from(SMALL) * LETTER)) as usize;
    if text.chars().count() <= letters {
        return text.to_owned();
    }
    let kept: String = text.chars().take(letters.saturating_sub(1)).collect();
    format!("{kept}…")
}

/// The width of the widest text, within reason.
pub(super) fn widest<'t>(texts: impl Iterator<Item = &'t str>, at_most: u32) -> u32 {
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
}
