//! `uuid.UUID`.

use pyo3::ffi::Py_ssize_t;
use pyo3::prelude::*;
use pyo3::types::PyInt;

use super::classes::{Classes, is_exactly};
use super::walk::Walker;
use crate::json::sink::Sink;
use crate::layout;

/// The quoted text.
const LENGTH: usize = 38;

/// How the number of a UUID is read in this call.
#[derive(Clone, Copy)]
pub enum Access {
    /// No UUID was met yet.
    Unknown,
    /// As an attribute.
    Attribute,
    /// From its slot, where the attribute is that of the standard library, and of a known layout.
    Slot(Py_ssize_t),
}

impl Classes {
    fn access(&self, py: Python<'_>) -> Access {
        let attribute = self.uuid.bind(py).getattr(self.int.bind(py));
        match (&self.uuid_slot, attribute) {
            (Some((offset, known)), Ok(attribute)) if known.is(&attribute) => Access::Slot(*offset),
            _ => Access::Attribute,
        }
    }
}

impl<'py> Walker<'_, 'py> {
    /// A UUID is its attribute `int`, which pydantic reads too: it may have been overwritten.
    pub fn push_uuid(&mut self, value: &Bound<'py, PyAny>, kept: bool) -> bool {
        if !is_exactly(value, &self.plan.classes.uuid) {
            return false;
        }
        if let Access::Unknown = self.uuids {
            self.uuids = self.plan.classes.access(self.py);
        }
        let number = match self.uuids {
            Access::Slot(offset) => read_slot(value, offset),
            Access::Unknown | Access::Attribute => self.read_attribute(value),
        };
        let Some(number) = number else { return false };
        if kept {
            self.out.put(&text(number), LENGTH);
        }
        true
    }

    fn read_attribute(&self, value: &Bound<'py, PyAny>) -> Option<u128> {
        let number = value.getattr(self.plan.classes.int.bind(self.py)).ok()?;
        number.cast_exact::<PyInt>().ok()?.extract().ok()
    }
}

/// Whether a UUID is exact for certain, seen without running Python code.
#[inline(always)]
pub fn is_known_uuid(classes: &Classes, access: Access, value: &Bound<'_, PyAny>) -> bool {
    match access {
        Access::Slot(offset) => is_exactly(value, &classes.uuid) && read_slot(value, offset).is_some(),
        Access::Unknown | Access::Attribute => false,
    }
}

/// `value` is exactly a UUID, and `offset` its class's.
#[inline(always)]
fn read_slot(value: &Bound<'_, PyAny>, offset: Py_ssize_t) -> Option<u128> {
    // SAFETY: the offset was asked of this class, and nothing runs while the number is read; there is an offset
    // only where the digits are wide.
    unsafe {
        let number = layout::slot(value, offset)?;
        let number = number.cast_exact::<PyInt>().ok()?;
        layout::unsigned(&number)
    }
}

fn text(number: u128) -> [u8; LENGTH] {
    let [first, second, third, fourth] = [96, 64, 32, 0].map(|shift| hex((number >> shift) as u32));
    let mut text = *b"\"00000000-0000-0000-0000-000000000000\"";
    text[1..9].copy_from_slice(&first);
    text[10..14].copy_from_slice(&second[..4]);
    text[15..19].copy_from_slice(&second[4..]);
    text[20..24].copy_from_slice(&third[..4]);
    text[25..29].copy_from_slice(&third[4..]);
    text[29..37].copy_from_slice(&fourth);
    text
}

/// Eight hexadecimal digits, all at once.
#[inline(always)]
fn hex(number: u32) -> [u8; 8] {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // One digit in each byte, the highest in the lowest byte.
    let number = u64::from(number.swap_bytes());
    let number = (number | number << 16) & 0x0000_ffff_0000_ffff;
    let number = (number | number << 8) & 0x00ff_00ff_00ff_00ff;
    let digits = (number >> 4 | number << 8) & (ONES * 0x0f);
    // Bit 4 of a digit and six is set for ten and more, which are letters.
    let letters = (digits + ONES * 6) >> 4 & ONES;
    (digits + ONES * u64::from(b'0') + letters * u64::from(b'a' - b'0' - 10)).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_and_lower_case() {
        let number = 0x0123_4567_89ab_cdef_0123_4567_89ab_cdef;
        assert_eq!(&text(number), b"\"01234567-89ab-cdef-0123-456789abcdef\"");
    }

    #[test]
    fn every_digit_is_written_at_every_place() {
        for digit in 0..16u32 {
            for place in 0..8 {
                let number = 0x1234_5678 & !(15 << (4 * place)) | digit << (4 * place);
                assert_eq!(hex(number), *format!("{number:08x}").as_bytes());
            }
        }
    }
}
