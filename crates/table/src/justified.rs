//! What of a mask the published rows *justify*: what it would say if rows left out had never been there.
//!
//! | salary 20, 30 published, 4711 left out | mask of all rows | justified |
//! |---|---|---|
//! | `range = [0, 10000]` | [0, 30), [30, 4711), [4711, 10000] | [0, 30), [30, 10000] |
//! | no range | [20, 30), [30, 4711] | [20, 30), [30, 30] |
//! | values one by one | 30, 4711, missing | 30 |
//! | a tree over them, refined for 4711 alone | 20, 30, 4711, 4712 | 20, 30, Thousands |
//!
//! Invariant: every end of an interval is an end of the declared range, a part of it, or the value of a published row; and
//! published rows that show the same go on to do so. Where no population is compared with, those that show different
//! labels do so too.

use hashbrown::HashSet;

use crate::{Cut, Dictionary, Discretized, Interval, Mask, NodeId, Range, Taxonomy};

/// How the intervals and cuts of a column were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// By splitting at values of the rows, and nodes that hold rows.
    Values,
    /// By level: intervals of equal width, and cuts at one depth.
    Levels,
}

/// The values of a column that may show.
#[derive(Clone, Debug)]
pub struct Published<'d> {
    /// The values of all rows and, where there is a population, of all people.
    pub dictionary: &'d Dictionary,
    /// For each code, whether a published row has it.
    pub rows: Vec<bool>,
    /// Whether rows are compared by it with the people of a population.
    pub is_compared: bool,
}

impl Mask {
    /// The mask as far as the published rows justify it. `range` is the one that was declared.
    ///
    /// Where rows are compared with a population, a bound that is not justified is taken out instead of moved: who looks
    /// like whom then only gets coarser, so as many people as before look like each row.
    ///
    /// # Panics
    /// If the mask generalizes and there is no taxonomy.
    pub fn justified(
        &self,
        published: &Published,
        taxonomy: Option<&Taxonomy>,
        range: Option<Range>,
        origin: Origin,
    ) -> Mask {
        match self {
            Mask::Exact => Mask::Exact,
            Mask::Suppress(disclosed) => {
                let shown: HashSet<&str> = published.texts().collect();
                let is_shown = |value: &&Option<String>| match value {
                    Some(text) => shown.contains(&text[..]),
                    None => published.has_missing(),
                };
                Mask::Suppress(disclosed.iter().filter(is_shown).cloned().collect())
            }
            // The depth of a cut follows from no value.
            Mask::Generalize(_) if origin == Origin::Levels => self.clone(),
            Mask::Generalize(cut) => {
                let taxonomy = taxonomy.expect("a generalized column has a taxonomy");
                Mask::Generalize(without_empty_branches(cut, taxonomy, published))
            }
            Mask::Discretize(Discretized::Whole) => Mask::Discretize(whole(published, range, origin)),
            Mask::Discretize(Discretized::Intervals(intervals)) => {
                Mask::Discretize(discretized(intervals, published, range, origin))
            }
        }
    }
}

impl Published<'_> {
    fn has_missing(&self) -> bool {
        let missing = self.dictionary.missing();
        missing.is_some_and(|code| self.rows[code as usize])
    }

    fn texts(&self) -> impl Iterator<Item = &str> {
        let texts = self.dictionary.texts().iter().zip(&self.rows);
        texts.filter(|(_, held)| **held).map(|(text, _)| text)
    }

    /// The numbers of published rows, ascending.
    fn numbers(&self) -> Vec<f64> {
        let numbers = self.dictionary.numbers().unwrap_or_default().iter().zip(&self.rows);
        numbers.filter(|(_, held)| **held).map(|(&number, _)| number).collect()
    }

    /// The smallest number and the largest of published rows.
    fn ends(&self) -> Option<Range> {
        let numbers = self.numbers();
        Range::new(*numbers.first()?, *numbers.last()?).ok()
    }
}

/// A cut that goes no deeper than published rows lead. A branch without any is shown as its topmost node.
fn without_empty_branches(cut: &Cut, taxonomy: &Taxonomy, published: &Published) -> Cut {
    let mut leaves: Vec<usize> = published.texts().filter_map(|text| taxonomy.leaf(text)).collect();
    leaves.sort_unstable();
    let is_empty = |node: NodeId| {
        let under = taxonomy.leaves_under(node);
        let first = leaves.partition_point(|&leaf| leaf < under.start);
        leaves.get(first).is_none_or(|leaf| !under.contains(leaf))
    };
    let (mut nodes, mut open) = (Vec::new(), vec![taxonomy.root()]);
    while let Some(node) = open.pop() {
        if cut.nodes().binary_search(&node).is_ok() || is_empty(node) {
            nodes.push(node);
        } else {
            open.extend(taxonomy.children(node));
        }
    }
    Cut::new(taxonomy, nodes).expect("replacing a whole branch by the node above it keeps a cut")
}

