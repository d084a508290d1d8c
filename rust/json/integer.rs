//! Python `int` objects of any size as decimal digits.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyInt;

use super::sink::Sink;

const LIMB_DIGITS: usize = 9;
const LIMB: u64 = 1_000_000_000;

/// The value of an `int` (or of a subclass, by value) if it fits.
#[inline(always)]
pub fn small(value: &Bound<'_, PyInt>) -> Option<i64> {
    let mut overflow = 0;
    // SAFETY: `value` is an `int` or a subclass of it, for which this reads the digits without
    // running Python code and without raising: too large is told by `overflow`.
    let number = unsafe { ffi::PyLong_AsLongLongAndOverflow(value.as_ptr(), &mut overflow) };
    (overflow == 0).then_some(number)
}

/// Append the decimal digits of an `int`, however many.
#[inline(always)]
pub fn push_integer(out: &mut impl Sink, value: &Bound<'_, PyInt>) -> PyResult<()> {
    match small(value) {
        Some(number) => {
            out.append(itoa::Buffer::new().format(number).as_bytes());
            Ok(())
        }
        None => push_large(out, value),
    }
}

/// `str(value)` refuses more than 4300 digits, hexadecimal has no limit.
///
/// The value is read even where a subclass writes itself otherwise, and no Python code runs.
#[cold]
fn push_large(out: &mut impl Sink, value: &Bound<'_, PyInt>) -> PyResult<()> {
    // SAFETY: `value` is an `int`, which is its own index, and what comes back is a new `str` or an exception.
    let text = unsafe { Bound::from_owned_ptr_or_err(value.py(), ffi::PyNumber_ToBase(value.as_ptr(), 16))? };
    let text: String = text.extract()?;
    let digits = text.strip_prefix('-').unwrap_or(&text);
    if digits.len() < text.len() {
        out.push(b'-');
    }
    out.append(decimal(digits.strip_prefix("0x").unwrap_or(digits).as_bytes()).as_bytes());
    Ok(())
}

/// Decimal digits of a number in lower-case hexadecimal digits.
fn decimal(hex: &[u8]) -> String {
    let mut limbs: Vec<u64> = vec![0];
    for chunk in hex.chunks(7) {
        let factor = 1u64 << (4 * chunk.len());
        let mut carry = chunk.iter().fold(0, |sum, &digit| sum * 16 + hex_value(digit));
        for limb in &mut limbs {
            let sum = *limb * factor + carry;
            *limb = sum % LIMB;
            carry = sum / LIMB;
        }
        if carry > 0 {
            limbs.push(carry);
        }
    }
    let mut text = String::with_capacity(limbs.len() * LIMB_DIGITS);
    for (index, limb) in limbs.iter().rev().enumerate() {
        if index == 0 {
            text.push_str(itoa::Buffer::new().format(*limb));
        } else {
            text.push_str(&format!("{limb:0width$}", width = LIMB_DIGITS));
        }
    }
    text
}

fn hex_value(digit: u8) -> u64 {
    u64::from(if digit <= b'9' { digit - b'0' } else { digit - b'a' + 10 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_becomes_decimal() {
        assert_eq!(decimal(b"0"), "0");
        assert_eq!(decimal(b"8000000000000000"), "9223372036854775808");
        assert_eq!(decimal(b"ffffffffffffffffffffffffffffffff"), u128::MAX.to_string());
        assert_eq!(decimal(b"4b3b4ca85a86c47a098a224000000000"), "100000000000000000000000000000000000000");
    }
}
