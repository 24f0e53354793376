//! What stands in cells: ordinary words, and whatever looks like something else.

use crate::dice::Dice;
use crate::tree::{Form, Node, Tree};

const WORDS: [&str; 8] = ["a", "b", "c", "HIV", "Flu", "Cough", "Ulcer", "d e"];

/// Words that look like released forms, of this tool or another.
const LABELS: [&str; 18] = [
    "1-5", "A*", "A+", "[1, 5]", "{a|b}", "*", "[0, 1)", "ANY", "<20", ">=90", "130**", "13001", "{a, b}", "20-30",
    "]1, 2]", "3", "2", "25",
];

/// Words that look like numbers, the same ones among them.
const NUMERIC: [&str; 12] = [
    "1",
    "1.0",
    "01",
    "-0",
    "0",
    "1e308",
    "NaN",
    "inf",
    "0.1",
    "10000000000000004",
    "1e3",
    "1000",
];

const BLANKS: [&str; 9] = [" a", "a ", "\u{a0}a", "a\u{a0}", "\ta", "a", "\u{e9}", "e\u{301}", "b "];

const MARKS: [&str; 10] = ["a,b", "a\"b", "a\nb", "=1+1", "@x", "-x", "+y", "a|b", "{", "a;b"];

/// Words of one column.
pub(super) fn words(dice: &mut Dice) -> Vec<String> {
    let count = dice.from_to(2, 4);
    let mut words: Vec<&'static str> = match dice.below(10) {
        0..4 => dice.some_of(&WORDS, count),
        4 | 5 => dice.some_of(&LABELS, count),
        6 => dice.some_of(&NUMERIC, count),
        7 => dice.some_of(&BLANKS, count),
        8 => dice.some_of(&MARKS, count),
        _ => {
            let all = [&WORDS[..], &LABELS, &NUMERIC, &BLANKS, &MARKS].concat();
            dice.some_of(&all, count)
        }
    };
    words.sort_unstable();
    words.dedup();
    words.into_iter().map(str::to_owned).collect()
}

/// Words that mean nothing else to a reader of the join: no star, no blanks.
pub(super) fn plain_words(dice: &mut Dice) -> Vec<String> {
    let fitting: Vec<&str> = LABELS.into_iter().chain(WORDS).filter(|word| *word != "*").collect();
    let count = dice.from_to(2, 4);
    dice.some_of(&fitting, count).into_iter().map(str::to_owned).collect()
}

/// The texts of numbers in one column.
pub(super) fn numbers(dice: &mut Dice, odd: bool) -> Vec<String> {
    const ODD: [&str; 16] = [
        "1e308",
        "-1e308",
        "1.5e308",
        "1e16",
        "10000000000000004",
        "5e-324",
        "-0",
        "0",
        "0.1",
        "0.30000000000000004",
        "01",
        "1.0",
        "1",
        "1e3",
        "0.00001",
        "4711",
    ];
    let count = dice.from_to(2, 6);
    if odd {
        return dice.some_of(&ODD, count).into_iter().map(str::to_owned).collect();
    }
    let scale = *dice.pick(&[1, 1, 1, 5, 10, 100]);
    let number = |dice: &mut Dice| match dice.below(6) {
        0 => format!("{}.5", dice.below(20)),
        1 => format!("-{}", dice.from_to(1, 9)),
        _ => (dice.below(20) * scale).to_string(),
    };
    (0..count).map(|_| number(dice)).collect()
}

/// A taxonomy of two or three levels. Labels that a form cannot write are in JSON.
pub(super) fn tree(dice: &mut Dice, name: &str) -> Tree {
    let odd = dice.percent(30);
    let mut tree = Tree {
        nodes: vec![Node {
            label: if odd { "*ANY*".to_owned() } else { format!("ANY {name}") },
            parent: None,
        }],
        form: *dice.pick(&[Form::Levels, Form::Indented, Form::Long, Form::Short]),
    };
    // The order of a tree is that of its file, whatever its labels are.
    let turned = dice.percent(50);
    let digit = |place: usize| if turned { 9 - place } else { place };
    let branches = dice.from_to(1, 3);
    for branch in 0..branches {
        let parent = tree.nodes.len();
        tree.nodes.push(Node {
            label: format!("{name}{}", digit(branch)),
            parent: Some(0),
        });
        let leaves = dice.from_to(0, 3);
        for leaf in 0..leaves {
            tree.nodes.push(Node {
                label: format!("{name}{}{}", digit(branch), digit(leaf)),
                parent: Some(parent),
            });
        }
    }
    if odd {
        relabel(&mut tree, dice);
    }
    tree
}

/// Gives some nodes labels that look like something else.
fn relabel(tree: &mut Tree, dice: &mut Dice) {
    const ODD: [&str; 14] = [
        "1-5", "[1, 5]", "{a|b}", "A*", "5", "1.0", "a|b", "a;b", "\u{e9}", "e\u{301}", "a\u{a0}", " a", "<20", "x,y",
    ];
    for label in dice.some_of(&ODD, 3) {
        let node = dice.from_to(1, tree.nodes.len() - 1);
        label.clone_into(&mut tree.nodes[node].label);
    }
    let needs_json =
        |node: &Node| node.label.contains(['{', '[', ';', ' ', '"', ',', '*']) || node.label.ends_with('\u{a0}');
    let is_json = matches!(tree.form, Form::Long | Form::Short);
    if !is_json && tree.nodes.iter().any(needs_json) {
        tree.form = Form::Long;
    }
}