/// `*` hides whether a value is missing. Where none is, the whole range is shown, as of a column that lacks no value.
fn whole(published: &Published, range: Option<Range>, origin: Origin) -> Discretized {
    let hides_nothing = origin == Origin::Values && !published.is_compared && !published.has_missing();
    let range = range.or_else(|| published.ends()).filter(|_| hides_nothing);
    range.map_or(Discretized::Whole, |range| Discretized::Intervals(vec![range.whole()]))
}

fn discretized(intervals: &[Interval], published: &Published, range: Option<Range>, origin: Origin) -> Discretized {
    let ends = intervals.first().zip(intervals.last());
    let ends = ends.and_then(|(first, last)| Range::new(first.from, last.to).ok());
    let are_justified = range.is_some() || ends == published.ends();
    if are_justified && origin == Origin::Levels {
        let rounded = rounded(intervals, &published.numbers());
        let is_moved = rounded != intervals;
        return if published.is_compared && is_moved {
            Discretized::Whole
        } else {
            Discretized::Intervals(rounded)
        };
    }
    match (range.or(published.ends()), published.is_compared) {
        (_, true) if !are_justified => Discretized::Whole,
        (Some(range), false) => Discretized::Intervals(range.tile(&moved(intervals, &published.numbers()))),
        (Some(range), true) => Discretized::Intervals(range.tile(&held(intervals, &published.numbers()))),
        // Every published value is missing.
        (None, _) => Discretized::Intervals(Vec::new()),
    }
}

/// The smallest published number of each interval that has one, but for the first: what parts it from those before it.
fn moved(intervals: &[Interval], numbers: &[f64]) -> Vec<f64> {
    let smallest = intervals.iter().filter_map(|interval| {
        let at = numbers.partition_point(|&number| number < interval.from);
        numbers.get(at).copied().filter(|&number| interval.contains(number))
    });
    smallest.skip(1).collect()
}

/// The inner bounds that are values of published rows.
fn held(intervals: &[Interval], numbers: &[f64]) -> Vec<f64> {
    let bounds = intervals.iter().skip(1).map(|interval| interval.from);
    let is_held = |bound: &f64| {
        let at = numbers.partition_point(|number| number < bound);
        numbers.get(at) == Some(bound)
    };
    bounds.filter(is_held).collect()
}

