//! Formulae that can be read twice, in words and in numbers, and computed: one tree says all three, so that they agree.

use crate::words::{count, prefixed, significant};
use std::ops::{Add, Div, Mul, Sub};

/// What a value is measured in, and so how it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A plain number.
    Number,
    /// A count of something.
    Count,
    /// A share; percent on screen.
    Share,
    /// Seconds.
    Seconds,
    /// Operations.
    Operations,
    /// Operations per second.
    Rate,
    /// Bytes.
    Bytes,
    /// Bytes per second.
    Bandwidth,
    /// How many times as fast.
    Factor,
}

/// Significant digits of what is written.
const DIGITS: usize = 4;
/// Whole numbers below this are written in full.
const IN_FULL: f64 = 1e7;

impl Kind {
    /// The value as it is written.
    pub fn written(self, value: f64) -> String {
        match self {
            Self::Count if value.fract() == 0.0 && (0.0..IN_FULL).contains(&value) => count(value as u64),
            Self::Count if value.abs() < 1000.0 => significant(value, DIGITS),
            Self::Count => prefixed(value, "", DIGITS),
            // What is taken from a factor near 1 is small: its digits count.
            Self::Number => significant(value, (DIGITS + zeros_after_one(value)).max(7)),
            Self::Share => format!("{} %", significant(value * 100.0, DIGITS)),
            Self::Seconds if value.abs() >= 1000.0 => format!("{} s", significant(value, DIGITS)),
            Self::Seconds => prefixed(value, "s", DIGITS),
            Self::Operations => prefixed(value, "FLOP", DIGITS),
            Self::Rate => prefixed(value, "FLOP/s", DIGITS),
            Self::Bytes => prefixed(value, "B", DIGITS),
            Self::Bandwidth => prefixed(value, "B/s", DIGITS),
            Self::Factor => format!("{value:.2}×"),
        }
    }
}

/// Zeros after the point of a number a little above 1.
fn zeros_after_one(value: f64) -> usize {
    (1..12).take_while(|zeros| (value - 1.0).abs() * 10f64.powi(*zeros) < 1.0).count() + 1
}

/// A formula.
#[derive(Debug, Clone, PartialEq)]
pub enum Expression {
    /// A quantity with its name; a constant has none.
    Known(String, f64, Kind),
    /// Left, operator, right.
    Both(Box<Expression>, Operator, Box<Expression>),
    /// Rounded up.
    Ceiling(Box<Expression>),
}

/// What is done with two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// +
    Plus,
    /// −
    Minus,
    /// ·
    Times,
    /// /
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

    /// Sums bind less than products.
    fn is_sum(self) -> bool {
        matches!(self, Self::Plus | Self::Minus)
    }
}

impl Expression {
    /// A quantity.
    pub fn known(name: impl Into<String>, value: f64, kind: Kind) -> Self {
        Self::Known(name.into(), value, kind)
    }

    /// A number that is part of the formula.
    pub fn constant(value: f64) -> Self {
        Self::known("", value, Kind::Number)
    }

    /// Its value.
    pub fn value(&self) -> f64 {
        match self {
            Self::Known(_, value, _) => *value,
            Self::Ceiling(inner) => inner.value().ceil(),
            Self::Both(left, operator, right) => {
                let (left, right) = (left.value(), right.value());
                match operator {
                    Operator::Plus => left + right,
                    Operator::Minus => left - right,
                    Operator::Times => left * right,
                    Operator::By => left / right,
                }
            }
        }
    }

    /// In words: `passes · operations / (peak · share reached)`.
    pub fn formula(&self) -> String {
        self.written(&|name, value, kind| match name {
            "" => kind.written(value),
            name => name.to_owned(),
        })
    }

    /// In numbers: `3 · 613.4 MFLOP / (312 TFLOP/s · 50 %)`.
    pub fn numbers(&self) -> String {
        self.written(&|_, value, kind| kind.written(value))
    }

    fn written(&self, leaf: &impl Fn(&str, f64, Kind) -> String) -> String {
        match self {
            Self::Known(name, value, kind) => leaf(name, *value, *kind),
            Self::Ceiling(inner) => format!("⌈{}⌉", inner.written(leaf)),
            Self::Both(left, operator, right) => {
                let inner = |side: &Self, closed: bool| match closed {
                    true => format!("({})", side.written(leaf)),
                    false => side.written(leaf),
                };
                let binds = !operator.is_sum();
                let left = inner(left, binds && left.is(Operator::is_sum));
                let apart = |o: Operator| match operator {
                    Operator::Plus => false,
                    Operator::Minus | Operator::Times => o.is_sum(),
                    Operator::By => true,
                };
                format!("{left} {} {}", operator.sign(), inner(right, right.is(apart)))
            }
        }
    }

    fn is(&self, of: impl Fn(Operator) -> bool) -> bool {
        matches!(self, Self::Both(_, operator, _) if of(*operator))
    }

    fn both(self, operator: Operator, right: Self) -> Self {
        Self::Both(Box::new(self), operator, Box::new(right))
    }

    /// Rounded up to a whole number.
    pub fn ceiling(self) -> Self {
        Self::Ceiling(Box::new(self))
    }

    /// The sum of those that are not 0; `None` if all are.
    pub fn sum(terms: impl IntoIterator<Item = Self>) -> Option<Self> {
        terms.into_iter().filter(|term| term.value() != 0.0).reduce(Add::add)
    }
}

impl Add for Expression {
    type Output = Self;
    fn add(self, right: Self) -> Self {
        self.both(Operator::Plus, right)
    }
}

impl Sub for Expression {
    type Output = Self;
    fn sub(self, right: Self) -> Self {
        self.both(Operator::Minus, right)
    }
}

impl Mul for Expression {
    type Output = Self;
    fn mul(self, right: Self) -> Self {
        self.both(Operator::Times, right)
    }
}

impl Div for Expression {
    type Output = Self;
    fn div(self, right: Self) -> Self {
        self.both(Operator::By, right)
    }
}
