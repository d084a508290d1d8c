//! JSON text: how strings and numbers are written, and how text is scanned.

pub mod escape;
pub mod float;
pub mod integer;
pub mod scan;
pub mod string;
pub mod unescape;

/// How many containers may be open at once in JSON that is read, and in canonical JSON.
pub const MAX_DEPTH: usize = 256;
