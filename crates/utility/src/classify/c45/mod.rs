//! C4.5: a tree of tests that ends in the classes of the training cases that came that way.
//!
//! It is grown by the best gain ratio (`choose.rs`), then cut back where a leaf, or its largest branch, is expected to
//! err no more often (`prune.rs`). Quinlan's table of days:
//!
//! ```text
//! outlook = overcast: play (4)
//! outlook = sunny
//! |   humidity <= 75: play (2)
//! |   humidity > 75: stay (3)
//! outlook = rain
//! |   windy = true: stay (2)
//! |   windy = false: play (3)
//! ```
//!
//! Invariant: the counts of a branch are those of its sons together. A case with a missing value goes down all branches
//! in parts, in training and in guessing alike.
//!
//! # Source
//! Quinlan 1993, *C4.5: Programs for Machine Learning*, with the settings that the papers use, which are its defaults.

mod choose;
mod counts;
mod prune;
mod test;
mod weighted;

use rayon::prelude::*;
use scumble_progress::Work;

use choose::{PARALLEL_FROM, Training, choose};
use counts::ClassCounts;
use test::Test;
use weighted::{SMALL, Weighted, is_any};

use super::cases::{Cases, most_likely};

/// No branch is deeper, so that no table can exhaust the stack.
const DEPTH_AT_MOST: usize = 500;

/// A pruned tree.
#[derive(Clone, Debug)]
pub struct Tree {
    root: Node,
}

#[derive(Clone, Debug, PartialEq)]
enum Node {
    Leaf(ClassCounts),
    Branch(Branch),
}

#[derive(Clone, Debug, PartialEq)]
struct Branch {
    counts: ClassCounts,
    test: Test,
    /// Which share of the known cases has each outcome.
    shares: Vec<f64>,
    /// One for each outcome; `None` where no case came.
    sons: Vec<Option<Node>>,
}

impl Tree {
    /// Grows and prunes a tree from these cases; a smaller one if it should stop.
    pub fn learn(cases: &Cases, rows: &[u32], work: Work) -> Tree {
        let whole: Vec<Weighted> = rows.iter().map(|&case| Weighted { case, weight: 1.0 }).collect();
        let mut root = Node::grow(&Training::new(cases, rows, work), &whole, DEPTH_AT_MOST);
        root.collapse();
        root.prune(cases, &whole);
        Tree { root }
    }

    /// The class that the tree guesses for a case; the first one of equally likely ones.
    pub fn guess(&self, cases: &Cases, case: u32) -> u32 {
        let mut chances = vec![0.0; cases.class_count()];
        self.root.chances(cases, case, 1.0, &mut chances);
        most_likely(&chances)
    }

    /// The feature that the root asks for; `None` if the tree is a leaf.
    pub fn root_feature(&self) -> Option<usize> {
        match &self.root {
            Node::Leaf(_) => None,
            Node::Branch(branch) => Some(branch.test.feature()),
        }
    }
}

impl Node {
    fn grow(training: &Training, rows: &[Weighted], depth: usize) -> Node {
        let counts = ClassCounts::of(training.cases, rows);
        let test = if depth > 0 && !training.work.should_stop() {
            choose(training, rows, &counts)
        } else {
            None
        };
        let Some(test) = test else {
            return Node::Leaf(counts);
        };
        let shares = test.shares(training.cases, rows);
        let dealt = test.deal(training.cases, rows, &shares);
        let grow = |part: Vec<Weighted>| is_any(&part).then(|| Node::grow(training, &part, depth - 1));
        let sons = if rows.len() >= PARALLEL_FROM {
            dealt.into_par_iter().map(grow).collect()
        } else {
            dealt.into_iter().map(grow).collect()
        };
        Node::Branch(Branch {
            counts,
            test,
            shares,
            sons,
        })
    }

    fn counts(&self) -> &ClassCounts {
        match self {
            Node::Leaf(counts) | Node::Branch(Branch { counts, .. }) => counts,
        }
    }

    /// Adds the chances of the classes for a part of a case.
    fn chances(&self, cases: &Cases, case: u32, weight: f64, chances: &mut [f64]) {
        let Node::Branch(branch) = self else {
            return add_chances(self.counts(), weight, chances);
        };
        match branch.test.outcome(cases, case) {
            Some(outcome) => match &branch.sons[outcome] {
                Some(son) => son.chances(cases, case, weight, chances),
                // Nobody came this way in training, so the case is like those of the node.
                None => add_chances(&branch.counts, weight, chances),
            },
            None => {
                for (son, share) in branch.sons.iter().zip(&branch.shares) {
                    if let Some(son) = son {
                        son.chances(cases, case, weight * share, chances);
                    }
                }
            }
        }
    }
}

