//! Canonical JSON, RFC 8785: one text for one value, so that digests of it can be compared.

use std::cmp::Ordering;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::string::PyStringData;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

use crate::error::CanonicalError;
use crate::json::MAX_DEPTH;
use crate::json::escape::push_quoted;
use crate::json::float::push_ecmascript;
use crate::json::integer::push_integer;
use crate::json::string::{push_string, storage, utf8, utf8_lossy};

/// Why a value has no canonical JSON, and the steps from there to the root.
struct Fault {
    reason: String,
    steps: Vec<String>,
}

impl Fault {
    fn new(reason: impl Into<String>) -> Self {
        Fault { reason: reason.into(), steps: Vec::new() }
    }

    fn below(mut self, step: impl FnOnce() -> String) -> Self {
        self.steps.push(step());
        self
    }

    fn into_error(self) -> PyErr {
        const SHOWN: usize = 16;
        let mut path = String::from("$");
        self.steps.iter().rev().take(SHOWN).for_each(|step| path.push_str(step));
        if self.steps.len() > SHOWN {
            path.push('…');
        }
        CanonicalError::new_err(format!("`{path}`: {}.", self.reason))
    }
}

type Written = Result<(), Fault>;

#[pyo3::pyfunction]
#[pyo3(signature = (value, /))]
pub fn canonical_json<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    Ok(PyBytes::new(value.py(), &canonical(value)?))
}

/// The canonical JSON of a value, in UTF-8.
pub fn canonical(value: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    let mut out = Vec::new();
    push_value(&mut out, value, 0).map_err(Fault::into_error)?;
    Ok(out)
}

fn push_value(out: &mut Vec<u8>, value: &Bound<'_, PyAny>, depth: usize) -> Written {
    if let Ok(text) = value.cast::<PyString>() {
        return if push_string(out, text) { Ok(()) } else { Err(Fault::new("a lone surrogate isn't text")) };
    }
    if value.is_none() {
        out.extend_from_slice(b"null");
    } else if let Ok(flag) = value.cast::<PyBool>() {
        out.extend_from_slice(if flag.is_true() { b"true" } else { b"false" });
    } else if let Ok(integer) = value.cast::<PyInt>() {
        return push_integer(out, integer).map_err(|error| Fault::new(error.to_string()));
    } else if let Ok(number) = value.cast::<PyFloat>() {
        if !number.value().is_finite() {
            return Err(Fault::new("a number has to be finite"));
        }
        push_ecmascript(out, number.value());
    } else {
        return push_container(out, value, depth);
    }
    Ok(())
}

fn push_container(out: &mut Vec<u8>, value: &Bound<'_, PyAny>, depth: usize) -> Written {
    let open = || {
        if depth < MAX_DEPTH {
            Ok(depth + 1)
        } else {
            Err(Fault::new(format!("more than {MAX_DEPTH} containers are nested, or one contains itself")))
        }
    };
    if let Ok(dict) = value.cast::<PyDict>() {
        push_object(out, dict, open()?)
    } else if let Ok(list) = value.cast::<PyList>() {
        push_array(out, list.iter(), open()?)
    } else if let Ok(tuple) = value.cast::<PyTuple>() {
        push_array(out, tuple.iter(), open()?)
    } else {
        let name = value.get_type().fully_qualified_name().map_or_else(|_| "value".into(), |name| utf8_lossy(&name));
        Err(Fault::new(format!("a `{name}` has no JSON form")))
    }
}

fn push_array<'py>(out: &mut Vec<u8>, items: impl Iterator<Item = Bound<'py, PyAny>>, depth: usize) -> Written {
    out.push(b'[');
    for (index, item) in items.enumerate() {
        if index > 0 {
            out.push(b',');
        }
        push_value(out, &item, depth).map_err(|fault| fault.below(|| format!("[{index}]")))?;
    }
    out.push(b']');
    Ok(())
}

/// A key: ASCII is read where it stands, anything else is converted.
enum Key<'a> {
    Ascii(&'a [u8]),
    Text(String),
}

