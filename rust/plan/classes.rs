//! Classes of the standard library that leaves are compared with.

use pyo3::ffi::Py_ssize_t;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};

use crate::layout;

pub struct Classes {
    pub uuid: Py<PyType>,
    pub decimal: Py<PyType>,
    pub date: Py<PyType>,
    pub timezone: Py<PyType>,
    pub utc: Py<PyAny>,
    /// The attribute of a UUID that holds its value, as it is interned.
    pub int: Py<PyString>,
    /// The descriptor of that attribute and its place in a UUID, where that is known and can be read.
    pub uuid_slot: Option<(Py_ssize_t, Py<PyAny>)>,
    /// `Decimal.is_finite`, unbound.
    pub is_finite: Py<PyAny>,
}

impl Classes {
    pub fn import(py: Python<'_>) -> PyResult<Self> {
        let class = |module: &str, name: &str| -> PyResult<Py<PyType>> {
            Ok(py.import(module)?.getattr(name)?.cast_into::<PyType>()?.unbind())
        };
        let timezone = class("datetime", "timezone")?;
        let decimal = class("decimal", "Decimal")?;
        let uuid = class("uuid", "UUID")?;
        let int = PyString::intern(py, "int").unbind();
        let uuid_slot = uuid_slot(uuid.bind(py), int.bind(py));
        Ok(Classes {
            uuid,
            date: class("datetime", "date")?,
            utc: timezone.bind(py).getattr("utc")?.unbind(),
            is_finite: decimal.bind(py).getattr("is_finite")?.unbind(),
            timezone,
            decimal,
            int,
            uuid_slot,
        })
    }
}

fn uuid_slot(class: &Bound<'_, PyType>, name: &Bound<'_, PyString>) -> Option<(Py_ssize_t, Py<PyAny>)> {
    let descriptor = class.getattr(name).ok()?;
    let offset = layout::slot_offset(class, &descriptor)?;
    layout::has_wide_digits(class.py()).then(|| (offset, descriptor.unbind()))
}

/// Whether a value's class is exactly this one.
#[inline(always)]
pub fn is_exactly(value: &Bound<'_, PyAny>, class: &Py<PyType>) -> bool {
    value.get_type_ptr() == class.as_ptr().cast()
}
