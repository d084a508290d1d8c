//! The keys that the last dict of a record had at each place, beyond interned names: rows are mostly alike.

use pyo3::prelude::*;
use pyo3::types::PyString;

use super::names::{Names, Slot};
use crate::json::string::same_text;
use crate::strip::Path;

/// Places beyond these are looked up each time.
const CAPACITY: usize = 4096;

/// A key and what is known about it.
pub struct Known<'py> {
    /// Held, so that its address can't come to belong to another key.
    key: Bound<'py, PyString>,
    pub slot: Slot,
    /// The path at which this key was last reported, and the entry that counted it.
    pub counted: Option<(Path, usize)>,
}

/// What is known of the keys of one record, by their place in a dict.
#[derive(Default)]
pub struct Trail<'py> {
    places: Vec<Option<Known<'py>>>,
}

/// A trail for each record of the plan that had such keys.
#[derive(Default)]
pub struct Trails<'py>(Vec<Trail<'py>>);

impl<'py> Trails<'py> {
    #[inline(always)]
    pub fn of(&mut self, names: &Names) -> &mut Trail<'py> {
        if self.0.len() <= names.id {
            self.grow(names.id);
        }
        &mut self.0[names.id]
    }

    #[cold]
    fn grow(&mut self, id: usize) {
        self.0.resize_with(id + 1, Trail::default);
    }
}

impl<'py> Trail<'py> {
    /// What is known of the key at a place, asking the record's names if the last dict had another one there;
    /// None beyond the last place.
    #[inline(always)]
    pub fn find(&mut self, place: usize, names: &Names, key: &Bound<'py, PyString>) -> Option<&mut Known<'py>> {
        let is_same = |known: &Known<'py>| known.key.is(key) || same_text(&known.key, key);
        if !self.places.get(place).is_some_and(|known| known.as_ref().is_some_and(is_same)) {
            self.learn(place, names, key)?;
        }
        self.places[place].as_mut()
    }

    #[inline(never)]
    fn learn(&mut self, place: usize, names: &Names, key: &Bound<'py, PyString>) -> Option<()> {
        if place >= CAPACITY {
            return None;
        }
        if self.places.len() <= place {
            self.places.resize_with(place + 1, || None);
        }
        self.places[place] = Some(Known { key: key.clone(), slot: names.by_text(key), counted: None });
        Some(())
    }
}
