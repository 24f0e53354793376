//! What is asked of a template, a demand or a measure is asked of every kind by name: no `match` over kinds ends in a
//! default arm, in any crate. The sense of a kind that is added tomorrow is then not that of whatever stood last.
//!
//! Clippy's `wildcard_enum_match_arm` would say so of every other enum, too. This looks at the sources.

use std::fs;
use std::path::{Path, PathBuf};

/// What a pattern over kinds has in it. `Diversity` alone is also the name of an enum.
const KINDS: [&str; 19] = [
    "::Anonymity",
    "::KMap",
    "::Confidence",
    "::AlphaK",
    "Demand::Diversity",
    "Kind::Diversity",
    "::PSensitive",
    "::Closeness",
    "::DeltaDisclosure",
    "::BetaLikeness",
    "::Personal",
    "::RangeDiversity",
    "::Joined",
    "::Distinct",
    "::Entropy",
    "::Recursive",
    "Measure::",
    "Counting::",
    "TemplateKind::",
];

/// The words of kinds, which nothing may tell apart by.
const WORDS: [&str; 5] = [
    "\"k-map\"",
    "\"closeness\"",
    "\"delta-disclosure\"",
    "\"beta-likeness\"",
    "\"range-diversity\"",
];

#[test]
fn no_match_over_kinds_has_a_default_arm() {
    let mut looked_at = 0;
    let mut found = Vec::new();
    for file in sources() {
        let source = fs::read_to_string(&file).unwrap();
        let code = blanked(source.split("#[cfg(test)]").next().unwrap_or_default());
        for (place, patterns) in matches(&code) {
            if patterns.iter().any(|pattern| is_of_kinds(pattern)) {
                looked_at += 1;
                let defaults = patterns.iter().filter(|pattern| is_default(pattern));
                let line = code[..place].lines().count();
                found.extend(defaults.map(|pattern| format!("{}:{line}: `{pattern} =>`", file.display())));
            }
        }
    }
    assert!(looked_at > 50, "only {looked_at} were found");
    assert!(found.is_empty(), "a default arm over kinds:\n{}", found.join("\n"));
}

