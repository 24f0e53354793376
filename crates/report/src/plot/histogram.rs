//! [`Histogram`]: how many rows have a level in each of some ranges, and which ranges the bound allows.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::canvas::{ACCENT, INK, LINE, MARK, MUTED, draw, small};
use crate::figure::whole;

/// Upright bars.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    /// From left to right.
    pub bins: Vec<Bin>,
    /// What is measured.
    pub x: String,
    /// What is counted.
    pub y: String,
    /// The bound in words, and where it stands: so many bins are left of it.
    pub bound: Option<(f64, String)>,
}

/// One range.
#[derive(Clone, Debug, PartialEq)]
pub struct Bin {
    /// The range.
    pub label: String,
    /// How many rows.
    pub rows: u64,
}

const WIDTH: u32 = 560;
const HEIGHT: u32 = 230;
const LEFT: i32 = 70;
const RIGHT: i32 = 12;
const TOP: i32 = 26;
const BOTTOM: i32 = 52;

impl Histogram {
    pub(super) fn svg(&self) -> String {
        let most = self.bins.iter().map(|bin| bin.rows).max().unwrap_or(0);
        if most == 0 {
            return String::new();
        }
        let floor = HEIGHT as i32 - BOTTOM;
        let width = f64::from(WIDTH as i32 - LEFT - RIGHT) / self.bins.len() as f64;
        let edge = |bins: f64| LEFT + (bins * width).round() as i32;
        let height = |rows: u64| floor - (f64::from(floor - TOP) * rows as f64 / most as f64).round() as i32;
        draw((WIDTH, HEIGHT), |area| {
            for share in [0, 1, 2, 3, 4] {
                let rows = most * share / 4;
                let y = height(rows);
                area.draw(&PathElement::new([(LEFT, y), (WIDTH as i32 - RIGHT, y)], LINE))?;
                let label = small(MUTED).pos(Pos::new(HPos::Right, VPos::Center));
                area.draw(&Text::new(whole(rows), (LEFT - 6, y), label))?;
            }
            for (place, bin) in self.bins.iter().enumerate() {
                let (left, right) = (edge(place as f64), edge(place as f64 + 1.0));
                if bin.rows > 0 {
                    let top = height(bin.rows).min(floor - 1);
                    let corners = [(left + 2, top), (right - 2, floor)];
                    area.draw(&Rectangle::new(corners, ACCENT.filled()))?;
                }
                let label = small(INK).pos(Pos::new(HPos::Center, VPos::Top));
                area.draw(&Text::new(bin.label.clone(), ((left + right) / 2, floor + 6), label))?;
            }
            if let Some((bins, words)) = &self.bound {
                let x = edge(*bins);
                area.draw(&PathElement::new([(x, TOP - 8), (x, floor)], MARK.stroke_width(2)))?;
                let is_right = x > WIDTH as i32 * 2 / 3;
                let (side, x) = if is_right {
                    (HPos::Right, x - 5)
                } else {
                    (HPos::Left, x + 5)
                };
                let label = small(MARK).pos(Pos::new(side, VPos::Center));
                area.draw(&Text::new(words.clone(), (x, TOP - 12), label))?;
            }
            let below = small(MUTED).pos(Pos::new(HPos::Center, VPos::Bottom));
            let middle = (LEFT + WIDTH as i32 - RIGHT) / 2;
            area.draw(&Text::new(self.x.clone(), (middle, HEIGHT as i32 - 6), below))?;
            let above = small(MUTED).pos(Pos::new(HPos::Left, VPos::Top));
            area.draw(&Text::new(self.y.clone(), (4, 2), above))
        })
    }
}
