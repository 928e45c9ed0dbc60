//! The arithmetic of estimates, for plain numbers and for displayed formulae.
//!
//! [`Rates`](super::Rates) and [`EpochTime`](super::EpochTime) are each computed by one function,
//! generic over [`Arithmetic`].
//! With [`PlainNumber`] its numbers are `f64`; the page computes the same with numbers that keep their names and the steps
//! they came from.

use std::ops::{Add, Div, Mul, Sub};

/// The unit of a quantity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuantityKind {
    /// A plain number.
    Number,
    /// A count.
    Count,
    /// A share, 0 to 1.
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
    /// The ratio of two times.
    Factor,
}

/// A noun that depends on the data: on the component, 0 or 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Noun {
    /// A unit of a component: "token", "pair".
    One(usize),
    /// Units that carry data: "real tokens", "pairs within sequences".
    Useful(usize),
    /// Units that carry no data: "empty slots".
    Padding(usize),
    /// All computed units: "all slots".
    Slots(usize),
}

/// The name of a quantity: words, then an optional noun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Name(pub &'static str, pub Option<Noun>);

impl From<&'static str> for Name {
    fn from(words: &'static str) -> Self {
        Self(words, None)
    }
}

impl From<Noun> for Name {
    fn from(noun: Noun) -> Self {
        Self("", Some(noun))
    }
}

/// A number to compute with.
pub trait Number:
    Clone + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// Returns the smaller of two.
    fn min(self, other: Self) -> Self;
    /// Rounds up to a whole number.
    fn ceiling(self) -> Self;
    /// Returns the sum; a term that is 0 is not displayed.
    fn plus(self, other: Self) -> Self;
    /// Returns this value, displayed as another formula: the most readable order is not always the order of
    /// computation, which decides the last bit.
    fn written_as(self, formula: impl FnOnce() -> Self) -> Self;
}

impl Number for f64 {
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        f64::min(self, other)
    }

    #[inline(always)]
    fn ceiling(self) -> Self {
        self.ceil()
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self + other
    }

    #[inline(always)]
    fn written_as(self, _: impl FnOnce() -> Self) -> Self {
        self
    }
}

/// A way to compute: names the inputs and the results of each step.
pub trait Arithmetic {
    /// The type of numbers.
    type Number: Number;

    /// Returns an input.
    fn given(&self, name: impl Into<Name>, value: f64, kind: QuantityKind) -> Self::Number;
    /// Returns the result of a step, displayed by its name from then on.
    fn step(&self, name: impl Into<Name>, kind: QuantityKind, result: Self::Number)
    -> Self::Number;
    /// Returns the result of a step that is part of a sum; it is not displayed if it is 0.
    fn part(&self, name: impl Into<Name>, kind: QuantityKind, result: Self::Number)
    -> Self::Number;

    /// Returns a number that is part of the formula and has no name.
    #[inline(always)]
    fn constant(&self, value: f64) -> Self::Number {
        self.given("", value, QuantityKind::Number)
    }

    /// Returns an input that is a count.
    #[inline(always)]
    fn count(&self, name: impl Into<Name>, value: f64) -> Self::Number {
        self.given(name, value, QuantityKind::Count)
    }
}

/// Plain numbers: names are dropped.
#[derive(Debug, Clone, Copy)]
pub struct PlainNumber;

impl Arithmetic for PlainNumber {
    type Number = f64;

    #[inline(always)]
    fn given(&self, _: impl Into<Name>, value: f64, _: QuantityKind) -> f64 {
        value
    }

    #[inline(always)]
    fn step(&self, _: impl Into<Name>, _: QuantityKind, result: f64) -> f64 {
        result
    }

    #[inline(always)]
    fn part(&self, _: impl Into<Name>, _: QuantityKind, result: f64) -> f64 {
        result
    }
}
