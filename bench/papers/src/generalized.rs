//! The generalized figures of section 4.4.1, in several ways.

use std::path::Path;

use scumble_utility::classify::Learner;

use crate::trial::{Masking, THESIS};
use crate::way::Way;
use crate::{ADULT_TOP9, Anonymity, Measured, Public, Result, Sheet, Trees};

/// First the way that we would take; its releases are listed.
const WAYS: [Way; 5] = [
    Way::OURS,
    Way {
        trees: Trees::Household,
        objective: THESIS,
        words: "household trees, objective of the thesis",
    },
    Way {
        trees: Trees::Own,
        objective: "classification",
        words: "trees of the data folder, objective classification",
    },
    Way::NEAREST,
    Way {
        trees: Trees::Arx,
        objective: THESIS,
        words: "trees of ARX, objective of the thesis",
    },
];

/// One figure.
pub struct Generalized<'a> {
    /// The figure and what it shows.
    pub title: &'a str,
    /// What learns.
    pub learner: Learner,
    /// The error on the data that the thesis reports.
    pub base: f64,
    /// What masking costs at most, in points.
    pub cost_at_most: f64,
    /// Up to this `k`.
    pub k_at_most: u64,
}

impl Generalized<'_> {
    /// Runs the figure in every way.
    pub fn sheet(&self, data: &Path) -> Result<(Sheet, Vec<Measured>)> {
        let [ours, others @ ..] = &WAYS;
        let (mut sheet, measured) = self.run(data, ours)?;
        for way in others {
            sheet.claims.extend(self.run(data, way)?.0.claims.pop());
        }
        sheet.notes.push(format!("Listed: {}.", ours.words));
        sheet
            .notes
            .push("The taxonomies are ours; those of the thesis are not available.".to_owned());
        Ok((sheet, measured))
    }

    /// Runs the figure in one way; the last claim is that of the figure.
    fn run(&self, data: &Path, way: &Way) -> Result<(Sheet, Vec<Measured>)> {
        let figure = Anonymity {
            title: self.title,
            public: &Public::adult(data, way.trees)?,
            top: ADULT_TOP9,
            masking: Masking::Generalize,
            objective: way.objective,
            learner: self.learner,
            k_at_most: 1000,
        };
        let measured = figure.measure()?;
        let mut sheet = figure.sheet(&measured, self.base);
        let mut claim = Anonymity::worst_cost(&measured, self.cost_at_most, self.k_at_most);
        claim.what += &format!(": {}", way.words);
        sheet.claims.push(claim);
        Ok((sheet, measured))
    }
}
