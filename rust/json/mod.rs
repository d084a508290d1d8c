//! JSON text: how strings and numbers are written, and how text is scanned.

pub mod block;
pub mod bytes;
pub mod escape;
pub mod float;
pub mod integer;
pub mod order;
pub mod scan;
#[cfg(target_arch = "x86_64")]
mod shuffle;
pub mod sink;
pub mod string;
pub mod unescape;
pub mod wide;

/// How many containers may be open at once in JSON that is read, and in canonical JSON.
pub const MAX_DEPTH: usize = 256;
