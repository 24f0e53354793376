//! An [`Objective`] says what a refinement is worth, from the class counts of the values involved.

use scumble_privacy::Template;

/// What the release should be good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    /// Classification: information gain on the class, weighed against the privacy it costs (eq. 4.1, 4.2, 4.5).
    InformationGain,
    /// Information gain alone (section 4.2.2); kept to compare with.
    GainOnly,
    /// Fewest generalized cells: the rows that carry the value (eq. 6.1; section 5.5 for suppression).
    Distortion,
    /// Values that tell rows apart: the fall of Σ n² over the values of the column.
    Discernibility,
    /// Narrowest values: the normalised certainty penalty saved.
    Certainty,
}

/// Whose loss a refinement is weighed against.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Weigh {
    /// Every template's.
    #[default]
    All,
    /// That of templates which count records; all others only forbid. Parties who hold columns of one table must weigh like
    /// this: whoever refines a column cannot know what that does to a secret of someone else.
    Records,
}

impl Weigh {
    /// Whether a template is weighed.
    pub(crate) fn takes(self, template: &Template) -> bool {
        match self {
            Weigh::All => true,
            Weigh::Records => template.records().is_some(),
        }
    }
}

/// What a masked value, or one that would replace it, looks like to an objective.
#[derive(Clone, Debug)]
pub(crate) struct Share {
    /// Rows that carry it.
    pub rows: u64,
    /// The same by class.
    pub classes: Vec<u64>,
    /// Its certainty penalty per row: 0 for an exact value, 1 for the whole column.
    pub penalty: f64,
}

/// A gain too small to be more than rounding.
const ZERO: f64 = 1e-12;

impl Objective {
    /// What showing `into` instead of `from` is worth. `changed` is how many rows change their value; where a value is
    /// disclosed, the rows that stay suppressed do not.
    pub(crate) fn gain(&self, from: &Share, into: &[Share], changed: u64) -> f64 {
        let gain = match self {
            Objective::InformationGain | Objective::GainOnly => {
                information_gain(&from.classes, into.iter().map(|share| &share.classes[..]))
            }
            Objective::Distortion => changed as f64,
            Objective::Discernibility => {
                let squares: u128 = into.iter().map(|share| square(share.rows)).sum();
                (square(from.rows) - squares) as f64
            }
            Objective::Certainty => into
                .iter()
                .map(|share| share.rows as f64 * (from.penalty - share.penalty))
                .sum(),
        };
        if gain < ZERO { 0.0 } else { gain }
    }

    /// Gain and average privacy loss in one figure.
    pub(crate) fn score(&self, gain: f64, loss: f64) -> f64 {
        match self {
            Objective::GainOnly => gain,
            _ => gain / (loss + 1.0),
        }
    }
}

fn square(rows: u64) -> u128 {
    u128::from(rows) * u128::from(rows)
}

/// Entropy of the class before, less the weighted entropy after (eq. 4.2).
pub(crate) fn information_gain<'c>(from: &[u64], into: impl Iterator<Item = &'c [u64]>) -> f64 {
    let rows: u64 = from.iter().sum();
    let after: f64 = into
        .map(|counts| entropy(counts) * counts.iter().sum::<u64>() as f64 / rows as f64)
        .sum();
    entropy(from) - after
}

/// Entropy in bits (eq. 4.3).
fn entropy(counts: &[u64]) -> f64 {
    let rows: u64 = counts.iter().sum();
    let n = rows as f64;
    counts
        .iter()
        .filter(|&&count| count > 0)
        .map(|&count| count as f64 / n)
        .map(|share| -share * share.log2())
        .sum()
}

/// The bits of a score that rounding may disturb.
const NOISE: u32 = 28;

/// A score as a whole number: higher scores have higher ranks, and those that differ by rounding alone the same. 24 binary
/// digits of the score are left.
///
/// Ranks, unlike scores within a tolerance, are the same whoever compares them and in whatever order, so parties can find
/// the best of all without seeing any.
pub(crate) fn rank(score: f64) -> u64 {
    // Numbers from 0 on are in the order of their bits.
    (score.max(0.0).to_bits() + (1 << (NOISE - 1))) >> NOISE
}

/// Two figures that are equal but for rounding.
pub(crate) fn tied(best: f64, other: f64) -> bool {
    best - other <= 1e-9 * best.abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Example 4.2.2 of the thesis: ANY_Job splits 34 records into 16 and 18.
    #[test]
    fn the_gain_of_any_job_is_as_printed() {
        let gain = information_gain(&[21, 13], [&[5u64, 11][..], &[16, 2]].into_iter());
        assert!((gain - 0.2716).abs() < 5e-5, "{gain}");
        let score = Objective::InformationGain.score(gain, 18.0);
        assert!((score - 0.0143).abs() < 5e-5, "{score}");
        assert_eq!(Objective::GainOnly.score(gain, 18.0), gain);
    }

    #[test]
    fn ranks_are_in_the_order_of_scores_and_blind_to_rounding() {
        let scores = [0.0, 1e-12, 0.0143, 0.01431, 1.0, 1.000001, 3e5, 1e18];
        assert!(scores.map(rank).is_sorted_by(|a, b| a < b));
        assert_eq!(rank(0.1 + 0.2), rank(0.3));
        assert_eq!(rank(-0.0), 0);
        assert!(rank(f64::MAX) < 1 << 35);
    }

    #[test]
    fn rounding_is_not_a_gain() {
        let share = |classes: Vec<u64>| Share {
            rows: classes.iter().sum(),
            classes,
            penalty: 0.0,
        };
        let gain = Objective::InformationGain.gain(&share(vec![6, 3]), &[share(vec![4, 2]), share(vec![2, 1])], 9);
        assert_eq!(gain, 0.0);
    }
}
