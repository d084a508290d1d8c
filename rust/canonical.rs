//! Canonical JSON, RFC 8785: one text for one value, so that digests of it can be compared.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple, PyType};

use crate::error::CanonicalError;
use crate::json::MAX_DEPTH;
use crate::json::bytes::{Bytes, or_memory_error};
use crate::json::escape::push_quoted;
use crate::json::float::push_ecmascript;
use crate::json::integer::push_integer;
use crate::json::order::compare_utf16;
use crate::json::sink::Sink;
use crate::json::string::{push_ascii, push_string, utf8, utf8_lossy};
use crate::members::{Key, Member, Shape, Shapes, sort};
use crate::pairs::Pairs;

/// Why a value has no canonical JSON, and the steps from there to the root.
///
/// It is boxed, so that success is told in a register.
struct Fault {
    reason: Reason,
    steps: Vec<String>,
}

enum Reason {
    Said(&'static str),
    TooDeep,
    /// A type without a JSON form. Its name is asked for last: that may run code of the user's.
    Formless(Py<PyType>),
}

impl Fault {
    #[cold]
    fn new(reason: Reason) -> Box<Self> {
        Box::new(Fault { reason, steps: Vec::new() })
    }

    #[cold]
    fn said(reason: &'static str) -> Box<Self> {
        Fault::new(Reason::Said(reason))
    }

    #[cold]
    fn below(mut self: Box<Self>, step: impl FnOnce() -> String) -> Box<Self> {
        self.steps.push(step());
        self
    }

    fn into_error(self, py: Python<'_>) -> PyErr {
        const SHOWN: usize = 16;
        let mut path = String::from("$");
        self.steps.iter().rev().take(SHOWN).for_each(|step| path.push_str(step));
        if self.steps.len() > SHOWN {
            path.push('…');
        }
        let reason = match self.reason {
            Reason::Said(text) => text.into(),
            Reason::TooDeep => format!("more than {MAX_DEPTH} containers are nested, or one contains itself"),
            Reason::Formless(kind) => {
                let name = kind.bind(py).fully_qualified_name();
                let name = name.map_or_else(|_| "value".into(), |name| utf8_lossy(&name));
                format!("a `{name}` has no JSON form")
            }
        };
        CanonicalError::new_err(format!("`{path}`: {reason}."))
    }
}

/// The memory that canonical JSON starts with.
const CAPACITY: usize = 1024;

type Written = Result<(), Box<Fault>>;

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
///
/// From the first byte to the last no Python code runs: values are told apart by their types, nothing is
/// allocated that the garbage collector counts, and the GIL is held. So keys and values may be borrowed.
pub fn push_canonical(out: &mut impl Sink, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let written =
        Writer { py: value.py(), out, members: Vec::with_capacity(64), shapes: Shapes::default() }.push_value(value, 0);
    written.map_err(|fault| fault.into_error(value.py()))
}

struct Writer<'a, 'py, Out> {
    py: Python<'py>,
    out: &'a mut Out,
    /// The members of all objects that are open, a stack.
    members: Vec<Member<'py>>,
    shapes: Shapes,
}

impl<'py, Out: Sink> Writer<'_, 'py, Out> {
    /// Most values are of an exact type, which is told by one comparison.
    #[inline(always)]
    fn push_value(&mut self, value: &Bound<'py, PyAny>, depth: usize) -> Written {
        let kind = value.get_type_ptr();
        if kind == &raw mut ffi::PyUnicode_Type {
            // SAFETY: its type is `str`.
            let text = unsafe { value.cast_unchecked::<PyString>() };
            return self.push_text(text);
        }
        if kind == &raw mut ffi::PyDict_Type {
            // SAFETY: its type is `dict`.
            let dict = unsafe { value.cast_unchecked::<PyDict>() };
            return self.push_object(dict, deeper(depth)?);
        }
        self.push_other(value, depth)
    }

    #[inline(always)]
    fn push_text(&mut self, text: &Bound<'py, PyString>) -> Written {
        if push_string(self.out, text) { Ok(()) } else { Err(Fault::said("a lone surrogate isn't text")) }
    }

    fn push_other(&mut self, value: &Bound<'py, PyAny>, depth: usize) -> Written {
        if let Ok(text) = value.cast::<PyString>() {
            return self.push_text(text);
        }
        if let Ok(dict) = value.cast::<PyDict>() {
            return self.push_object(dict, deeper(depth)?);
        }
        if let Ok(list) = value.cast::<PyList>() {
            return self.push_array(list.len(), deeper(depth)?, |index| {
                // SAFETY: the index is below the length, which nothing changes meanwhile.
                unsafe { ffi::PyList_GET_ITEM(list.as_ptr(), index) }
            });
        }
        if value.is_none() {
            self.out.append(b"null");
        } else if let Ok(flag) = value.cast::<PyBool>() {
            self.out.append(if flag.is_true() { b"true" } else { b"false" });
        } else if let Ok(integer) = value.cast::<PyInt>() {
            return push_integer(self.out, integer).map_err(|_| Fault::said("there is no memory for its digits"));
        } else if let Ok(number) = value.cast::<PyFloat>() {
            if !number.value().is_finite() {
                return Err(Fault::said("a number has to be finite"));
            }
            push_ecmascript(self.out, number.value());
        } else if let Ok(tuple) = value.cast::<PyTuple>() {
            return self.push_array(tuple.len(), deeper(depth)?, |index| {
                // SAFETY: the index is below the length of a tuple, which never changes.
                unsafe { ffi::PyTuple_GET_ITEM(tuple.as_ptr(), index) }
            });
        } else {
            return Err(Fault::new(Reason::Formless(value.get_type().unbind())));
        }
        Ok(())
    }

