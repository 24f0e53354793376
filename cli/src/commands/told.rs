//! What several commands tell in the same words.

use std::fmt::Write;

use scumble::results::{AuditedTemplate, GroupCounts, SingledOut};

/// What stands out on the columns that are published as they are, and on all, a line for each.
pub(super) fn singled_out_told(found: Option<&SingledOut>, what: &str) -> String {
    let Some(found) = found else {
        return String::new();
    };
    let sets = [
        ("on the columns published as they are", Some(&found.as_they_are)),
        ("on these and the masked ones", found.with_masked.as_ref()),
        ("in the table of secrets", found.secrets.as_ref()),
    ];
    let line = |(on, counts): (&str, Option<&GroupCounts>)| {
        let counts = counts?;
        let few = counts.violating.last().map_or_else(String::new, |violating| {
            format!(", {} with fewer than {} alike", violating.rows, violating.k)
        });
        Some(format!(
            "  {on}: {} of {} {what} alone{few}\n",
            counts.uniques, counts.rows
        ))
    };
    sets.into_iter().filter_map(line).collect()
}

/// Each template on a line.
pub(super) fn templates_told(templates: &[AuditedTemplate]) -> String {
    let mut text = String::new();
    for template in templates {
        let verdict = if template.holds { "holds" } else { "FAILS" };
        let found = match (template.level, &template.lacking[..]) {
            (Some(level), _) => level.written(template.sense),
            (None, []) => "cannot be counted".to_owned(),
            (None, lacking) => format!("cannot be counted, the release has no {}", lacking.join(", ")),
        };
        let _ = writeln!(text, "  {verdict}  {}: {found}", template.template);
    }
    text
}
