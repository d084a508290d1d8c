//! Dicts with keys of other classes than `str`: read as Python reads them, by hash and equality.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use super::node::Record;
use super::record::Gathered;
use super::walk::{Bail, Pending, Place, Step, Walker};
use crate::json::string::utf8_lossy;
use crate::pairs::Pairs;

impl<'py> Walker<'_, 'py> {
    /// Take the value of each field under the first of its names that is present, and say how many have
    /// one. Python code may run.
    pub fn look_up(&mut self, record: &Record, dict: &Bound<'py, PyDict>, place: Place) -> Result<Gathered, Bail> {
        if record.forbids_extra {
            return Err(Bail);
        }
        let mut found = Vec::new();
        for (number, field) in record.fields.iter().enumerate() {
            let last = self.pending.len();
            self.pending.push(Pending::absent(number as u32));
            for (rank, name) in field.read_names.iter().enumerate() {
                let value = dict.get_item(name.bind(self.py)).map_err(|error| self.give_up(error))?;
                if value.is_some() {
                    self.pending[last] = Pending { field: number as u32, rank: rank as u32, value };
                    found.push(name.bind(self.py).clone());
                    break;
                }
            }
        }
        if self.report.is_some() {
            self.count_others(dict, &found, place)?;
        }
        Ok(Gathered { found: found.len(), settled: record.fields.len() })
    }

    fn count_others(&mut self, dict: &Bound<'py, PyDict>, found: &[Bound<'py, PyString>], place: Place) -> Step {
        // SAFETY: the loop only takes references.
        let keys: Vec<Bound<'py, PyAny>> = unsafe { Pairs::new(dict) }.map(|(key, _)| key.to_owned()).collect();
        for key in keys {
            let name = match key.cast::<PyString>() {
                // By its real text, not by what a subclass makes of it.
                Ok(text) => PyString::new(self.py, &utf8_lossy(text)),
                Err(_) => {
                    let text = key.str().map_err(|error| self.give_up(error))?;
                    PyString::new(self.py, &format!("[{}]", utf8_lossy(&text)))
                }
            };
            let is_read =
                key.is_instance_of::<PyString>() && found.iter().any(|known| known.as_any().eq(&name).unwrap_or(false));
            if !is_read && let Some(report) = &mut self.report {
                report.count(place.path, &name);
            }
        }
        Ok(())
    }
}
