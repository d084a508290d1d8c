//! The items of a dict, without an iterator object and without copies.

use std::ptr;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Goes over a dict that nothing can change meanwhile.
pub struct Pairs<'a, 'py> {
    dict: &'a Bound<'py, PyDict>,
    position: ffi::Py_ssize_t,
}

impl<'a, 'py> Pairs<'a, 'py> {
    /// # Safety
    ///
    /// Until this is dropped no Python code may run and nothing may change the dict: its keys and
    /// values are lent, not owned.
    pub unsafe fn new(dict: &'a Bound<'py, PyDict>) -> Self {
        Pairs { dict, position: 0 }
    }
}

impl<'a, 'py> Iterator for Pairs<'a, 'py> {
    type Item = (Borrowed<'a, 'py, PyAny>, Borrowed<'a, 'py, PyAny>);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let (mut key, mut value) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: `dict` is a dict, `position` only ever comes from this function, and the references
        // it hands out live as long as the dict doesn't change, which `new` asks of its caller.
        unsafe {
            if ffi::PyDict_Next(self.dict.as_ptr(), &mut self.position, &mut key, &mut value) == 0 {
                return None;
            }
            Some((Borrowed::from_ptr(self.dict.py(), key), Borrowed::from_ptr(self.dict.py(), value)))
        }
    }
}
