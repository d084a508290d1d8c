//! One run of a plan over one value.
//!
//! Python code may run under every callable, descriptor and lookup, and may change or drop whatever
//! the walk is in. So the walk owns a reference to every value it is going to look at, and reads a
//! container's storage only while nothing else can run.

use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use super::Compiled;
use super::node::{Index, Node, Opaque};
use super::temporal::Zones;
use super::trail::Trails;
use super::uuid::Access;
use crate::json::bytes::Bytes;
use crate::json::sink::Sink;
use crate::strip::{Path, Report};

/// How many containers may be open at once.
pub const MAX_DEPTH: usize = 128;
/// The memory that an answer starts with.
const CAPACITY: usize = 4096;

/// The plan isn't certain of this answer, or `Walker::raised` holds an exception.
pub struct Bail;
pub type Step = Result<(), Bail>;

/// What a value is under.
#[derive(Clone, Copy)]
pub struct Place {
    /// Inside an instance: serialised, but never validated.
    pub trusted: bool,
    /// Written, or only checked.
    pub kept: bool,
    pub depth: usize,
    pub path: Path,
}

/// A value waiting to be walked, and the field it belongs to; None if nothing is left to do with it.
pub struct Pending<'py> {
    pub field: u32,
    pub rank: u32,
    pub value: Option<Bound<'py, PyAny>>,
}

impl Pending<'_> {
    /// The rank of a field that has no value.
    pub const ABSENT: u32 = u32::MAX;

    #[inline(always)]
    pub fn absent(field: u32) -> Self {
        Pending { field, rank: Self::ABSENT, value: None }
    }
}

pub struct Walker<'a, 'py> {
    pub py: Python<'py>,
    pub plan: &'a Compiled,
    pub out: Bytes<'py>,
    /// The values of all records that are open, a stack.
    pub pending: Vec<Pending<'py>>,
    /// The keys of all dicts that are open, a stack.
    pub keys: Vec<Bound<'py, PyString>>,
    pub trails: Trails<'py>,
    pub zones: Zones<'a, 'py>,
    pub uuids: Access,
    pub report: Option<&'a mut Report>,
    /// An exception that isn't an `Exception`, such as KeyboardInterrupt.
    pub raised: Option<PyErr>,
}

impl<'a, 'py> Walker<'a, 'py> {
    pub fn new(py: Python<'py>, plan: &'a Compiled, report: Option<&'a mut Report>) -> PyResult<Self> {
        Ok(Walker {
            py,
            plan,
            out: Bytes::with_capacity(py, CAPACITY)?,
            pending: Vec::new(),
            keys: Vec::new(),
            trails: Trails::default(),
            zones: Zones::new(&plan.classes),
            uuids: Access::Unknown,
            report,
            raised: None,
        })
    }

    /// The JSON of a value, or None if the plan isn't certain; an exception only if the program has to stop.
    pub fn finish(mut self, value: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let place = Place { trusted: false, kept: true, depth: 0, path: Path::ROOT };
        let step = self.walk(self.plan.root, value, place);
        match (step, self.raised) {
            (_, Some(error)) => Err(error),
            (Err(Bail), None) => Ok(None),
            (Ok(()), None) => self.out.finish().map(Some),
        }
    }

    /// Members and items are written with a comma before each: make the first comma the opening bracket.
    #[inline(always)]
    pub fn close(&mut self, start: usize, brackets: [u8; 2], place: Place) {
        if !place.kept {
            return;
        }
        match self.out.text().get_mut(start) {
            Some(comma) => {
                *comma = brackets[0];
                self.out.push(brackets[1]);
            }
            None => self.out.put(&brackets, 2),
        }
    }

    #[inline]
    pub fn walk(&mut self, index: Index, value: &Bound<'py, PyAny>, place: Place) -> Step {
        let plan = self.plan;
        match &plan.nodes[index] {
            Node::Leaf(leaf) => {
                let start = self.out.len();
                if leaf.push(self, value, place.trusted, place.kept) {
                    return Ok(());
                }
                match &leaf.fallback {
                    Some(fallback) if !place.trusted => {
                        self.out.truncate(start);
                        self.ask(fallback, value, place)
                    }
                    _ => Err(Bail),
                }
            }
            Node::Nullable(child) => {
                if value.is_none() {
                    if place.kept {
                        self.out.put(b"null", 4);
                    }
                    return Ok(());
                }
                self.walk(*child, value, place)
            }
            node => self.walk_branch(node, value, place),
        }
    }

    fn walk_branch(&mut self, node: &'a Node, value: &Bound<'py, PyAny>, place: Place) -> Step {
        match node {
            Node::Scalars(children) => {
                let of_class = |&&child: &&Index| match &self.plan.nodes[child] {
                    Node::Leaf(leaf) => leaf.is_class_of(self, value),
                    _ => false,
                };
                let child = children.iter().find(of_class).ok_or(Bail)?;
                return self.walk(*child, value, place);
            }
            Node::Opaque(opaque) => return self.walk_opaque(opaque, value, place),
            _ => {}
        }
        if place.depth >= MAX_DEPTH {
            return Err(Bail);
        }
        let place = Place { depth: place.depth + 1, ..place };
        match node {
            Node::Record(record) => self.walk_record(record, value, place),
            Node::List(items) => self.walk_list(items, value, place),
            Node::Dict(items) => self.walk_dict(items, value, place),
            Node::Tagged(tagged) => self.walk_tagged(tagged, value, place),
            Node::Tuple(children) => self.walk_tuple(children, value, place),
            Node::TupleOf(items) => self.walk_tuple_of(items, value, place),
            Node::Leaf(_) | Node::Nullable(_) | Node::Scalars(_) | Node::Opaque(_) => Err(Bail),
        }
    }

    fn walk_opaque(&mut self, opaque: &Opaque, value: &Bound<'py, PyAny>, place: Place) -> Step {
        let callable = if place.trusted { &opaque.from_instance } else { &opaque.from_input };
        self.ask(callable.as_ref().ok_or(Bail)?, value, place)
    }

    /// Append what a Python callable makes of a value.
    fn ask(&mut self, callable: &Py<PyAny>, value: &Bound<'py, PyAny>, place: Place) -> Step {
        match callable.bind(self.py).call1((value,)) {
            Ok(answer) => {
                let json = answer.cast_exact::<PyBytes>().map_err(|_| Bail)?.as_bytes();
                if json.is_empty() {
                    return Err(Bail);
                }
                if place.kept {
                    self.out.append(json);
                }
                Ok(())
            }
            Err(error) => {
                if !error.is_instance_of::<PyException>(self.py) {
                    self.raised = Some(error);
                }
                Err(Bail)
            }
        }
    }

    /// A failing lookup or attribute means bailing, unless the failure has to stop the program.
    pub fn give_up(&mut self, error: PyErr) -> Bail {
        if !error.is_instance_of::<PyException>(self.py) {
            self.raised = Some(error);
        }
        Bail
    }
}
