//! Sensitive ranges: how surely the rows of a group give away in which range a value lies.
//!
//! Range diversity is `Σ f(u)·near(u) / n²` over the values `u` of a group of `n` rows, where `near(u)` is the rows in the
//! sensitive range of `u`, each counted by how close it is to `u`. Closeness is 1 for the value itself:
//!
//! - Of numbers, it is less by the distance, as a share of the domain. Numbers are taken from the smaller end of the
//!   domain on: sums of large numbers that are close to each other would lose what they differ by.
//! - Of words, it is what the sets around `u` weigh that hold both: the nodes above it, or itself and everything. A node
//!   weighs what the node above it is wider, as a share of the domain.
//!
//! | leaves, under nodes | sets around Flu | weights | close to Flu |
//! |---|---|---|---|
//! | (HIV, Flu), Ulcer | Flu; HIV, Flu; all | 1/2; 1/2; 0 | Flu 1, HIV 1/2, Ulcer 0 |

use scumble_table::{Interval, Labels, Located, NodeId, Range, Reach, SensitiveRanges, Taxonomy};

use super::kinds::{Count, size};

/// Where each value lies, and what is close to it.
pub(super) struct Ranges {
    /// `None` for a value that is like no other.
    of_value: Vec<Option<(Located, Closeness)>>,
    /// The domain of numbers; `None` if values are no numbers.
    domain: Option<Range>,
}

enum Closeness {
    /// To numbers.
    Numbers,
    /// To values in sets of places, which are each in the next, with the weight of each.
    Sets(Vec<(Interval, f64)>),
}

impl Ranges {
    /// Of these labels, of which each is shown in so many rows.
    pub(super) fn new(ranges: &SensitiveRanges, labels: &Labels, rows: &[u64]) -> Self {
        let shown = labels.iter().zip(rows).filter(|&(_, &rows)| rows > 0);
        let line = ranges.among(shown.filter_map(|(label, _)| label));
        let of_label = |label: Option<&str>| {
            let label = label?;
            let located = line.locate(label)?;
            let closeness = match line.reach() {
                Reach::Numbers(_) => Closeness::Numbers,
                Reach::Leaves(taxonomy) => Closeness::Sets(nodes_above(taxonomy, label)),
                Reach::Values(all) => Closeness::Sets(itself_and_all(located.at as usize, all.len())),
            };
            Some((located, closeness))
        };
        Ranges {
            of_value: labels.iter().map(of_label).collect(),
            domain: match line.reach() {
                Reach::Numbers(whole) => whole.and_then(|whole| Range::new(whole.from, whole.to).ok()),
                Reach::Leaves(_) | Reach::Values(_) => None,
            },
        }
    }

    /// From above 0 to 1, for a group of one value.
    pub(super) fn range_diversity(&self, group: &[Count]) -> f64 {
        let values = group.iter().filter_map(|count| {
            let (located, _) = self.of_value[count.value as usize].as_ref()?;
            Some((located.at, count.rows))
        });
        let places = Places::new(values, self.domain);
        let near = |count: &Count| match &self.of_value[count.value as usize] {
            Some((located, closeness)) => closeness.near(located, &places),
            None => count.rows as f64,
        };
        let given_away: f64 = group.iter().map(|count| count.rows as f64 * near(count)).sum();
        given_away / (size(group) as f64).powi(2)
    }
}

impl Closeness {
    /// The rows in the range of a value, by how close they are.
    fn near(&self, Located { at, range }: &Located, places: &Places) -> f64 {
        match self {
            Closeness::Numbers => places.rows(range) as f64 - places.distances(*at, range),
            Closeness::Sets(sets) => {
                let both = |set: &Interval| places.rows_in_both(range, set) as f64;
                sets.iter().map(|(set, weight)| weight * both(set)).sum()
            }
        }
    }
}

