//! Where text is written.

/// Memory that grows: a vector, or the bytes object that is returned in the end.
pub trait Sink {
    /// Where the next byte goes; at least `count` bytes may be written from there on.
    fn room(&mut self, count: usize) -> *mut u8;

    /// Count in what was written to the room.
    ///
    /// # Safety
    ///
    /// `room` was asked for at least `count` bytes, so many were written, and nothing else happened since.
    unsafe fn advance(&mut self, count: usize);

    #[inline(always)]
    fn push(&mut self, byte: u8) {
        self.put(&[byte], 1);
    }

    /// Append the first bytes of a block; it has a fixed size, so that it is copied without a loop.
    #[inline(always)]
    fn put<const N: usize>(&mut self, block: &[u8; N], used: usize) {
        debug_assert!(used <= N);
        let room = self.room(N);
        // SAFETY: the room is for N bytes, all of which are written, and nobody else can know of it.
        unsafe {
            room.cast::<[u8; N]>().write_unaligned(*block);
            self.advance(used.min(N));
        }
    }

    #[inline(always)]
    fn append(&mut self, bytes: &[u8]) {
        let room = self.room(bytes.len());
        // SAFETY: the room is for so many bytes, and nothing that is borrowed can lie in it.
        unsafe {
            room.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            self.advance(bytes.len());
        }
    }

    #[inline(always)]
    fn append_padded(&mut self, text: &Padded) {
        for block in &text.blocks {
            self.put(block, Padded::BLOCK);
        }
        self.put(&text.last, text.used);
    }
}

impl Sink for Vec<u8> {
    #[inline(always)]
    fn room(&mut self, count: usize) -> *mut u8 {
        self.reserve(count);
        self.spare_capacity_mut().as_mut_ptr().cast()
    }

    #[inline(always)]
    unsafe fn advance(&mut self, count: usize) {
        // SAFETY: the caller wrote so many bytes of the spare capacity.
        unsafe { self.set_len(self.len() + count) }
    }
}

/// Short text that is written often, in blocks of a fixed size.
pub struct Padded {
    blocks: Vec<[u8; Padded::BLOCK]>,
    last: [u8; Padded::BLOCK],
    used: usize,
}

impl Padded {
    const BLOCK: usize = 16;

    pub fn new(text: &[u8]) -> Self {
        let full = text.len().saturating_sub(1) / Self::BLOCK;
        let (head, tail) = text.split_at(full * Self::BLOCK);
        let mut last = [0; Self::BLOCK];
        last[..tail.len()].copy_from_slice(tail);
        Padded { blocks: head.as_chunks().0.to_vec(), last, used: tail.len() }
    }

    pub fn text(&self) -> Vec<u8> {
        [self.blocks.as_flattened(), &self.last[..self.used]].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padded_text_is_written_without_its_padding() {
        for length in 0..50 {
            let text = vec![b'x'; length];
            let mut out = vec![b'<'];
            out.append_padded(&Padded::new(&text));
            out.push(b'>');
            assert_eq!(out, [b"<", &text[..], b">"].concat());
        }
    }
}
