//! What a plan knows about each place of an answer. The table in Python is parsed into these once.

use pyo3::PyTraverseError;
use pyo3::gc::PyVisit;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};

use super::Compiled;
use super::leaf::{Known, Leaf};
use super::names::Names;
use super::step::Step;
use crate::json::sink::Padded;

/// The index of a node in its plan; checked when the plan is built.
pub type Index = usize;

pub enum Node {
    Leaf(Leaf),
    Nullable(Index),
    Scalars(Vec<Index>),
    List(Items),
    Tuple(Vec<Index>),
    TupleOf(Items),
    Dict(Items),
    Record(Box<Record>),
    Tagged(Box<Tagged>),
    Opaque(Opaque),
}

/// A container of any number of equal items.
pub struct Items {
    pub child: Index,
    pub min: usize,
    pub max: usize,
    /// Whether dicts may be read below, so that a strip report has paths to keep there.
    pub reports: bool,
}

/// A leaf or anything else that pydantic handles through Python.
pub struct Opaque {
    pub from_input: Option<Py<PyAny>>,
    pub from_instance: Option<Py<PyAny>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Carrier {
    Model,
    Dataclass,
    TypedDict,
}

pub struct Record {
    pub carrier: Carrier,
    pub class: Option<Py<PyType>>,
    pub fields: Vec<Field>,
    /// One for each field.
    pub steps: Vec<Step>,
    pub forbids_extra: bool,
    /// Where a dict's keys lead, by the names that fields are read under.
    pub read: Names,
    /// Where the keys of an instance's `__dict__` lead.
    pub attributes: Names,
}

pub struct Field {
    pub attribute: Py<PyString>,
    pub read_names: Vec<Py<PyString>>,
    /// `,"name":`
    pub prefix: Padded,
    pub child: Index,
    /// The child below any nullables, and whether there are any.
    pub bare: Index,
    pub is_nullable: bool,
    pub absent: Absent,
    pub kept: bool,
    pub reports: bool,
}

impl Field {
    /// Whether a value fits for certain, seen without owning it and without running Python code.
    #[inline(always)]
    pub fn is_exact_leaf(&self, plan: &Compiled, known: Known<'_, '_, '_>, value: &Bound<'_, PyAny>) -> bool {
        match &plan.nodes[self.bare] {
            Node::Leaf(leaf) => {
                leaf.is_plainly_exact(&plan.classes, known, value) || self.is_nullable && value.is_none()
            }
            _ => false,
        }
    }
}

pub enum Absent {
    Bail,
    Skip,
    Write(Vec<u8>),
}

pub struct Tagged {
    pub read_key: Py<PyString>,
    pub attribute: Py<PyString>,
    pub children: Vec<(Py<PyString>, Index)>,
}

impl Node {
    /// Show the garbage collector every reference, since a callable may lead back to the plan.
    pub fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        match self {
            Node::Leaf(leaf) => leaf.traverse(visit),
            Node::Record(record) => visit.call(&record.class),
            Node::Opaque(opaque) => {
                visit.call(&opaque.from_input)?;
                visit.call(&opaque.from_instance)
            }
            _ => Ok(()),
        }
    }
}
