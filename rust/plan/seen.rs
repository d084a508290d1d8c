//! The keys met in this call that aren't interned names: where they led the last time.

use pyo3::prelude::*;
use pyo3::types::PyString;

use super::names::{Names, Slot, home};
use crate::strip::Path;

/// Keys beyond these are looked up each time: they are probably new objects in each row.
const CAPACITY: usize = 4096;

/// A key of a record and what is known about it.
pub struct Known<'py> {
    /// Held, so that its address can't come to belong to another key.
    key: Bound<'py, PyString>,
    record: usize,
    pub slot: Slot,
    /// The path at which this key was last reported, and the entry that counted it.
    pub counted: Option<(Path, usize)>,
}

/// A table in open addressing: `places` index `known`, shifted by one.
#[derive(Default)]
pub struct Seen<'py> {
    places: Vec<u32>,
    known: Vec<Known<'py>>,
}

impl<'py> Seen<'py> {
    /// What is known of a key, asking the record's names the first time; None once there is no more room.
    #[inline]
    pub fn find(&mut self, names: &Names, key: &Bound<'py, PyString>) -> Option<&mut Known<'py>> {
        let found = self.position(names, key)?;
        Some(&mut self.known[found])
    }

    #[inline]
    fn position(&mut self, names: &Names, key: &Bound<'py, PyString>) -> Option<usize> {
        let address = key.as_ptr() as usize;
        if !self.places.is_empty() {
            let size = self.places.len();
            let mut place = (home(address, size) + names.id) & (size - 1);
            loop {
                let entry = self.places[place] as usize;
                if entry == 0 {
                    break;
                }
                let known = &self.known[entry - 1];
                if known.key.as_ptr() as usize == address && known.record == names.id {
                    return Some(entry - 1);
                }
                place = (place + 1) & (size - 1);
            }
        }
        self.learn(names, key)
    }

    #[cold]
    fn learn(&mut self, names: &Names, key: &Bound<'py, PyString>) -> Option<usize> {
        if self.known.len() >= CAPACITY {
            return None;
        }
        if self.known.len() * 4 >= self.places.len() {
            self.grow();
        }
        let known = Known { key: key.clone(), record: names.id, slot: names.by_text(key), counted: None };
        self.known.push(known);
        let position = self.known.len() - 1;
        self.place(position);
        Some(position)
    }

    fn grow(&mut self) {
        let size = (self.places.len() * 4).max(128);
        self.places = vec![0; size];
        for position in 0..self.known.len() {
            self.place(position);
        }
    }

    fn place(&mut self, position: usize) {
        let size = self.places.len();
        let known = &self.known[position];
        let mut place = (home(known.key.as_ptr() as usize, size) + known.record) & (size - 1);
        while self.places[place] != 0 {
            place = (place + 1) & (size - 1);
        }
        self.places[place] = position as u32 + 1;
    }
}
