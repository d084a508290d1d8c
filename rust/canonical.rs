//! Canonical JSON, RFC 8785: one text for one value, so that digests of it can be compared.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

use crate::error::CanonicalError;
use crate::json::MAX_DEPTH;
use crate::json::block::load_short;
use crate::json::bytes::{Bytes, or_memory_error};
use crate::json::escape::push_quoted;
use crate::json::float::push_ecmascript;
use crate::json::integer::push_integer;
use crate::json::order::compare_utf16;
use crate::json::sink::Sink;
use crate::json::string::{ascii, push_string, utf8, utf8_lossy};
use crate::pairs::Pairs;

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

/// The memory that canonical JSON starts with.
const CAPACITY: usize = 1024;

type Written = Result<(), Fault>;

#[pyo3::pyfunction]
#[pyo3(signature = (value, /))]
pub fn canonical_json<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    or_memory_error(|| {
        let mut out = Bytes::with_capacity(value.py(), CAPACITY)?;
        push_canonical(&mut out, value)?;
        out.finish()
    })
}

/// Append the canonical JSON of a value.
pub fn push_canonical(out: &mut impl Sink, value: &Bound<'_, PyAny>) -> PyResult<()> {
    Writer { out, members: Vec::new() }.push_value(value, 0).map_err(Fault::into_error)
}

/// A member of an object that is open. It owns both, since finalizers may run as soon as something is allocated.
struct Member<'py> {
    /// The first eight bytes of an ASCII key: numbers of such an order.
    start: u64,
    key: Bound<'py, PyString>,
    value: Bound<'py, PyAny>,
    /// The key in UTF-8 if it isn't ASCII.
    text: Option<String>,
}

impl<'py> Member<'py> {
    fn new(key: &Bound<'py, PyString>, value: Bound<'py, PyAny>) -> Result<Self, Fault> {
        let (start, text) = match ascii(key) {
            Some(bytes) => {
                let block = load_short(&bytes[..bytes.len().min(8)]);
                (u64::from_be_bytes(*block.first_chunk().unwrap_or(&[0; 8])), None)
            }
            None => (0, Some(utf8(key).ok_or_else(|| Fault::new("a key has a lone surrogate"))?)),
        };
        Ok(Member { start, key: key.clone(), value, text })
    }

    fn bytes(&self) -> &[u8] {
        match &self.text {
            Some(text) => text.as_bytes(),
            None => ascii(&self.key).unwrap_or_default(),
        }
    }
}

struct Writer<'a, 'py, Out> {
    out: &'a mut Out,
    /// The members of all objects that are open, a stack.
    members: Vec<Member<'py>>,
}

impl<'py, Out: Sink> Writer<'_, 'py, Out> {
    fn push_value(&mut self, value: &Bound<'py, PyAny>, depth: usize) -> Written {
        if let Ok(text) = value.cast::<PyString>() {
            return if push_string(self.out, text) { Ok(()) } else { Err(Fault::new("a lone surrogate isn't text")) };
        }
        if let Ok(dict) = value.cast::<PyDict>() {
            return self.push_object(dict, deeper(depth)?);
        }
        if let Ok(list) = value.cast::<PyList>() {
            return self.push_array(list.iter(), deeper(depth)?);
        }
        if value.is_none() {
            self.out.append(b"null");
        } else if let Ok(flag) = value.cast::<PyBool>() {
            self.out.append(if flag.is_true() { b"true" } else { b"false" });
        } else if let Ok(integer) = value.cast::<PyInt>() {
            return push_integer(self.out, integer).map_err(|error| Fault::new(error.to_string()));
        } else if let Ok(number) = value.cast::<PyFloat>() {
            if !number.value().is_finite() {
                return Err(Fault::new("a number has to be finite"));
            }
            push_ecmascript(self.out, number.value());
        } else if let Ok(tuple) = value.cast::<PyTuple>() {
            return self.push_array(tuple.iter(), deeper(depth)?);
        } else {
            let name = value.get_type().fully_qualified_name();
            let name = name.map_or_else(|_| "value".into(), |name| utf8_lossy(&name));
            return Err(Fault::new(format!("a `{name}` has no JSON form")));
        }
        Ok(())
    }

    fn push_array(&mut self, items: impl Iterator<Item = Bound<'py, PyAny>>, depth: usize) -> Written {
        self.out.push(b'[');
        for (index, item) in items.enumerate() {
            if index > 0 {
                self.out.push(b',');
            }
            self.push_value(&item, depth).map_err(|fault| fault.below(|| format!("[{index}]")))?;
        }
        self.out.push(b']');
        Ok(())
    }

    fn push_object(&mut self, dict: &Bound<'py, PyDict>, depth: usize) -> Written {
        let base = self.members.len();
        let mut is_ascii = true;
        // The stored items, whatever a subclass makes of iteration.
        // SAFETY: the loop takes references and reads strings; no Python code runs.
        for (key, value) in unsafe { Pairs::new(dict) } {
            let Ok(key) = key.cast::<PyString>() else { return Err(Fault::new("every key has to be a string")) };
            let member = Member::new(&key, value.to_owned())?;
            is_ascii &= member.text.is_none();
            self.members.push(member);
        }
        let members = &mut self.members[base..];
        if is_ascii {
            members.sort_unstable_by(|left, right| {
                left.start.cmp(&right.start).then_with(|| left.bytes().cmp(right.bytes()))
            });
        } else {
            members.sort_unstable_by(|left, right| compare_utf16(left.bytes(), right.bytes()));
        }
        self.out.push(b'{');
        for index in base..self.members.len() {
            if index > base {
                self.out.push(b',');
            }
            let member = &self.members[index];
            push_quoted(self.out, member.bytes());
            self.out.push(b':');
            let value = member.value.clone();
            self.push_value(&value, depth).map_err(|fault| {
                fault.below(|| format!(".{}", String::from_utf8_lossy(self.members[index].bytes())))
            })?;
        }
        self.members.truncate(base);
        self.out.push(b'}');
        Ok(())
    }
}

fn deeper(depth: usize) -> Result<usize, Fault> {
    if depth < MAX_DEPTH {
        Ok(depth + 1)
    } else {
        Err(Fault::new(format!("more than {MAX_DEPTH} containers are nested, or one contains itself")))
    }
}
