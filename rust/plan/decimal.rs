//! `decimal.Decimal`.

use pyo3::prelude::*;
use pyo3::types::PyString;
use pyo3::types::string::PyStringData;

use super::classes::is_exactly;
use super::walk::Walker;
use crate::json::sink::Sink;
use crate::json::string::storage;

impl<'py> Walker<'_, 'py> {
    /// A Decimal is written as its `str`; only finite ones start with a digit there.
    pub fn push_decimal(&mut self, value: &Bound<'py, PyAny>, kept: bool) -> bool {
        if !is_exactly(value, &self.plan.classes.decimal) {
            return false;
        }
        if !kept {
            let is_finite = self.plan.classes.is_finite.bind(self.py).call1((value,));
            return is_finite.is_ok_and(|answer| answer.is_truthy().unwrap_or(false));
        }
        let Ok(text) = value.str() else { return false };
        self.push_digits(&text)
    }

    fn push_digits(&mut self, text: &Bound<'py, PyString>) -> bool {
        let Some(PyStringData::Ucs1(digits)) = storage(text) else { return false };
        let first = digits.iter().find(|&&byte| byte != b'-');
        if !first.is_some_and(u8::is_ascii_digit) {
            return false;
        }
        self.out.push(b'"');
        self.out.append(digits);
        self.out.push(b'"');
        true
    }
}
