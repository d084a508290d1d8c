//! `polyface._core`: the answer engine. Private to the Python package, which documents it in `_core.pyi`.

#[cfg(Py_GIL_DISABLED)]
compile_error!("polyface needs the global interpreter lock: build it for an interpreter that isn't free-threaded.");

mod canonical;
mod digest;
mod envelope;
mod error;
mod json;
mod layout;
mod members;
mod pairs;
mod plan;
mod prune;
mod strip;

/// What the Python package imports.
#[pyo3::pymodule(gil_used = true)]
mod _core {
    #[pymodule_export]
    use crate::canonical::canonical_json;
    #[pymodule_export]
    use crate::digest::digest;
    #[pymodule_export]
    use crate::envelope::mcp_result;
    #[pymodule_export]
    use crate::error::CanonicalError;
    #[pymodule_export]
    use crate::plan::Plan;
    #[pymodule_export]
    use crate::prune::Keep;
}
