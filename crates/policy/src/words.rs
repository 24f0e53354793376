//! Names in messages: how a word of the user is quoted, and which valid name was probably meant.

use strsim::damerau_levenshtein;

/// Longer words are cut in messages, and no valid name is near them.
pub const LONGEST_SHOWN: usize = 80;

/// As many valid names as a message lists.
const MOST_LISTED: usize = 20;

/// A word of the user in backquotes, on one line.
pub fn quoted(word: &str) -> String {
    format!("`{}`", shown(word))
}

/// A word of the user on one line, cut if it is long.
pub fn shown(word: &str) -> String {
    let mut shown: String = word.chars().take(LONGEST_SHOWN).flat_map(on_one_line).collect();
    if word.chars().nth(LONGEST_SHOWN).is_some() {
        shown.push('…');
    }
    shown
}

fn on_one_line(c: char) -> impl Iterator<Item = char> {
    let escaped = c.is_control().then(|| c.escape_default());
    let plain = escaped.is_none().then_some(c);
    escaped.into_iter().flatten().chain(plain)
}

/// The name that was probably meant, or else all valid ones.
pub fn suggestion<'n>(word: &str, valid: impl IntoIterator<Item = &'n str> + Clone) -> String {
    did_you_mean(word, valid.clone()).unwrap_or_else(|| format!("valid: {}", list(valid)))
}

/// The name that was probably meant, if one is close.
pub fn did_you_mean<'n>(word: &str, known: impl IntoIterator<Item = &'n str>) -> Option<String> {
    nearest(word, known).map(|name| format!("did you mean {}?", quoted(name)))
}

/// The valid name closest to a word, if one is close: at most a third of the letters wrong, upper and lower case aside.
fn nearest<'n>(word: &str, valid: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let word = word.to_lowercase();
    let length = word.chars().count();
    let allowed = length.max(3) / 3;
    valid
        .into_iter()
        // The lengths are compared first, so that two long names never cost their product.
        .filter(|name| length <= LONGEST_SHOWN && name.chars().count().abs_diff(length) <= allowed)
        .map(|name| (damerau_levenshtein(&word, &name.to_lowercase()), name))
        .filter(|&(distance, _)| distance <= allowed)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, name)| name)
}

/// A number with its noun: `1 row`, `2 rows`.
pub fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Names in one line, however many.
pub fn all<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    names.into_iter().map(shown).collect::<Vec<_>>().join(", ")
}

/// Names in one line, the first of them if there are many.
pub fn list<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let mut names = names.into_iter();
    let shown: Vec<String> = names.by_ref().take(MOST_LISTED).map(shown).collect();
    match names.count() {
        _ if shown.is_empty() => "none".to_owned(),
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// The word of a value in its list of words.
pub fn word_of<T: Copy + PartialEq>(value: T, words: &[(&'static str, T)]) -> &'static str {
    words
        .iter()
        .find(|&&(_, other)| other == value)
        .map_or("", |&(word, _)| word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_close_name_is_suggested() {
        let roles = ["identifier", "quasi", "sensitive", "class", "other"];
        assert_eq!(nearest("quazi", roles), Some("quasi"));
        assert_eq!(nearest("Sensitve", roles), Some("sensitive"));
        assert_eq!(nearest("calss", roles), Some("class"));
        assert_eq!(nearest("key", roles), None);
        assert_eq!(nearest("", roles), None);
        assert_eq!(nearest(&"quasi".repeat(10_000), roles), None);
    }

    #[test]
    fn a_word_stays_on_one_line_and_a_long_list_is_cut() {
        assert_eq!(quoted("two\nlines"), "`two\\nlines`");
        assert_eq!(quoted(&"é".repeat(90)), format!("`{}…`", "é".repeat(80)));
        assert!(list(["x"; 23]).ends_with("x, x and 3 more"));
    }
}
