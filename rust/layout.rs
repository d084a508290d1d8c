//! What CPython keeps to itself, for the versions whose headers this was compared with (`build.rs` has the list).
//! Elsewhere every function says None, and its caller goes through the public interface.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt};

/// An item of a dict: both are null, or both are borrowed from the dict; only the value is null for a deleted one.
#[repr(C)]
pub struct Entry {
    pub key: *mut pyo3::ffi::PyObject,
    pub value: *mut pyo3::ffi::PyObject,
}

#[cfg(known_layouts)]
pub use known::*;
#[cfg(not(known_layouts))]
pub use unknown::*;

#[cfg(known_layouts)]
mod known {
    use std::slice;

    use pyo3::ffi::{self, Py_ssize_t};
    use pyo3::types::PyType;

    use super::*;

    /// `struct _dictkeysobject` up to the indices, which the entries follow.
    #[repr(C)]
    struct Keys {
        references: Py_ssize_t,
        log2_size: u8,
        log2_index_bytes: u8,
        kind: u8,
        version: u32,
        usable: Py_ssize_t,
        entries: Py_ssize_t,
    }

    /// `DICT_KEYS_UNICODE`: all keys are exact strings, and an entry has no room for a hash.
    const UNICODE: u8 = 1;

    /// The items of a dict of its own table with only exact `str` keys, in order.
    ///
    /// # Safety
    ///
    /// While the answer is in use nothing may change the dict.
    #[inline(always)]
    pub unsafe fn entries<'a>(dict: &'a Bound<'_, PyDict>) -> Option<&'a [Entry]> {
        // SAFETY: `dict` is a dict. `ma_keys` is never null; a dict without `ma_values` has its values in the
        // entries, which start `1 << log2_index_bytes` bytes behind the header, and `entries` of them were used.
        unsafe {
            let dict = dict.as_ptr().cast::<ffi::PyDictObject>();
            let keys = (*dict).ma_keys.cast::<Keys>();
            if !(*dict).ma_values.is_null() || (*keys).kind != UNICODE {
                return None;
            }
            let indices = keys.add(1).cast::<u8>();
            let entries = indices.add(1 << (*keys).log2_index_bytes).cast::<Entry>();
            Some(slice::from_raw_parts(entries, (*keys).entries as usize))
        }
    }

    const DIGIT_BITS: usize = 30;

    /// The digits of an `int` that isn't negative, each of thirty bits, the lowest first.
    ///
    /// # Safety
    ///
    /// `has_wide_digits` was asked.
    #[inline(always)]
    unsafe fn digits<'a>(value: &'a Bound<'_, PyInt>) -> Option<&'a [u32]> {
        // SAFETY: `value` is an `int`: a header, its size, and so many digits.
        unsafe {
            let size = value.as_ptr().cast::<ffi::PyObject>().add(1).cast::<Py_ssize_t>();
            let digits = size.add(1).cast::<u32>();
            #[cfg(not(Py_3_12))]
            let (is_negative, count) = (*size < 0, *size as usize);
            // The lowest two bits are the sign: 0 positive, 1 zero, 2 negative; the third is reserved.
            #[cfg(Py_3_12)]
            let (is_negative, count) = (*size & 2 != 0, *size as usize >> 3);
            (!is_negative).then(|| slice::from_raw_parts(digits, count))
        }
    }

    /// Whether this interpreter was built with digits of thirty bits, as it is unless told otherwise.
    pub fn has_wide_digits(py: Python<'_>) -> bool {
        let bits = py.import("sys").and_then(|sys| sys.getattr("int_info")?.getattr("bits_per_digit")?.extract());
        bits.is_ok_and(|bits: usize| bits == DIGIT_BITS)
    }

    /// An `int` of up to 128 bits, None if it is negative or larger.
    ///
    /// # Safety
    ///
    /// `has_wide_digits` was true.
    #[inline(always)]
    pub unsafe fn unsigned(value: &Bound<'_, PyInt>) -> Option<u128> {
        // SAFETY: as the caller says.
        let digits = unsafe { digits(value) }?;
        match *digits {
            [a, b, c, d, ref rest @ ..] => {
                let low = u128::from(u64::from(a) | u64::from(b) << DIGIT_BITS);
                let middle = u128::from(u64::from(c) | u64::from(d) << DIGIT_BITS);
                let high = match *rest {
                    [] => 0,
                    [high] if high < 1 << (128 - 4 * DIGIT_BITS) => u128::from(high),
                    _ => return None,
                };
                Some(low | middle << (2 * DIGIT_BITS) | high << (4 * DIGIT_BITS))
            }
            _ => Some(digits.iter().rev().fold(0, |number, &digit| number << DIGIT_BITS | u128::from(digit))),
        }
    }

    /// `PyMemberDescrObject`.
    #[repr(C)]
    struct MemberDescriptor {
        base: ffi::PyObject,
        class: *mut ffi::PyTypeObject,
        name: *mut ffi::PyObject,
        qualified_name: *mut ffi::PyObject,
        member: *mut ffi::PyMemberDef,
    }

    /// Where the instances of a class have the object that a descriptor of `__slots__` reads.
    pub fn slot_offset(class: &Bound<'_, PyType>, descriptor: &Bound<'_, PyAny>) -> Option<Py_ssize_t> {
        let expected = class.py().import("types").ok()?.getattr("MemberDescriptorType").ok()?;
        if !descriptor.get_type().is(&expected) {
            return None;
        }
        // SAFETY: the class of `descriptor` says that it is such an object, and its member lives as long.
        let (owner, member) = unsafe {
            let descriptor = descriptor.as_ptr().cast::<MemberDescriptor>();
            ((*descriptor).class, &*(*descriptor).member)
        };
        let is_slot = owner == class.as_type_ptr() && member.type_code == ffi::Py_T_OBJECT_EX;
        is_slot.then_some(member.offset)
    }

    /// What an instance has in a slot, if anything.
    ///
    /// # Safety
    ///
    /// `offset` is what `slot_offset` said of the class of `value`.
    #[inline(always)]
    pub unsafe fn slot<'a, 'py>(value: &'a Bound<'py, PyAny>, offset: Py_ssize_t) -> Option<Borrowed<'a, 'py, PyAny>> {
        // SAFETY: there the instance has null or a reference of its own; the caller keeps it from changing, as
        // it keeps `value` alive.
        unsafe {
            let object = *value.as_ptr().byte_offset(offset).cast::<*mut ffi::PyObject>();
            (!object.is_null()).then(|| Borrowed::from_ptr(value.py(), object))
        }
    }
}

#[cfg(not(known_layouts))]
mod unknown {
    use pyo3::ffi::Py_ssize_t;
    use pyo3::types::PyType;

    use super::*;

    /// # Safety
    ///
    /// None here.
    #[inline(always)]
    pub unsafe fn entries<'a>(_: &'a Bound<'_, PyDict>) -> Option<&'a [Entry]> {
        None
    }

    pub fn has_wide_digits(_: Python<'_>) -> bool {
        false
    }

    /// # Safety
    ///
    /// None here.
    pub unsafe fn unsigned(_: &Bound<'_, PyInt>) -> Option<u128> {
        None
    }

    pub fn slot_offset(_: &Bound<'_, PyType>, _: &Bound<'_, PyAny>) -> Option<Py_ssize_t> {
        None
    }

    /// # Safety
    ///
    /// None here.
    pub unsafe fn slot<'a, 'py>(_: &'a Bound<'py, PyAny>, _: Py_ssize_t) -> Option<Borrowed<'a, 'py, PyAny>> {
        None
    }
}
