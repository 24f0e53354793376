//! [`JsonMisfit`]: where a text stops being the JSON that it should be.
//!
//! Invariant: what stands there is not told. Who takes a table for a certificate would else be shown a cell of it.

use std::fmt;

use serde_json::error::Category;

/// Where a text stops being the JSON that it should be, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonMisfit {
    /// The line, counted from 1.
    pub line: usize,
    /// The place in that line, counted from 1.
    pub column: usize,
    /// Why.
    pub why: JsonFault,
}

/// Why a text is not the JSON that it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JsonFault {
    /// It is no JSON.
    NoJson,
    /// It is cut off.
    EndsTooEarly,
    /// It lacks a key.
    Lacks {
        /// The key, which is a word of ours.
        key: String,
    },
    /// A value is of another kind.
    OtherValue,
}

impl From<serde_json::Error> for JsonMisfit {
    fn from(error: serde_json::Error) -> Self {
        let message = error.to_string();
        let lacking = message.strip_prefix("missing field `");
        let why = match (error.classify(), lacking.and_then(|rest| rest.split('`').next())) {
            (Category::Data, Some(key)) => JsonFault::Lacks { key: key.to_owned() },
            (Category::Data, None) => JsonFault::OtherValue,
            (Category::Eof, _) => JsonFault::EndsTooEarly,
            (Category::Syntax | Category::Io, _) => JsonFault::NoJson,
        };
        JsonMisfit {
            line: error.line(),
            column: error.column(),
            why,
        }
    }
}

impl fmt::Display for JsonMisfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.why {
            JsonFault::NoJson => write!(f, "no JSON")?,
            JsonFault::EndsTooEarly => write!(f, "it ends too early")?,
            JsonFault::Lacks { key } => write!(f, "`{key}` is missing")?,
            JsonFault::OtherValue => write!(f, "a value of another kind than belongs there")?,
        }
        write!(f, " (line {}, column {})", self.line, self.column)
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    struct Expected {
        #[serde(rename = "version")]
        _version: u32,
        #[serde(rename = "kind")]
        _kind: Option<Kind>,
    }

    #[derive(Debug, Deserialize)]
    enum Kind {
        #[serde(rename = "mask")]
        Mask,
    }

    fn told(text: &str) -> String {
        let error = serde_json::from_str::<Expected>(text).unwrap_err();
        JsonMisfit::from(error).to_string()
    }

    #[test]
    fn a_place_is_told_and_no_word_of_the_text() {
        assert_eq!(
            told("\"Daisy\",\"HIV\"\n"),
            "a value of another kind than belongs there (line 1, column 7)"
        );
        assert_eq!(told("Daisy,HIV\n"), "no JSON (line 1, column 1)");
        assert_eq!(told("{\"version\": 1"), "it ends too early (line 1, column 13)");
        assert_eq!(told("{\n}"), "`version` is missing (line 2, column 1)");
        for text in [
            r#"{"version": "Daisy"}"#,
            r#"{"version": 1, "kind": "Daisy"}"#,
            r#"["Daisy"]"#,
            r#"{"version": 1, "version": "Daisy"}"#,
        ] {
            let told = told(text);
            assert!(!told.contains("Daisy"), "{told}");
        }
        assert!(matches!(serde_json::from_str("\"mask\"").unwrap(), Kind::Mask));
    }
}
