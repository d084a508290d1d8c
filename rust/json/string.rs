//! Python `str` objects as JSON strings, straight from their storage.
//!
//! CPython stores a string with one, two or four bytes a code point. Reading that storage leaves no
//! UTF-8 copy behind on the object, as `PyUnicode_AsUTF8AndSize` would.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyString;
use pyo3::types::string::PyStringData;

use super::block::{BLOCK, load_short};
use super::escape::push_quoted_behind_header;
use super::sink::Sink;
use super::wide::{has_surrogate_double, has_surrogate_quad, push_double, push_latin, push_quad};

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

/// The hash of an exact `str`, which every key of a dict has at hand.
#[inline(always)]
pub fn hash(text: &Bound<'_, PyString>) -> isize {
    // SAFETY: `text` is a `str`, the header of which has its hash, or -1.
    let known = unsafe { (*text.as_ptr().cast::<ffi::PyASCIIObject>()).hash };
    if known == -1 { text.hash().unwrap_or(known) } else { known }
}

/// Whether two strings have the same code points.
#[inline(always)]
pub fn same_text(left: &Bound<'_, PyString>, right: &Bound<'_, PyString>) -> bool {
    if hash(left) != hash(right) {
        return false;
    }
    match (ascii(left), ascii(right)) {
        (Some(left), Some(right)) => same_bytes(left, right),
        (None, None) => storage(left) == storage(right),
        _ => false,
    }
}

/// Compares short texts without a call.
#[inline(always)]
fn same_bytes(left: &[u8], right: &[u8]) -> bool {
    left.len() == right.len() && if left.len() <= BLOCK { load_short(left) == load_short(right) } else { left == right }
}

/// Append a string as JSON; false (with `out` in disorder) if it holds a lone surrogate.
#[inline]
pub fn push_string(out: &mut impl Sink, text: &Bound<'_, PyString>) -> bool {
    if !push_ascii(out, text) {
        return push_wide(out, text);
    }
    true
}

/// Append a string of ASCII alone as JSON; false if it is of another kind.
#[inline(always)]
pub fn push_ascii(out: &mut impl Sink, text: &Bound<'_, PyString>) -> bool {
    const { assert!(size_of::<ffi::PyASCIIObject>() >= BLOCK) };
    let Some(bytes) = ascii(text) else { return false };
    // SAFETY: the bytes of a compact ASCII string follow its header, which is longer than a block, and the
    // pointer to them is one into the whole object.
    unsafe {
        let start = text.as_ptr().cast::<ffi::PyASCIIObject>().add(1).cast::<u8>();
        push_quoted_behind_header(out, start, bytes.len());
    }
    true
}

fn push_wide(out: &mut impl Sink, text: &Bound<'_, PyString>) -> bool {
    match storage(text) {
        Some(PyStringData::Ucs1(bytes)) => {
            push_latin(out, bytes);
            true
        }
        Some(PyStringData::Ucs2(units)) => push_double(out, units),
        Some(PyStringData::Ucs4(units)) => push_quad(out, units),
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
        Some(PyStringData::Ucs2(units)) => has_surrogate_double(units),
        Some(PyStringData::Ucs4(units)) => has_surrogate_quad(units),
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
