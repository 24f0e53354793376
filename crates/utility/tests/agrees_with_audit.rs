//! Range diversity as it is measured and as the audit finds it: one figure, counted in two ways.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use scumble_privacy::{Demand, History, QuasiIdentifier, Requirement, Template, recount};
use scumble_table::{
    Column, ColumnId, Interval, Mask, Range, Released, SensitiveDomain, SensitiveRange, SensitiveRanges, Table,
    Taxonomy, ValueOrder, Written, taxonomy,
};
use scumble_utility::{Compared, Comparison, Domain, Role, Tally, range_diversity};

const INCOMES: [&str; 6] = ["0", "4", "9", "22", "26", "90"];

fn income_tree() -> Taxonomy {
    let tree = "0;low;ANY\n4;low;ANY\n9;low;ANY\n22;some;middle;ANY\n26;some;middle;ANY\n40;middle;ANY\n90;ANY\n";
    taxonomy::parse(tree, taxonomy::Format::Levels).unwrap()
}

fn ranges() -> impl Strategy<Value = SensitiveRanges> {
    let table = |pairs: &[(&str, &str)]| {
        let pairs = pairs.iter().map(|&(value, range)| (value.to_owned(), range.to_owned()));
        SensitiveRange::Table(pairs.collect())
    };
    let numbers = || SensitiveDomain::Numbers(Range::new(0.0, 99.0).ok());
    let leaves = || SensitiveDomain::Leaves(income_tree().into());
    let intervals = ["[0, 4]", "[4, 90)"].map(|text| Interval::parse(text).unwrap());
    let all = vec![
        (numbers(), SensitiveRange::Width(10.0)),
        (SensitiveDomain::Numbers(None), SensitiveRange::Width(30.0)),
        (
            SensitiveDomain::Numbers(None),
            SensitiveRange::Intervals(intervals.into()),
        ),
        (numbers(), table(&[("22", "[10, 30]"), ("90", "*")])),
        (leaves(), SensitiveRange::Level(1)),
        (leaves(), SensitiveRange::Level(2)),
        (leaves(), table(&[("9", "low"), ("22", "middle")])),
        (SensitiveDomain::Values, SensitiveRange::Level(1)),
    ];
    select(all).prop_map(|(domain, range)| SensitiveRanges::new(domain, range).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn what_is_measured_is_what_the_audit_finds(
        ranges in ranges(),
        rows in vec(("[xyz]", prop::option::weighted(0.9, select(&INCOMES[..]))), 1..30),
    ) {
        let ages = Column::from_cells("age", ValueOrder::Natural, rows.iter().map(|(age, _)| Some(&age[..])));
        let incomes = Column::from_cells("income", ValueOrder::Number, rows.iter().map(|(_, income)| *income));
        let compared = [(&ages, Role::Quasi), (&incomes, Role::Sensitive)].map(|(column, role)| Compared {
            name: &column.name,
            role,
            domain: Domain::Flat,
            before: Tally::of(column),
            after: column,
            written: Written::Exact,
        });
        let comparison = Comparison::new(rows.len() as u64, rows.len(), compared.into());
        let measured = range_diversity(&comparison, "income", &ranges).unwrap();

        let demand = Demand::RangeDiversity { about: ColumnId(1), at_most: 0.5, ranges };
        let of = QuasiIdentifier::all(vec![ColumnId(0)]);
        let requirement = Requirement { templates: vec![Template { of, demand }] };
        let table = Table::new(rows.len(), vec![ages.clone(), incomes.clone()]);
        let release = Released::new(table, &[(Mask::Exact, None, true), (Mask::Exact, None, true)], None);
        let found = recount(&release, &requirement, &[], &History::default());
        let worst = measured.worst_group.unwrap();
        prop_assert!((worst - found[0].level).abs() < 1e-12, "{} and {}", worst, found[0].level);
    }
}
