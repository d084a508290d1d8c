//! Integers and floats.

use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyInt};

use super::bounds::{FloatBounds, IntBounds};
use crate::json::float::push_pydantic;
use crate::json::integer::{push_integer, small};
use crate::json::sink::Sink;

/// Below this every integer is a float of the same value.
const EXACT: u64 = 1 << 53;

#[inline]
pub fn push_int(out: &mut impl Sink, bounds: &IntBounds, value: &Bound<'_, PyAny>, kept: bool) -> bool {
    let Ok(value) = value.cast_exact::<PyInt>() else { return false };
    bounds.admit(value) && (!kept || push_integer(out, value).is_ok())
}

#[inline]
pub fn push_float(
    out: &mut impl Sink,
    bounds: &FloatBounds,
    value: &Bound<'_, PyAny>,
    trusted: bool,
    kept: bool,
) -> bool {
    let number = match value.cast_exact::<PyFloat>() {
        Ok(value) => value.value(),
        Err(_) => match value.cast_exact::<PyInt>().ok().and_then(small) {
            Some(integer) if !trusted && integer.unsigned_abs() < EXACT => integer as f64,
            _ => return false,
        },
    };
    if !number.is_finite() || !bounds.admit(number) {
        return false;
    }
    if kept {
        push_pydantic(out, number);
    }
    true
}
