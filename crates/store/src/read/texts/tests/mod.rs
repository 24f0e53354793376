//! Texts of typed cells are those of Arrow's own cast to text, byte for byte, and what it refuses is refused.

mod arrays;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_array::{ArrayRef, Date32Array, Decimal128Array};
use arrow_buffer::{IntervalDayTime, IntervalMonthDayNano, i256};
use arrow_cast::{CastOptions, cast_with_options};
use arrow_schema::{DataType, IntervalUnit, TimeUnit};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use super::typed::texts_of;
use arrays::{Arrays, of, shaped};

/// What Arrow makes of an array; nothing where it refuses, or panics.
fn cast(array: &ArrayRef) -> Option<Vec<Option<String>>> {
    // Not "safe": that would turn a cell that is not text into a missing one.
    let options = CastOptions {
        safe: false,
        ..CastOptions::default()
    };
    let cast = || cast_with_options(array, &DataType::Utf8, &options);
    let texts = catch_unwind(AssertUnwindSafe(cast)).ok()?.ok()?;
    Some(
        texts
            .as_string::<i32>()
            .iter()
            .map(|text| text.map(str::to_owned))
            .collect(),
    )
}

fn ours(array: &ArrayRef) -> Option<Vec<Option<String>>> {
    let texts = texts_of(array)?;
    Some(texts.iter().map(|text| text.map(str::to_owned)).collect())
}

