//! What each column looks like before and after, and the cut through its taxonomy.

use scumble_report::{Bar, Bars, Block, Plot, Section, Tree, TreeNode, TreePart};
use scumble_table::{Column, Dictionary, Discretized, Interval, Mask, NodeId, SUPPRESSED, Taxonomy};
use scumble_utility::Tally;

use scumble_policy::{Role, counted};

/// How many bars a picture has at most.
const MOST_BARS: usize = 16;
/// How many numbers are shown one by one; more are put into ranges.
const MOST_NUMBERS: usize = 12;
/// How many nodes of a taxonomy are drawn; of a larger one, only those that are not hidden.
const MOST_NODES: usize = 60;

/// How often each value of a column occurs.
#[derive(Debug)]
pub(crate) struct Counted {
    values: Dictionary,
    rows: Vec<u64>,
}

/// What a picture of a column shows.
#[derive(Debug)]
pub(crate) struct Pictured {
    bars: Vec<(String, u64)>,
    /// How many different values there are.
    values: usize,
}

/// A column, before and after.
pub(crate) struct ColumnPicture<'a> {
    pub name: &'a str,
    pub role: Role,
    pub before: &'a Pictured,
    pub after: Counted,
    /// How it is masked, if that is known, and its taxonomy.
    pub mask: Option<&'a Mask>,
    pub taxonomy: Option<&'a Taxonomy>,
}

impl Counted {
    /// Counts a column.
    pub(crate) fn of(column: &Column) -> Counted {
        Counted {
            values: column.dictionary().clone(),
            rows: Tally::of(column).rows,
        }
    }

    pub(crate) fn values(&self) -> &Dictionary {
        &self.values
    }

    /// The rows of each value.
    pub(crate) fn rows(&self) -> &[u64] {
        &self.rows
    }

    /// The values and how many rows have them; `None` is the missing value.
    fn iter(&self) -> impl Iterator<Item = (Option<&str>, u64)> {
        let codes = 0..self.values.len() as u32;
        codes.map(|code| (self.values.value(code), self.rows[code as usize]))
    }

    /// The bars of the values: numbers in ranges, others by themselves, the rarest together.
    fn bars(&self) -> Vec<(String, u64)> {
        let named = |value: Option<&str>| value.map_or("(missing)".to_owned(), str::to_owned);
        match self.values.numbers() {
            Some(numbers) if numbers.len() > MOST_NUMBERS => {
                let missing = self.iter().filter(|(value, rows)| value.is_none() && *rows > 0);
                let missing: Vec<(String, u64)> = missing.map(|(value, rows)| (named(value), rows)).collect();
                in_ranges(numbers, &self.rows).into_iter().chain(missing).collect()
            }
            _ => {
                let present = self.iter().filter(|(_, rows)| *rows > 0);
                let mut bars: Vec<(String, u64)> = present.map(|(value, rows)| (named(value), rows)).collect();
                in_interval_order(&mut bars);
                with_rarest_together(bars)
            }
        }
    }

    /// What a picture shows of it, which is little however many values there are.
    pub(crate) fn pictured(&self) -> Pictured {
        Pictured {
            bars: self.bars(),
            values: self.rows.iter().filter(|&&rows| rows > 0).count(),
        }
    }
}

impl Pictured {
    fn plot(&self, soft: bool) -> Plot {
        let total = self.bars.iter().map(|&(_, rows)| rows).sum::<u64>().max(1);
        let bar = |(label, rows): &(String, u64)| Bar {
            label: label.clone(),
            rows: *rows,
            note: format!("{:.1} %", 100.0 * *rows as f64 / total as f64),
        };
        Plot::Bars(Bars {
            bars: self.bars.iter().map(bar).collect(),
            most: self.bars.iter().map(|&(_, rows)| rows).max().unwrap_or(0),
            soft,
        })
    }
}

