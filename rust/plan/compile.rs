//! From rows of the table to nodes.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyString};

use super::bounds::{FloatBounds, IntBound, IntBounds};
use super::constant::{Literal, Members};
use super::leaf::{Kind, Leaf};
use super::names::{Names, Slot};
use super::node::{Absent, Carrier, Field, Index, Items, Node, Opaque, Record, Tagged};
use super::table::Row;
use super::temporal::Zone;
use super::text::Lengths;
use crate::json::escape::push_quoted;
use crate::json::integer::push_integer;
use crate::json::sink::Padded;
use crate::json::string::{push_string, utf8_lossy};

/// Compile one row. References between nodes are checked by `check`, when all are known.
pub fn node(row: &Row<'_>) -> PyResult<Node> {
    Ok(match row.kind.as_str() {
        "nullable" => {
            row.expect(1)?;
            Node::Nullable(row.child(&row.at(1)?)?)
        }
        "scalars" => {
            row.expect(1)?;
            Node::Scalars(row.children(1)?)
        }
        "tuple" => {
            row.expect(1)?;
            Node::Tuple(row.children(1)?)
        }
        "list" => Node::List(items(row)?),
        "tuple_of" => Node::TupleOf(items(row)?),
        "dict" => Node::Dict(items(row)?),
        "record" => Node::Record(Box::new(record(row)?)),
        "tagged" => Node::Tagged(Box::new(tagged(row)?)),
        "opaque" => {
            row.expect(2)?;
            Node::Opaque(Opaque { from_input: row.callable(1)?, from_instance: row.callable(2)? })
        }
        _ => Node::Leaf(leaf(row)?),
    })
}

fn items(row: &Row<'_>) -> PyResult<Items> {
    row.expect(3)?;
    let (min, max) = (row.size(2, 0)?, row.size(3, usize::MAX)?);
    Ok(Items { child: row.child(&row.at(1)?)?, min, max, reports: false })
}

fn leaf(row: &Row<'_>) -> PyResult<Leaf> {
    let (kind, arity) = match row.kind.as_str() {
        "none" => {
            row.expect(0)?;
            return Ok(Leaf { kind: Kind::None, fallback: None });
        }
        "bool" => (Kind::Bool, 1),
        "uuid" => (Kind::Uuid, 1),
        "date" => (Kind::Date, 1),
        "time" => (Kind::Time, 1),
        "decimal" => (Kind::Decimal, 1),
        "int" => (Kind::Int(int_bounds(row)?), 5),
        "float" => {
            (Kind::Float(FloatBounds { ge: row.float(1)?, gt: row.float(2)?, le: row.float(3)?, lt: row.float(4)? }), 5)
        }
        "str" => (Kind::Str(Lengths { min: row.size(1, 0)?, max: row.size(2, usize::MAX)? }), 3),
        "datetime" => (Kind::DateTime(zone(row)?), 2),
        "literal" => (Kind::Literal(literal(row)?), 2),
        "enum" => (Kind::Enum(members(row)?), 3),
        _ => return Err(row.fault("the kind is unknown")),
    };
    row.expect(arity)?;
    Ok(Leaf { kind, fallback: row.callable(arity)? })
}

fn int_bounds(row: &Row<'_>) -> PyResult<IntBounds> {
    let bound = |position| Ok::<_, PyErr>(row.integer(position)?.map(|bound| IntBound::new(&bound)));
    Ok(IntBounds { ge: bound(1)?, gt: bound(2)?, le: bound(3)?, lt: bound(4)? })
}

fn zone(row: &Row<'_>) -> PyResult<Option<Zone>> {
    let value = row.at(1)?;
    if value.is_none() {
        return Ok(None);
    }
    match value.extract::<String>().as_deref() {
        Ok("aware") => Ok(Some(Zone::Aware)),
        Ok("naive") => Ok(Some(Zone::Naive)),
        _ => Err(row.fault("the zone is none of `aware`, `naive` and None")),
    }
}

fn literal(row: &Row<'_>) -> PyResult<Literal> {
    let mut values = Vec::new();
    for value in row.list(1)? {
        let mut json = Vec::new();
        if let Ok(text) = value.cast_exact::<PyString>() {
            if !push_string(&mut json, text) {
                return Err(row.fault("a value has a lone surrogate"));
            }
        } else if let Ok(flag) = value.cast_exact::<PyBool>() {
            json.extend_from_slice(if flag.is_true() { b"true" } else { b"false" });
        } else if let Ok(integer) = value.cast_exact::<PyInt>() {
            push_integer(&mut json, integer)?;
        } else if value.is_none() {
            json.extend_from_slice(b"null");
        } else {
            return Err(row.fault(format!("{value:?} can't be a literal")));
        }
        values.push((value.unbind(), json));
    }
    Ok(Literal::new(values))
}

