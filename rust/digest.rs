//! Short digests of canonical JSON.

use pyo3::prelude::*;
use sha2::{Digest, Sha256};

use crate::canonical::push_canonical;
use crate::json::sink::Sink;

/// How much of the hash is shown.
const BYTES: usize = 8;
/// How much text is gathered before it is hashed.
const CHUNK: usize = 1 << 14;

/// Hashes what is written to it, so that the text never exists as a whole.
#[derive(Default)]
struct Hashing {
    hash: Sha256,
    text: Vec<u8>,
}

impl Sink for Hashing {
    #[inline(always)]
    fn room(&mut self, count: usize) -> *mut u8 {
        if self.text.capacity() - self.text.len() < count {
            self.make_room(count);
        }
        self.text.spare_capacity_mut().as_mut_ptr().cast()
    }

    #[inline(always)]
    unsafe fn advance(&mut self, count: usize) {
        // SAFETY: the caller wrote so many bytes of the spare capacity.
        unsafe { self.text.set_len(self.text.len() + count) }
    }
}

impl Hashing {
    #[cold]
    #[inline(never)]
    fn make_room(&mut self, count: usize) {
        self.hash.update(&self.text);
        self.text.clear();
        self.text.reserve(count.max(CHUNK));
    }
}

#[pyo3::pyfunction]
#[pyo3(signature = (value, /))]
pub fn digest(value: &Bound<'_, PyAny>) -> PyResult<String> {
    let mut out = Hashing::default();
    push_canonical(&mut out, value)?;
    out.hash.update(&out.text);
    Ok(out.hash.finalize().iter().take(BYTES).map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_hash_as_the_whole_does() {
        let mut out = Hashing::default();
        let mut whole = Vec::new();
        for length in [1, CHUNK - 1, 3, 2 * CHUNK, CHUNK, 5] {
            let piece = vec![b'x'; length];
            out.append(&piece);
            whole.extend(piece);
        }
        out.hash.update(&out.text);
        assert_eq!(out.hash.finalize(), Sha256::digest(whole));
    }
}
