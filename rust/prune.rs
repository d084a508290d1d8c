//! Pruning of JSON text: members that aren't declared are left out, everything else stays as it is.

use std::collections::HashMap;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};

use crate::json::scan::{Fault, Scanner};
use crate::json::string::utf8_lossy;
use crate::json::unescape::unescape;
use crate::plan::table::Row;

enum Kept {
    All,
    Object { members: HashMap<String, usize>, rest: Option<usize> },
    Array(usize),
    Tuple { items: Vec<usize>, rest: Option<usize> },
    Tagged { key: String, children: HashMap<String, usize> },
}

#[pyclass(frozen, module = "polyface._core")]
pub struct Keep {
    nodes: Vec<Kept>,
    root: usize,
}

#[pymethods]
impl Keep {
    #[new]
    fn new(nodes: &Bound<'_, PyList>, root: usize) -> PyResult<Self> {
        let total = nodes.len();
        if root >= total {
            return Err(PyValueError::new_err(format!("The root {root} isn't the index of a node.")));
        }
        let nodes = nodes.iter().enumerate().map(|(number, value)| compile(&Row::new(number, total, &value)?));
        let nodes = nodes.collect::<PyResult<Vec<_>>>()?;
        let keep = Keep { nodes, root };
        keep.check_tagged()?;
        Ok(keep)
    }

    #[pyo3(signature = (json, /))]
    fn prune<'py>(&self, json: &Bound<'py, PyBytes>) -> PyResult<Bound<'py, PyBytes>> {
        let pruned = self.pruned(json.as_bytes()).map_err(|fault| match fault {
            Fault::Malformed(position) => PyValueError::new_err(format!("The text isn't JSON at byte {position}.")),
            Fault::TooDeep(position) => {
                PyValueError::new_err(format!("The JSON is nested too deep at byte {position}."))
            }
        })?;
        Ok(pruned.map_or_else(|| json.clone(), |pruned| PyBytes::new(json.py(), &pruned)))
    }
}

fn compile(row: &Row<'_>) -> PyResult<Kept> {
    Ok(match row.kind.as_str() {
        "all" => {
            row.expect(0)?;
            Kept::All
        }
        "object" => {
            row.expect(2)?;
            Kept::Object { members: children(row, 1)?, rest: rest(row, 2)? }
        }
        "array" => {
            row.expect(1)?;
            Kept::Array(row.child(&row.at(1)?)?)
        }
        "tuple" => {
            row.expect(2)?;
            Kept::Tuple { items: row.children(1)?, rest: rest(row, 2)? }
        }
        "tagged" => {
            row.expect(2)?;
            let key = utf8_lossy(row.name(&row.at(1)?)?.bind(row.at(1)?.py()));
            Kept::Tagged { key, children: children(row, 2)? }
        }
        _ => return Err(row.fault("the kind is unknown")),
    })
}

fn children(row: &Row<'_>, position: usize) -> PyResult<HashMap<String, usize>> {
    let table = row.at(position)?;
    let table = table.cast_exact::<PyDict>().map_err(|_| row.fault(format!("item {position} isn't a dict")))?;
    let child = |(key, child)| Ok((utf8_lossy(row.name(&key)?.bind(key.py())), row.child(&child)?));
    table.iter().map(child).collect()
}

fn rest(row: &Row<'_>, position: usize) -> PyResult<Option<usize>> {
    let value = row.at(position)?;
    if value.is_none() { Ok(None) } else { row.child(&value).map(Some) }
}

/// A prune under way: what was read, what was written, and whether anything was left out.
struct Pruning<'a> {
    scanner: Scanner<'a>,
    out: Vec<u8>,
    has_dropped: bool,
}

impl Keep {
    /// A tagged node that leads to itself would read the same object for ever.
    fn check_tagged(&self) -> PyResult<()> {
        for (number, node) in self.nodes.iter().enumerate() {
            if let Kept::Tagged { children, .. } = node
                && children.values().any(|child| matches!(self.nodes[*child], Kept::Tagged { .. }))
            {
                return Err(PyValueError::new_err(format!("Node {number} (`tagged`): a child is tagged again.")));
            }
        }
        Ok(())
    }

    /// The pruned text, or None if all of it is kept.
    fn pruned(&self, text: &[u8]) -> Result<Option<Vec<u8>>, Fault> {
        if let Err(error) = std::str::from_utf8(text) {
            return Err(Fault::Malformed(error.valid_up_to()));
        }
        let mut pruning = Pruning { scanner: Scanner { text, position: 0 }, out: Vec::new(), has_dropped: false };
        self.prune_value(&mut pruning, self.root, 0)?;
        pruning.scanner.finish()?;
        Ok(pruning.has_dropped.then_some(pruning.out))
    }

    fn prune_value(&self, pruning: &mut Pruning<'_>, index: usize, depth: usize) -> Result<(), Fault> {
        pruning.scanner.skip_space();
        match (&self.nodes[index], pruning.scanner.peek()) {
            (Kept::Object { members, rest }, Some(b'{')) => self.prune_object(pruning, members, *rest, depth),
            (Kept::Array(child), Some(b'[')) => self.prune_array(pruning, &[], Some(*child), depth),
            (Kept::Tuple { items, rest }, Some(b'[')) => self.prune_array(pruning, items, *rest, depth),
            (Kept::Tagged { key, children }, Some(b'{')) => {
                let tag = find_tag(pruning.scanner.text, pruning.scanner.position, key, depth)?;
                match tag.and_then(|tag| children.get(&tag)) {
                    Some(child) => self.prune_value(pruning, *child, depth),
                    None => copy(pruning, depth),
                }
            }
            _ => copy(pruning, depth),
        }
    }

