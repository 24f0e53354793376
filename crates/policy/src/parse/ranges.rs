//! Reading `sensitive_ranges`.

use scumble_table::{Interval, SensitiveRange, SensitiveRanges};
use toml::de::{DeString, DeValue};

use crate::column::{ColumnKind, Role};
use crate::problems::Problems;
use crate::ranges::{do_not_fit, domain};
use crate::section::{Item, number};
use crate::spanned::Spanned;

/// A width, a level, intervals, or a range for each value.
pub(super) fn read_sensitive_ranges(
    item: &Item,
    role: Option<Role>,
    kind: &ColumnKind,
    problems: &mut Problems,
) -> Option<Spanned<SensitiveRange>> {
    if role.is_some_and(|role| role != Role::Sensitive) {
        let help = Some("take it out".to_owned());
        problems.at(item.key_span(), "`sensitive_ranges` is for sensitive columns", help);
        return None;
    }
    let is_continuous = matches!(kind, ColumnKind::Continuous { .. });
    let Some(range) = read_range(item.value(), is_continuous) else {
        let wanted = if is_continuous {
            "a width such as 10, intervals such as [\"[0, 4]\"], or a table of values and their intervals"
        } else {
            "a number of steps up the taxonomy such as 1, or a table of values and their nodes"
        };
        item.must_be(wanted, problems);
        return None;
    };
    let range = Spanned::new(item.span(), range);
    if !matches!(kind, ColumnKind::Categorical { taxonomy: Some(_) }) {
        let checked = SensitiveRanges::new(domain(kind, None), range.get_ref().clone());
        checked.map_err(|reason| do_not_fit(&range, &reason, problems)).ok()?;
    }
    Some(range)
}

fn read_range(value: &DeValue, is_continuous: bool) -> Option<SensitiveRange> {
    match value {
        DeValue::Array(intervals) => {
            let read = |interval: &toml::Spanned<DeValue>| interval.get_ref().as_str().and_then(Interval::parse);
            let intervals: Option<Vec<Interval>> = intervals.iter().map(read).collect();
            intervals.map(SensitiveRange::Intervals)
        }
        DeValue::Table(values) => {
            let pair = |(value, range): (&toml::Spanned<DeString>, &toml::Spanned<DeValue>)| {
                Some((value.get_ref().to_string(), range.get_ref().as_str()?.to_owned()))
            };
            let pairs: Option<Vec<(String, String)>> = values.iter().map(pair).collect();
            pairs.map(SensitiveRange::Table)
        }
        value if is_continuous => number(value).filter(|width| *width > 0.0).map(SensitiveRange::Width),
        value => number(value)
            .filter(|level| level.fract() == 0.0 && (1.0..=64.0).contains(level))
            .map(|level| SensitiveRange::Level(level as u32)),
    }
}
