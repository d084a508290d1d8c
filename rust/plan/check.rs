//! What can only be seen with all nodes at hand.

use std::collections::HashSet;
use std::mem::discriminant;

use pyo3::prelude::*;

use super::leaf::Kind;
use super::node::{Index, Node};
use super::step::Step;
use super::table::Row;

/// Refuse references that a walk couldn't follow.
pub fn check(rows: &[Row<'_>], nodes: &[Node]) -> PyResult<()> {
    for (row, node) in rows.iter().zip(nodes) {
        match node {
            Node::Nullable(_) => check_nullable(row, nodes)?,
            Node::Scalars(children) => check_scalars(row, children, nodes)?,
            Node::Tagged(tagged)
                if tagged.children.iter().any(|(_, child)| !matches!(nodes[*child], Node::Record(_))) =>
            {
                return Err(row.fault("a child isn't a record"));
            }
            _ => {}
        }
    }
    Ok(())
}

/// A chain of nullables that never ends would be followed without ever opening a container.
fn check_nullable(row: &Row<'_>, nodes: &[Node]) -> PyResult<()> {
    let mut index = row.number;
    for _ in 0..nodes.len() {
        match &nodes[index] {
            Node::Nullable(child) => index = *child,
            _ => return Ok(()),
        }
    }
    Err(row.fault("the chain of nullables has no end"))
}

fn check_scalars(row: &Row<'_>, children: &[Index], nodes: &[Node]) -> PyResult<()> {
    let mut kinds = HashSet::new();
    for child in children {
        let kind = match &nodes[*child] {
            Node::Leaf(leaf) => &leaf.kind,
            _ => return Err(row.fault("a child isn't a leaf")),
        };
        let is_plain = match kind {
            Kind::Int(bounds) => bounds.is_empty(),
            Kind::Float(bounds) => bounds.is_empty(),
            Kind::Str(lengths) => lengths.is_empty(),
            Kind::DateTime(zone) => zone.is_none(),
            Kind::Literal(_) | Kind::Enum(_) => false,
            _ => true,
        };
        if !is_plain {
            return Err(row.fault("a child is constrained"));
        }
        if !kinds.insert(discriminant(kind)) {
            return Err(row.fault("two children have the same class"));
        }
    }
    Ok(())
}

/// Look past the nullables of each field, and number the tables of names without gaps.
pub fn settle_fields(nodes: &mut [Node]) {
    let nullables: Vec<Option<Index>> =
        nodes.iter().map(|node| if let Node::Nullable(child) = node { Some(*child) } else { None }).collect();
    let mut tables = 0..;
    for node in &mut *nodes {
        let Node::Record(record) = node else { continue };
        for names in [&mut record.read, &mut record.attributes] {
            names.id = tables.next().unwrap_or_default();
        }
        for field in &mut record.fields {
            // No chain of nullables is endless: `check` saw to that.
            while let Some(child) = nullables[field.bare] {
                (field.bare, field.is_nullable) = (child, true);
            }
        }
    }
    for index in 0..nodes.len() {
        if let Node::Record(record) = &nodes[index] {
            let steps = record.fields.iter().map(|field| Step::new(field, nodes)).collect();
            if let Node::Record(record) = &mut nodes[index] {
                record.steps = steps;
            }
        }
    }
}

/// Mark the places below which a dict may be read into a record, where a strip report needs paths.
pub fn mark_reports(nodes: &mut [Node]) {
    let mut reports = vec![false; nodes.len()];
    loop {
        let mut changed = false;
        for (index, node) in nodes.iter().enumerate() {
            let any = |children: &[Index]| children.iter().any(|child| reports[*child]);
            let found = match node {
                Node::Record(_) | Node::Tagged(_) => true,
                Node::Nullable(child) => reports[*child],
                Node::List(items) | Node::TupleOf(items) | Node::Dict(items) => reports[items.child],
                Node::Tuple(children) => any(children),
                Node::Leaf(_) | Node::Scalars(_) | Node::Opaque(_) => false,
            };
            if found && !reports[index] {
                reports[index] = true;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    for node in nodes {
        match node {
            Node::List(items) | Node::TupleOf(items) | Node::Dict(items) => items.reports = reports[items.child],
            Node::Record(record) => record.fields.iter_mut().for_each(|field| field.reports = reports[field.child]),
            _ => {}
        }
    }
}
