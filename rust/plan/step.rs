//! What is asked first of each field of a record: the name that is expected next, and a check without a call.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyFloat;

use super::leaf::{Kind, Known, Leaf};
use super::node::{Field, Node, Record};
use super::temporal::is_known_datetime;
use super::uuid::is_known_uuid;
use super::{Compiled, text};

/// A field, in the order in which rows usually have them.
pub struct Step {
    /// The address of the name that the field is read under first; 0 if there is none.
    pub name: usize,
    /// The address of the attribute.
    pub attribute: usize,
    pub kept: bool,
    is_nullable: bool,
    check: Check,
}

#[derive(Clone, Copy)]
enum Check {
    /// Nothing can be said without a walk.
    Walk,
    Str,
    Int,
    Float,
    Bool,
    Date,
    DateTime,
    Uuid,
    /// Any other leaf, and constrained ones.
    Leaf,
}

impl Check {
    fn of(leaf: &Leaf) -> Self {
        match &leaf.kind {
            Kind::Str(lengths) if lengths.is_empty() => Check::Str,
            Kind::Int(bounds) if bounds.is_empty() => Check::Int,
            Kind::Float(bounds) if bounds.is_empty() => Check::Float,
            Kind::Bool => Check::Bool,
            Kind::Date => Check::Date,
            Kind::DateTime(None) => Check::DateTime,
            Kind::Uuid => Check::Uuid,
            Kind::Time | Kind::Decimal | Kind::Literal(_) => Check::Walk,
            Kind::None | Kind::Str(_) | Kind::Int(_) | Kind::Float(_) | Kind::DateTime(_) | Kind::Enum(_) => {
                Check::Leaf
            }
        }
    }
}

impl Step {
    pub fn new(field: &Field, nodes: &[Node]) -> Self {
        let check = match &nodes[field.bare] {
            Node::Leaf(leaf) => Check::of(leaf),
            _ => Check::Walk,
        };
        Step {
            name: field.read_names.first().map_or(0, |name| name.as_ptr() as usize),
            attribute: field.attribute.as_ptr() as usize,
            kept: field.kept,
            is_nullable: field.is_nullable,
            check,
        }
    }

    /// Whether a value fits for certain, seen without owning it, without running Python code and without
    /// allocating objects (which may start the collector, and with it finalizers). False means nothing.
    #[inline(always)]
    pub fn is_exact(
        &self,
        plan: &Compiled,
        record: &Record,
        number: usize,
        known: Known<'_, '_, '_>,
        value: &Bound<'_, PyAny>,
    ) -> bool {
        let class = value.get_type_ptr();
        let is_exact = match self.check {
            Check::Walk => return false,
            Check::Str => text::is_plain(value),
            Check::Int => class == &raw mut ffi::PyLong_Type,
            Check::Bool => class == &raw mut ffi::PyBool_Type,
            Check::Float => value.cast_exact::<PyFloat>().is_ok_and(|float| float.value().is_finite()),
            Check::Date => class == plan.classes.date.as_ptr().cast(),
            Check::DateTime => is_known_datetime(known.zones, None, value),
            Check::Uuid => is_known_uuid(&plan.classes, known.uuids, value),
            Check::Leaf => record.fields[number].is_exact_leaf(plan, known, value),
        };
        is_exact || self.is_nullable && value.is_none()
    }
}