impl Key<'_> {
    fn bytes(&self) -> &[u8] {
        match self {
            Key::Ascii(bytes) => bytes,
            Key::Text(text) => text.as_bytes(),
        }
    }
}

fn push_object(out: &mut Vec<u8>, dict: &Bound<'_, PyDict>, depth: usize) -> Written {
    let pairs = pairs(dict);
    let mut members = Vec::with_capacity(pairs.len());
    for (key, value) in &pairs {
        let Ok(text) = key.cast::<PyString>() else { return Err(Fault::new("every key has to be a string")) };
        let key = match storage(text) {
            Some(PyStringData::Ucs1(bytes)) if bytes.is_ascii() => Key::Ascii(bytes),
            _ => Key::Text(utf8(text).ok_or_else(|| Fault::new("a key has a lone surrogate"))?),
        };
        members.push((key, value));
    }
    members.sort_unstable_by(|left, right| compare_utf16(left.0.bytes(), right.0.bytes()));
    out.push(b'{');
    for (index, (key, value)) in members.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        push_quoted(out, key.bytes());
        out.push(b':');
        push_value(out, value, depth)
            .map_err(|fault| fault.below(|| format!(".{}", String::from_utf8_lossy(key.bytes()))))?;
    }
    out.push(b'}');
    Ok(())
}

type Pair<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>);

/// The stored items of a dict, whatever a subclass makes of iteration.
fn pairs<'py>(dict: &Bound<'py, PyDict>) -> Vec<Pair<'py>> {
    let mut pairs = Vec::with_capacity(dict.len());
    let (mut position, mut key, mut value) = (0, std::ptr::null_mut(), std::ptr::null_mut());
    // SAFETY: `dict` is a dict; the loop only takes references, so nothing changes it meanwhile.
    while unsafe { ffi::PyDict_Next(dict.as_ptr(), &mut position, &mut key, &mut value) } != 0 {
        // SAFETY: the dict holds both, and a reference of our own is taken at once.
        pairs.push(unsafe { (Bound::from_borrowed_ptr(dict.py(), key), Bound::from_borrowed_ptr(dict.py(), value)) });
    }
    pairs
}

/// Compare UTF-8 text by UTF-16 code units: beyond U+FFFF a surrogate comes first, before U+E000.
fn compare_utf16(left: &[u8], right: &[u8]) -> Ordering {
    let at = left.iter().zip(right).position(|(left, right)| left != right);
    match at {
        Some(at) => {
            let (left, right) = (left[at], right[at]);
            let is_high = |byte: u8| byte >= 0xf0;
            let is_private = |byte: u8| byte == 0xee || byte == 0xef;
            if is_high(left) && is_private(right) {
                Ordering::Less
            } else if is_private(left) && is_high(right) {
                Ordering::Greater
            } else {
                left.cmp(&right)
            }
        }
        None => left.len().cmp(&right.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_ordered_by_utf16_code_units() {
        // RFC 8785, section 3.2.3.
        let mut keys = ["\u{20ac}", "\r", "\u{fb33}", "1", "\u{1f600}", "\u{80}", "\u{f6}"];
        keys.sort_by(|left, right| compare_utf16(left.as_bytes(), right.as_bytes()));
        assert_eq!(keys, ["\r", "1", "\u{80}", "\u{f6}", "\u{20ac}", "\u{1f600}", "\u{fb33}"]);
    }

    #[test]
    fn order_agrees_with_utf16_for_all_pairs() {
        let texts =
            ["", "a", "ab", "\u{e000}", "\u{ffff}", "\u{d7ff}", "\u{10000}", "\u{10ffff}", "a\u{1f600}", "a\u{ff21}"];
        for left in texts {
            for right in texts {
                let units = left.encode_utf16().cmp(right.encode_utf16());
                assert_eq!(compare_utf16(left.as_bytes(), right.as_bytes()), units, "{left:?} {right:?}");
            }
        }
    }
}
