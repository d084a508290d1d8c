//! The members of an object, and how objects with the same keys are written.

use std::cmp::Ordering;
use std::rc::Rc;

use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::json::block::load_short;
use crate::json::sink::Padded;
use crate::json::string::{ascii, push_ascii};

/// How many shapes are remembered.
const SLOTS: usize = 64;
/// Objects of more members are sorted each time.
const MOST_MEMBERS: usize = 64;

/// A member of an object that is open, borrowed from its dict.
#[derive(Clone, Copy)]
pub struct Member<'py> {
    pub key: Borrowed<'py, 'py, PyAny>,
    pub value: Borrowed<'py, 'py, PyAny>,
    /// Where it stands in its dict.
    place: usize,
    /// The first eight bytes of the key: numbers of such an order.
    start: u64,
}

impl<'py> Member<'py> {
    pub fn new(key: Borrowed<'py, 'py, PyAny>, value: Borrowed<'py, 'py, PyAny>, place: usize) -> Self {
        Member { key, value, place, start: 0 }
    }

    /// Look at the key: its text if it is a string, and that text's bytes if it is ASCII.
    pub fn look(&mut self) -> Key {
        let Ok(key) = self.key.cast::<PyString>() else { return Key::NotText };
        let Some(bytes) = ascii(&key) else { return Key::Wide };
        let block = load_short(&bytes[..bytes.len().min(8)]);
        self.start = u64::from_be_bytes(*block.first_chunk().unwrap_or(&[0; 8]));
        Key::Ascii
    }

    /// The key, if it is text.
    #[inline(always)]
    pub fn text(&self) -> Option<Borrowed<'py, 'py, PyString>> {
        self.key.cast::<PyString>().ok()
    }

    /// The order of ASCII keys.
    fn compare(&self, other: &Self) -> Ordering {
        self.start.cmp(&other.start).then_with(|| match (self.text(), other.text()) {
            (Some(left), Some(right)) => ascii(&left).cmp(&ascii(&right)),
            _ => Ordering::Equal,
        })
    }
}

#[derive(PartialEq)]
pub enum Key {
    Ascii,
    Wide,
    NotText,
}

/// Sort members whose keys are ASCII and have been looked at.
pub fn sort(members: &mut [Member<'_>]) {
    members.sort_unstable_by(Member::compare);
}

/// How objects with the very same keys are written.
pub struct Shape {
    keys: Vec<usize>,
    /// Where each member that is written stands in its dict, and its quoted key with the signs around it.
    pub members: Vec<(usize, Padded)>,
}

impl Shape {
    fn is_of(&self, members: &[Member<'_>]) -> bool {
        self.keys.len() == members.len()
            && self.keys.iter().zip(members).all(|(&key, member)| key == member.key.as_ptr() as usize)
    }
}

/// The shapes met while one value is written.
///
/// Keys are told apart by their addresses, which stay theirs meanwhile: nothing is released.
pub struct Shapes {
    slots: [Option<Rc<Shape>>; SLOTS],
    /// What was in each slot once: a shape is worth remembering when it comes again.
    seen: [u64; SLOTS],
}

impl Default for Shapes {
    fn default() -> Self {
        Shapes { slots: [const { None }; SLOTS], seen: [0; SLOTS] }
    }
}

impl Shapes {
    /// The shape of members in their dict's order, if it is known.
    pub fn find(&self, members: &[Member<'_>]) -> Option<Rc<Shape>> {
        let shape = self.slots[slot(hash(members))].as_ref()?;
        shape.is_of(members).then(|| shape.clone())
    }

    /// Whether such members were met before, so that their shape is worth remembering.
    pub fn meet(&mut self, members: &[Member<'_>]) -> bool {
        let hash = hash(members);
        members.len() <= MOST_MEMBERS && std::mem::replace(&mut self.seen[slot(hash)], hash) == hash
    }

    /// Remember the shape of members that are sorted.
    pub fn keep(&mut self, sorted: &[Member<'_>]) {
        let mut keys = vec![0; sorted.len()];
        let mut members = Vec::with_capacity(sorted.len());
        for (index, member) in sorted.iter().enumerate() {
            keys[member.place] = member.key.as_ptr() as usize;
            let mut text = vec![if index == 0 { b'{' } else { b',' }];
            if let Some(key) = member.text() {
                push_ascii(&mut text, &key);
            }
            text.push(b':');
            members.push((member.place, Padded::new(&text)));
        }
        let at = slot(hash_of(keys.iter().copied()));
        self.slots[at] = Some(Rc::new(Shape { keys, members }));
    }
}

fn slot(hash: u64) -> usize {
    (hash >> 32) as usize % SLOTS
}

fn hash(members: &[Member<'_>]) -> u64 {
    hash_of(members.iter().map(|member| member.key.as_ptr() as usize))
}

fn hash_of(keys: impl Iterator<Item = usize>) -> u64 {
    keys.fold(1, |hash: u64, key| (hash.rotate_left(5) ^ key as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}
