//! From the key of a dict to a field, without hashing text where it can be helped.

use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::json::string::{hash, same_text};

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
/// found by address; any other key is found by its hash, which every key of a dict has at hand.
pub struct Names {
    by_address: Vec<(usize, Slot)>,
    /// Places in `names`, shifted by one.
    by_hash: Vec<u32>,
    names: Vec<(Py<PyString>, isize, Slot)>,
    /// Distinguishes these names among those of the plan.
    pub id: usize,
    /// Whether two fields read the same name, so that a key has no single slot.
    pub is_ambiguous: bool,
}

impl Names {
    pub fn new(py: Python<'_>, names: Vec<(Py<PyString>, Slot)>) -> Self {
        let size = (names.len() * 4).next_power_of_two().max(8);
        let by_address = vec![(0, Slot::UNDECLARED); size];
        let mut table = Names { by_address, by_hash: vec![0; size], names: Vec::new(), id: 0, is_ambiguous: false };
        for (name, slot) in names {
            let address = name.as_ptr() as usize;
            if table.by_address(address).is_some() {
                table.is_ambiguous = true;
                continue;
            }
            let hash = hash(name.bind(py));
            table.names.push((name, hash, slot));
            let mask = size - 1;
            let mut place = home(address, size);
            while table.by_address[place].0 != 0 {
                place = (place + 1) & mask;
            }
            table.by_address[place] = (address, slot);
            let mut place = hash as usize & mask;
            while table.by_hash[place] != 0 {
                place = (place + 1) & mask;
            }
            table.by_hash[place] = table.names.len() as u32;
        }
        table
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

    /// The slot of any key, by its text. The hash of an exact `str` is computed without Python code.
    pub fn by_text(&self, key: &Bound<'_, PyString>) -> Slot {
        let hash = hash(key);
        let mask = self.by_hash.len() - 1;
        let mut place = hash as usize & mask;
        loop {
            let entry = self.by_hash[place] as usize;
            if entry == 0 {
                return Slot::UNDECLARED;
            }
            let (name, known, slot) = &self.names[entry - 1];
            if *known == hash && same_text(key, name.bind(key.py())) {
                return *slot;
            }
            place = (place + 1) & mask;
        }
    }
}

/// Objects are at least 16 bytes apart.
#[inline(always)]
pub fn home(address: usize, size: usize) -> usize {
    ((address >> 4) ^ (address >> 12)) & (size - 1)
}
