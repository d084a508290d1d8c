//! A Python `bytes` that is written in place, so that an answer is never copied.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr::NonNull;
use std::slice;

use pyo3::exceptions::PyMemoryError;
use pyo3::ffi::{self, compat};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::sink::Sink;

/// The memory of a `bytes` that nobody else knows of yet.
///
/// Invariant: `start` is the data of `writer`, which has `capacity` bytes; the first `length` are written.
pub struct Bytes<'py> {
    py: Python<'py>,
    writer: NonNull<compat::PyBytesWriter>,
    start: *mut u8,
    length: usize,
    capacity: usize,
}

impl<'py> Bytes<'py> {
    pub fn with_capacity(py: Python<'py>, capacity: usize) -> PyResult<Self> {
        // No object is as large as this; the call below says so.
        let size = ffi::Py_ssize_t::try_from(capacity).unwrap_or(ffi::Py_ssize_t::MAX);
        // SAFETY: the interpreter is attached; the call has no other precondition, and returns null if it fails.
        let writer = NonNull::new(unsafe { compat::PyBytesWriter_Create(size) });
        let Some(writer) = writer else { return Err(PyErr::fetch(py)) };
        // SAFETY: the writer was just made, and is only given up by `finish` and `drop`.
        let start = unsafe { compat::PyBytesWriter_GetData(writer.as_ptr()) }.cast();
        Ok(Bytes { py, writer, start, length: 0, capacity })
    }

    pub fn len(&self) -> usize {
        self.length
    }

    /// What was written so far.
    #[inline(always)]
    pub fn text(&mut self) -> &mut [u8] {
        // SAFETY: so many bytes are written, and nobody else has a pointer to them.
        unsafe { slice::from_raw_parts_mut(self.start, self.length) }
    }

    /// Forget what was written after the first `length` bytes.
    #[inline(always)]
    pub fn truncate(&mut self, length: usize) {
        self.length = self.length.min(length);
    }

    /// The object with what was written.
    pub fn finish(self) -> PyResult<Bound<'py, PyBytes>> {
        let this = std::mem::ManuallyDrop::new(self);
        // SAFETY: the writer is alive, isn't used again, and has at least `length` bytes, all written; the call
        // returns a new `bytes`, or null with an exception set.
        unsafe {
            let bytes = compat::PyBytesWriter_FinishWithSize(this.writer.as_ptr(), this.length as ffi::Py_ssize_t);
            Ok(Bound::from_owned_ptr_or_err(this.py, bytes)?.cast_into_unchecked())
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, count: usize) {
        let capacity = self.length.checked_add(count).map(|needed| needed.max(self.capacity.saturating_mul(2)));
        let capacity = capacity.filter(|&capacity| ffi::Py_ssize_t::try_from(capacity).is_ok());
        let Some(capacity) = capacity else { self.give_up() };
        let writer = self.writer.as_ptr();
        // SAFETY: the writer is alive; it keeps what is written. Before 3.15 its replacement in PyO3 panics where it
        // fails, and then holds no object, so that it can still be given up.
        let status = catch_unwind(|| unsafe { compat::PyBytesWriter_Resize(writer, capacity as ffi::Py_ssize_t) });
        if status.unwrap_or(-1) < 0 {
            self.give_up();
        }
        // SAFETY: the writer is alive. Its data may have moved.
        self.start = unsafe { compat::PyBytesWriter_GetData(self.writer.as_ptr()) }.cast();
        self.capacity = capacity;
    }

    /// There is no memory left, as when a vector can't grow; `or_memory_error` ends the unwinding.
    fn give_up(&self) -> ! {
        drop(PyErr::take(self.py));
        resume_unwind(Box::new(Exhausted))
    }
}

struct Exhausted;

/// Run what writes to `Bytes`; a `MemoryError` if they can't grow.
pub fn or_memory_error<T>(write: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    match catch_unwind(AssertUnwindSafe(write)) {
        Ok(result) => result,
        Err(payload) if payload.is::<Exhausted>() => Err(PyMemoryError::new_err(())),
        Err(payload) => resume_unwind(payload),
    }
}

impl Sink for Bytes<'_> {
    #[inline(always)]
    fn room(&mut self, count: usize) -> *mut u8 {
        if self.capacity - self.length < count {
            self.grow(count);
        }
        // SAFETY: `length` is at most `capacity`.
        unsafe { self.start.add(self.length) }
    }

    #[inline(always)]
    unsafe fn advance(&mut self, count: usize) {
        debug_assert!(count <= self.capacity - self.length);
        self.length += count;
    }
}

impl Drop for Bytes<'_> {
    fn drop(&mut self) {
        // SAFETY: the writer is alive and isn't used again.
        unsafe { compat::PyBytesWriter_Discard(self.writer.as_ptr()) }
    }
}
