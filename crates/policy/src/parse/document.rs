//! From a text to its TOML document.

use toml::Spanned;
use toml::de::DeTable;

use crate::problems::Problems;
use crate::text::PolicyText;

/// The document that a text is; `None` if it is not TOML, which is then reported.
pub fn read_document<'t>(text: &'t PolicyText, problems: &mut Problems) -> Option<Spanned<DeTable<'t>>> {
    let (document, errors) = DeTable::parse_recoverable(text.as_str());
    report_syntax(text, &errors, problems);
    errors.is_empty().then_some(document)
}

/// Reports the errors of the TOML parser, one per line: what follows on the same line is mostly its consequence.
fn report_syntax(text: &PolicyText, errors: &[toml::de::Error], problems: &mut Problems) {
    let mut places: Vec<_> = errors
        .iter()
        .map(|error| (error.span().unwrap_or(0..0), error.message()))
        .collect();
    places.sort_by_key(|(span, _)| span.start);
    places.dedup_by_key(|(span, _)| text.line(span.start));
    for (span, message) in places {
        problems.at(span, format!("not valid TOML: {message}"), None);
    }
}
