//! Values that can be shown in a set, and be told apart from it.

use scumble_policy::quoted;
use scumble_table::SUPPRESSED;

/// Whether a value can be told from a set, and from two values of one: `{a|b}`.
pub(crate) fn may_be_in_a_set(value: &str) -> bool {
    !value.contains('|') && !value.starts_with('{') && value != SUPPRESSED
}

/// What to say of a column with values that cannot be in a set, and what to do.
pub(crate) fn no_set(column: &str, values: usize) -> (String, String) {
    let message = format!(
        "groups show column {} as sets, such as {{Clerk|Lawyer}}, which {values} of its values cannot be in: they contain \
         `|`, begin with `{{` or are `*`",
        quoted(column)
    );
    let help =
        "write these values otherwise in the data, or show nodes of a `taxonomy` (`form = \"ancestor\"`)".to_owned();
    (message, help)
}
