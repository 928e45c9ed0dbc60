//! Numbers with their formula, in words and in numbers.

use packscope::cost::arithmetic::{Number, QuantityKind};
use packscope::words::{count, prefixed, significant};
use std::ops::{Add, Div, Mul, Sub};

/// Significant digits of written numbers.
const DIGITS: usize = 4;
/// Whole numbers below this are written in full.
const IN_FULL: f64 = 1e7;

pub fn written(kind: QuantityKind, value: f64) -> String {
    match kind {
        QuantityKind::Count if value.fract() == 0.0 && (0.0..IN_FULL).contains(&value) => {
            count(value as u64)
        }
        QuantityKind::Count if value.abs() < 1000.0 => significant(value, DIGITS),
        QuantityKind::Count => prefixed(value, "", DIGITS),
        // A factor close to 1 keeps the digits of its difference from 1.
        QuantityKind::Number => significant(value, (DIGITS + zeros_after_one(value)).max(7)),
        QuantityKind::Share => format!("{} %", significant(value * 100.0, DIGITS)),
        QuantityKind::Seconds if value.abs() >= 1000.0 => {
            format!("{} s", significant(value, DIGITS))
        }
        QuantityKind::Seconds => prefixed(value, "s", DIGITS),
        QuantityKind::Operations => prefixed(value, "FLOP", DIGITS),
        QuantityKind::Rate => prefixed(value, "FLOP/s", DIGITS),
        QuantityKind::Bytes => prefixed(value, "B", DIGITS),
        QuantityKind::Bandwidth => prefixed(value, "B/s", DIGITS),
        QuantityKind::Factor => format!("{value:.2}×"),
    }
}

/// Returns the number of zeros after the point of a number a little above 1.
fn zeros_after_one(value: f64) -> usize {
    (1..12)
        .take_while(|zeros| (value - 1.0).abs() * 10f64.powi(*zeros) < 1.0)
        .count()
        + 1
}

#[derive(Debug, Clone, PartialEq)]
pub struct Expression {
    value: f64,
    formula: Formula,
}

#[derive(Debug, Clone, PartialEq)]
enum Formula {
    /// A quantity with its name; a constant has none.
    Known(String, QuantityKind),
    /// Left, operator, right.
    Both(Box<Expression>, Operator, Box<Expression>),
    Ceiling(Box<Expression>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Plus,
    Minus,
    Times,
    By,
}

impl Operator {
    fn sign(self) -> &'static str {
        match self {
            Self::Plus => "+",
            Self::Minus => "−",
            Self::Times => "·",
            Self::By => "/",
        }
    }

    /// Whether the operator is that of a sum, which binds less tightly than a product.
    fn is_sum(self) -> bool {
        matches!(self, Self::Plus | Self::Minus)
    }
}

impl Expression {
    pub fn quantity(name: impl Into<String>, value: f64, kind: QuantityKind) -> Self {
        Self {
            value,
            formula: Formula::Known(name.into(), kind),
        }
    }

    /// Creates a number that is part of the formula.
    pub fn constant(value: f64) -> Self {
        Self::quantity("", value, QuantityKind::Number)
    }

    pub fn value(&self) -> f64 {
        self.value
    }

    /// Returns the formula in words: `passes · operations / (peak · share reached)`.
    pub fn formula(&self) -> String {
        self.written(&|name, value, kind| match name {
            "" => written(kind, value),
            name => name.to_owned(),
        })
    }

    /// Returns the formula in numbers: `3 · 613.4 MFLOP / (312 TFLOP/s · 50 %)`.
    pub fn numbers(&self) -> String {
        self.written(&|_, value, kind| written(kind, value))
    }

    fn written(&self, leaf: &impl Fn(&str, f64, QuantityKind) -> String) -> String {
        match &self.formula {
            Formula::Known(name, kind) => leaf(name, self.value, *kind),
            Formula::Ceiling(inner) => format!("⌈{}⌉", inner.written(leaf)),
            Formula::Both(left, operator, right) => {
                let inner = |side: &Self, closed: bool| match closed {
                    true => format!("({})", side.written(leaf)),
                    false => side.written(leaf),
                };
                let binds = !operator.is_sum();
                let left = inner(left, binds && left.is(Operator::is_sum));
                // The right side keeps its parentheses where they change the value: after − and ·
                // those of sums, after / those of any operation.
                let apart = |o: Operator| match operator {
                    Operator::Plus => false,
                    Operator::Minus | Operator::Times => o.is_sum(),
                    Operator::By => true,
                };
                format!(
                    "{left} {} {}",
                    operator.sign(),
                    inner(right, right.is(apart))
                )
            }
        }
    }

    fn is(&self, which: impl Fn(Operator) -> bool) -> bool {
        matches!(self.formula, Formula::Both(_, operator, _) if which(operator))
    }

    fn combined(self, operator: Operator, right: Self, value: f64) -> Self {
        Self {
            value,
            formula: Formula::Both(Box::new(self), operator, Box::new(right)),
        }
    }
}

impl Number for Expression {
    fn min(self, other: Self) -> Self {
        // The formula on screen is that of the one which binds.
        if self.value < other.value {
            self
        } else {
            other
        }
    }

    fn ceiling(self) -> Self {
        Self {
            value: self.value.ceil(),
            formula: Formula::Ceiling(Box::new(self)),
        }
    }

    fn plus(self, other: Self) -> Self {
        // Terms of 0 would make formulae longer and explain nothing.
        match (self.value == 0.0, other.value == 0.0) {
            (true, true) => Self::constant(0.0),
            (true, false) => other,
            (false, true) => self,
            (false, false) => self + other,
        }
    }

    fn written_as(self, formula: impl FnOnce() -> Self) -> Self {
        Self {
            value: self.value,
            ..formula()
        }
    }
}

macro_rules! operators {
    ($($operator:ident, $name:ident, $sign:tt, $of:ident;)*) => { $(
        impl $operator for Expression {
            type Output = Self;
            fn $name(self, right: Self) -> Self {
                let value = self.value $sign right.value;
                self.combined(Operator::$of, right, value)
            }
        }
    )* };
}
operators! { Add, add, +, Plus; Sub, sub, -, Minus; Mul, mul, *, Times; Div, div, /, By; }
