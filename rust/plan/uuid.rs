//! `uuid.UUID`.

use pyo3::prelude::*;
use pyo3::types::PyInt;

use super::classes::is_exactly;
use super::walk::Walker;

const HEX: &[u8; 16] = b"0123456789abcdef";
/// Where the hexadecimal digit pairs stand in the quoted text.
const PLACES: [usize; 16] = [1, 3, 5, 7, 10, 12, 15, 17, 20, 22, 25, 27, 29, 31, 33, 35];

impl<'py> Walker<'_, 'py> {
    /// A UUID is its attribute `int`, which pydantic reads too: it may have been overwritten.
    pub fn push_uuid(&mut self, value: &Bound<'py, PyAny>, kept: bool) -> bool {
        if !is_exactly(value, &self.plan.classes.uuid) {
            return false;
        }
        let Ok(number) = value.getattr(self.plan.classes.int.bind(self.py)) else { return false };
        let Ok(number) = number.cast_exact::<PyInt>() else { return false };
        let Ok(number) = number.extract::<u128>() else { return false };
        if kept {
            self.out.extend_from_slice(&text(number));
        }
        true
    }
}

fn text(number: u128) -> [u8; 38] {
    let mut text = *b"\"00000000-0000-0000-0000-000000000000\"";
    for (place, byte) in PLACES.into_iter().zip(number.to_be_bytes()) {
        text[place] = HEX[usize::from(byte >> 4)];
        text[place + 1] = HEX[usize::from(byte & 15)];
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_and_lower_case() {
        let number = 0x0123_4567_89ab_cdef_0123_4567_89ab_cdef;
        assert_eq!(&text(number), b"\"01234567-89ab-cdef-0123-456789abcdef\"");
    }
}
