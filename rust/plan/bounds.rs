//! Numeric constraints.

use pyo3::prelude::*;
use pyo3::types::PyInt;

use crate::json::integer::small;

/// A bound of an integer; beyond 64 bits it is compared by Python.
pub struct IntBound {
    small: Option<i64>,
    object: Py<PyInt>,
}

#[derive(Default)]
pub struct IntBounds {
    pub ge: Option<IntBound>,
    pub gt: Option<IntBound>,
    pub le: Option<IntBound>,
    pub lt: Option<IntBound>,
}

impl IntBound {
    pub fn new(object: &Bound<'_, PyInt>) -> Self {
        IntBound { small: small(object), object: object.clone().unbind() }
    }

    #[inline]
    fn compare(&self, value: &Bound<'_, PyInt>) -> Option<std::cmp::Ordering> {
        match (small(value), self.small) {
            (Some(value), Some(bound)) => Some(value.cmp(&bound)),
            _ => value.as_any().compare(self.object.bind(value.py())).ok(),
        }
    }
}

impl IntBounds {
    pub fn is_empty(&self) -> bool {
        self.ge.is_none() && self.gt.is_none() && self.le.is_none() && self.lt.is_none()
    }

    /// Whether an exact `int` is within.
    #[inline]
    pub fn admit(&self, value: &Bound<'_, PyInt>) -> bool {
        let holds = |bound: &Option<IntBound>, test: fn(std::cmp::Ordering) -> bool| match bound {
            Some(bound) => bound.compare(value).is_some_and(test),
            None => true,
        };
        self.is_empty()
            || holds(&self.ge, std::cmp::Ordering::is_ge)
                && holds(&self.gt, std::cmp::Ordering::is_gt)
                && holds(&self.le, std::cmp::Ordering::is_le)
                && holds(&self.lt, std::cmp::Ordering::is_lt)
    }
}

#[derive(Default)]
pub struct FloatBounds {
    pub ge: Option<f64>,
    pub gt: Option<f64>,
    pub le: Option<f64>,
    pub lt: Option<f64>,
}

impl FloatBounds {
    pub fn is_empty(&self) -> bool {
        self.ge.is_none() && self.gt.is_none() && self.le.is_none() && self.lt.is_none()
    }

    #[inline]
    pub fn admit(&self, value: f64) -> bool {
        self.ge.is_none_or(|bound| value >= bound)
            && self.gt.is_none_or(|bound| value > bound)
            && self.le.is_none_or(|bound| value <= bound)
            && self.lt.is_none_or(|bound| value < bound)
    }
}