fn members(row: &Row<'_>) -> PyResult<Members> {
    row.class(&row.at(1)?)?;
    let mut members = Vec::new();
    for pair in row.list(2)? {
        let [member, json] = row.parts::<2>(&pair)?;
        let json = row.json(&json)?;
        members.push((member.unbind(), json));
    }
    Ok(Members::new(members))
}

fn record(row: &Row<'_>) -> PyResult<Record> {
    row.expect(4)?;
    let py = row.at(1)?.py();
    let carrier = match row.at(1)?.extract::<String>().as_deref() {
        Ok("model") => Carrier::Model,
        Ok("dataclass") => Carrier::Dataclass,
        Ok("typed_dict") => Carrier::TypedDict,
        _ => return Err(row.fault("the carrier is none of `model`, `dataclass` and `typed_dict`")),
    };
    let class = match (carrier, row.at(2)?) {
        (Carrier::TypedDict, value) if value.is_none() => None,
        (Carrier::TypedDict, _) => return Err(row.fault("a typed dict has no class")),
        (_, value) => Some(row.class(&value)?),
    };
    let forbids_extra = match row.at(4)?.extract::<String>().as_deref() {
        Ok("ignore") => false,
        Ok("forbid") => true,
        _ => return Err(row.fault("`extra` is neither `ignore` nor `forbid`")),
    };
    let fields = row.list(3)?.iter().map(|value| field(row, &value)).collect::<PyResult<Vec<_>>>()?;
    let (mut attributes, mut read) = (Vec::new(), Vec::new());
    for (number, field) in fields.iter().enumerate() {
        let slot = |rank: usize| Slot { field: number as u32, rank: rank as u32 };
        attributes.push((field.attribute.clone_ref(py), slot(0)));
        read.extend(field.read_names.iter().enumerate().map(|(rank, name)| (name.clone_ref(py), slot(rank))));
    }
    let record = Record {
        carrier,
        class,
        forbids_extra,
        read: Names::new(py, read),
        attributes: Names::new(py, attributes),
        fields,
        steps: Vec::new(),
    };
    check_names(row, &record)?;
    Ok(record)
}

fn check_names(row: &Row<'_>, record: &Record) -> PyResult<()> {
    if record.attributes.is_ambiguous {
        return Err(row.fault("two fields have the same attribute"));
    }
    let mut written: Vec<Vec<u8>> =
        record.fields.iter().filter(|field| field.kept).map(|field| field.prefix.text()).collect();
    written.sort_unstable();
    if written.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(row.fault("two fields are written under the same name"));
    }
    Ok(())
}

fn field<'py>(row: &Row<'py>, value: &Bound<'py, PyAny>) -> PyResult<Field> {
    let py = value.py();
    let [attribute, read_names, write_name, child, absent, kept] = row.parts::<6>(value)?;
    let read_names = match read_names.cast_exact::<pyo3::types::PyTuple>() {
        Ok(names) => names.iter().map(|name| row.name(&name)).collect::<PyResult<Vec<_>>>()?,
        Err(_) => return Err(row.fault("the names that a field is read under aren't a tuple")),
    };
    let mut prefix = vec![b','];
    push_quoted(&mut prefix, utf8_lossy(row.name(&write_name)?.bind(py)).as_bytes());
    prefix.push(b':');
    let absent = match absent.extract::<String>().as_deref() {
        Ok("required" | "bail") => Absent::Bail,
        Ok("skip") => Absent::Skip,
        _ => Absent::Write(row.json(&absent)?),
    };
    let (child, kept) = (row.child(&child)?, row.flag(&kept)?);
    let attribute = row.name(&attribute)?;
    let prefix = Padded::new(&prefix);
    Ok(Field { attribute, read_names, prefix, child, bare: child, is_nullable: false, absent, kept, reports: false })
}

fn tagged(row: &Row<'_>) -> PyResult<Tagged> {
    row.expect(3)?;
    let table = row.at(3)?;
    let table = table.cast_exact::<pyo3::types::PyDict>().map_err(|_| row.fault("item 3 isn't a dict"))?;
    let mut children: Vec<(Py<PyString>, Index)> = Vec::new();
    for (tag, child) in table.iter() {
        children.push((row.name(&tag)?, row.child(&child)?));
    }
    Ok(Tagged { read_key: row.name(&row.at(1)?)?, attribute: row.name(&row.at(2)?)?, children })
}
