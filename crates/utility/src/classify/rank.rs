//! The rank of features by what they tell of the class.

use super::Cases;
use super::c45::Tree;
use scumble_progress::Work;

/// The best features for telling the class, best first: the one at the root of the C4.5 tree, then the one at the root
/// of the tree without it, and so on (the TopN of Fung 2007, section 4.4.1). There are fewer than `n` if the rest tell
/// nothing.
pub fn rank(cases: &Cases, n: usize) -> Vec<String> {
    let mut left = cases.clone();
    let rows = cases.all();
    let mut ranked = Vec::new();
    while ranked.len() < n {
        let Some(best) = Tree::learn(&left, &rows, Work::unwatched()).root_feature() else {
            break;
        };
        ranked.push(left.features.remove(best).name);
    }
    ranked
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify::cases::tests::cases;

    /// `right` tells the class of everybody, `mostly` of all but one, `noise` of nobody.
    #[test]
    fn the_best_feature_comes_first_and_noise_not_at_all() {
        let people = cases(
            "
            noise  mostly  right  class
            a      x       t      yes
            b      x       t      yes
            a      x       t      yes
            b      y       t      yes
            a      y       f      no
            b      y       f      no
            a      y       f      no
            b      y       f      no",
        );
        assert_eq!(rank(&people, 3), ["right", "mostly"]);
        assert_eq!(rank(&people, 1), ["right"]);
    }
}
