//! The strip report: the keys that no field reads, one entry for each distinct path.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::json::string::{storage, utf8_lossy};
use crate::plan::node::Field;

/// A place in the answer, with indexes folded. An index into `Report::paths`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Path(usize);

impl Path {
    pub const ROOT: Path = Path(0);
}

#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Label {
    Key(String),
    Items,
    Values,
}

struct Branch {
    text: String,
    /// Fields already entered here, by address and name; short, so a scan is quickest.
    fields: Vec<(usize, usize, Path)>,
    items: Option<Path>,
    values: Option<Path>,
    entry: Option<usize>,
}

struct Entry {
    path: Path,
    count: usize,
    row: Option<usize>,
}

type Recent = HashMap<(Path, isize), (Py<PyString>, usize), BuildHasherDefault<Mixer>>;

pub struct Report {
    branches: Vec<Branch>,
    by_key: HashMap<(Path, String), Path>,
    entries: Vec<Entry>,
    /// The entry of a key by its hash, with a key of that text.
    recent: Recent,
    /// The index in the outermost array, while inside one.
    pub row: Option<usize>,
}

impl Report {
    pub fn new() -> Self {
        let root = Branch { text: String::new(), fields: Vec::new(), items: None, values: None, entry: None };
        Report {
            branches: vec![root],
            by_key: HashMap::new(),
            entries: Vec::new(),
            recent: HashMap::default(),
            row: None,
        }
    }

    /// The path one step below another.
    pub fn below(&mut self, path: Path, label: Label) -> Path {
        let branch = &self.branches[path.0];
        let known = match &label {
            Label::Items => branch.items,
            Label::Values => branch.values,
            Label::Key(key) => self.by_key.get(&(path, key.clone())).copied(),
        };
        known.unwrap_or_else(|| self.grow(path, label))
    }

    /// The path of a field, by the name under which it was read.
    #[inline]
    pub fn below_field(&mut self, path: Path, field: &Field, rank: usize, py: Python<'_>) -> Path {
        let address = std::ptr::from_ref(field) as usize;
        let fields = &self.branches[path.0].fields;
        if let Some((_, _, known)) = fields.iter().find(|known| known.0 == address && known.1 == rank) {
            return *known;
        }
        let name = utf8_lossy(field.read_names[rank].bind(py));
        let below = self.below(path, Label::Key(name));
        self.branches[path.0].fields.push((address, rank, below));
        below
    }

    /// Count a key that leads to no field; `memory` belongs to this key object in its record.
    #[inline]
    pub fn count_known(&mut self, path: Path, key: &Bound<'_, PyString>, memory: &mut Option<(Path, usize)>) {
        match *memory {
            Some((known, entry)) if known == path => self.entries[entry].count += 1,
            _ => *memory = Some((path, self.count(path, key))),
        }
    }

    /// Count a key that leads to no field; returns its entry.
    pub fn count(&mut self, path: Path, key: &Bound<'_, PyString>) -> usize {
        let hash = key.hash().unwrap_or(0);
        if let Some((known, entry)) = self.recent.get(&(path, hash))
            && storage(known.bind(key.py())) == storage(key)
        {
            self.entries[*entry].count += 1;
            return *entry;
        }
        let entry = self.count_by_text(path, key);
        self.recent.insert((path, hash), (key.clone().unbind(), entry));
        entry
    }

    #[cold]
    fn count_by_text(&mut self, path: Path, key: &Bound<'_, PyString>) -> usize {
        let below = self.below(path, Label::Key(utf8_lossy(key)));
        if let Some(entry) = self.branches[below.0].entry {
            self.entries[entry].count += 1;
            return entry;
        }
        self.entries.push(Entry { path: below, count: 1, row: self.row });
        self.branches[below.0].entry = Some(self.entries.len() - 1);
        self.entries.len() - 1
    }

    /// Take back one count of a key.
    pub fn uncount(&mut self, path: Path, key: &Bound<'_, PyString>) {
        let below = self.below(path, Label::Key(utf8_lossy(key)));
        if let Some(entry) = self.branches[below.0].entry {
            self.entries[entry].count = self.entries[entry].count.saturating_sub(1);
        }
    }

    /// The entries in order of first appearance: path, count, first index in the outermost array.
    pub fn into_entries(self) -> Vec<(String, usize, Option<usize>)> {
        let entries = self.entries.iter().filter(|entry| entry.count > 0);
        entries.map(|entry| (self.branches[entry.path.0].text.clone(), entry.count, entry.row)).collect()
    }

    #[cold]
    fn grow(&mut self, path: Path, label: Label) -> Path {
        let mut text = self.branches[path.0].text.clone();
        let below = Path(self.branches.len());
        match label {
            Label::Items => {
                text.push_str("[]");
                self.branches[path.0].items = Some(below);
            }
            Label::Values => {
                text.push_str(if text.is_empty() { "*" } else { ".*" });
                self.branches[path.0].values = Some(below);
            }
            Label::Key(key) => {
                if !text.is_empty() {
                    text.push('.');
                }
                text.push_str(&key);
                self.by_key.insert((path, key), below);
            }
        }
        self.branches.push(Branch { text, fields: Vec::new(), items: None, values: None, entry: None });
        below
    }
}

/// Mixes what is a hash already.
#[derive(Default)]
pub struct Mixer(u64);

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(5) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn write_isize(&mut self, number: isize) {
        self.write_u64(number as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

impl Default for Report {
    fn default() -> Self {
        Report::new()
    }
}
