//! The result of an MCP tool call around an answer that is JSON already.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::json::escape::push_quoted;

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
    Ok(PyBytes::new(py, &result(answer, structure, text, members)))
}

fn result(answer: &[u8], structure: Option<Structure>, text: bool, members: &[u8]) -> Vec<u8> {
    let copies = usize::from(text) * 5 / 4 + usize::from(structure.is_some());
    let mut out = Vec::with_capacity(answer.len() * (copies + 1) + members.len() + 96);
    out.extend_from_slice(b"{\"content\":[");
    if text {
        out.extend_from_slice(b"{\"type\":\"text\",\"text\":");
        push_quoted(&mut out, answer);
        out.push(b'}');
    }
    out.push(b']');
    match structure {
        None => {}
        Some(Structure::Bare) => {
            out.extend_from_slice(b",\"structuredContent\":");
            out.extend_from_slice(answer);
        }
        Some(Structure::Wrapped) => {
            out.extend_from_slice(b",\"structuredContent\":{\"result\":");
            out.extend_from_slice(answer);
            out.push(b'}');
        }
    }
    if !members.is_empty() {
        out.push(b',');
        out.extend_from_slice(members);
    }
    out.push(b'}');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(structure: Option<Structure>, text: bool, members: &[u8]) -> String {
        String::from_utf8(result(b"[\"a\"]", structure, text, members)).unwrap()
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
