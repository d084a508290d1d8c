//! Reading rows of the node table: every fault is a `ValueError` that names the node.

use std::fmt::Display;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyFloat, PyInt, PyList, PyString, PyTuple, PyType};

use crate::json::scan;
use crate::json::string::has_surrogate;

/// One node of the table: a tuple whose first item is its kind.
pub struct Row<'py> {
    pub number: usize,
    pub kind: String,
    /// How many nodes the table has.
    total: usize,
    items: Bound<'py, PyTuple>,
}

impl<'py> Row<'py> {
    pub fn new(number: usize, total: usize, value: &Bound<'py, PyAny>) -> PyResult<Self> {
        let fault = || PyValueError::new_err(format!("Node {number} isn't a tuple that starts with its kind."));
        let items = value.cast_exact::<PyTuple>().map_err(|_| fault())?.clone();
        let kind = items.get_item(0).map_err(|_| fault())?.extract().map_err(|_| fault())?;
        Ok(Row { number, kind, total, items })
    }

    pub fn fault(&self, text: impl Display) -> PyErr {
        PyValueError::new_err(format!("Node {} (`{}`): {text}.", self.number, self.kind))
    }

    /// Refuse a row that doesn't have exactly so many items after its kind.
    pub fn expect(&self, count: usize) -> PyResult<()> {
        let found = self.items.len() - 1;
        if found == count {
            Ok(())
        } else {
            Err(self.fault(format!("{count} items are needed after the kind, not {found}")))
        }
    }

    /// The item at a position; the kind is at 0.
    pub fn at(&self, position: usize) -> PyResult<Bound<'py, PyAny>> {
        self.items.get_item(position).map_err(|_| self.fault(format!("item {position} is missing")))
    }

    pub fn child(&self, value: &Bound<'py, PyAny>) -> PyResult<usize> {
        let index = value.cast_exact::<PyInt>().ok().and_then(|index| index.extract::<usize>().ok());
        match index {
            Some(index) if index < self.total => Ok(index),
            _ => Err(self.fault(format!("{value:?} isn't the index of a node"))),
        }
    }

    pub fn children(&self, position: usize) -> PyResult<Vec<usize>> {
        self.list(position)?.iter().map(|child| self.child(&child)).collect()
    }

    pub fn list(&self, position: usize) -> PyResult<Bound<'py, PyList>> {
        let value = self.at(position)?;
        value.cast_into_exact::<PyList>().map_err(|_| self.fault(format!("item {position} isn't a list")))
    }

    pub fn class(&self, value: &Bound<'py, PyAny>) -> PyResult<Py<PyType>> {
        let class = value.cast::<PyType>().map_err(|_| self.fault(format!("{value:?} isn't a class")))?;
        Ok(class.clone().unbind())
    }

    /// A callable or None.
    pub fn callable(&self, position: usize) -> PyResult<Option<Py<PyAny>>> {
        let value = self.at(position)?;
        if value.is_none() {
            return Ok(None);
        }
        if value.is_callable() {
            return Ok(Some(value.unbind()));
        }
        Err(self.fault(format!("item {position} is neither a callable nor None")))
    }

    /// A name, interned.
    pub fn name(&self, value: &Bound<'py, PyAny>) -> PyResult<Py<PyString>> {
        match value.cast_exact::<PyString>() {
            Ok(text) if !has_surrogate(text) => {
                Ok(PyString::intern(value.py(), &crate::json::string::utf8_lossy(text)).unbind())
            }
            _ => Err(self.fault(format!("{value:?} isn't a name"))),
        }
    }

    pub fn flag(&self, value: &Bound<'py, PyAny>) -> PyResult<bool> {
        let flag = value.cast_exact::<PyBool>().map_err(|_| self.fault(format!("{value:?} isn't True or False")))?;
        Ok(flag.is_true())
    }

    /// A number of items or of code points; None means `default`.
    pub fn size(&self, position: usize, default: usize) -> PyResult<usize> {
        let value = self.at(position)?;
        if value.is_none() {
            return Ok(default);
        }
        let size = value.cast_exact::<PyInt>().ok().and_then(|size| size.extract::<usize>().ok());
        size.ok_or_else(|| self.fault(format!("item {position} is neither a size nor None")))
    }

    pub fn integer(&self, position: usize) -> PyResult<Option<Bound<'py, PyInt>>> {
        let value = self.at(position)?;
        if value.is_none() {
            return Ok(None);
        }
        let integer = value.cast_into_exact::<PyInt>();
        integer.map(Some).map_err(|_| self.fault(format!("item {position} is neither an int nor None")))
    }

    pub fn float(&self, position: usize) -> PyResult<Option<f64>> {
        let value = self.at(position)?;
        if value.is_none() {
            return Ok(None);
        }
        match value.cast_exact::<PyFloat>() {
            Ok(number) if !number.value().is_nan() => Ok(Some(number.value())),
            _ => Err(self.fault(format!("item {position} is neither a float nor None"))),
        }
    }

    /// Bytes that hold one JSON value.
    pub fn json(&self, value: &Bound<'py, PyAny>) -> PyResult<Vec<u8>> {
        match value.cast_exact::<PyBytes>() {
            Ok(json) if scan::is_value(json.as_bytes()) => Ok(json.as_bytes().to_vec()),
            _ => Err(self.fault(format!("{value:?} isn't JSON in bytes"))),
        }
    }

    /// The items of a tuple of exactly so many.
    pub fn parts<const N: usize>(&self, value: &Bound<'py, PyAny>) -> PyResult<[Bound<'py, PyAny>; N]> {
        let parts = value.cast_exact::<PyTuple>().ok().map(|tuple| tuple.iter().collect::<Vec<_>>());
        let parts = parts.and_then(|parts| <[_; N]>::try_from(parts).ok());
        parts.ok_or_else(|| self.fault(format!("{value:?} isn't a tuple of {N}")))
    }
}