fn add_chances(counts: &ClassCounts, weight: f64, chances: &mut [f64]) {
    let total = counts.total();
    if total > SMALL {
        for (chance, count) in chances.iter_mut().zip(counts.per_class()) {
            *chance += weight * (count / total);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::classify::cases::tests::cases;

    /// Quinlan's days, in the order of the book. Categories are in byte order: overcast, rain, sunny; false, true.
    const DAYS: &str = "
        outlook   temperature  humidity  windy  class
        sunny     75           70        true   play
        sunny     80           90        true   stay
        sunny     85           85        false  stay
        sunny     72           95        false  stay
        sunny     69           70        false  play
        overcast  72           90        true   play
        overcast  83           78        false  play
        overcast  64           65        true   play
        overcast  81           75        false  play
        rain      71           80        true   stay
        rain      65           70        true   stay
        rain      75           80        false  play
        rain      68           80        false  play
        rain      70           96        false  play";

    /// The tree as text: a line for each leaf, with its path and the counts of its classes.
    fn drawn(cases: &Cases, tree: &Tree) -> Vec<String> {
        fn draw(cases: &Cases, node: &Node, path: &str, lines: &mut Vec<String>) {
            let Node::Branch(branch) = node else {
                return lines.push(format!("{path}: {:?}", node.counts().per_class()));
            };
            let feature = &cases.features[branch.test.feature()];
            for (outcome, son) in branch.sons.iter().enumerate() {
                let asked = match branch.test {
                    Test::Category { .. } => format!("{} = {outcome}", feature.name),
                    Test::AtMost { rank, .. } => {
                        let sign = ["<=", ">"][outcome];
                        let number = feature.numbers.as_ref().expect("a threshold is on numbers")[rank as usize];
                        format!("{} {sign} {number}", feature.name)
                    }
                };
                let path = if path.is_empty() {
                    asked
                } else {
                    format!("{path}, {asked}")
                };
                match son {
                    Some(son) => draw(cases, son, &path, lines),
                    None => lines.push(format!("{path}: nobody")),
                }
            }
        }
        let mut lines = Vec::new();
        draw(cases, &tree.root, "", &mut lines);
        lines
    }

    /// Quinlan 1993, chapter 2.
    #[test]
    fn the_tree_of_the_book() {
        let days = cases(DAYS);
        let tree = Tree::learn(&days, &days.all(), Work::unwatched());
        let lines = [
            "outlook = 0: [4.0, 0.0]",
            "outlook = 1, windy = 0: [3.0, 0.0]",
            "outlook = 1, windy = 1: [0.0, 2.0]",
            // Between 70 and 85; 75 is the largest humidity of all days that is not above the middle.
            "outlook = 2, humidity <= 75: [2.0, 0.0]",
            "outlook = 2, humidity > 75: [0.0, 3.0]",
        ];
        assert_eq!(drawn(&days, &tree), lines);
    }

    /// Quinlan 1993, chapter 3: the outlook of the sixth day is not known, so it goes down all branches, in parts of
    /// 5, 3 and 5 of the 13 known days.
    #[test]
    fn a_missing_value_goes_down_all_branches_in_parts() {
        let days = cases(&DAYS.replacen("overcast  72", "?         72", 1));
        let tree = Tree::learn(&days, &days.all(), Work::unwatched());
        let (overcast, sunny) = (3.0 / 13.0, 5.0 / 13.0);
        let Node::Branch(root) = &tree.root else {
            panic!("a root")
        };
        let weight = |outcome: usize| root.sons[outcome].as_ref().map_or(0.0, |son| son.counts().total());
        assert!((weight(0) - (3.0 + overcast)).abs() < 1e-9);
        assert!((weight(2) - (5.0 + sunny)).abs() < 1e-9);
        // A day whose outlook is missing and which is humid and windy: 5/13 sunny with mostly stay, 5/13 rain and windy
        // with mostly stay, and 3/13 overcast.
        assert_eq!(tree.guess(&days, 5), 1);
    }

    /// Nobody came as `c` in training, so a test case with `c` is guessed as most of the node are.
    #[test]
    fn a_category_without_training_cases_is_guessed_by_the_majority() {
        let people = cases(
            "
            job  class
            a    yes
            a    yes
            a    yes
            b    no
            b    no
            c    no",
        );
        let tree = Tree::learn(&people, &[0, 1, 2, 3, 4], Work::unwatched());
        assert_eq!(drawn(&people, &tree)[2], "job = 2: nobody");
        assert_eq!(tree.guess(&people, 5), 1);
    }

    /// A test case between two numbers of the training part is above the lower one.
    #[test]
    fn thresholds_are_numbers_of_the_training_part() {
        let people = cases(
            "
            age  class
            20   no
            20   no
            40   yes
            40   yes
            25   yes",
        );
        let tree = Tree::learn(&people, &[0, 1, 2, 3], Work::unwatched());
        assert_eq!(drawn(&people, &tree), ["age <= 20: [2.0, 0.0]", "age > 20: [0.0, 2.0]"]);
        assert_eq!(tree.guess(&people, 4), people.class(4));
    }

    /// The parts of a node are its whole, also after pruning.
    fn is_sound(node: &Node) -> bool {
        let Node::Branch(branch) = node else { return true };
        let sons = || branch.sons.iter().flatten();
        let together = |class: usize| sons().map(|son| son.counts().per_class()[class]).sum::<f64>();
        let own = branch.counts.per_class().iter().enumerate();
        own.into_iter()
            .all(|(class, count)| (count - together(class)).abs() < 1e-3)
            && sons().all(is_sound)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]
        #[test]
        fn sons_together_are_their_branch(rows in vec((0..5u32, 0..12u32, 0..4u32, 0..3u32), 4..60)) {
            let cell = |value: u32, missing: u32| if value == missing { "?".to_owned() } else { value.to_string() };
            let line = |&(a, b, c, class): &(u32, u32, u32, u32)| {
                format!("{} n{} m{} c{}\n", cell(b, 11), cell(a, 4), c, class.min((a + c) % 3)).replace("n?", "?")
            };
            let table = format!("b a c class\n{}", rows.iter().map(line).collect::<String>());
            let cases = cases(&table);
            let tree = Tree::learn(&cases, &cases.all(), Work::unwatched());
            prop_assert!(is_sound(&tree.root), "{tree:?}");
        }
    }
}
