//! Anti-monotony: to know one more column never makes a group less revealing.

use proptest::prelude::*;
use scumble_privacy::Template;
use scumble_table::ColumnId;

use crate::agrees_with_definitions::{people, quasi_identifier, rows};
use crate::definitions::{HEADER, every_kind};
use crate::example::from_cells;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn a_column_more_is_never_better(rows in rows(), people in people(), of in quasi_identifier(), more in 0..3usize) {
        let example = from_cells(&HEADER, &rows);
        let population = example.population(&[0, 1, 2].map(ColumnId), &people);
        let level = |template: &Template| example.recount(template, std::slice::from_ref(&population)).level;
        for demand in every_kind() {
            let template = Template { of: of.clone(), demand };
            if !template.is_anti_monotone() || of.columns.contains(&ColumnId(more)) {
                continue;
            }
            let mut wider = template.clone();
            wider.of.columns.push(ColumnId(more));
            let (fewer, more) = (level(&template), level(&wider));
            let rounding = if more.is_finite() { 1e-9 } else { 0.0 };
            let worse = template.sense().worse(fewer, more);
            prop_assert!(worse == more || (worse - more).abs() < rounding, "{fewer} became {more}: {wider:?}");
        }
    }
}
