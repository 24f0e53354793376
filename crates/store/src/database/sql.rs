//! Names and queries as parts of SQL.

/// A name as SQL takes it, whatever is in it.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A query as rows of another; its last line may be a comment.
pub(super) fn within(query: &str) -> String {
    let query = query.trim_end_matches(|sign: char| sign == ';' || sign.is_whitespace());
    format!("({query}\n) AS q")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quoted_name_cannot_end_early() {
        assert_eq!(quoted("a b"), "\"a b\"");
        assert_eq!(quoted("a\"; x"), "\"a\"\"; x\"");
    }
}
