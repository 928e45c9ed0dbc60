//! The contents of Parquet columns, from the schema alone: columns are chosen before any page is
//! read.

use super::super::cells::{CellColumn, Holds};
use super::super::nested::Inner;
use parquet::basic::{ConvertedType, LogicalType, Repetition, Type};
use parquet::schema::types::ColumnDescriptor;

/// Returns the name of a column, without the inner names of lists, and its contents.
pub(super) fn field(column: &ColumnDescriptor) -> CellColumn {
    let mut parts = column.path().parts().to_vec();
    let inner = ["list", "element", "item", "array", "bag", "array_element"];
    // A leaf that is neither repeated nor named as an element is a field of an object: the list
    // above it has objects. Writers name elements differently, hence `inner`.
    let about = column.self_type().get_basic_info();
    let is_field = !(about.has_repetition() && about.repetition() == Repetition::REPEATED)
        && parts
            .last()
            .is_some_and(|part| !inner.contains(&part.as_str()));
    if column.max_rep_level() > 0 {
        let mut first = true;
        // The first part stays: a column may itself be called "item".
        parts.retain(|part| std::mem::take(&mut first) || !inner.contains(&part.as_str()));
    }
    let holds = match holds(column) {
        Holds::Lists if is_field => Holds::Other(Inner::Objects.words()),
        holds => holds,
    };
    CellColumn::new(parts.join("."), holds)
}

fn holds(column: &ColumnDescriptor) -> Holds {
    match column.max_rep_level() {
        0 => {}
        1 => return Holds::Lists,
        _ => return Holds::Other(Inner::Lists.words()),
    }
    match column.physical_type() {
        Type::INT32 | Type::INT64 => whole(column),
        Type::FLOAT | Type::DOUBLE => Holds::Numbers,
        Type::BYTE_ARRAY if is_text(column) => Holds::Texts,
        Type::BOOLEAN => Holds::Other("true and false"),
        Type::INT96 => Holds::Other("dates or times"),
        Type::BYTE_ARRAY | Type::FIXED_LEN_BYTE_ARRAY if is_decimal(column) => Holds::Numbers,
        Type::BYTE_ARRAY | Type::FIXED_LEN_BYTE_ARRAY => Holds::Other("raw bytes"),
    }
}

fn is_text(column: &ColumnDescriptor) -> bool {
    matches!(
        column.logical_type_ref(),
        Some(LogicalType::String | LogicalType::Json | LogicalType::Enum)
    ) || matches!(
        column.converted_type(),
        ConvertedType::UTF8 | ConvertedType::JSON | ConvertedType::ENUM
    )
}

fn whole(column: &ColumnDescriptor) -> Holds {
    // Old writers have only a converted type, new ones also a logical one.
    match column.converted_type() {
        ConvertedType::DATE
        | ConvertedType::TIME_MILLIS
        | ConvertedType::TIME_MICROS
        | ConvertedType::TIMESTAMP_MILLIS
        | ConvertedType::TIMESTAMP_MICROS => Holds::Other("dates or times"),
        _ => match column.logical_type_ref() {
            None | Some(LogicalType::Integer { .. } | LogicalType::Unknown) => Holds::Numbers,
            Some(LogicalType::Decimal { .. }) => Holds::Numbers,
            Some(_) => Holds::Other("dates or times"),
        },
    }
}

pub(super) fn is_decimal(column: &ColumnDescriptor) -> bool {
    column.converted_type() == ConvertedType::DECIMAL
        || matches!(column.logical_type_ref(), Some(LogicalType::Decimal { .. }))
}

/// Returns the number of decimals of a column: 0 for whole numbers.
pub(super) fn decimals(column: &ColumnDescriptor) -> i32 {
    if is_decimal(column) {
        column.type_scale()
    } else {
        0
    }
}

/// Whether whole numbers have no sign.
pub(super) fn is_unsigned(column: &ColumnDescriptor) -> bool {
    matches!(
        column.converted_type(),
        ConvertedType::UINT_8
            | ConvertedType::UINT_16
            | ConvertedType::UINT_32
            | ConvertedType::UINT_64
    )
}
