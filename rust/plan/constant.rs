//! Literals and enumerations: values from a known set, whose JSON is ready.

use pyo3::PyTraverseError;
use pyo3::gc::PyVisit;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyString};

use crate::json::sink::Sink;

/// The values of a `Literal`, each with its JSON.
pub struct Literal {
    values: Vec<(Py<PyAny>, Vec<u8>)>,
}

impl Literal {
    /// `values` are exact `str`, `int`, `bool` or None.
    pub fn new(values: Vec<(Py<PyAny>, Vec<u8>)>) -> Self {
        Literal { values }
    }

    pub fn push(&self, out: &mut impl Sink, value: &Bound<'_, PyAny>, kept: bool) -> bool {
        let py = value.py();
        let comparable = value.is_exact_instance_of::<PyString>()
            || value.is_exact_instance_of::<PyInt>()
            || value.is_exact_instance_of::<PyBool>()
            || value.is_none();
        let found = self.values.iter().find(|(known, _)| known.is(value)).or_else(|| {
            // Two exact builtins of the same class compare without running Python code.
            self.values.iter().find(|(known, _)| {
                let known = known.bind(py);
                comparable && known.get_type_ptr() == value.get_type_ptr() && known.eq(value).unwrap_or(false)
            })
        });
        write_found(out, found, kept)
    }
}

/// The members of an enumeration, each with its JSON, in the order of their addresses.
pub struct Members {
    members: Vec<(Py<PyAny>, Vec<u8>)>,
}

impl Members {
    pub fn new(mut members: Vec<(Py<PyAny>, Vec<u8>)>) -> Self {
        members.sort_by_key(|(member, _)| member.as_ptr() as usize);
        Members { members }
    }

    pub fn push(&self, out: &mut impl Sink, value: &Bound<'_, PyAny>, kept: bool) -> bool {
        write_found(out, self.position(value).map(|position| &self.members[position]), kept)
    }

    pub fn contains(&self, value: &Bound<'_, PyAny>) -> bool {
        self.position(value).is_some()
    }

    fn position(&self, value: &Bound<'_, PyAny>) -> Option<usize> {
        let address = value.as_ptr() as usize;
        self.members.binary_search_by_key(&address, |(member, _)| member.as_ptr() as usize).ok()
    }

    pub fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.members.iter().try_for_each(|(member, _)| visit.call(member))
    }
}

fn write_found(out: &mut impl Sink, found: Option<&(Py<PyAny>, Vec<u8>)>, kept: bool) -> bool {
    let Some((_, json)) = found else { return false };
    if kept {
        out.append(json);
    }
    true
}