/// The places under the node of a leaf and those above it, with what each weighs.
fn nodes_above(taxonomy: &Taxonomy, leaf: &str) -> Vec<(Interval, f64)> {
    let all = taxonomy.leaves().len();
    let width = |node: NodeId| share_of_others(taxonomy.leaves_under(node).len(), all);
    let nodes = std::iter::successors(taxonomy.find(leaf), |&node| taxonomy.parent(node));
    let weighed = nodes.map(|node| {
        let leaves = taxonomy.leaves_under(node);
        let above = taxonomy.parent(node).map_or(1.0, width);
        (interval(leaves.start, leaves.end), above - width(node))
    });
    weighed.collect()
}

/// Without a tree, any two values are as close as two of all can be.
fn itself_and_all(place: usize, all: usize) -> Vec<(Interval, f64)> {
    let two = share_of_others(2, all);
    vec![(interval(place, place + 1), two), (interval(0, all), 1.0 - two)]
}

/// (s − 1) / (|D| − 1); 0 of the one value of a domain.
fn share_of_others(values: usize, all: usize) -> f64 {
    (values - 1) as f64 / (all - 1).max(1) as f64
}

fn interval(from: usize, to: usize) -> Interval {
    Interval {
        from: from as f64,
        to: to as f64,
        closed: false,
    }
}

/// The rows of a group by where their values lie, ascending, with sums over all places before each.
struct Places {
    domain: Option<Range>,
    at: Vec<f64>,
    rows_before: Vec<u64>,
    /// Of numbers, of rows times the way from the smaller end of the domain.
    moment_before: Vec<f64>,
}

impl Places {
    fn new(values: impl Iterator<Item = (f64, u64)>, domain: Option<Range>) -> Self {
        let mut values: Vec<(f64, u64)> = values.collect();
        values.sort_unstable_by(|(a, _), (b, _)| a.total_cmp(b));
        let mut places = Places {
            domain,
            at: Vec::with_capacity(values.len()),
            rows_before: vec![0],
            moment_before: vec![0.0],
        };
        let (mut all_rows, mut moment) = (0, 0.0);
        for (at, rows) in values {
            all_rows += rows;
            moment += domain.map_or(0.0, |domain| domain.offset(at)) * rows as f64;
            places.at.push(at);
            places.rows_before.push(all_rows);
            places.moment_before.push(moment);
        }
        places
    }

    /// The places of an interval: the first, and the one after the last.
    fn ends(&self, interval: &Interval) -> (usize, usize) {
        let first = self.at.partition_point(|&at| at < interval.from);
        let is_before_end = |&at: &f64| at < interval.to || (interval.closed && at == interval.to);
        (first, self.at.partition_point(is_before_end))
    }

    fn rows(&self, interval: &Interval) -> u64 {
        let (first, end) = self.ends(interval);
        self.rows_before[end] - self.rows_before[first]
    }

    fn rows_in_both(&self, a: &Interval, b: &Interval) -> u64 {
        let ((first, end), (other_first, other_end)) = (self.ends(a), self.ends(b));
        let (first, end) = (first.max(other_first), end.min(other_end));
        self.rows_before[end.max(first)] - self.rows_before[first]
    }

    /// The distances of all rows in an interval from a number in it, as shares of the domain, added up.
    fn distances(&self, from: f64, interval: &Interval) -> f64 {
        let Some(domain) = self.domain.filter(|domain| domain.length() > 0.0) else {
            return 0.0;
        };
        let (first, end) = self.ends(interval);
        let middle = self.at.partition_point(|&at| at < from);
        let rows = |first: usize, end: usize| (self.rows_before[end] - self.rows_before[first]) as f64;
        let moment = |first: usize, end: usize| self.moment_before[end] - self.moment_before[first];
        let from = domain.offset(from);
        let below = from * rows(first, middle) - moment(first, middle);
        let above = moment(middle, end) - from * rows(middle, end);
        (below + above) / domain.length()
    }
}
