//! Records from instances, and from dicts inside of them: serialised, but never validated.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use super::classes::is_exactly;
use super::names::Names;
use super::node::{Absent, Carrier, Record};
use super::walk::{Bail, Pending, Place, Step, Walker};
use crate::pairs::Pairs;

impl<'py> Walker<'_, 'py> {
    pub fn walk_instance(&mut self, record: &Record, value: &Bound<'py, PyAny>, base: usize, place: Place) -> Step {
        if !record.class.as_ref().is_some_and(|class| is_exactly(value, class)) {
            return Err(Bail);
        }
        let place = Place { trusted: true, ..place };
        if record.carrier == Carrier::Dataclass {
            return self.walk_attributes(record, value, place);
        }
        let dict = instance_dict(value).ok_or(Bail)?;
        self.walk_stored(record, &dict, base, place)
    }

    /// By attribute, in the order of the dict.
    pub fn walk_stored(&mut self, record: &Record, dict: &Bound<'py, PyDict>, base: usize, place: Place) -> Step {
        let found = self.gather_stored(record, dict, place)?;
        if found != record.fields.len() && !self.only_skippable_missing(record, base) {
            return Err(Bail);
        }
        let start = self.out.len();
        for position in base..self.pending.len() {
            let pending = &mut self.pending[position];
            let (field, value) = (&record.fields[pending.field as usize], pending.value.take());
            self.walk_field(field, &value.ok_or(Bail)?, place, 0)?;
        }
        self.close(start, *b"{}", place);
        Ok(())
    }

    /// Take the values of a dict that have still to be looked at; returns how many fields there were.
    #[inline]
    fn gather_stored(&mut self, record: &Record, dict: &Bound<'py, PyDict>, place: Place) -> Result<usize, Bail> {
        let names = &record.attributes;
        // Which fields a typed dict lacks is asked afterwards.
        let may_be_done = record.carrier == Carrier::Model;
        let (mut found, mut next) = (0, 0);
        // SAFETY: the loop compares addresses and exact strings and takes references; no Python code runs.
        // Dropping the keys that a trail forgets frees exact strings only.
        for (position, (key, value)) in unsafe { Pairs::new(dict) }.enumerate() {
            let number = match record.steps.get(next) {
                Some(step) if step.attribute == key.as_ptr() as usize => next,
                _ => match self.find_attribute(names, &key, position)? {
                    Some(number) => number,
                    None => continue,
                },
            };
            found += 1;
            next = number + 1;
            if !(may_be_done && self.is_done(record, number, place, &value)) {
                self.pending.push(Pending { field: number as u32, rank: 0, value: Some(value.to_owned()) });
            }
        }
        Ok(found)
    }

    /// The field of a key, if there is one.
    #[inline(never)]
    fn find_attribute(
        &mut self,
        names: &Names,
        key: &Bound<'py, PyAny>,
        position: usize,
    ) -> Result<Option<usize>, Bail> {
        if let Some(slot) = names.by_address(key.as_ptr() as usize) {
            return Ok(Some(slot.field as usize));
        }
        let key = key.cast_exact::<PyString>().map_err(|_| Bail)?;
        let slot = match self.trails.of(names).find(position, names, key) {
            Some(known) => known.slot,
            None => names.by_text(key),
        };
        Ok((!slot.is_undeclared()).then_some(slot.field as usize))
    }

    /// Keys of a typed dict may be absent also where nothing is validated; those of a model may not.
    fn only_skippable_missing(&self, record: &Record, base: usize) -> bool {
        let present = |number: usize| self.pending[base..].iter().any(|pending| pending.field as usize == number);
        record.carrier == Carrier::TypedDict
            && record
                .fields
                .iter()
                .enumerate()
                .all(|(number, field)| matches!(field.absent, Absent::Skip) || present(number))
    }

    /// From an instance of a dataclass: pydantic reads each attribute, in the order of the fields.
    fn walk_attributes(&mut self, record: &Record, value: &Bound<'py, PyAny>, place: Place) -> Step {
        let start = self.out.len();
        for field in &record.fields {
            let attribute = value.getattr(field.attribute.bind(self.py)).map_err(|error| self.give_up(error))?;
            self.walk_field(field, &attribute, place, 0)?;
        }
        self.close(start, *b"{}", place);
        Ok(())
    }
}

/// The `__dict__` of an instance, read past any attribute of that name in its class.
pub fn instance_dict<'py>(value: &Bound<'py, PyAny>) -> Option<Bound<'py, PyDict>> {
    // SAFETY: `value` is alive; the function returns a new reference, or raises if there is no dict.
    let dict = unsafe {
        let dict = ffi::PyObject_GenericGetDict(value.as_ptr(), std::ptr::null_mut());
        Bound::from_owned_ptr_or_err(value.py(), dict)
    };
    dict.ok()?.cast_into_exact::<PyDict>().ok()
}