    fn push_array(
        &mut self,
        count: usize,
        depth: usize,
        item: impl Fn(ffi::Py_ssize_t) -> *mut ffi::PyObject,
    ) -> Written {
        self.out.push(b'[');
        for index in 0..count {
            if index > 0 {
                self.out.push(b',');
            }
            // SAFETY: the container holds its items, and no Python code runs that could take one away.
            let item = unsafe { Borrowed::from_ptr(self.py, item(index as ffi::Py_ssize_t)) };
            self.push_value(&item, depth).map_err(|fault| fault.below(|| format!("[{index}]")))?;
        }
        self.out.push(b']');
        Ok(())
    }

    #[inline(never)]
    fn push_object(&mut self, dict: &Bound<'py, PyDict>, depth: usize) -> Written {
        let base = self.members.len();
        // The stored items, whatever a subclass makes of iteration.
        // SAFETY: the loop copies addresses; no Python code runs.
        for (place, (key, value)) in unsafe { Pairs::new(dict) }.enumerate() {
            // SAFETY: the dict holds both, and is held itself, until they are written: no Python code runs.
            let (key, value) =
                unsafe { (Borrowed::from_ptr(self.py, key.as_ptr()), Borrowed::from_ptr(self.py, value.as_ptr())) };
            self.members.push(Member::new(key, value, place));
        }
        let written = match self.shapes.find(&self.members[base..]) {
            Some(shape) => self.push_shaped(base, &shape, depth),
            None => self.push_sorted(dict, base, depth),
        };
        self.members.truncate(base);
        written
    }

    /// Write the members from `base` on as objects with these keys are written.
    fn push_shaped(&mut self, base: usize, shape: &Shape, depth: usize) -> Written {
        for (place, key) in &shape.members {
            self.out.append_padded(key);
            let member = self.members[base + place];
            self.push_value(&member.value, depth).map_err(|fault| fault.below(|| step(&member)))?;
        }
        self.out.push(b'}');
        Ok(())
    }

    /// Sort the members from `base` on, and write them.
    fn push_sorted(&mut self, dict: &Bound<'py, PyDict>, base: usize, depth: usize) -> Written {
        let comes_again = self.shapes.meet(&self.members[base..]);
        for member in &mut self.members[base..] {
            match member.look() {
                Key::Ascii => (),
                Key::Wide => return self.push_wide(dict, depth),
                Key::NotText => return Err(Fault::said("every key has to be a string")),
            }
        }
        let members = &mut self.members[base..];
        sort(members);
        if comes_again && !members.is_empty() {
            self.shapes.keep(members);
        }
        self.out.push(b'{');
        for index in base..self.members.len() {
            if index > base {
                self.out.push(b',');
            }
            let member = self.members[index];
            if let Some(key) = member.text() {
                push_ascii(self.out, &key);
            }
            self.out.push(b':');
            self.push_value(&member.value, depth).map_err(|fault| fault.below(|| step(&member)))?;
        }
        self.out.push(b'}');
        Ok(())
    }

    /// An object some key of which isn't ASCII.
    #[cold]
    fn push_wide(&mut self, dict: &Bound<'py, PyDict>, depth: usize) -> Written {
        let mut members = Vec::with_capacity(dict.len());
        // SAFETY: the loop takes references and reads strings; no Python code runs.
        for (key, value) in unsafe { Pairs::new(dict) } {
            let Ok(key) = key.cast::<PyString>() else { return Err(Fault::said("every key has to be a string")) };
            let text = utf8(&key).ok_or_else(|| Fault::said("a key has a lone surrogate"))?;
            members.push((text, value.to_owned()));
        }
        members.sort_unstable_by(|left, right| compare_utf16(left.0.as_bytes(), right.0.as_bytes()));
        self.out.push(b'{');
        for (index, (key, value)) in members.iter().enumerate() {
            if index > 0 {
                self.out.push(b',');
            }
            push_quoted(self.out, key.as_bytes());
            self.out.push(b':');
            self.push_value(value, depth).map_err(|fault| fault.below(|| format!(".{key}")))?;
        }
        self.out.push(b'}');
        Ok(())
    }
}

fn step(member: &Member<'_>) -> String {
    format!(".{}", member.text().map_or_else(String::new, |key| utf8_lossy(&key)))
}

fn deeper(depth: usize) -> Result<usize, Box<Fault>> {
    if depth < MAX_DEPTH { Ok(depth + 1) } else { Err(Fault::new(Reason::TooDeep)) }
}
