//! [`Bars`]: how often each value occurs, one line per value.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::canvas::{ACCENT, INK, MUTED, SMALL, SOFT, draw, fitted, small, widest};

/// Horizontal bars.
#[derive(Clone, Debug, PartialEq)]
pub struct Bars {
    /// From top to bottom.
    pub bars: Vec<Bar>,
    /// How many rows a bar of full length has; two pictures with the same can be compared.
    pub most: u64,
    /// Whether this is what it was, not what it is.
    pub soft: bool,
}

/// One bar.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// What it stands for.
    pub label: String,
    /// How many rows it has.
    pub rows: u64,
    /// What is written beside it.
    pub note: String,
}

const WIDTH: u32 = 420;
const LINE_HEIGHT: u32 = 20;

impl Bars {
    pub(super) fn svg(&self) -> String {
        if self.bars.is_empty() {
            return String::new();
        }
        let labels = widest(self.bars.iter().map(|bar| &bar.label[..]), 190);
        let notes = widest(self.bars.iter().map(|bar| &bar.note[..]), 110);
        let room = WIDTH - labels - notes - 16;
        let colour = if self.soft { SOFT } else { ACCENT };
        draw((WIDTH, LINE_HEIGHT * self.bars.len() as u32 + 4), |area| {
            for (bar, line) in self.bars.iter().zip(0..) {
                let top = (line * LINE_HEIGHT) as i32 + 2;
                let middle = top + LINE_HEIGHT as i32 / 2;
                let label = small(INK).pos(Pos::new(HPos::Right, VPos::Center));
                area.draw(&Text::new(fitted(&bar.label, labels), (labels as i32, middle), label))?;
                let length = f64::from(room) * bar.rows as f64 / self.most.max(1) as f64;
                // A value that some row has is never drawn as nothing.
                let length = if bar.rows > 0 { length.max(1.0) } else { 0.0 };
                let left = labels as i32 + 8;
                let end = left + length.min(f64::from(room)).round() as i32;
                if end > left {
                    let corners = [(left, top + 3), (end, top + LINE_HEIGHT as i32 - 3)];
                    area.draw(&Rectangle::new(corners, colour.filled()))?;
                }
                let note = small(MUTED).pos(Pos::new(HPos::Left, VPos::Center));
                area.draw(&Text::new(fitted(&bar.note, notes + SMALL), (end + 5, middle), note))?;
            }
            Ok(())
        })
    }
}
