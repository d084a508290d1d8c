//! Unions of records that a tag tells apart.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use super::classes::is_exactly;
use super::node::{Carrier, Index, Node, Record, Tagged};
use super::walk::{Bail, Place, Step, Walker};

impl<'a, 'py> Walker<'a, 'py> {
    pub fn walk_tagged(&mut self, tagged: &Tagged, value: &Bound<'py, PyAny>, place: Place) -> Step {
        if let Ok(dict) = value.cast_exact::<PyDict>() {
            if place.trusted {
                return Err(Bail);
            }
            let tag = dict.get_item(tagged.read_key.bind(self.py)).map_err(|error| self.give_up(error))?;
            let child = self.child_of(tagged, &tag.ok_or(Bail)?)?;
            return self.walk_record(self.record(child)?, value, place);
        }
        for (_, child) in &tagged.children {
            let record = self.record(*child)?;
            if record.class.as_ref().is_some_and(|class| is_exactly(value, class)) {
                let tag = self.own_tag(tagged, record, value)?;
                if self.child_of(tagged, &tag)? != *child {
                    return Err(Bail);
                }
                return self.walk_record(record, value, place);
            }
        }
        Err(Bail)
    }

    /// The tag that an instance carries, read as its other fields are.
    fn own_tag(
        &mut self,
        tagged: &Tagged,
        record: &Record,
        value: &Bound<'py, PyAny>,
    ) -> Result<Bound<'py, PyAny>, Bail> {
        let attribute = tagged.attribute.bind(self.py);
        if record.carrier == Carrier::Dataclass {
            return value.getattr(attribute).map_err(|error| self.give_up(error));
        }
        let dict = super::instance::instance_dict(value).ok_or(Bail)?;
        dict.get_item(attribute).map_err(|error| self.give_up(error))?.ok_or(Bail)
    }

    fn child_of(&self, tagged: &Tagged, tag: &Bound<'py, PyAny>) -> Result<Index, Bail> {
        let tag = tag.cast_exact::<PyString>().map_err(|_| Bail)?;
        let same = |known: &Py<PyString>| known.is(tag);
        let equal = |known: &Py<PyString>| known.bind(self.py).as_any().eq(tag).unwrap_or(false);
        let children = &tagged.children;
        let found = children.iter().find(|(known, _)| same(known));
        found.or_else(|| children.iter().find(|(known, _)| equal(known))).map(|(_, child)| *child).ok_or(Bail)
    }

    fn record(&self, child: Index) -> Result<&'a Record, Bail> {
        let plan = self.plan;
        match &plan.nodes[child] {
            Node::Record(record) => Ok(record),
            _ => Err(Bail),
        }
    }
}
