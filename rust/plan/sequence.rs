//! Lists and tuples.

use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use super::node::{Index, Items};
use super::walk::{Bail, Place, Step, Walker};
use crate::json::sink::Sink;
use crate::strip::Label;

/// Either kind of sequence; a list may change while its items are walked.
enum Sequence<'a, 'py> {
    List(&'a Bound<'py, PyList>),
    Tuple(&'a Bound<'py, PyTuple>),
}

impl<'a, 'py> Sequence<'a, 'py> {
    fn list(value: &'a Bound<'py, PyAny>) -> Result<Self, Bail> {
        value.cast_exact::<PyList>().map(Sequence::List).map_err(|_| Bail)
    }

    fn tuple(value: &'a Bound<'py, PyAny>) -> Result<Self, Bail> {
        value.cast_exact::<PyTuple>().map(Sequence::Tuple).map_err(|_| Bail)
    }

    #[inline(always)]
    fn len(&self) -> usize {
        match self {
            Sequence::List(list) => list.len(),
            Sequence::Tuple(tuple) => tuple.len(),
        }
    }

    #[inline(always)]
    fn get(&self, index: usize) -> Result<Bound<'py, PyAny>, Bail> {
        match self {
            // SAFETY: the index is below the length, and no other thread runs meanwhile.
            Sequence::List(list) if index < list.len() => Ok(unsafe { list.get_item_unchecked(index) }),
            Sequence::Tuple(tuple) => tuple.get_item(index).map_err(|_| Bail),
            Sequence::List(_) => Err(Bail),
        }
    }
}

impl<'py> Walker<'_, 'py> {
    pub fn walk_list(&mut self, items: &Items, value: &Bound<'py, PyAny>, place: Place) -> Step {
        let sequence = match Sequence::list(value) {
            Err(_) if !place.trusted => Sequence::tuple(value)?,
            list => list?,
        };
        self.walk_items(items, &sequence, place)
    }

    pub fn walk_tuple_of(&mut self, items: &Items, value: &Bound<'py, PyAny>, place: Place) -> Step {
        self.walk_items(items, &self.tuple_like(value, place)?, place)
    }

    pub fn walk_tuple(&mut self, children: &[Index], value: &Bound<'py, PyAny>, place: Place) -> Step {
        let sequence = self.tuple_like(value, place)?;
        if sequence.len() != children.len() {
            return Err(Bail);
        }
        let mut child = children.iter();
        self.walk_each(&sequence, place, true, |_| child.next().copied())
    }

    fn tuple_like<'a>(&self, value: &'a Bound<'py, PyAny>, place: Place) -> Result<Sequence<'a, 'py>, Bail> {
        match Sequence::tuple(value) {
            Err(_) if !place.trusted => Sequence::list(value),
            tuple => tuple,
        }
    }

    fn walk_items(&mut self, items: &Items, sequence: &Sequence<'_, 'py>, place: Place) -> Step {
        let length = sequence.len();
        if length < items.min || length > items.max {
            return Err(Bail);
        }
        self.walk_each(sequence, place, items.reports, |_| Some(items.child))
    }

    #[inline]
    fn walk_each(
        &mut self,
        sequence: &Sequence<'_, 'py>,
        place: Place,
        reports: bool,
        mut child: impl FnMut(usize) -> Option<Index>,
    ) -> Step {
        let length = sequence.len();
        let mut place = place;
        let mut is_outermost = false;
        if let (Some(report), true) = (&mut self.report, reports && !place.trusted) {
            place.path = report.below(place.path, Label::Items);
            is_outermost = report.row.is_none();
        }
        let start = self.out.len();
        for index in 0..length {
            if is_outermost && let Some(report) = &mut self.report {
                report.row = Some(index);
            }
            if place.kept {
                self.out.push(b',');
            }
            let item = sequence.get(index)?;
            self.walk(child(index).ok_or(Bail)?, &item, place)?;
        }
        if sequence.len() != length {
            return Err(Bail);
        }
        if is_outermost && let Some(report) = &mut self.report {
            report.row = None;
        }
        self.close(start, *b"[]", place);
        Ok(())
    }
}
