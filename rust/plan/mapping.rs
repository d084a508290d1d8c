//! Dicts with free keys.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use super::node::Items;
use super::walk::{Bail, Pending, Place, Step, Walker};
use crate::json::sink::Sink;
use crate::json::string::{has_surrogate, push_string};
use crate::pairs::Pairs;
use crate::strip::Label;

impl<'py> Walker<'_, 'py> {
    pub fn walk_dict(&mut self, items: &Items, value: &Bound<'py, PyAny>, place: Place) -> Step {
        let dict = value.cast_exact::<PyDict>().map_err(|_| Bail)?;
        let length = dict.len();
        if length < items.min || length > items.max {
            return Err(Bail);
        }
        let base = (self.pending.len(), self.keys.len());
        let step = self.walk_values(items, dict, base, place);
        self.pending.truncate(base.0);
        self.keys.truncate(base.1);
        step
    }

    fn walk_values(&mut self, items: &Items, dict: &Bound<'py, PyDict>, base: (usize, usize), place: Place) -> Step {
        // SAFETY: the loop only takes references.
        for (key, value) in unsafe { Pairs::new(dict) } {
            let key = key.cast_exact::<PyString>().map_err(|_| Bail)?;
            self.keys.push(key.to_owned());
            self.pending.push(Pending { field: 0, rank: 0, value: Some(value.to_owned()) });
        }
        let mut place = place;
        if let (Some(report), true) = (&mut self.report, items.reports && !place.trusted) {
            place.path = report.below(place.path, Label::Values);
        }
        let count = self.pending.len() - base.0;
        let start = self.out.len();
        for index in 0..count {
            if place.kept {
                self.out.push(b',');
            }
            let key = &self.keys[base.1 + index];
            let fits = if place.kept { push_string(&mut self.out, key) } else { !has_surrogate(key) };
            if !fits {
                return Err(Bail);
            }
            if place.kept {
                self.out.push(b':');
            }
            let value = self.pending[base.0 + index].value.take().ok_or(Bail)?;
            self.walk(items.child, &value, place)?;
        }
        self.close(start, *b"{}", place);
        Ok(())
    }
}