/// Compares both on a thousand arrays of the type, in many shapes.
fn agrees(arrays: Arrays) {
    let config = ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(1000)
    };
    let outcome = TestRunner::new(config).run(&shaped(arrays), |array| {
        prop_assert_eq!(ours(&array), cast(&array), "{}", array.data_type());
        Ok(())
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}

/// Whole numbers of any length, those at the ends of every type among them.
fn number() -> impl Strategy<Value = i64> {
    let of_any_length = (any::<i64>(), 0_u32..64).prop_map(|(number, bits)| number >> bits);
    let end = (0_u32..64, -1_i64..2).prop_map(|(bit, beside)| (1_i64 << bit).wrapping_add(beside));
    prop_oneof![3 => of_any_length, 1 => end]
}

/// The same of 128 digits.
fn long_number() -> impl Strategy<Value = i128> {
    let of_any_length = (any::<i128>(), 0_u32..128).prop_map(|(number, bits)| number >> bits);
    let end = (0_u32..128, -1_i128..2).prop_map(|(bit, beside)| (1_i128 << bit).wrapping_add(beside));
    prop_oneof![3 => of_any_length, 1 => end]
}

#[test]
fn truth_values_and_whole_numbers_read_as_arrow_casts_them() {
    agrees(arrays::nulls());
    agrees(arrays::truths());
    agrees(of::<Int8Type>(DataType::Int8, number().prop_map(|number| number as i8)));
    agrees(of::<Int16Type>(
        DataType::Int16,
        number().prop_map(|number| number as i16),
    ));
    agrees(of::<Int32Type>(
        DataType::Int32,
        number().prop_map(|number| number as i32),
    ));
    agrees(of::<Int64Type>(DataType::Int64, number()));
    agrees(of::<UInt8Type>(
        DataType::UInt8,
        number().prop_map(|number| number as u8),
    ));
    agrees(of::<UInt16Type>(
        DataType::UInt16,
        number().prop_map(|number| number as u16),
    ));
    agrees(of::<UInt32Type>(
        DataType::UInt32,
        number().prop_map(|number| number as u32),
    ));
    agrees(of::<UInt64Type>(
        DataType::UInt64,
        number().prop_map(|number| number as u64),
    ));
}

#[test]
fn floating_point_numbers_read_as_arrow_casts_them() {
    type Half = <Float16Type as arrow_array::ArrowPrimitiveType>::Native;
    agrees(of::<Float16Type>(
        DataType::Float16,
        any::<u16>().prop_map(Half::from_bits),
    ));
    let edges = [
        0.0,
        -0.0,
        f64::NAN,
        -f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::MAX,
        f64::MIN_POSITIVE,
        5e-324,
    ];
    let powers = (-30_i32..30, 1_i32..20).prop_map(|(power, few)| f64::from(few) * 10_f64.powi(power));
    let bits = any::<u64>().prop_map(f64::from_bits);
    let parts = (number(), 1_i64..5000).prop_map(|(number, part)| number as f64 / part as f64);
    let whole = number().prop_map(|number| number as f64);
    let doubles = prop_oneof![prop::sample::select(edges.to_vec()), powers, bits, parts, whole].boxed();
    agrees(of::<Float64Type>(DataType::Float64, doubles.clone()));
    let bits = any::<u32>().prop_map(f32::from_bits);
    let floats = prop_oneof![doubles.prop_map(|double| double as f32), bits];
    agrees(of::<Float32Type>(DataType::Float32, floats));
}

/// Precisions, and scales that go with them.
fn places(most: u8) -> impl Strategy<Value = (u8, i8)> {
    (1..=most).prop_flat_map(|precision| (Just(precision), -(precision as i8)..=precision as i8))
}

#[test]
fn decimals_of_every_scale_read_as_arrow_casts_them() {
    agrees(
        places(9)
            .prop_flat_map(|(precision, scale)| {
                let values = number().prop_map(|number| number as i32);
                of::<Decimal32Type>(DataType::Decimal32(precision, scale), values)
            })
            .boxed(),
    );
    agrees(
        places(18)
            .prop_flat_map(|(precision, scale)| of::<Decimal64Type>(DataType::Decimal64(precision, scale), number()))
            .boxed(),
    );
    agrees(
        places(38)
            .prop_flat_map(|(precision, scale)| {
                of::<Decimal128Type>(DataType::Decimal128(precision, scale), long_number())
            })
            .boxed(),
    );
    agrees(
        places(76)
            .prop_flat_map(|(precision, scale)| {
                let short = long_number().prop_map(i256::from_i128);
                let long = (any::<u128>(), long_number()).prop_map(|(low, high)| i256::from_parts(low, high));
                let values = prop_oneof![short, long];
                of::<Decimal256Type>(DataType::Decimal256(precision, scale), values)
            })
            .boxed(),
    );
}

/// A file may declare what no table can have. Arrow's cast panics there.
#[test]
fn a_decimal_whose_point_is_outside_of_its_digits_is_refused() {
    let odd = |values: Vec<i128>| {
        let array = Decimal128Array::from(values).with_data_type(DataType::Decimal128(2, 4));
        ours(&(Arc::new(array) as ArrayRef))
    };
    assert_eq!(odd(vec![12_345]), None);
    assert_eq!(odd(vec![-1_234]), Some(vec![Some("-0.1234".to_owned())]));
}

const UNITS: [(TimeUnit, i64); 4] = [
    (TimeUnit::Second, 1),
    (TimeUnit::Millisecond, 1_000),
    (TimeUnit::Microsecond, 1_000_000),
    (TimeUnit::Nanosecond, 1_000_000_000),
];

/// Moments that have a date, some 300 years before our era to the year 11,000, as far as the unit goes.
fn moments(in_a_second: i64) -> impl Strategy<Value = i64> {
    let most = i64::MAX / in_a_second - 1;
    let fraction = (0..in_a_second, 0_u32..10).prop_map(|(units, zeros)| units - units % 10_i64.pow(zeros));
    let second = prop_oneof![
        -70_000_000_000_i64..300_000_000_000,
        -100_i64..100,
        -200_000_i64..100_000_000
    ];
    (second, fraction).prop_map(move |(second, fraction)| second % most * in_a_second + fraction)
}

/// Moments anywhere, and about where the years that are known end.
fn odd_moments(in_a_second: i64) -> impl Strategy<Value = i64> {
    let ends = [
        chrono::DateTime::<chrono::Utc>::MIN_UTC.timestamp(),
        chrono::DateTime::<chrono::Utc>::MAX_UTC.timestamp(),
    ];
    let near = (prop::sample::select(ends.to_vec()), -100_000_i64..100_000)
        .prop_map(move |(end, beside)| end.saturating_mul(in_a_second).saturating_add(beside));
    prop_oneof![near, number()]
}

fn moments_of<T: arrow_array::ArrowPrimitiveType<Native = i64>>(kind: DataType, in_a_second: i64) -> Arrays {
    let odd = of::<T>(
        kind.clone(),
        prop_oneof![9 => moments(in_a_second), 1 => odd_moments(in_a_second)],
    );
    prop_oneof![2 => of::<T>(kind, moments(in_a_second)), 1 => odd].boxed()
}

fn timestamps(unit: TimeUnit, in_a_second: i64, zone: Option<&str>) -> Arrays {
    let kind = DataType::Timestamp(unit, zone.map(Into::into));
    match unit {
        TimeUnit::Second => moments_of::<TimestampSecondType>(kind, in_a_second),
        TimeUnit::Millisecond => moments_of::<TimestampMillisecondType>(kind, in_a_second),
        TimeUnit::Microsecond => moments_of::<TimestampMicrosecondType>(kind, in_a_second),
        TimeUnit::Nanosecond => moments_of::<TimestampNanosecondType>(kind, in_a_second),
    }
}

#[test]
fn moments_read_as_arrow_casts_them() {
    agrees(moments_of::<Date64Type>(DataType::Date64, 1_000));
    for (unit, in_a_second) in UNITS {
        agrees(timestamps(unit, in_a_second, None));
    }
}

/// Offsets in all the ways that they are written, and what is none.
#[test]
fn moments_of_a_zone_read_as_arrow_casts_them() {
    let zones = [
        "+00:00",
        "-00:00",
        "+01:00",
        "-09",
        "+0930",
        "+23:59",
        "-23:59",
        "+24:00",
        "+1",
        "",
        "UTC",
        "Europe/Berlin",
    ];
    let zones = prop::sample::select(zones.to_vec());
    for (unit, in_a_second) in UNITS {
        agrees(
            zones
                .clone()
                .prop_flat_map(move |zone| timestamps(unit, in_a_second, Some(zone)))
                .boxed(),
        );
    }
}

#[test]
fn dates_read_as_arrow_casts_them() {
    let tame = -900_000..2_000_000;
    let end = prop::sample::select(vec![-96_465_292, 95_026_236]);
    let odd =
        prop_oneof![20 => tame.clone(), 1 => (end, -3..3).prop_map(|(end, beside)| end + beside), 1 => any::<i32>()];
    let dates = prop_oneof![
        of::<Date32Type>(DataType::Date32, tame),
        of::<Date32Type>(DataType::Date32, odd)
    ];
    agrees(dates.boxed());
}

#[test]
fn every_day_of_four_hundred_years_has_its_date() {
    let days: ArrayRef = Arc::new(Date32Array::from_iter_values(-1_000..146_097));
    assert_eq!(ours(&days), cast(&days));
}

#[test]
fn times_of_day_read_as_arrow_casts_them() {
    fn times(in_a_second: i64) -> impl Strategy<Value = i64> {
        let time = (0_i64..86_400, moments(in_a_second));
        time.prop_map(move |(second, units)| second * in_a_second + units.rem_euclid(in_a_second))
    }
    fn times_of<T: arrow_array::ArrowPrimitiveType>(
        kind: DataType,
        in_a_second: i64,
        native: impl Fn(i64) -> T::Native + Copy + 'static,
    ) -> Arrays {
        // A day has 86,400 seconds; a number of them that does not fit 32 digits is taken for what is left of it there.
        let end = prop::sample::select(vec![0_i64, 86_400, 1 << 32, (1 << 32) + 86_400]);
        let near = (end, -3_i64..3).prop_map(move |(end, beside)| end.saturating_mul(in_a_second) + beside);
        let odd = prop_oneof![20 => times(in_a_second), 1 => near, 1 => number()];
        let tame = of::<T>(kind.clone(), times(in_a_second).prop_map(native));
        prop_oneof![tame, of::<T>(kind, odd.prop_map(native))].boxed()
    }
    agrees(times_of::<Time32SecondType>(
        DataType::Time32(TimeUnit::Second),
        1,
        |time| time as i32,
    ));
    agrees(times_of::<Time32MillisecondType>(
        DataType::Time32(TimeUnit::Millisecond),
        1_000,
        |time| time as i32,
    ));
    agrees(times_of::<Time64MicrosecondType>(
        DataType::Time64(TimeUnit::Microsecond),
        1_000_000,
        |time| time,
    ));
    agrees(times_of::<Time64NanosecondType>(
        DataType::Time64(TimeUnit::Nanosecond),
        1_000_000_000,
        |time| time,
    ));
}

#[test]
fn durations_read_as_arrow_casts_them() {
    fn lengths() -> impl Strategy<Value = i64> {
        let longest = (0_i64..2, -3_i64..3).prop_map(|(sign, beside)| (1 - 2 * sign) * (i64::MAX / 1_000) + beside);
        prop_oneof![moments(1_000_000_000), number(), longest]
    }
    agrees(of::<DurationSecondType>(
        DataType::Duration(TimeUnit::Second),
        lengths(),
    ));
    agrees(of::<DurationMillisecondType>(
        DataType::Duration(TimeUnit::Millisecond),
        lengths(),
    ));
    agrees(of::<DurationMicrosecondType>(
        DataType::Duration(TimeUnit::Microsecond),
        lengths(),
    ));
    agrees(of::<DurationNanosecondType>(
        DataType::Duration(TimeUnit::Nanosecond),
        lengths(),
    ));
}

#[test]
fn intervals_read_as_arrow_casts_them() {
    fn few() -> impl Strategy<Value = i32> {
        prop_oneof![Just(0), -100..100, number().prop_map(|number| number as i32)]
    }
    let kind = DataType::Interval;
    agrees(of::<IntervalYearMonthType>(kind(IntervalUnit::YearMonth), few()));
    let milliseconds = prop_oneof![few(), (-90_000..90_000).prop_map(|second| second * 1_000)];
    let days = (few(), milliseconds).prop_map(|(days, milliseconds)| IntervalDayTime::new(days, milliseconds));
    agrees(of::<IntervalDayTimeType>(kind(IntervalUnit::DayTime), days));
    let nanoseconds = prop_oneof![few().prop_map(i64::from), number(), moments(1_000_000_000)];
    let months =
        (few(), few(), nanoseconds).prop_map(|(months, days, nanos)| IntervalMonthDayNano::new(months, days, nanos));
    agrees(of::<IntervalMonthDayNanoType>(kind(IntervalUnit::MonthDayNano), months));
}

#[test]
fn bytes_read_as_arrow_casts_them() {
    agrees(arrays::strings::<i32>());
    agrees(arrays::strings::<i64>());
    agrees(arrays::string_views());
    agrees(arrays::binaries::<i32>());
    agrees(arrays::binaries::<i64>());
    agrees(arrays::binary_views());
    agrees(arrays::fixed_size_binaries());
}
