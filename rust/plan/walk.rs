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
use super::seen::Seen;
use super::temporal::KnownZone;
use crate::strip::{Path, Report};

/// How many containers may be open at once.
pub const MAX_DEPTH: usize = 128;

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

/// A value waiting to be walked, and the field it belongs to.
pub struct Pending<'py> {
    pub field: u32,
    pub rank: u32,
    pub value: Option<Bound<'py, PyAny>>,
}

pub struct Walker<'a, 'py> {
    pub py: Python<'py>,
    pub plan: &'a Compiled,
    pub out: Vec<u8>,
    /// The values of all records that are open, a stack.
    pub pending: Vec<Pending<'py>>,
    /// The keys of all dicts that are open, a stack.
    pub keys: Vec<Bound<'py, PyString>>,
    pub seen: Seen<'py>,
    pub zone: Option<KnownZone<'py>>,
    pub report: Option<Report>,
    /// An exception that isn't an `Exception`, such as KeyboardInterrupt.
    pub raised: Option<PyErr>,
}

impl<'a, 'py> Walker<'a, 'py> {
    pub fn new(py: Python<'py>, plan: &'a Compiled, report: Option<Report>) -> Self {
        Walker {
            py,
            plan,
            out: Vec::new(),
            pending: Vec::new(),
            keys: Vec::new(),
            seen: Seen::default(),
            zone: None,
            report,
            raised: None,
        }
    }

    pub fn run(&mut self, value: &Bound<'py, PyAny>) -> Step {
        let place = Place { trusted: false, kept: true, depth: 0, path: Path::ROOT };
        self.walk(self.plan.root, value, place)
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
                        self.out.extend_from_slice(b"null");
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
                    self.out.extend_from_slice(json);
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