    fn prune_object(
        &self,
        pruning: &mut Pruning<'_>,
        members: &HashMap<String, usize>,
        rest: Option<usize>,
        depth: usize,
    ) -> Result<(), Fault> {
        let depth = pruning.scanner.deeper(depth)?;
        pruning.scanner.expect(b'{')?;
        pruning.out.push(b'{');
        let mut is_first = true;
        if !pruning.scanner.accept(b'}') {
            loop {
                pruning.scanner.skip_space();
                let start = pruning.scanner.position;
                pruning.scanner.skip_string()?;
                let key = &pruning.scanner.text[start..pruning.scanner.position];
                pruning.scanner.expect(b':')?;
                match lookup(members, key).or(rest) {
                    Some(child) => {
                        if !is_first {
                            pruning.out.push(b',');
                        }
                        is_first = false;
                        pruning.out.extend_from_slice(key);
                        pruning.out.push(b':');
                        self.prune_value(pruning, child, depth)?;
                    }
                    None => {
                        pruning.has_dropped = true;
                        pruning.scanner.skip_value(depth)?;
                    }
                }
                if !pruning.scanner.accept(b',') {
                    break;
                }
            }
            pruning.scanner.expect(b'}')?;
        }
        pruning.out.push(b'}');
        Ok(())
    }

    fn prune_array(
        &self,
        pruning: &mut Pruning<'_>,
        items: &[usize],
        rest: Option<usize>,
        depth: usize,
    ) -> Result<(), Fault> {
        let depth = pruning.scanner.deeper(depth)?;
        pruning.scanner.expect(b'[')?;
        pruning.out.push(b'[');
        if !pruning.scanner.accept(b']') {
            for index in 0.. {
                match items.get(index).copied().or(rest) {
                    Some(child) => {
                        if index > 0 {
                            pruning.out.push(b',');
                        }
                        self.prune_value(pruning, child, depth)?;
                    }
                    None => {
                        pruning.has_dropped = true;
                        pruning.scanner.skip_value(depth)?;
                    }
                }
                if !pruning.scanner.accept(b',') {
                    break;
                }
            }
            pruning.scanner.expect(b']')?;
        }
        pruning.out.push(b']');
        Ok(())
    }
}

fn copy(pruning: &mut Pruning<'_>, depth: usize) -> Result<(), Fault> {
    let start = pruning.scanner.position;
    pruning.scanner.skip_value(depth)?;
    pruning.out.extend_from_slice(&pruning.scanner.text[start..pruning.scanner.position]);
    Ok(())
}

/// The node of a key in quotes.
fn lookup(members: &HashMap<String, usize>, quoted: &[u8]) -> Option<usize> {
    unescape(quoted).and_then(|key| members.get(key.as_ref()).copied())
}

/// The text of a tagged object's tag; as in any reader of JSON, the last of several counts.
fn find_tag(text: &[u8], position: usize, key: &str, depth: usize) -> Result<Option<String>, Fault> {
    let mut scanner = Scanner { text, position };
    let depth = scanner.deeper(depth)?;
    let mut tag = None;
    scanner.expect(b'{')?;
    if scanner.accept(b'}') {
        return Ok(None);
    }
    loop {
        scanner.skip_space();
        let start = scanner.position;
        scanner.skip_string()?;
        let is_tag = unescape(&text[start..scanner.position]).is_some_and(|found| found == key);
        scanner.expect(b':')?;
        scanner.skip_space();
        let start = scanner.position;
        scanner.skip_value(depth)?;
        if is_tag {
            let value = &text[start..scanner.position];
            tag = if value.first() == Some(&b'"') { unescape(value).map(Into::into) } else { None };
        }
        if !scanner.accept(b',') {
            scanner.expect(b'}')?;
            return Ok(tag);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pruned(nodes: Vec<Kept>, text: &str) -> Option<String> {
        let keep = Keep { nodes, root: 0 };
        keep.pruned(text.as_bytes()).unwrap().map(|pruned| String::from_utf8(pruned).unwrap())
    }

    fn object(members: &[(&str, usize)], rest: Option<usize>) -> Kept {
        Kept::Object { members: members.iter().map(|(key, child)| (key.to_string(), *child)).collect(), rest }
    }

    #[test]
    fn what_is_not_declared_is_left_out_and_the_rest_stays() {
        let nodes = vec![object(&[("a", 1)], None), Kept::All];
        assert_eq!(pruned(nodes, r#" {"b":[1], "\u0061" : [1, 2.50]} "#).as_deref(), Some(r#"{"\u0061":[1, 2.50]}"#));
    }

    #[test]
    fn text_of_which_all_is_kept_is_not_written_again() {
        assert_eq!(pruned(vec![object(&[], Some(1)), Kept::All], r#"{ "a": 1 }"#), None);
        assert_eq!(pruned(vec![object(&[], None)], "[{}, null]"), None);
    }

    #[test]
    fn items_past_a_tuple_are_left_out() {
        assert_eq!(
            pruned(vec![Kept::Tuple { items: vec![1], rest: None }, Kept::All], "[1, 2, 3]").as_deref(),
            Some("[1]")
        );
    }
}
