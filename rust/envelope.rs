//! The result of an MCP tool call around an answer that is JSON already.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::json::bytes::{Bytes, or_memory_error};
use crate::json::escape::push_quoted;
use crate::json::sink::Sink;

/// More than what stands around the answer, and what is written past the end of text in the meantime.
const ROOM: usize = 4096;

/// Whether the answer is the structured content itself or its `result` member.
#[derive(Clone, Copy)]
enum Structure {
    Bare,
    Wrapped,
}

#[pyo3::pyfunction]
#[pyo3(signature = (answer, *, structured, text, members))]
pub fn mcp_result<'py>(
    py: Python<'py>,
    answer: &[u8],
    structured: Option<&str>,
    text: bool,
    members: &[u8],
) -> PyResult<Bound<'py, PyBytes>> {
    let structure = match structured {
        None => None,
        Some("bare") => Some(Structure::Bare),
        Some("wrapped") => Some(Structure::Wrapped),
        Some(other) => {
            return Err(PyValueError::new_err(format!("`structured` is `bare`, `wrapped` or None, not `{other}`.")));
        }
    };
    let copies = usize::from(text) + usize::from(structure.is_some());
    or_memory_error(|| {
        let mut out = Bytes::with_capacity(py, answer.len() * copies + answer.len() / 3 + members.len() + ROOM)?;
        push_result(&mut out, answer, structure, text, members);
        out.finish()
    })
}

fn push_result(out: &mut impl Sink, answer: &[u8], structure: Option<Structure>, text: bool, members: &[u8]) {
    out.append(b"{\"content\":[");
    if text {
        out.append(b"{\"type\":\"text\",\"text\":");
        push_quoted(out, answer);
        out.push(b'}');
    }
    out.push(b']');
    match structure {
        None => {}
        Some(Structure::Bare) => {
            out.append(b",\"structuredContent\":");
            out.append(answer);
        }
        Some(Structure::Wrapped) => {
            out.append(b",\"structuredContent\":{\"result\":");
            out.append(answer);
            out.push(b'}');
        }
    }
    if !members.is_empty() {
        out.push(b',');
        out.append(members);
    }
    out.push(b'}');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(structure: Option<Structure>, text: bool, members: &[u8]) -> String {
        let mut out = Vec::new();
        push_result(&mut out, b"[\"a\"]", structure, text, members);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn each_part_is_there_when_asked_for() {
        assert_eq!(text(None, false, b""), r#"{"content":[]}"#);
        assert_eq!(text(None, true, b""), r#"{"content":[{"type":"text","text":"[\"a\"]"}]}"#);
        assert_eq!(text(Some(Structure::Bare), false, b""), r#"{"content":[],"structuredContent":["a"]}"#);
        assert_eq!(
            text(Some(Structure::Wrapped), false, b"\"isError\":false"),
            r#"{"content":[],"structuredContent":{"result":["a"]},"isError":false}"#
        );
    }
}
