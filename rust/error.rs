//! What this module raises beyond the builtin exceptions.

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;

create_exception!(polyface._core, CanonicalError, PyValueError, "A value that has no canonical JSON.");
