//! Leaves: values without children.

use pyo3::PyTraverseError;
use pyo3::gc::PyVisit;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDate, PyDateTime, PyFloat, PyInt, PyNone, PyString, PyTime};

use super::bounds::{FloatBounds, IntBounds};
use super::classes::{Classes, is_exactly};
use super::constant::{Literal, Members};
use super::number::{push_float, push_int};
use super::temporal::{Zone, Zones, is_known_datetime};
use super::text::{Lengths, is_plain, push_str};
use super::uuid::{Access, is_known_uuid};
use super::walk::Walker;
use crate::json::sink::Sink;

pub struct Leaf {
    pub kind: Kind,
    /// Asked for the JSON of a value that isn't exact, in input mode.
    pub fallback: Option<Py<PyAny>>,
}

pub enum Kind {
    None,
    Bool,
    Int(IntBounds),
    Float(FloatBounds),
    Str(Lengths),
    Uuid,
    Date,
    Time,
    DateTime(Option<Zone>),
    Decimal,
    Literal(Literal),
    Enum(Members),
}

/// What this call has learnt of values that can be read without running Python code.
#[derive(Clone, Copy)]
pub struct Known<'a, 'b, 'py> {
    pub zones: &'a Zones<'b, 'py>,
    pub uuids: Access,
}

impl Leaf {
    /// Check a value and append its JSON if `kept`; false, with `out` in disorder, if it isn't exact.
    #[inline(always)]
    pub fn push<'py>(
        &self,
        walker: &mut Walker<'_, 'py>,
        value: &Bound<'py, PyAny>,
        trusted: bool,
        kept: bool,
    ) -> bool {
        match &self.kind {
            Kind::Str(lengths) => push_str(&mut walker.out, lengths, value, kept),
            Kind::Int(bounds) => push_int(&mut walker.out, bounds, value, kept),
            Kind::Float(bounds) => push_float(&mut walker.out, bounds, value, trusted, kept),
            Kind::Bool => push_bool(&mut walker.out, value, kept),
            Kind::None => push_none(&mut walker.out, value, kept),
            Kind::Uuid => walker.push_uuid(value, kept),
            Kind::Date => super::temporal::push_date(&mut walker.out, value, kept),
            Kind::Time => walker.push_time(value, kept),
            Kind::DateTime(zone) => walker.push_datetime(*zone, value, kept),
            Kind::Decimal => walker.push_decimal(value, kept),
            Kind::Literal(literal) => literal.push(&mut walker.out, value, kept),
            Kind::Enum(members) => members.push(&mut walker.out, value, kept),
        }
    }

    /// Whether a value is exact for certain, seen without running any Python code and without allocating
    /// objects (which may start the collector, and with it finalizers). False means nothing.
    #[inline(always)]
    pub fn is_plainly_exact(&self, classes: &Classes, known: Known<'_, '_, '_>, value: &Bound<'_, PyAny>) -> bool {
        match &self.kind {
            Kind::None => value.is_none(),
            Kind::Bool => value.is_exact_instance_of::<PyBool>(),
            Kind::Int(bounds) => bounds.is_empty() && value.is_exact_instance_of::<PyInt>(),
            Kind::Float(bounds) => value
                .cast_exact::<PyFloat>()
                .is_ok_and(|float| float.value().is_finite() && bounds.admit(float.value())),
            Kind::Str(lengths) => lengths.is_empty() && is_plain(value),
            Kind::Date => value.is_exact_instance_of::<PyDate>(),
            Kind::DateTime(zone) => is_known_datetime(known.zones, *zone, value),
            Kind::Enum(members) => members.contains(value),
            Kind::Uuid => is_known_uuid(classes, known.uuids, value),
            Kind::Time | Kind::Decimal | Kind::Literal(_) => false,
        }
    }

    /// Whether a value has exactly the class of this leaf. Only asked inside a union of scalars.
    pub fn is_class_of(&self, walker: &Walker<'_, '_>, value: &Bound<'_, PyAny>) -> bool {
        match &self.kind {
            Kind::None => value.is_none(),
            Kind::Bool => value.is_exact_instance_of::<PyBool>(),
            Kind::Int(_) => value.is_exact_instance_of::<PyInt>(),
            Kind::Float(_) => value.is_exact_instance_of::<PyFloat>(),
            Kind::Str(_) => value.is_exact_instance_of::<PyString>(),
            Kind::Uuid => is_exactly(value, &walker.plan.classes.uuid),
            Kind::Date => value.is_exact_instance_of::<PyDate>(),
            Kind::Time => value.is_exact_instance_of::<PyTime>(),
            Kind::DateTime(_) => value.is_exact_instance_of::<PyDateTime>(),
            Kind::Decimal => is_exactly(value, &walker.plan.classes.decimal),
            Kind::Literal(_) | Kind::Enum(_) => false,
        }
    }

    pub fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        if let Kind::Enum(members) = &self.kind {
            members.traverse(visit)?;
        }
        visit.call(&self.fallback)
    }
}

fn push_bool(out: &mut impl Sink, value: &Bound<'_, PyAny>, kept: bool) -> bool {
    let Ok(flag) = value.cast_exact::<PyBool>() else { return false };
    if kept {
        out.append(if flag.is_true() { b"true" } else { b"false" });
    }
    true
}

fn push_none(out: &mut impl Sink, value: &Bound<'_, PyAny>, kept: bool) -> bool {
    if kept {
        out.append(b"null");
    }
    value.is_exact_instance_of::<PyNone>()
}
