//! [`texts_of`]: the text of every cell of a typed column.
//!
//! Invariant: these are the bytes that Arrow's own cast to text gives (the tests hold them to it), so that a cell is the same
//! text here as in the tools that people know. A cell that has no text is a refusal of its column, never a missing value.

use arrow_array::cast::AsArray;
use arrow_array::temporal_conversions::{time32ms_to_time, time32s_to_time, time64ns_to_time, time64us_to_time};
use arrow_array::types::*;
use arrow_array::{Array, StringArray};
use arrow_schema::DataType::*;
use arrow_schema::IntervalUnit::{DayTime, MonthDayNano, YearMonth};
use arrow_schema::TimeUnit::{Microsecond, Millisecond, Nanosecond, Second};

use super::{bytes, decimals, numbers, repeated, spans, times};

/// The cells as text; nothing if the type, or one of the cells, has none.
pub(super) fn texts_of(array: &dyn Array) -> Option<StringArray> {
    match array.data_type() {
        Null => Some(StringArray::new_null(array.len())),
        Boolean => numbers::truths(array.as_boolean()),
        Int8 => numbers::integers::<Int8Type>(array.as_primitive()),
        Int16 => numbers::integers::<Int16Type>(array.as_primitive()),
        Int32 => numbers::integers::<Int32Type>(array.as_primitive()),
        Int64 => numbers::integers::<Int64Type>(array.as_primitive()),
        UInt8 => numbers::integers::<UInt8Type>(array.as_primitive()),
        UInt16 => numbers::integers::<UInt16Type>(array.as_primitive()),
        UInt32 => numbers::integers::<UInt32Type>(array.as_primitive()),
        UInt64 => numbers::integers::<UInt64Type>(array.as_primitive()),
        Float16 => numbers::halves(array.as_primitive()),
        Float32 => numbers::floats::<Float32Type>(array.as_primitive(), 1 << 24),
        Float64 => numbers::floats::<Float64Type>(array.as_primitive(), 1 << 53),
        Decimal32(precision, scale) => decimals::short::<Decimal32Type>(array.as_primitive(), *precision, *scale),
        Decimal64(precision, scale) => decimals::short::<Decimal64Type>(array.as_primitive(), *precision, *scale),
        Decimal128(precision, scale) => decimals::short::<Decimal128Type>(array.as_primitive(), *precision, *scale),
        Decimal256(precision, scale) => decimals::long(array.as_primitive(), *precision, *scale),
        Date32 => times::dates(array.as_primitive()),
        Date64 => times::moments::<Date64Type, 1_000>(array.as_primitive(), None),
        Time32(Second) => times::clocks::<Time32SecondType>(array.as_primitive(), time32s_to_time),
        Time32(Millisecond) => times::clocks::<Time32MillisecondType>(array.as_primitive(), time32ms_to_time),
        Time64(Microsecond) => times::clocks::<Time64MicrosecondType>(array.as_primitive(), time64us_to_time),
        Time64(Nanosecond) => times::clocks::<Time64NanosecondType>(array.as_primitive(), time64ns_to_time),
        Timestamp(Second, zone) => times::moments::<TimestampSecondType, 1>(array.as_primitive(), zone.as_deref()),
        Timestamp(Millisecond, zone) => {
            times::moments::<TimestampMillisecondType, 1_000>(array.as_primitive(), zone.as_deref())
        }
        Timestamp(Microsecond, zone) => {
            times::moments::<TimestampMicrosecondType, 1_000_000>(array.as_primitive(), zone.as_deref())
        }
        Timestamp(Nanosecond, zone) => {
            times::moments::<TimestampNanosecondType, 1_000_000_000>(array.as_primitive(), zone.as_deref())
        }
        Duration(Second) => spans::durations::<DurationSecondType, 1>(array.as_primitive()),
        Duration(Millisecond) => spans::durations::<DurationMillisecondType, 1_000>(array.as_primitive()),
        Duration(Microsecond) => spans::durations::<DurationMicrosecondType, 1_000_000>(array.as_primitive()),
        Duration(Nanosecond) => spans::durations::<DurationNanosecondType, 1_000_000_000>(array.as_primitive()),
        Interval(YearMonth) => spans::years_and_months(array.as_primitive()),
        Interval(DayTime) => spans::days_and_milliseconds(array.as_primitive()),
        Interval(MonthDayNano) => spans::months_days_and_nanoseconds(array.as_primitive()),
        Utf8 => Some(array.as_string::<i32>().clone()),
        LargeUtf8 => bytes::large(array.as_string::<i64>()),
        Utf8View => bytes::viewed(array.as_string_view()),
        Binary => StringArray::try_from_binary(array.as_binary::<i32>().clone()).ok(),
        LargeBinary => bytes::large_binary(array.as_binary::<i64>()),
        BinaryView => bytes::viewed(array.as_binary_view()),
        Dictionary(..) => repeated::dictionary(array, texts_of),
        RunEndEncoded(..) => repeated::runs(array, texts_of),
        // Bytes of one length are keys and digests, not text; lists and structures are not cells. Units that Arrow does not
        // store a time in have no arrays.
        FixedSizeBinary(_)
        | List(_)
        | LargeList(_)
        | ListView(_)
        | LargeListView(_)
        | FixedSizeList(..)
        | Struct(_)
        | Map(..)
        | Union(..)
        | Time32(Microsecond | Nanosecond)
        | Time64(Second | Millisecond) => None,
    }
}
