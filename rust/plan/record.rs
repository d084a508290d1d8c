//! Records from dicts that pydantic would validate.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use super::leaf::Known;
use super::names::Slot;
use super::node::{Absent, Carrier, Field, Record};
use super::walk::{Bail, Pending, Place, Step, Walker};
use crate::json::sink::Sink;
use crate::pairs::Pairs;
use crate::strip::Path;

/// What a dict has for a record. The values that have still to be looked at are in `pending`, in the order of the
/// fields, and fields that are absent among them; of those from `settled` on all are absent.
pub struct Gathered {
    pub found: usize,
    pub settled: usize,
}

/// A place in `pending` for each field, from `base` on.
struct Frame {
    base: usize,
    found: usize,
    /// Names under which a field was given once more.
    seconds: Vec<Slot>,
}

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

    /// By read names, in the order of the fields.
    fn walk_input(&mut self, record: &Record, dict: &Bound<'py, PyDict>, base: usize, place: Place) -> Step {
        let gathered = if record.read.is_ambiguous { None } else { self.gather(record, dict, base, place) };
        let gathered = match gathered {
            Some(gathered) => gathered,
            None => {
                self.pending.truncate(base);
                self.look_up(record, dict, place)?
            }
        };
        if record.forbids_extra && dict.len() > gathered.found {
            return Err(Bail);
        }
        let start = self.out.len();
        for position in base..self.pending.len() {
            let pending = &mut self.pending[position];
            let (field, rank) = (&record.fields[pending.field as usize], pending.rank);
            match pending.value.take() {
                Some(value) => self.walk_field(field, &value, place, rank)?,
                None if rank == Pending::ABSENT => self.write_absent(field, place)?,
                None => {}
            }
        }
        for field in &record.fields[gathered.settled..] {
            self.write_absent(field, place)?;
        }
        self.close(start, *b"{}", place);
        Ok(())
    }

    /// Take the values of a dict that has only exact `str` keys; None as soon as another key is met.
    #[inline]
    fn gather(&mut self, record: &Record, dict: &Bound<'py, PyDict>, base: usize, place: Place) -> Option<Gathered> {
        let mut next = 0;
        // SAFETY: the loops compare addresses and exact strings, count, and take references; no Python code
        // runs. Dropping the keys that a trail forgets frees exact strings only, and the dict holds what else
        // is dropped.
        let mut pairs = unsafe { Pairs::new(dict) }.enumerate();
        while let Some((position, (key, value))) = pairs.next() {
            if let Some(step) = record.steps.get(next)
                && step.name == key.as_ptr() as usize
            {
                if !self.is_done(record, next, place, &value) {
                    self.pending.push(Pending { field: next as u32, rank: 0, value: Some(value.to_owned()) });
                }
                next += 1;
                continue;
            }
            let Some(slot) = self.find(record, &key, position, place.path) else {
                return self.take_back(record, dict, place);
            };
            if !slot.is_undeclared() {
                self.spread(record, base, next);
                let mut frame = Frame { base, found: next, seconds: Vec::new() };
                self.put(record, &mut frame, slot, &value, place);
                for (position, (key, value)) in pairs {
                    let Some(slot) = self.find(record, &key, position, place.path) else {
                        return self.take_back(record, dict, place);
                    };
                    if !slot.is_undeclared() {
                        self.put(record, &mut frame, slot, &value, place);
                    }
                }
                return Some(self.close_frame(record, frame, place));
            }
        }
        Some(Gathered { found: next, settled: next })
    }

    /// Whether nothing is left to do with the value of a field.
    #[inline(always)]
    pub fn is_done(&self, record: &Record, number: usize, place: Place, value: &Bound<'py, PyAny>) -> bool {
        let step = &record.steps[number];
        let known = Known { zones: &self.zones, uuids: self.uuids };
        !(place.kept && step.kept) && step.is_exact(self.plan, record, number, known, value)
    }

    /// The slot of the key at a place of a dict, counted if nothing reads it; None if it isn't an exact `str`.
    #[inline(never)]
    fn find(&mut self, record: &Record, key: &Bound<'py, PyAny>, position: usize, path: Path) -> Option<Slot> {
        let names = &record.read;
        if let Some(slot) = names.by_address(key.as_ptr() as usize) {
            return Some(slot);
        }
        let key = key.cast_exact::<PyString>().ok()?;
        let mut counted = None;
        let (slot, counted) = match self.trails.of(names).find(position, names, key) {
            Some(known) => (known.slot, &mut known.counted),
            None => (names.by_text(key), &mut counted),
        };
        if slot.is_undeclared()
            && let Some(report) = &mut self.report
        {
            report.count_known(path, key, counted);
        }
        Some(slot)
    }

    /// Give each field a place of its own in `pending`; so far the first fields were met, in order.
    #[inline(never)]
    fn spread(&mut self, record: &Record, base: usize, met: usize) {
        let taken = self.pending.len() - base;
        self.pending.extend((taken..record.fields.len()).map(|_| Pending::absent(0)));
        let frame = &mut self.pending[base..];
        for position in (0..taken).rev() {
            let field = frame[position].field as usize;
            frame.swap(position, field);
        }
        for (number, pending) in frame.iter_mut().enumerate() {
            if pending.rank == Pending::ABSENT && number < met {
                pending.rank = 0;
            }
            pending.field = number as u32;
        }
    }

    /// Put a value into the place of its field.
    #[inline(always)]
    fn put(&mut self, record: &Record, frame: &mut Frame, slot: Slot, value: &Bound<'py, PyAny>, place: Place) {
        let is_done = self.is_done(record, slot.field as usize, place, value);
        let value = if is_done { None } else { Some(value.clone()) };
        let pending = &mut self.pending[frame.base + slot.field as usize];
        if pending.rank == Pending::ABSENT {
            frame.found += 1;
            *pending = Pending { field: slot.field, rank: slot.rank, value };
        } else {
            frame.put_second(pending, slot, value);
        }
    }

    /// A field that was given under two of its names is read under the first; the others are undeclared.
    #[inline(always)]
    fn close_frame(&mut self, record: &Record, mut frame: Frame, place: Place) -> Gathered {
        if let (Some(report), false) = (&mut self.report, frame.seconds.is_empty()) {
            frame.seconds.sort_unstable_by_key(|slot| (slot.field, slot.rank));
            for slot in &frame.seconds {
                let name = record.fields[slot.field as usize].read_names[slot.rank as usize].bind(self.py);
                report.count(place.path, name);
            }
        }
        Gathered { found: frame.found, settled: record.fields.len() }
    }

    /// Take back what was counted in a dict before a key of another class than `str` was met.
    #[cold]
    fn take_back(&mut self, record: &Record, dict: &Bound<'py, PyDict>, place: Place) -> Option<Gathered> {
        let report = self.report.as_mut()?;
        // SAFETY: the loop compares exact strings and counts; no Python code runs.
        for (key, _) in unsafe { Pairs::new(dict) } {
            let key = key.cast_exact::<PyString>().ok()?;
            if record.read.by_text(&key).is_undeclared() {
                report.uncount(place.path, &key);
            }
        }
        None
    }

    /// Name a member and write its value.
    #[inline(always)]
    pub fn walk_field(&mut self, field: &Field, value: &Bound<'py, PyAny>, place: Place, rank: u32) -> Step {
        let kept = place.kept && field.kept;
        if kept {
            self.out.append_padded(&field.prefix);
        }
        let mut path = place.path;
        if field.reports
            && !place.trusted
            && let Some(report) = &mut self.report
        {
            path = report.below_field(path, field, rank as usize, self.py);
        }
        self.walk(field.child, value, Place { kept, path, ..place })
    }

    fn write_absent(&mut self, field: &Field, place: Place) -> Step {
        match &field.absent {
            Absent::Bail => Err(Bail),
            Absent::Skip => Ok(()),
            Absent::Write(json) => {
                if place.kept && field.kept {
                    self.out.append_padded(&field.prefix);
                    self.out.append(json);
                }
                Ok(())
            }
        }
    }
}

impl Frame {
    /// Of two values for one field keep the one under the earlier name.
    #[cold]
    fn put_second<'py>(&mut self, pending: &mut Pending<'py>, slot: Slot, value: Option<Bound<'py, PyAny>>) {
        let later = slot.rank.max(pending.rank);
        if slot.rank < pending.rank {
            *pending = Pending { field: slot.field, rank: slot.rank, value };
        }
        self.seconds.push(Slot { field: slot.field, rank: later });
    }
}
