//! Short digests of canonical JSON.

use pyo3::prelude::*;
use sha2::{Digest, Sha256};

use crate::canonical::canonical;

/// How much of the hash is shown.
const BYTES: usize = 8;

#[pyo3::pyfunction]
#[pyo3(signature = (value, /))]
pub fn digest(value: &Bound<'_, PyAny>) -> PyResult<String> {
    let hash = Sha256::digest(canonical(value)?);
    Ok(hash.iter().take(BYTES).map(|byte| format!("{byte:02x}")).collect())
}
