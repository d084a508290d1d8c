//! Classes of the standard library that leaves are compared with.

use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};

pub struct Classes {
    pub uuid: Py<PyType>,
    pub decimal: Py<PyType>,
    pub timezone: Py<PyType>,
    pub utc: Py<PyAny>,
    /// The attribute of a UUID that holds its value, as it is interned.
    pub int: Py<PyString>,
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
        Ok(Classes {
            uuid: class("uuid", "UUID")?,
            utc: timezone.bind(py).getattr("utc")?.unbind(),
            is_finite: decimal.bind(py).getattr("is_finite")?.unbind(),
            timezone,
            decimal,
            int: PyString::intern(py, "int").unbind(),
        })
    }
}

/// Whether a value's class is exactly this one.
#[inline(always)]
pub fn is_exactly(value: &Bound<'_, PyAny>, class: &Py<PyType>) -> bool {
    value.get_type_ptr() == class.as_ptr().cast()
}