/// Numbers in ranges of equal width.
fn in_ranges(numbers: &[f64], rows: &[u64]) -> Vec<(String, u64)> {
    let (low, high) = (numbers[0], numbers[numbers.len() - 1]);
    // Each end by itself: their difference may be more than a number can hold.
    let width = round_width(high / MOST_NUMBERS as f64 - low / MOST_NUMBERS as f64);
    let first = (low / width).floor();
    if !(width.is_normal() && first.is_finite()) {
        // Ranges of so few digits cannot be told apart.
        return vec![(format!("{low} to {high}"), rows.iter().sum())];
    }
    let mut bins: Vec<u64> = Vec::new();
    for (&number, &rows) in numbers.iter().zip(rows) {
        let bin = ((number / width).floor() - first) as usize;
        bins.resize(bins.len().max(bin + 1), 0);
        bins[bin] += rows;
    }
    let label = |bin: usize| {
        let from = (first + bin as f64) * width;
        format!("{} to {}", tidy(from), tidy(from + width))
    };
    bins.into_iter()
        .enumerate()
        .map(|(bin, rows)| (label(bin), rows))
        .collect()
}

/// The next width that is easy to read: 1, 2 or 5 with zeros.
fn round_width(width: f64) -> f64 {
    let power = 10f64.powf(width.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
    steps.into_iter().find(|&step| step >= width).unwrap_or(10.0 * power)
}

/// A number without the dust of binary fractions.
fn tidy(number: f64) -> f64 {
    format!("{number:.6e}").parse().unwrap_or(number)
}

/// Intervals by their numbers, with everything else where it was, after them.
fn in_interval_order(bars: &mut [(String, u64)]) {
    let start = |label: &str| Interval::parse(label).map_or(f64::INFINITY, |interval| interval.from);
    bars.sort_by(|(a, _), (b, _)| start(a).total_cmp(&start(b)));
}

/// All bars in their order if they are few; else the highest, and the others as one.
fn with_rarest_together(mut bars: Vec<(String, u64)>) -> Vec<(String, u64)> {
    if bars.len() > MOST_BARS {
        bars.sort_by_key(|&(_, rows)| std::cmp::Reverse(rows));
        let others = bars.split_off(MOST_BARS - 1);
        let rows = others.iter().map(|&(_, rows)| rows).sum();
        bars.push((format!("{} other values", others.len()), rows));
    }
    bars
}

/// The section.
pub(super) fn section(columns: &[ColumnPicture]) -> Section {
    let blocks = columns.iter().map(|column| {
        let figure = |caption: &str, plot| Block::Figure {
            caption: caption.to_owned(),
            plot,
        };
        let pictures = vec![
            figure("before", column.before.plot(true)),
            figure("after", column.after.pictured().plot(false)),
        ];
        let mut blocks = Vec::new();
        blocks.extend(column.mask.map(|mask| Block::Text(in_words(mask, column.before))));
        blocks.push(Block::Beside(pictures));
        if let (Some(Mask::Generalize(cut)), Some(taxonomy)) = (column.mask, column.taxonomy) {
            let tree = Plot::Tree(tree(taxonomy, cut.nodes(), &column.after));
            blocks.push(figure("the cut through the taxonomy: what is filled is shown", tree));
        }
        Block::Part {
            title: format!("{} ({})", column.name, column.role.word()),
            blocks,
        }
    });
    Section::new("Columns before and after", blocks.collect())
}

fn in_words(mask: &Mask, before: &Pictured) -> String {
    let values = counted(before.values, "value");
    match mask {
        Mask::Exact => "Published as it is.".to_owned(),
        Mask::Generalize(cut) => format!(
            "Generalized: {values} are shown as {}.",
            counted(cut.nodes().len(), "node")
        ),
        Mask::Suppress(disclosed) => format!(
            "Suppressed: {} of {values} are shown, the others as {SUPPRESSED}.",
            disclosed.len()
        ),
        Mask::Discretize(Discretized::Whole) => format!("Every cell is shown as {SUPPRESSED}."),
        Mask::Discretize(Discretized::Intervals(intervals)) => {
            format!(
                "Discretized: {values} are shown as {}.",
                counted(intervals.len(), "interval")
            )
        }
    }
}

fn tree(taxonomy: &Taxonomy, cut: &[NodeId], after: &Counted) -> Tree {
    let draws_hidden = taxonomy.nodes().len() <= MOST_NODES;
    let mut nodes = Vec::new();
    let mut open = vec![(taxonomy.root(), 0, false)];
    while let Some((node, depth, hidden)) = open.pop() {
        let is_cut = cut.contains(&node);
        let part = match (hidden, is_cut) {
            (true, _) => TreePart::Below,
            (_, true) => TreePart::Cut,
            _ => TreePart::Above,
        };
        let label = taxonomy.label(node);
        let rows = after
            .iter()
            .find(|(value, _)| *value == Some(label))
            .map_or(0, |(_, rows)| rows);
        let under = taxonomy.leaves_under(node).len();
        let note = match (part, under) {
            (TreePart::Cut, 1) => counted(rows as usize, "row"),
            (TreePart::Cut, values) => format!("{}, {}", counted(rows as usize, "row"), counted(values, "value")),
            _ => String::new(),
        };
        nodes.push(TreeNode {
            label: label.to_owned(),
            depth,
            part,
            note,
        });
        let hides = hidden || is_cut;
        if !hides || draws_hidden {
            let children = taxonomy.children(node).iter().rev();
            open.extend(children.map(|&child| (child, depth + 1, hides)));
        }
    }
    Tree { nodes }
}

#[cfg(test)]
mod tests {
    use scumble_table::{Cut, ValueOrder};

    use super::*;

    fn counted(cells: &[&str]) -> Counted {
        let cells = cells.iter().map(|&cell| Some(cell).filter(|cell| !cell.is_empty()));
        Counted::of(&Column::from_cells("c", ValueOrder::Natural, cells))
    }

    fn bars(counted: &Counted) -> Vec<(String, u64)> {
        counted.bars()
    }

    #[test]
    fn many_numbers_are_shown_in_ranges_of_a_round_width() {
        let ages: Vec<String> = (17..=90).map(|age| age.to_string()).collect();
        let ages: Vec<&str> = ages.iter().map(|age| &age[..]).chain([""]).collect();
        let bars = bars(&counted(&ages));
        assert_eq!(bars[0], ("10 to 20".to_owned(), 3));
        assert_eq!(bars[8], ("90 to 100".to_owned(), 1));
        assert_eq!(bars[9], ("(missing)".to_owned(), 1));
    }

    #[test]
    fn intervals_are_in_the_order_of_their_numbers() {
        let shown = bars(&counted(&["[100, 200]", "[20, 100)", "*", "[3, 20)"]));
        let labels: Vec<&str> = shown.iter().map(|(label, _)| &label[..]).collect();
        assert_eq!(labels, ["[3, 20)", "[20, 100)", "[100, 200]", "*"]);
    }

    #[test]
    fn the_rarest_of_many_values_stand_together() {
        let many: Vec<String> = (0..20).map(|n| format!("v{n:02}")).collect();
        let mut cells: Vec<&str> = many.iter().map(|value| &value[..]).collect();
        cells.extend(["v19"; 5]);
        let bars = bars(&counted(&cells));
        assert_eq!((bars.len(), &bars[0]), (MOST_BARS, &("v19".to_owned(), 6)));
        assert_eq!(bars.last().unwrap(), &("5 other values".to_owned(), 5));
    }

    #[test]
    fn the_cut_is_where_the_tree_is_shown() {
        let node = |label: &str, parent| (label.to_owned(), parent);
        let jobs = [
            node("ANY", None),
            node("White", Some(0)),
            node("Lawyer", Some(1)),
            node("Clerk", Some(1)),
            node("Janitor", Some(0)),
        ];
        let jobs = Taxonomy::from_parents(&jobs).unwrap();
        let cut = Cut::parse(&jobs, ["White", "Janitor"]).unwrap();
        let tree = tree(&jobs, cut.nodes(), &counted(&["White", "White", "Janitor"]));
        let shown: Vec<(&str, usize, TreePart, &str)> = tree
            .nodes
            .iter()
            .map(|node| (&node.label[..], node.depth, node.part, &node.note[..]))
            .collect();
        assert_eq!(
            shown,
            [
                ("ANY", 0, TreePart::Above, ""),
                ("White", 1, TreePart::Cut, "2 rows, 2 values"),
                ("Lawyer", 2, TreePart::Below, ""),
                ("Clerk", 2, TreePart::Below, ""),
                ("Janitor", 1, TreePart::Cut, "1 row"),
            ]
        );
    }
}
