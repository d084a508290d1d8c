//! The items of a dict, without an iterator object and without copies.

use std::{ptr, slice};

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::layout::{self, Entry};

/// Goes over a dict that nothing can change meanwhile.
pub struct Pairs<'a, 'py> {
    dict: &'a Bound<'py, PyDict>,
    /// What is left of the table, where its layout is known.
    entries: slice::Iter<'a, Entry>,
    /// Where the interpreter is in the dict otherwise.
    position: Option<ffi::Py_ssize_t>,
}

impl<'a, 'py> Pairs<'a, 'py> {
    /// # Safety
    ///
    /// Until this is dropped no Python code may run and nothing may change the dict: its keys and
    /// values are lent, not owned.
    #[inline(always)]
    pub unsafe fn new(dict: &'a Bound<'py, PyDict>) -> Self {
        // SAFETY: the dict doesn't change, as the caller says.
        match unsafe { layout::entries(dict) } {
            Some(entries) => Pairs { dict, entries: entries.iter(), position: None },
            None => Pairs { dict, entries: [].iter(), position: Some(0) },
        }
    }

    #[inline(never)]
    fn ask(&mut self) -> Option<(Borrowed<'a, 'py, PyAny>, Borrowed<'a, 'py, PyAny>)> {
        let position = self.position.as_mut()?;
        let (mut key, mut value) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: `dict` is a dict, `position` only ever comes from this function, and the references
        // it hands out live as long as the dict doesn't change, which `new` asks of its caller.
        unsafe {
            if ffi::PyDict_Next(self.dict.as_ptr(), position, &mut key, &mut value) == 0 {
                return None;
            }
            Some((Borrowed::from_ptr(self.dict.py(), key), Borrowed::from_ptr(self.dict.py(), value)))
        }
    }
}

impl<'a, 'py> Iterator for Pairs<'a, 'py> {
    type Item = (Borrowed<'a, 'py, PyAny>, Borrowed<'a, 'py, PyAny>);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        for entry in self.entries.by_ref() {
            if !entry.value.is_null() {
                let py = self.dict.py();
                // SAFETY: an entry with a value has a key, too, and the dict holds both while it doesn't change.
                return Some(unsafe { (Borrowed::from_ptr(py, entry.key), Borrowed::from_ptr(py, entry.value)) });
            }
        }
        if self.position.is_none() { None } else { self.ask() }
    }
}
