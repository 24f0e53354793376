//! Code that touches a file, found in the text of code.
//!
//! A flow reads first and writes last, so that what lies between works in a notebook, on a page and on an engine. Which files of the
//! door read and which write is listed in `main.rs`; the rooms below do neither.

use std::path::Path;

use crate::code::code_under;

/// Words that only code says that touches a file.
const WORDS: [&str; 6] = [
    "fs::",
    "File::open",
    "File::create",
    ".exists()",
    "read_to_string",
    "OpenOptions",
];

/// The files of Rust under a folder that touch a file, by their paths there. Code after the first tests of a file is left aside.
pub fn touching_files(folder: &Path) -> Vec<String> {
    code_under(folder)
        .into_iter()
        .filter(|file| touches_a_file(&std::fs::read_to_string(file).unwrap()))
        .map(|file| file.strip_prefix(folder).unwrap().display().to_string())
        .collect()
}

fn touches_a_file(text: &str) -> bool {
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let mut lines = code.lines().map(str::trim_start).filter(|line| !line.starts_with("//"));
    // Words that begin with a letter are whole: `offs::` is another.
    let is_word = |line: &str, at: usize, word: &str| {
        word.starts_with('.') || !line[..at].ends_with(|c: char| c.is_alphanumeric())
    };
    let says = |line: &str, word: &str| line.match_indices(word).any(|(at, _)| is_word(line, at, word));
    lines.any(|line| WORDS.iter().any(|word| says(line, word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_that_opens_a_file_is_found_and_words_and_tests_are_not() {
        assert!(touches_a_file("fn a() {\n    let text = std::fs::read(path);\n}"));
        assert!(touches_a_file("    if path.exists() {"));
        assert!(!touches_a_file(
            "// It calls fs::read.\nlet file = ReleaseFile::open(path);"
        ));
        assert!(!touches_a_file(
            "fn a() {}\n#[cfg(test)]\nmod tests {\n    use std::fs::File;\n}"
        ));
    }
}