/// Intervals of equal width, parted at whole numbers if all numbers that may show are whole.
fn rounded(intervals: &[Interval], numbers: &[f64]) -> Vec<Interval> {
    let (Some(first), Some(last)) = (intervals.first(), intervals.last()) else {
        return intervals.to_vec();
    };
    let mut all = numbers.iter().chain([&first.from, &last.to]);
    let Some(range) = Range::new(first.from, last.to)
        .ok()
        .filter(|_| all.all(|number| number.fract() == 0.0))
    else {
        return intervals.to_vec();
    };
    let mut bounds: Vec<f64> = intervals.iter().skip(1).map(|interval| interval.from.ceil()).collect();
    bounds.dedup();
    bounds.retain(|&bound| first.from < bound && bound < last.to);
    range.tile(&bounds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::taxonomy::{Format, parse};
    use crate::{Column, ValueOrder};

    fn column(order: ValueOrder, cells: &[Option<&str>]) -> Column {
        Column::from_cells("c", order, cells.iter().copied())
    }

    /// All values but these are published.
    fn without<'c>(column: &'c Column, left_out: &[Option<&str>]) -> Published<'c> {
        let dictionary = column.dictionary();
        let codes = 0..dictionary.len() as u32;
        Published {
            dictionary,
            rows: codes.map(|code| !left_out.contains(&dictionary.value(code))).collect(),
            is_compared: false,
        }
    }

    fn intervals(texts: &[&str]) -> Mask {
        Mask::Discretize(Discretized::parse(texts.iter().copied()).unwrap())
    }

    #[test]
    fn a_bound_of_a_row_left_out_moves_to_a_published_value() {
        let salaries = column(ValueOrder::Number, &[Some("20"), Some("30"), Some("4711")]);
        let published = without(&salaries, &[Some("4711")]);
        let range = Range::new(0.0, 10_000.0).ok();
        let mask = intervals(&["[0, 30)", "[30, 4711)", "[4711, 10000]"]);
        let justified = |mask: &Mask, range| mask.justified(&published, None, range, Origin::Values);
        assert_eq!(justified(&mask, range), intervals(&["[0, 30)", "[30, 10000]"]));
        let mask = intervals(&["[20, 30)", "[30, 4711]"]);
        assert_eq!(justified(&mask, None), intervals(&["[20, 30)", "[30, 30]"]));
    }

    /// 25 alone was the bound: 30 is the next published number, and 20 stays on its side.
    #[test]
    fn a_bound_within_moves_up_and_keeps_published_rows_apart() {
        let ages = column(ValueOrder::Number, &[Some("20"), Some("25"), Some("30"), Some("40")]);
        let published = without(&ages, &[Some("25")]);
        let mask = intervals(&["[20, 25)", "[25, 40]"]);
        let justified = mask.justified(&published, None, None, Origin::Values);
        assert_eq!(justified, intervals(&["[20, 30)", "[30, 40]"]));
    }

    /// Equal widths tell the ends of the range, so they go with an end that is a row left out.
    #[test]
    fn equal_widths_of_a_left_out_end_become_published_values() {
        let ages = column(ValueOrder::Number, &[Some("20"), Some("30"), Some("50"), Some("100")]);
        let mask = intervals(&["[20, 40)", "[40, 60)", "[60, 80)", "[80, 100]"]);
        let published = without(&ages, &[Some("100")]);
        let justified = mask.justified(&published, None, None, Origin::Levels);
        assert_eq!(justified, intervals(&["[20, 50)", "[50, 50]"]));
        let within = without(&ages, &[Some("30")]);
        assert_eq!(mask.justified(&within, None, None, Origin::Levels), mask);
        let range = Range::new(20.0, 100.0).ok();
        assert_eq!(mask.justified(&published, None, range, Origin::Levels), mask);
    }

    /// That some number is no whole one would tell of the row left out.
    #[test]
    fn equal_widths_are_rounded_if_every_published_number_is_whole() {
        let ages = column(ValueOrder::Number, &[Some("0"), Some("2"), Some("3.5"), Some("5")]);
        let mask = intervals(&["[0, 2.5)", "[2.5, 5]"]);
        let published = without(&ages, &[Some("3.5")]);
        let justified = mask.justified(&published, None, None, Origin::Levels);
        assert_eq!(justified, intervals(&["[0, 3)", "[3, 5]"]));
        let compared = Published {
            is_compared: true,
            ..published
        };
        assert_eq!(mask.justified(&compared, None, None, Origin::Levels), intervals(&["*"]));
    }

    #[test]
    fn beside_a_population_bounds_are_only_taken_out() {
        let ages = column(ValueOrder::Number, &[Some("20"), Some("25"), Some("30"), Some("40")]);
        let mut published = without(&ages, &[Some("25")]);
        published.is_compared = true;
        let range = Range::new(0.0, 50.0).ok();
        let mask = intervals(&["[0, 25)", "[25, 40)", "[40, 50]"]);
        let justified = mask.justified(&published, None, range, Origin::Values);
        assert_eq!(justified, intervals(&["[0, 40)", "[40, 50]"]));
        let ends = without(&ages, &[Some("40")]);
        let ends = Published {
            is_compared: true,
            ..ends
        };
        let mask = intervals(&["[20, 30)", "[30, 40]"]);
        assert_eq!(mask.justified(&ends, None, None, Origin::Values), intervals(&["*"]));
    }

    #[test]
    fn values_and_branches_of_rows_left_out_are_not_told() {
        let tree = parse(
            "20;Tens;ANY\n30;Tens;ANY\n4711;Thousands;ANY\n4712;Thousands;ANY\n",
            Format::Levels,
        )
        .unwrap();
        let cells = [Some("20"), Some("30"), Some("4711"), None];
        let salaries = column(ValueOrder::Taxonomy(&tree), &cells);
        let published = without(&salaries, &[Some("4711"), None]);
        let cut = |labels: &[&str]| Mask::Generalize(Cut::parse(&tree, labels.iter().copied()).unwrap());
        let fine = cut(&["20", "30", "4711", "4712"]);
        let justified = |mask: &Mask, origin| mask.justified(&published, Some(&tree), None, origin);
        assert_eq!(justified(&fine, Origin::Values), cut(&["20", "30", "Thousands"]));
        assert_eq!(justified(&fine, Origin::Levels), fine);
        let disclosed = Mask::Suppress(vec![Some("30".into()), Some("4711".into()), None]);
        assert_eq!(
            justified(&disclosed, Origin::Values),
            Mask::Suppress(vec![Some("30".into())])
        );
    }

    /// `*` says that some value is missing; where only rows left out lack one, the range is shown as ever.
    #[test]
    fn a_missing_value_of_a_row_left_out_hides_nothing() {
        let ages = column(ValueOrder::Number, &[Some("20"), Some("30"), None]);
        let mask = intervals(&["*"]);
        let justified = |published: &Published| mask.justified(published, None, None, Origin::Values);
        assert_eq!(justified(&without(&ages, &[None])), intervals(&["[20, 30]"]));
        assert_eq!(justified(&without(&ages, &[Some("20")])), mask);
        let all_missing = without(&ages, &[Some("20"), Some("30")]);
        let known = intervals(&["[20, 30]"]).justified(&all_missing, None, None, Origin::Values);
        assert_eq!(known, Mask::Discretize(Discretized::Intervals(Vec::new())));
    }
}
