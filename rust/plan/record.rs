//! Records: models, dataclasses and typed dicts, from a dict or from an instance.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use super::classes::is_exactly;
use super::node::{Absent, Carrier, Field, Index, Node, Record};
use super::pairs::Pairs;
use super::walk::{Bail, Pending, Place, Step, Walker};

impl<'py> Walker<'_, 'py> {
    pub fn walk_record(&mut self, record: &Record, value: &Bound<'py, PyAny>, place: Place) -> Step {
        let base = self.pending.len();
        let step = match value.cast_exact::<PyDict>() {
            Ok(dict) if !place.trusted => self.walk_input(record, dict, base, place),
            Ok(dict) if record.carrier == Carrier::TypedDict => self.walk_stored(record, dict, base, place),
            _ => self.walk_instance(record, value, base, place),
        };
        self.pending.truncate(base);
        step
    }

    fn walk_instance(&mut self, record: &Record, value: &Bound<'py, PyAny>, base: usize, place: Place) -> Step {
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

    /// From a dict that pydantic would validate: by read names, in the order of the fields.
    fn walk_input(&mut self, record: &Record, dict: &Bound<'py, PyDict>, base: usize, place: Place) -> Step {
        if record.read.is_ambiguous || !self.gather(record, dict, base, place) {
            self.pending.truncate(base);
            self.look_up(record, dict, place)?;
        }
        let found = self.order(record, base, place);
        if record.forbids_extra && dict.len() > found {
            return Err(Bail);
        }
        if place.kept {
            self.out.push(b'{');
        }
        let mut is_first = true;
        let mut next = base;
        for (number, field) in record.fields.iter().enumerate() {
            let pending = self.pending.get_mut(next).filter(|pending| pending.field as usize == number);
            let Some(Pending { rank, value, .. }) = pending.map(take) else {
                self.write_absent(field, &mut is_first, place)?;
                continue;
            };
            next += 1;
            let Some(value) = value else { continue };
            let place = self.enter(field, &mut is_first, place, rank);
            self.walk(field.child, &value, place)?;
        }
        if place.kept {
            self.out.push(b'}');
        }
        Ok(())
    }

    /// From a dict that pydantic wouldn't validate: by attribute, in the order of the dict.
    fn walk_stored(&mut self, record: &Record, dict: &Bound<'py, PyDict>, base: usize, place: Place) -> Step {
        // SAFETY: the loop compares addresses and exact strings and takes references; no Python code runs.
        for (key, value) in unsafe { Pairs::new(dict) } {
            let slot = match record.attributes.by_address(key.as_ptr() as usize) {
                Some(slot) => slot,
                None => {
                    let key = key.cast_exact::<PyString>().map_err(|_| Bail)?;
                    match self.seen.find(&record.attributes, &key) {
                        Some(known) => known.slot,
                        None => record.attributes.by_text(&key),
                    }
                }
            };
            if !slot.is_undeclared() {
                self.pending.push(Pending { field: slot.field, rank: 0, value: Some(value.to_owned()) });
            }
        }
        let count = self.pending.len() - base;
        if count != record.fields.len() && !self.only_skippable_missing(record, base) {
            return Err(Bail);
        }
        if place.kept {
            self.out.push(b'{');
        }
        let mut is_first = true;
        for position in base..base + count {
            let Pending { field, value, .. } = take(&mut self.pending[position]);
            let field = &record.fields[field as usize];
            let place = self.enter(field, &mut is_first, place, 0);
            self.walk(field.child, &value.ok_or(Bail)?, place)?;
        }
        if place.kept {
            self.out.push(b'}');
        }
        Ok(())
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
        if place.kept {
            self.out.push(b'{');
        }
        let mut is_first = true;
        for field in &record.fields {
            let attribute = value.getattr(field.attribute.bind(self.py)).map_err(|error| self.give_up(error))?;
            let place = self.enter(field, &mut is_first, place, 0);
            self.walk(field.child, &attribute, place)?;
        }
        if place.kept {
            self.out.push(b'}');
        }
        Ok(())
    }

    /// Take the values of a dict that has only exact `str` keys; false as soon as another key is met.
    #[inline]
    fn gather(&mut self, record: &Record, dict: &Bound<'py, PyDict>, base: usize, place: Place) -> bool {
        debug_assert_eq!(base, self.pending.len());
        // SAFETY: the loop compares addresses and exact strings, counts, and takes references; no Python
        // code runs. Dropping the keys that `seen` forgets frees exact strings only.
        for (key, value) in unsafe { Pairs::new(dict) } {
            let slot = match record.read.by_address(key.as_ptr() as usize) {
                Some(slot) => slot,
                None => {
                    let Ok(key) = key.cast_exact::<PyString>() else {
                        self.take_back(record, dict, place);
                        return false;
                    };
                    let mut counted = None;
                    let (slot, counted) = match self.seen.find(&record.read, &key) {
                        Some(known) => (known.slot, &mut known.counted),
                        None => (record.read.by_text(&key), &mut counted),
                    };
                    if slot.is_undeclared()
                        && let Some(report) = &mut self.report
                    {
                        report.count_known(place.path, &key, counted);
                    }
                    slot
                }
            };
            if !slot.is_undeclared() {
                let field = &record.fields[slot.field as usize];
                let is_done = !(place.kept && field.kept) && self.is_exact_leaf(field.child, &value);
                let value = if is_done { None } else { Some(value.to_owned()) };
                self.pending.push(Pending { field: slot.field, rank: slot.rank, value });
            }
        }
        true
    }

    /// Check a value that isn't written, without owning it, if that can't run Python code.
    #[inline(always)]
    fn is_exact_leaf(&self, child: Index, value: &Bound<'py, PyAny>) -> bool {
        let plan = self.plan;
        match &plan.nodes[child] {
            Node::Leaf(leaf) => leaf.is_plainly_exact(self, value),
            Node::Nullable(child) => match &plan.nodes[*child] {
                Node::Leaf(leaf) => value.is_none() || leaf.is_plainly_exact(self, value),
                _ => false,
            },
            _ => false,
        }
    }

    /// Take back what was counted in a dict before a key of another class than `str` was met.
    #[cold]
    fn take_back(&mut self, record: &Record, dict: &Bound<'py, PyDict>, place: Place) {
        let Some(report) = &mut self.report else { return };
        // SAFETY: the loop compares exact strings and counts; no Python code runs.
        for (key, _) in unsafe { Pairs::new(dict) } {
            let Ok(key) = key.cast_exact::<PyString>() else { return };
            if record.read.by_text(&key).is_undeclared() {
                report.uncount(place.path, &key);
            }
        }
    }

    /// Bring what was gathered into the order of the fields, one value each; returns how many.
    #[inline]
    fn order(&mut self, record: &Record, base: usize, place: Place) -> usize {
        let gathered = &mut self.pending[base..];
        if !gathered.is_sorted_by(|left, right| left.field < right.field) {
            gathered.sort_unstable_by_key(|pending| (pending.field, pending.rank));
            self.drop_second_names(record, base, place);
        }
        self.pending.len() - base
    }

    /// A field that was given under two of its names is read under the first; the other is undeclared.
    fn drop_second_names(&mut self, record: &Record, base: usize, place: Place) {
        let mut kept = base;
        for position in base..self.pending.len() {
            let Pending { field, rank, .. } = self.pending[position];
            if kept > base && self.pending[kept - 1].field == field {
                if let Some(report) = &mut self.report {
                    let name = record.fields[field as usize].read_names[rank as usize].bind(self.py);
                    report.count(place.path, name);
                }
            } else {
                self.pending.swap(kept, position);
                kept += 1;
            }
        }
        self.pending.truncate(kept);
    }

    /// Name a member and say where its value is.
    #[inline(always)]
    pub fn enter(&mut self, field: &Field, is_first: &mut bool, place: Place, rank: u32) -> Place {
        let kept = place.kept && field.kept;
        if kept {
            self.out.extend_from_slice(&field.prefix[usize::from(*is_first)..]);
            *is_first = false;
        }
        let mut path = place.path;
        if field.reports
            && !place.trusted
            && let Some(report) = &mut self.report
        {
            path = report.below_field(path, field, rank as usize, self.py);
        }
        Place { kept, path, ..place }
    }

    fn write_absent(&mut self, field: &Field, is_first: &mut bool, place: Place) -> Step {
        match &field.absent {
            Absent::Bail => Err(Bail),
            Absent::Skip => Ok(()),
            Absent::Write(json) => {
                if place.kept && field.kept {
                    self.out.extend_from_slice(&field.prefix[usize::from(*is_first)..]);
                    self.out.extend_from_slice(json);
                    *is_first = false;
                }
                Ok(())
            }
        }
    }
}

#[inline(always)]
fn take<'py>(pending: &mut Pending<'py>) -> Pending<'py> {
    Pending { field: pending.field, rank: pending.rank, value: pending.value.take() }
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
