//! The drawing of the crates in `docs/architecture.md`, as the test reads it.
//!
//! It is the block of text after the heading "Crates". A line is a crate with what it uses; a first word that is indented less
//! is the layer. Arrows point downwards: a crate uses only what is drawn in a line below it.
//!
//! ```text
//! edges   cli     ► publish sample
//!         bench   ► publish store
//! ground  store   ► table
//!         table
//! ```

use std::collections::BTreeSet;

use crate::members::Member;

/// One line: a crate and what it is drawn to use.
#[derive(Debug, PartialEq)]
pub struct Line {
    pub name: String,
    pub uses: BTreeSet<String>,
}

/// The lines of the drawing, from the top.
pub fn read(page: &str) -> Vec<Line> {
    let (_, section) = page
        .split_once("\n## Crates\n")
        .expect("the page has a section on crates");
    let (_, block) = section.split_once("```\n").expect("the section has a drawing");
    let (block, _) = block.split_once("```").expect("the drawing ends");
    block.lines().filter(|line| !line.trim().is_empty()).map(line).collect()
}

fn line(line: &str) -> Line {
    let (crates, uses) = line.split_once('►').unwrap_or((line, ""));
    // A line that is not indented begins with the name of its layer.
    let words = crates.split_whitespace().skip(usize::from(!line.starts_with(' ')));
    let words: Vec<&str> = words.collect();
    let [name] = words[..] else {
        panic!("a line of the drawing names one crate before `►`: {line}");
    };
    Line {
        name: name.to_owned(),
        uses: uses.split_whitespace().map(str::to_owned).collect(),
    }
}

/// What the drawing and the manifests say differently, and arrows that do not point downwards.
pub fn differences(drawn: &[Line], members: &[Member]) -> Vec<String> {
    let mut found = Vec::new();
    for member in members {
        match drawn.iter().filter(|line| line.name == member.name).collect::<Vec<_>>()[..] {
            [] => found.push(format!("`{}` is not drawn", member.name)),
            [line] => {
                let missing = member.uses.difference(&line.uses);
                found.extend(missing.map(|used| format!("`{}` uses `{used}`, which is not drawn", member.name)));
                let too_much = line.uses.difference(&member.uses);
                found.extend(too_much.map(|used| format!("`{}` is drawn to use `{used}`, and does not", member.name)));
            }
            [_, _, ..] => found.push(format!("`{}` is drawn twice", member.name)),
        }
    }
    let is_member = |line: &&Line| members.iter().any(|member| member.name == line.name);
    let unknown = drawn.iter().filter(|line| !is_member(line));
    found.extend(unknown.map(|line| format!("`{}` is drawn, and is no crate", line.name)));
    for (place, line) in drawn.iter().enumerate() {
        let below = |used: &&String| drawn[place + 1..].iter().any(|lower| lower.name == **used);
        let upwards = line.uses.iter().filter(|used| !below(used));
        found
            .extend(upwards.map(|used| format!("the arrow from `{}` to `{used}` does not point downwards", line.name)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# A\n\n## Crates\n\nWords.\n\n```\nedges   cli    ► publish table\n        bench  ► publish\n\n\
                        rooms   publish ► table\nground  table\n```\n\n```\nnot this\n```\n";

    fn member(name: &str, uses: &[&str]) -> Member {
        Member {
            name: name.to_owned(),
            folder: name.into(),
            uses: uses.iter().map(|used| (*used).to_owned()).collect(),
        }
    }

    fn members() -> Vec<Member> {
        vec![
            member("table", &[]),
            member("publish", &["table"]),
            member("cli", &["publish", "table"]),
            member("bench", &["publish"]),
        ]
    }

    #[test]
    fn a_true_drawing_has_no_differences() {
        assert_eq!(differences(&read(PAGE), &members()), Vec::<String>::new());
    }

    #[test]
    fn an_arrow_that_is_missing_or_too_much_is_told() {
        let mut members = members();
        members[1] = member("publish", &["bench"]);
        members.push(member("new", &[]));
        members.remove(0);
        assert_eq!(
            differences(&read(PAGE), &members),
            [
                "`publish` uses `bench`, which is not drawn",
                "`publish` is drawn to use `table`, and does not",
                "`new` is not drawn",
                "`table` is drawn, and is no crate",
            ]
        );
    }

    #[test]
    fn an_arrow_that_points_upwards_is_told() {
        let page = PAGE.replace("ground  table", "ground  table ► cli");
        let mut members = members();
        members[0] = member("table", &["cli"]);
        assert_eq!(
            differences(&read(&page), &members),
            ["the arrow from `table` to `cli` does not point downwards"]
        );
    }
}