#[test]
fn no_match_is_over_the_words_of_kinds() {
    let is_arm = |line: &str| {
        let line = line.trim_start();
        WORDS.iter().any(|word| line.starts_with(word)) && line.contains("=>")
    };
    let files = sources();
    let found: Vec<String> = files
        .iter()
        .flat_map(|file| {
            let source = fs::read_to_string(file).unwrap();
            let own = source.split("#[cfg(test)]").next().unwrap_or_default().to_owned();
            let lines: Vec<String> = own.lines().filter(|line| is_arm(line)).map(str::to_owned).collect();
            lines.into_iter().map(|line| format!("{}: {line}", file.display()))
        })
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_default_arm_is_found_wherever_it_stands() {
    let found = |code: &str| {
        let code = blanked(code);
        let all = matches(&code);
        all.iter()
            .filter(|(_, patterns)| patterns.iter().any(|pattern| is_of_kinds(pattern)))
            .flat_map(|(_, patterns)| patterns.iter().filter(|pattern| is_default(pattern)).cloned())
            .collect::<Vec<String>>()
    };
    assert_eq!(found("match d { Demand::KMap { k, .. } => k, _ => 1 }"), ["_"]);
    assert_eq!(
        found("match d { Demand::KMap { k, .. } if k > 1 => { f(k) } other => 1 }"),
        ["other"]
    );
    assert_eq!(
        found("match (a, b) { (Demand::KMap { .. }, Demand::KMap { .. }) => x, (_, _) => y }"),
        ["(_, _)"]
    );
    assert_eq!(
        found("match a { 1 => match d { Demand::KMap { .. } => '{', _ => '}' }, _ => 'a' }"),
        ["_"]
    );
    assert_eq!(
        found("match d { Demand::KMap { .. } => \"_ => {\", Demand::Joined(_) => 2 }"),
        [""; 0]
    );
    assert_eq!(
        found("// match d { Demand::KMap { .. } => 1, _ => 2 }\nmatch x { A::B => 1, _ => 2 }"),
        [""; 0]
    );
}

/// The sources of all crates and of the program; what is for tests alone is left out.
fn sources() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut folders: Vec<PathBuf> = vec![root.join("cli/src")];
    let crates = fs::read_dir(root.join("crates")).unwrap();
    folders.extend(crates.map(|entry| entry.unwrap().path().join("src")));
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() && name != "sim" {
                folders.push(path);
            } else if name.ends_with(".rs") && name != "tests.rs" {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// The code with blanks for what comments, texts and characters hold, so that every bracket is one.
fn blanked(source: &str) -> String {
    let mut code = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(next) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if next == '"' {
            text(rest)
        } else if next == '\'' {
            character(rest)
        } else {
            0
        };
        let taken = length.max(next.len_utf8());
        if length == 0 {
            code.push(next);
        } else {
            code.extend(rest[..taken].chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        }
        rest = &rest[taken..];
    }
    code
}

/// How long a text is, with both quotes.
fn text(rest: &str) -> usize {
    let mut escaped = false;
    for (place, c) in rest.char_indices().skip(1) {
        match c {
            '"' if !escaped => return place + 1,
            _ => escaped = c == '\\' && !escaped,
        }
    }
    rest.len()
}

/// How long a character is, with both quotes; 0 of a lifetime.
fn character(rest: &str) -> usize {
    let mut chars = rest.char_indices().skip(1);
    let Some((_, first)) = chars.next() else { return 0 };
    let end = rest.char_indices().skip(if first == '\\' { 3 } else { 2 });
    let mut end = end.take(if first == '\\' { 8 } else { 1 });
    end.find(|&(_, c)| c == '\'').map_or(0, |(place, _)| place + 1)
}

/// Where each `match` begins, with the patterns of its arms.
fn matches(code: &str) -> Vec<(usize, Vec<String>)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let all = code.match_indices("match ");
    let starts = all.filter(|(place, _)| !code[..*place].ends_with(is_word));
    starts
        .filter_map(|(place, _)| Some((place, arms(body(&code[place..])?))))
        .collect()
}

/// What is between the braces of a `match`.
fn body(code: &str) -> Option<&str> {
    let mut depth = 0;
    let open = code.char_indices().find(|&(_, c)| {
        depth += depth_of(c, "([", ")]");
        c == '{' && depth == 0
    });
    let (start, _) = open?;
    let end = code
        .char_indices()
        .skip_while(|&(place, _)| place < start)
        .find(|&(_, c)| {
            depth += depth_of(c, "{", "}");
            depth == 0
        });
    Some(&code[start + 1..end?.0])
}

fn depth_of(c: char, open: &str, close: &str) -> i32 {
    i32::from(open.contains(c)) - i32::from(close.contains(c))
}

/// The patterns of arms.
fn arms(body: &str) -> Vec<String> {
    let mut patterns = Vec::new();
    let (mut depth, mut start, mut in_pattern) = (0, 0, true);
    let mut blocks = false;
    for (place, c) in body.char_indices() {
        let before = depth;
        depth += depth_of(c, "([{", ")]}");
        if in_pattern && depth == 0 && body[place..].starts_with("=>") {
            patterns.push(
                body[start..place]
                    .split(" if ")
                    .next()
                    .unwrap_or_default()
                    .trim()
                    .to_owned(),
            );
            (in_pattern, blocks) = (false, body[place + 2..].trim_start().starts_with('{'));
        } else if !in_pattern && depth == 0 && (c == ',' || (blocks && before == 1 && c == '}')) {
            (in_pattern, start) = (true, place + 1);
        }
        if in_pattern && place == start && c == ',' {
            start = place + 1;
        }
    }
    patterns
        .into_iter()
        .map(|pattern| pattern.trim_start_matches(',').trim().to_owned())
        .collect()
}

fn is_of_kinds(pattern: &str) -> bool {
    let ends_there = |place: usize, kind: &str| {
        let next = pattern[place + kind.len()..].chars().next();
        kind.ends_with("::") || !next.is_some_and(char::is_alphanumeric)
    };
    let occurs = |kind: &&str| {
        pattern
            .match_indices(*kind)
            .any(|(place, kind)| ends_there(place, kind))
    };
    KINDS.iter().any(occurs)
}

/// Whether a pattern takes whatever is left: `_`, `other`, `(_, _)`.
fn is_default(pattern: &str) -> bool {
    let name = |c: char| c.is_lowercase() || c == '_' || c == '(' || c == ')' || c == ',' || c == ' ' || c == '.';
    !pattern.is_empty() && pattern.chars().all(name)
}
