//! Key paths of problems, followed in the document by other code than that which makes them.

use scumble_policy::Problem;
use toml::de::{DeTable, DeValue};

/// A problem at a line of a text has a key path, and that leads to a key or a value on this line. A text that is no TOML
/// has no keys.
#[track_caller]
pub fn assert_resolve(problems: &[Problem], file: &str, text: &str) {
    let Ok(document) = DeTable::parse(text) else { return };
    for problem in problems.iter().filter(|problem| problem.file == file) {
        let Some(line) = problem.line else {
            assert_eq!(problem.key, None, "{problem}");
            continue;
        };
        let key = problem
            .key
            .as_ref()
            .unwrap_or_else(|| panic!("no key: {problem}\nin:\n{text}"));
        let lines = lines(document.get_ref(), key, text);
        assert!(lines.contains(&line), "{key} is on {lines:?}: {problem}\nin:\n{text}");
    }
}

/// The lines of the key, the value, or the list that a path leads to.
fn lines(document: &DeTable, path: &str, text: &str) -> Vec<usize> {
    let line = |at: usize| 1 + text[..at].matches('\n').count();
    let mut found = Vec::new();
    let mut table = Some(document);
    let mut value: Option<&DeValue> = None;
    for step in steps(path) {
        found = match (step, value) {
            (Step::Key(key), _) => {
                let inside = table.unwrap_or_else(|| panic!("{path}: nothing is in there"));
                let (at, inner) = inside
                    .iter()
                    .find(|(known, _)| known.get_ref() == key.as_str())
                    .unwrap_or_else(|| panic!("{path}: there is no {key}"));
                value = Some(inner.get_ref());
                vec![line(at.span().start), line(inner.span().start)]
            }
            (Step::Number(number), Some(DeValue::Array(list))) => {
                value = Some(list[number].get_ref());
                vec![line(list[number].span().start)]
            }
            (Step::Number(_), _) => panic!("{path}: no list"),
        };
        table = value.and_then(|value| value.as_table());
    }
    found
}

enum Step {
    Key(String),
    Number(usize),
}

/// `a."b c"[1]` is the key a, the key b c, the second element.
fn steps(path: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        rest = rest.strip_prefix('.').unwrap_or(rest);
        if let Some(inner) = rest.strip_prefix('[') {
            let (number, after) = inner.split_once(']').expect("a bracket that is closed");
            steps.push(Step::Number(number.parse().expect("a number")));
            rest = after;
            continue;
        }
        // The shortest beginning that is a TOML key by itself.
        let ends = (1..=rest.len()).filter(|&end| rest.is_char_boundary(end));
        let keys = ends.filter(|&end| end == rest.len() || rest[end..].starts_with(['.', '[']));
        let mut keys = keys.filter_map(|end| {
            let table: toml::Table = toml::from_str(&format!("{} = 1", &rest[..end])).ok()?;
            let (key, value) = table.into_iter().next()?;
            value.is_integer().then_some((key, end))
        });
        let (key, end) = keys.next().unwrap_or_else(|| panic!("no key: {rest}"));
        steps.push(Step::Key(key));
        rest = &rest[end..];
    }
    steps
}
