//! Text in blocks of sixteen bytes.

pub const BLOCK: usize = 16;

/// A bit for each byte of a block that can't stand in a JSON string as it is, the first byte lowest.
#[inline(always)]
pub fn specials(block: &[u8; BLOCK]) -> u32 {
    #[cfg(target_arch = "x86_64")]
    return vector::specials(block);
    #[cfg(not(target_arch = "x86_64"))]
    portable::specials(block)
}

/// Up to sixteen bytes, with zeros behind.
#[inline(always)]
pub fn load_short(bytes: &[u8]) -> [u8; BLOCK] {
    let length = bytes.len();
    let number = if let (Some(first), Some(last)) = (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        let (low, high) = (u128::from(u64::from_le_bytes(*first)), u128::from(u64::from_le_bytes(*last)));
        low | high << (8 * (length.min(BLOCK) - 8))
    } else if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        let (low, high) = (u64::from(u32::from_le_bytes(*first)), u64::from(u32::from_le_bytes(*last)));
        u128::from(low | high << (8 * (length - 4)))
    } else if let (Some(first), Some(last)) = (bytes.first(), bytes.last()) {
        let middle = bytes[length / 2];
        let (low, middle, high) = (u32::from(*first), u32::from(middle), u32::from(*last));
        u128::from(low | middle << (8 * (length / 2)) | high << (8 * (length - 1)))
    } else {
        0
    };
    number.to_le_bytes()
}

/// The last `count` bytes of a block, with zeros behind.
#[inline(always)]
pub fn keep_last(block: &[u8; BLOCK], count: usize) -> [u8; BLOCK] {
    let dropped = 8 * (BLOCK - count) as u32;
    u128::from_le_bytes(*block).unbounded_shr(dropped).to_le_bytes()
}

#[cfg(target_arch = "x86_64")]
mod vector {
    use std::arch::x86_64::*;

    use super::BLOCK;

    #[inline(always)]
    pub fn specials(block: &[u8; BLOCK]) -> u32 {
        // SAFETY: SSE2 is part of x86-64, and the load takes sixteen bytes of any alignment.
        unsafe {
            let block = _mm_loadu_si128(block.as_ptr().cast());
            let controls = _mm_cmpeq_epi8(_mm_min_epu8(block, _mm_set1_epi8(0x1f)), block);
            let quotes = _mm_cmpeq_epi8(block, _mm_set1_epi8(b'"' as i8));
            let slashes = _mm_cmpeq_epi8(block, _mm_set1_epi8(b'\\' as i8));
            _mm_movemask_epi8(_mm_or_si128(controls, _mm_or_si128(quotes, slashes))) as u32
        }
    }
}

#[cfg(any(test, not(target_arch = "x86_64")))]
mod portable {
    use super::BLOCK;

    /// Written so that the compiler makes vector instructions of it.
    #[inline(always)]
    pub fn specials(block: &[u8; BLOCK]) -> u32 {
        let mut marks = [0u8; BLOCK];
        for (mark, &byte) in marks.iter_mut().zip(block) {
            *mark = if byte < 0x20 || byte == b'"' || byte == b'\\' { 0xff } else { 0 };
        }
        let marks = u128::from_le_bytes(marks);
        if marks == 0 {
            return 0;
        }
        gather_bits(marks as u64) | gather_bits((marks >> 64) as u64) << 8
    }

    /// The lowest bit of each byte, side by side.
    fn gather_bits(marks: u64) -> u32 {
        ((marks & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_judged_alike_at_every_place() {
        for byte in 0..=255u8 {
            for place in 0..BLOCK {
                let mut block = *b"0123456789abcdef";
                block[place] = byte;
                let is_special = byte < 0x20 || byte == b'"' || byte == b'\\';
                assert_eq!(specials(&block), u32::from(is_special) << place);
                assert_eq!(portable::specials(&block), u32::from(is_special) << place);
            }
        }
    }

    #[test]
    fn short_bytes_are_loaded_whole() {
        let bytes = b"0123456789abcdef";
        for length in 0..=BLOCK {
            let mut expected = [0; BLOCK];
            expected[..length].copy_from_slice(&bytes[..length]);
            assert_eq!(load_short(&bytes[..length]), expected);
            let mut last = [0; BLOCK];
            last[..length].copy_from_slice(&bytes[BLOCK - length..]);
            assert_eq!(keep_last(bytes, length), last);
        }
    }
}
