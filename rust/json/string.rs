//! Python `str` objects as JSON strings, straight from their storage.
//!
//! CPython stores a string with one, two or four bytes a code point. Reading that storage leaves no
//! UTF-8 copy behind on the object, as `PyUnicode_AsUTF8AndSize` would.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyString;
use pyo3::types::string::PyStringData;

use super::escape::{is_special, push_escape, push_quoted};

/// The storage of a string, valid for as long as the string is borrowed.
#[inline(always)]
pub fn storage<'a>(text: &'a Bound<'_, PyString>) -> Option<PyStringData<'a>> {
    // SAFETY: the borrow of `text` keeps the object alive, a `str` never changes, and this build
    // sees the interpreter's real layout (no stable ABI, no other implementation than CPython).
    unsafe { text.data() }.ok()
}

/// How many bytes a code point takes; 0 where the interpreter hasn't decided yet (before 3.12).
#[inline(always)]
fn width(text: &Bound<'_, PyString>) -> u32 {
    // SAFETY: `text` is a `str`, whose header this reads.
    unsafe { ffi::PyUnicode_KIND(text.as_ptr()) }
}

/// The bytes of a string of ASCII alone, which are its UTF-8, too.
#[inline(always)]
pub fn ascii<'a>(text: &'a Bound<'_, PyString>) -> Option<&'a [u8]> {
    let object = text.as_ptr();
    // SAFETY: `text` is a `str`. In a compact ASCII string `length` bytes follow its header directly; they
    // never change, and live as long as the borrow of `text`.
    unsafe {
        if ffi::PyUnicode_IS_COMPACT_ASCII(object) == 0 {
            return None;
        }
        let header = object.cast::<ffi::PyASCIIObject>();
        Some(std::slice::from_raw_parts(header.add(1).cast::<u8>(), (*header).length as usize))
    }
}

/// Append a string as JSON; false (with `out` in disorder) if it holds a lone surrogate.
#[inline]
pub fn push_string(out: &mut Vec<u8>, text: &Bound<'_, PyString>) -> bool {
    match ascii(text) {
        Some(bytes) => {
            push_quoted(out, bytes);
            true
        }
        None => push_wide(out, text),
    }
}

fn push_wide(out: &mut Vec<u8>, text: &Bound<'_, PyString>) -> bool {
    match storage(text) {
        Some(PyStringData::Ucs1(bytes)) => {
            push_latin(out, bytes);
            true
        }
        Some(PyStringData::Ucs2(units)) => push_points(out, units.len(), units.iter().map(|&unit| u32::from(unit))),
        Some(PyStringData::Ucs4(units)) => push_points(out, units.len(), units.iter().copied()),
        None => false,
    }
}

/// Whether a string holds a lone surrogate, which JSON in UTF-8 can't carry.
#[inline]
pub fn has_surrogate(text: &Bound<'_, PyString>) -> bool {
    if width(text) == 1 {
        return false;
    }
    match storage(text) {
        Some(PyStringData::Ucs1(_)) => false,
        Some(PyStringData::Ucs2(units)) => units.iter().any(|unit| unit & 0xf800 == 0xd800),
        Some(PyStringData::Ucs4(units)) => units.iter().any(|unit| unit & 0xffff_f800 == 0xd800),
        None => true,
    }
}

/// The string in UTF-8, or None if it holds a lone surrogate.
pub fn utf8(text: &Bound<'_, PyString>) -> Option<String> {
    match storage(text)? {
        PyStringData::Ucs1(bytes) => Some(bytes.iter().map(|&byte| char::from(byte)).collect()),
        PyStringData::Ucs2(units) => units.iter().map(|&unit| char::from_u32(unit.into())).collect(),
        PyStringData::Ucs4(units) => units.iter().map(|&unit| char::from_u32(unit)).collect(),
    }
}

/// The string in UTF-8, with the replacement character for each lone surrogate.
pub fn utf8_lossy(text: &Bound<'_, PyString>) -> String {
    let point = |point: u32| char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER);
    match storage(text) {
        Some(PyStringData::Ucs1(bytes)) => bytes.iter().map(|&byte| char::from(byte)).collect(),
        Some(PyStringData::Ucs2(units)) => units.iter().map(|&unit| point(unit.into())).collect(),
        Some(PyStringData::Ucs4(units)) => units.iter().map(|&unit| point(unit)).collect(),
        None => String::new(),
    }
}

fn push_latin(out: &mut Vec<u8>, bytes: &[u8]) {
    out.reserve(bytes.len() * 2 + 2);
    out.push(b'"');
    let mut start = 0;
    for (index, &byte) in bytes.iter().enumerate() {
        if byte >= 0x80 || is_special(byte) {
            out.extend_from_slice(&bytes[start..index]);
            start = index + 1;
            if byte >= 0x80 {
                out.extend_from_slice(&[0xc0 | byte >> 6, 0x80 | byte & 0x3f]);
            } else {
                push_escape(out, byte);
            }
        }
    }
    out.extend_from_slice(&bytes[start..]);
    out.push(b'"');
}

fn push_points(out: &mut Vec<u8>, length: usize, points: impl Iterator<Item = u32>) -> bool {
    out.reserve(length * 3 + 2);
    out.push(b'"');
    for point in points {
        match point {
            0..0x80 if is_special(point as u8) => push_escape(out, point as u8),
            0..0x80 => out.push(point as u8),
            0x80..0x800 => out.extend_from_slice(&[0xc0 | (point >> 6) as u8, tail(point)]),
            0xd800..0xe000 => return false,
            0x800..0x1_0000 => {
                out.extend_from_slice(&[0xe0 | (point >> 12) as u8, tail(point >> 6), tail(point)]);
            }
            _ => out.extend_from_slice(&[0xf0 | (point >> 18) as u8, tail(point >> 12), tail(point >> 6), tail(point)]),
        }
    }
    out.push(b'"');
    true
}

#[inline(always)]
fn tail(point: u32) -> u8 {
    0x80 | (point & 0x3f) as u8
}
