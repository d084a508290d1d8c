//! Strings.

use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::json::sink::Sink;
use crate::json::string::{has_surrogate, push_string};

/// Bounds on the number of code points.
pub struct Lengths {
    pub min: usize,
    pub max: usize,
}

impl Lengths {
    pub fn is_empty(&self) -> bool {
        self.min == 0 && self.max == usize::MAX
    }

    #[inline(always)]
    fn admit(&self, text: &Bound<'_, PyString>) -> bool {
        self.is_empty() || text.code_point_len().is_ok_and(|length| self.min <= length && length <= self.max)
    }
}

/// Whether a value is an exact `str` without lone surrogates.
#[inline(always)]
pub fn is_plain(value: &Bound<'_, PyAny>) -> bool {
    value.cast_exact::<PyString>().is_ok_and(|text| !has_surrogate(text))
}

#[inline(always)]
pub fn push_str(out: &mut impl Sink, lengths: &Lengths, value: &Bound<'_, PyAny>, kept: bool) -> bool {
    let Ok(text) = value.cast_exact::<PyString>() else { return false };
    lengths.admit(text) && if kept { push_string(out, text) } else { !has_surrogate(text) }
}
