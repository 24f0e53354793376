//! What a template counts: for each row a value, and how the histogram of a group's values becomes its level.

use scumble_table::{ColumnId, Taxonomy};

use super::earth::Earth;
use super::guarded::Guarded;
use super::measure::Measure;
use super::numbering::Numbering;
use super::ranges::Ranges;
use super::rows::Rows;
use super::whole::Whole;
use crate::{Demand, Distance, SecretValues, Secrets};

/// One thing to count.
pub(super) struct Counted {
    /// The value of each row.
    pub(super) values: Numbering,
    /// The level of a histogram of them.
    pub(super) measure: Measure,
}

/// All that a template counts; its level is the worst of them. One after the other, because each is a number per row.
pub(super) fn counted<'a>(demand: &'a Demand, rows: &'a Rows) -> Box<dyn Iterator<Item = Counted> + 'a> {
    let (values, measure) = match demand {
        Demand::Confidence { about, .. } => return Box::new(about.iter().map(|secrets| inferred(secrets, rows))),
        Demand::Anonymity { per, .. } if per.is_empty() => (rows.number(&[]), Measure::Rows),
        Demand::Anonymity { per, .. } => (rows.number(per), Measure::Different),
        Demand::KMap { .. } => (rows.released_or_person(), Measure::People),
        Demand::Diversity { about, measure } => (rows.shown(*about), Measure::of_diversity(*measure)),
        Demand::Closeness { about, distance, .. } => compared(*about, rows, |whole| {
            Measure::Distance(match distance {
                Distance::Equal => Earth::equal(whole),
                Distance::Ordered => Earth::ordered(whole),
                Distance::Taxonomy(taxonomy) => Earth::tree(whole, taxonomy, &leaves(*about, rows, taxonomy)),
            })
        }),
        Demand::DeltaDisclosure { about, .. } => compared(*about, rows, Measure::Disclosure),
        Demand::BetaLikeness { about, enhanced, .. } => {
            let measure = if *enhanced {
                Measure::EnhancedGain
            } else {
                Measure::Gain
            };
            compared(*about, rows, measure)
        }
        Demand::Personal {
            about,
            guarding,
            taxonomy,
            ..
        } => {
            let labelled = |id: ColumnId| (&rows.release().columns()[id.0], rows.shown(id));
            let (values, guarded) = Guarded::new(labelled(*about), labelled(*guarding), taxonomy);
            (values, Measure::Guarded(guarded))
        }
        Demand::RangeDiversity { about, ranges, .. } => {
            let values = rows.shown(*about);
            let labels = rows.release().columns()[about.0].labels();
            let ranges = Ranges::new(ranges, labels, &values.sizes());
            (values, Measure::RangeDiversity(ranges))
        }
        Demand::Joined(_) => unreachable!("the join has a count of its own"),
    };
    Box::new(std::iter::once(Counted { values, measure }))
}

/// The values of a column, measured against all of them.
fn compared(about: ColumnId, rows: &Rows, measure: impl FnOnce(Whole) -> Measure) -> (Numbering, Measure) {
    let values = rows.shown(about);
    let whole = Whole::new(&values);
    (values, measure(whole))
}

fn inferred(secrets: &Secrets, rows: &Rows) -> Counted {
    let measure = match &secrets.values {
        SecretValues::Every => Measure::LargestShare,
        SecretValues::Sets(sets) => {
            let labels = rows.release().columns()[secrets.column.0].labels();
            let is_in =
                |set: &[String], label: Option<&str>| label.is_some_and(|text| set.iter().any(|own| own == text));
            let members = |set: &Vec<String>| labels.iter().map(|label| is_in(set, label)).collect();
            Measure::LargestShareOf(sets.iter().map(members).collect())
        }
    };
    Counted {
        values: rows.shown(secrets.column),
        measure,
    }
}

/// The leaf of each label of a column; `None` for the missing value and for what the tree lacks.
fn leaves(column: ColumnId, rows: &Rows, taxonomy: &Taxonomy) -> Vec<Option<usize>> {
    let labels = rows.release().columns()[column.0].labels();
    let leaf = |label: Option<&str>| label.and_then(|label| taxonomy.leaf(label));
    labels.iter().map(leaf).collect()
}
