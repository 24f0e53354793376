//! JSON that is put together by hand, found in the text of code.
//!
//! A value of JSON can only be made where its crate is named, so outside of a few files the name alone gives it away. In those
//! few, what writes keys is looked for: the macro, a map, an assignment to a key.

use std::path::Path;

use crate::code::code_under;

/// Where code under a folder makes JSON by hand: file, line and the code. In files of these names it may name JSON.
pub fn json_in(folder: &Path, may_name: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for file in code_under(folder) {
        let text = std::fs::read_to_string(&file).unwrap();
        let name = file.file_name().unwrap().to_str().unwrap();
        for (line, code) in text.lines().enumerate() {
            let named = !may_name.contains(&name) && names_json(code);
            if named || writes_keys(code) {
                found.push(format!("{}:{}: {}", file.display(), line + 1, code.trim()));
            }
        }
    }
    found
}

fn names_json(code: &str) -> bool {
    words(code).any(|word| word == "serde_json")
}

fn writes_keys(code: &str) -> bool {
    code.contains("json!") || code.contains("\"] = ") || words(code).any(|word| word == "Map")
}

fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|sign: char| !sign.is_alphanumeric() && sign != '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_write_a_key_is_found() {
        for code in [
            "let answer = json!({\"rows\": 3});",
            "answer[\"holds\"] = true.into();",
            "let mut keys = Map::new();",
        ] {
            assert!(writes_keys(code), "{code}");
        }
        assert!(names_json("use serde_json as other;"));
    }

    #[test]
    fn other_code_is_let_be() {
        for code in [
            "let counts: HashMap<u32, u32> = HashMap::new();",
            "let highest = report[\"rows\"] == 3;",
        ] {
            assert!(!writes_keys(code) && !names_json(code), "{code}");
        }
    }
}
