//! From the key of a dict to a field, without hashing text where it can be helped.

use std::collections::HashMap;

use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::json::string::utf8;

/// The field that a key leads to, and the key's place among the names of that field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot {
    pub field: u32,
    pub rank: u32,
}

impl Slot {
    /// No field is read under this key.
    pub const UNDECLARED: Slot = Slot { field: u32::MAX, rank: 0 };

    pub fn is_undeclared(self) -> bool {
        self.field == u32::MAX
    }
}

/// The names of one record. They are interned, so that the keys of dicts written in Python source are
/// found by address; any other key is found by its text and then remembered for the rest of the call.
pub struct Names {
    by_address: Vec<(usize, Slot)>,
    by_text: HashMap<String, Slot>,
    /// Keeps the addresses taken.
    _interned: Vec<Py<PyString>>,
    /// Distinguishes the record among those of its plan.
    pub id: usize,
    /// Whether two fields read the same name, so that a key has no single slot.
    pub is_ambiguous: bool,
}

impl Names {
    pub fn new(py: Python<'_>, id: usize, names: &[(Py<PyString>, Slot)]) -> Self {
        let size = (names.len() * 4).next_power_of_two().max(8);
        let mut by_address = vec![(0, Slot::UNDECLARED); size];
        let mut by_text = HashMap::new();
        let mut is_ambiguous = false;
        for (name, slot) in names {
            let bound = name.bind(py);
            if by_text.insert(utf8(bound).unwrap_or_default(), *slot).is_some() {
                is_ambiguous = true;
                continue;
            }
            let address = bound.as_ptr() as usize;
            let mut place = home(address, size);
            while by_address[place].0 != 0 {
                place = (place + 1) & (size - 1);
            }
            by_address[place] = (address, *slot);
        }
        let interned = names.iter().map(|(name, _)| name.clone_ref(py)).collect();
        Names { by_address, by_text, _interned: interned, id, is_ambiguous }
    }

    /// The slot of an interned name, by the address of the key.
    #[inline(always)]
    pub fn by_address(&self, address: usize) -> Option<Slot> {
        let mask = self.by_address.len() - 1;
        let mut place = home(address, self.by_address.len());
        loop {
            let (known, slot) = self.by_address[place];
            if known == address {
                return Some(slot);
            }
            if known == 0 {
                return None;
            }
            place = (place + 1) & mask;
        }
    }

    /// The slot of any key, by its text. A lone surrogate is in no name.
    pub fn by_text(&self, key: &Bound<'_, PyString>) -> Slot {
        utf8(key).and_then(|text| self.by_text.get(&text).copied()).unwrap_or(Slot::UNDECLARED)
    }
}

/// Objects are at least 16 bytes apart.
#[inline(always)]
pub fn home(address: usize, size: usize) -> usize {
    ((address >> 4) ^ (address >> 12)) & (size - 1)
}
