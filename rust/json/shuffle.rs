//! Escaping eight bytes at a time without a branch: a shuffle makes room for each backslash.
//!
//! Text that is JSON itself has a quote every few bytes, so that anything that stops at them is slow.

use std::arch::x86_64::*;

use super::block::BLOCK;
use super::sink::Sink;

const HALF: usize = 8;

/// For each set of specials among eight bytes, where each byte of the result comes from: the text, or the
/// backslash that stands behind its eight bytes.
static SHUFFLES: [[u8; BLOCK]; 256] = shuffles();

const fn shuffles() -> [[u8; BLOCK]; 256] {
    let mut shuffles = [[HALF as u8; BLOCK]; 256];
    let mut marks = 0;
    while marks < 256 {
        let (mut from, mut to) = (0, 0);
        while from < HALF {
            to += marks >> from & 1;
            shuffles[marks][to] = from as u8;
            from += 1;
            to += 1;
        }
        marks += 1;
    }
    shuffles
}

/// Whether the processor has what `push_blocks` needs.
#[inline]
pub fn is_available() -> bool {
    is_x86_feature_detected!("ssse3") && is_x86_feature_detected!("popcnt")
}

/// Append whole blocks of text with quotes and backslashes escaped; returns how many bytes of the text those are.
/// Stops before a block with a control.
///
/// # Safety
///
/// The processor has SSSE3 and POPCNT.
#[target_feature(enable = "ssse3,popcnt")]
pub unsafe fn push_blocks(out: &mut impl Sink, text: &[u8]) -> usize {
    let start = out.room(2 * text.len() + BLOCK);
    let mut to = start;
    let mut done = 0;
    // SAFETY: a block is sixteen bytes to read. Of each half, sixteen bytes are written and 8 to 16 of them
    // are kept, so that `to` is never further on than twice what was read, which the room is for.
    unsafe {
        let backslashes = _mm_set1_epi8(b'\\' as i8);
        for block in text.as_chunks::<BLOCK>().0 {
            let block = _mm_loadu_si128(block.as_ptr().cast());
            let controls = _mm_cmpeq_epi8(_mm_min_epu8(block, _mm_set1_epi8(0x1f)), block);
            if _mm_movemask_epi8(controls) != 0 {
                break;
            }
            let quotes = _mm_cmpeq_epi8(block, _mm_set1_epi8(b'"' as i8));
            let marks = _mm_movemask_epi8(_mm_or_si128(quotes, _mm_cmpeq_epi8(block, backslashes))) as usize;
            let (low, high) = (marks & 0xff, marks >> HALF);
            let first = _mm_shuffle_epi8(_mm_unpacklo_epi64(block, backslashes), shuffle(low));
            let second = _mm_shuffle_epi8(_mm_unpackhi_epi64(block, backslashes), shuffle(high));
            _mm_storeu_si128(to.cast(), first);
            _mm_storeu_si128(to.add(HALF + low.count_ones() as usize).cast(), second);
            to = to.add(BLOCK + marks.count_ones() as usize);
            done += BLOCK;
        }
        out.advance(to.offset_from_unsigned(start));
    }
    done
}

#[inline(always)]
fn shuffle(marks: usize) -> __m128i {
    let shuffle = &SHUFFLES[marks & 0xff];
    // SAFETY: SSE2 is part of x86-64, and the load takes sixteen bytes of any alignment.
    unsafe { _mm_loadu_si128(shuffle.as_ptr().cast()) }
}
