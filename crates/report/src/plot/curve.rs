//! [`Curve`]: what each level of a template costs.

use plotters::prelude::*;

use super::canvas::{ACCENT, Drawn, INK, LINE, MARK, MUTED, draw, small};
use crate::figure::figure;

/// Points from the strictest level to the loosest.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// The level and the information loss there, from 0 to 1.
    pub points: Vec<(f64, f64)>,
    /// Which of the points was published.
    pub chosen: usize,
    /// What the level is of.
    pub x: String,
    /// What the cost is.
    pub y: String,
    /// What is asked for.
    pub bound: f64,
    /// Whether levels are counts, which are told apart by their ratio.
    pub counts: bool,
}

const SIZE: (u32, u32) = (560, 300);

/// The round numbers between two, each about twice the last.
fn round_counts(from: f64, to: f64) -> Vec<f64> {
    let powers = (0..18).map(|power| 10f64.powi(power));
    let round = powers.flat_map(|power| [1.0, 2.0, 5.0].map(|step| step * power));
    round.filter(|count| (from..to).contains(count)).collect()
}

impl Curve {
    pub(super) fn svg(&self) -> String {
        let levels = || {
            self.points
                .iter()
                .map(|&(level, _)| level)
                .filter(|level| level.is_finite())
        };
        let low = levels().fold(self.bound, f64::min);
        let high = levels().fold(self.bound, f64::max);
        if self.points.len() < 2 || high <= low {
            return String::new();
        }
        draw(SIZE, |area| {
            let mut chart = ChartBuilder::on(area);
            chart.margin(12).x_label_area_size(40).y_label_area_size(56);
            if self.counts {
                let (from, to) = (low.max(1.0) * 0.9, high * 1.1);
                let range = (from..to).log_scale().with_key_points(round_counts(from, to));
                self.plot(&mut chart.build_cartesian_2d(range, 0.0..1.0)?)
            } else {
                let margin = (high - low) * 0.05;
                self.plot(&mut chart.build_cartesian_2d(low - margin..high + margin, 0.0..1.0)?)
            }
        })
    }

    fn plot<'a, X>(
        &self,
        chart: &mut ChartContext<'_, SVGBackend<'a>, Cartesian2d<X, plotters::coord::types::RangedCoordf64>>,
    ) -> Drawn<'a>
    where
        X: Ranged<ValueType = f64> + plotters::coord::ranged1d::ValueFormatter<f64>,
    {
        let percent = |share: &f64| format!("{:.0} %", 100.0 * share);
        chart
            .configure_mesh()
            .x_labels(8)
            .y_labels(6)
            .x_label_formatter(&|level: &f64| figure(*level))
            .y_label_formatter(&percent)
            .x_desc(self.x.clone())
            .y_desc(self.y.clone())
            .axis_desc_style(small(MUTED))
            .label_style(small(INK))
            .axis_style(LINE)
            .bold_line_style(LINE)
            .light_line_style(TRANSPARENT)
            .draw()?;
        let bound = [(self.bound, 0.0), (self.bound, 1.0)];
        chart.draw_series(LineSeries::new(bound, MARK.stroke_width(2)))?;
        let finite = self.points.iter().copied().filter(|(level, _)| level.is_finite());
        chart.draw_series(LineSeries::new(finite.clone(), ACCENT.stroke_width(2)))?;
        chart.draw_series(finite.map(|point| Circle::new(point, 3, ACCENT.filled())))?;
        let chosen = self.points.get(self.chosen).filter(|(level, _)| level.is_finite());
        chart.draw_series(chosen.map(|&point| Circle::new(point, 7, INK.stroke_width(2))))?;
        Ok(())
    }
}
