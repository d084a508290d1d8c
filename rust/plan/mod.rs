//! Plans: what an answer has to look like, compiled once and run many times.

mod bounds;
mod check;
mod classes;
mod compile;
mod constant;
mod decimal;
mod instance;
mod leaf;
mod lookup;
mod mapping;
mod names;
pub mod node;
mod number;
mod record;
mod sequence;
mod step;
pub mod table;
mod tagged;
mod temporal;
mod text;
mod trail;
mod uuid;
mod walk;

use pyo3::PyTraverseError;
use pyo3::exceptions::PyValueError;
use pyo3::gc::PyVisit;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

use self::classes::Classes;
use self::node::{Index, Node};
use self::table::Row;
use self::walk::Walker;
use crate::json::bytes::or_memory_error;
use crate::strip::Report;

/// Nodes that refer to each other by index, all checked.
pub struct Compiled {
    nodes: Vec<Node>,
    root: Index,
    classes: Classes,
}

type Reported<'py> = (Bound<'py, PyBytes>, Vec<(String, usize, Option<usize>)>);

#[pyclass(frozen, module = "polyface._core")]
pub struct Plan(Compiled);

#[pymethods]
impl Plan {
    #[new]
    fn new(nodes: &Bound<'_, PyList>, root: usize) -> PyResult<Self> {
        let total = nodes.len();
        if root >= total {
            return Err(PyValueError::new_err(format!("The root {root} isn't the index of a node.")));
        }
        let rows = nodes.iter().enumerate().map(|(number, value)| Row::new(number, total, &value));
        let rows = rows.collect::<PyResult<Vec<_>>>()?;
        let mut compiled = rows.iter().map(compile::node).collect::<PyResult<Vec<_>>>()?;
        check::check(&rows, &compiled)?;
        check::mark_reports(&mut compiled);
        check::settle_fields(&mut compiled);
        Ok(Plan(Compiled { nodes: compiled, root, classes: Classes::import(nodes.py())? }))
    }

    #[pyo3(signature = (value, /))]
    fn write<'py>(&self, value: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        or_memory_error(|| Walker::new(value.py(), &self.0, None)?.finish(value))
    }

    #[pyo3(signature = (value, /))]
    fn write_reporting<'py>(&self, value: &Bound<'py, PyAny>) -> PyResult<Option<Reported<'py>>> {
        or_memory_error(|| {
            let mut report = Report::new();
            let json = Walker::new(value.py(), &self.0, Some(&mut report))?.finish(value)?;
            Ok(json.map(|json| (json, report.into_entries())))
        })
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.0.nodes.iter().try_for_each(|node| node.traverse(&visit))
    }
}
