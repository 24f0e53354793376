//! What a cell may stand for, by what is declared of its column, and told value by value: nothing is shared with how the
//! program reads labels. There are few values, so all that a label may stand for can be listed.

use std::collections::BTreeSet;

use scumble_table::{Domain, FormsOf, Written, parse_number};

/// A value, `None` if missing.
pub type Value = Option<String>;

/// All values there are, those included that look like labels.
const WORDS: [&str; 23] = [
    "ANY",
    "Professional",
    "Engineer",
    "Lawyer",
    "Janitor",
    "1",
    "1.0",
    "2",
    "1-2",
    "[0, 2)",
    "[1, 3]",
    "*",
    "a",
    "b",
    "a*",
    "{a|b}",
    "{b|}",
    "s",
    "t",
    "u",
    "A",
    "2+",
    "{a, b}",
];

/// Numbers near enough to each other to tell two intervals apart.
const NUMBERS: [&str; 7] = ["0", "0.5", "1", "1.5", "2", "2.5", "3"];

/// What a cell of a column in these forms may stand for. Two texts of one number are one value if the column, or the one
/// that it is compared with, is of numbers.
pub fn stands_for(cell: Option<&str>, forms: FormsOf, are_numbers: bool) -> BTreeSet<Value> {
    let mut values = BTreeSet::from([value(cell, are_numbers)]);
    let Some(text) = cell else { return values };
    let add = |texts: Vec<&'static str>| texts.into_iter().map(move |text| value(Some(text), are_numbers));
    match forms.written {
        Written::Exact => {}
        Written::Suppressed if text == "*" => values.extend(everything(are_numbers)),
        Written::Suppressed => {}
        Written::Generalized | Written::Sets => match (forms.domain, text) {
            (Domain::Nodes(_), "ANY") | (_, "*") => values.extend(everything(are_numbers)),
            (Domain::Nodes(_), "Professional") => values.extend(add(vec!["Engineer", "Lawyer"])),
            (Domain::Numbers, "[0, 2)") => values.extend(add(vec!["0", "0.5", "1", "1.5"])),
            (Domain::Numbers, "[1, 3]") => values.extend(add(vec!["1", "1.5", "2", "2.5", "3"])),
            (_, "{a|b}") if forms.written == Written::Sets => values.extend(add(vec!["a", "b"])),
            (_, "{b|}") if forms.written == Written::Sets => {
                values.extend(add(vec!["b"]));
                values.insert(None);
            }
            _ => {}
        },
        Written::Centres | Written::Any => panic!("not in these tests"),
    }
    values
}

/// Whether a cell says no more than itself.
pub fn is_plain(cell: Option<&str>, forms: FormsOf) -> bool {
    stands_for(cell, forms, false).len() == 1
}

fn everything(are_numbers: bool) -> impl Iterator<Item = Value> {
    let texts = WORDS
        .iter()
        .chain(&NUMBERS)
        .map(move |text| value(Some(text), are_numbers));
    texts.chain([None])
}

fn value(text: Option<&str>, are_numbers: bool) -> Value {
    let number = text.and_then(parse_number).filter(|_| are_numbers);
    number.map(|number| number.to_string()).or(text.map(str::to_owned))
}
