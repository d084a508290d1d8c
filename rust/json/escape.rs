//! JSON string escapes, as pydantic and RFC 8785 both write them.

use super::block::{BLOCK, keep_last, load_short, specials};
use super::sink::Sink;

const HEX: &[u8; 16] = b"0123456789abcdef";
/// How much text is written between two looks at the memory that is left.
const CHUNK: usize = 1024;

/// Whether a byte of UTF-8 can't stand in a JSON string as it is.
#[inline(always)]
pub fn is_special(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

/// Append one byte that `is_special`.
#[inline]
pub fn push_escape(out: &mut impl Sink, byte: u8) {
    let short = match byte {
        b'"' | b'\\' => byte,
        0x08 => b'b',
        b'\t' => b't',
        b'\n' => b'n',
        0x0c => b'f',
        b'\r' => b'r',
        _ => {
            let digits = [HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]];
            out.put(&[b'\\', b'u', b'0', b'0', digits[0], digits[1]], 6);
            return;
        }
    };
    out.put(&[b'\\', short], 2);
}

/// Append UTF-8 text as a JSON string.
#[inline]
pub fn push_quoted(out: &mut impl Sink, text: &[u8]) {
    push_with_tail(out, text, |rest| match text.last_chunk() {
        Some(block) => keep_last(block, rest.len()),
        None => load_short(rest),
    });
}

/// Append text that lies behind a header as a JSON string. Reading into the header saves the branches that
/// short text of any length would need.
///
/// # Safety
///
/// `length` bytes of UTF-8 can be read from `start` on, they don't change meanwhile, and `BLOCK` bytes
/// before them can be read, too.
#[inline(always)]
pub unsafe fn push_quoted_behind_header(out: &mut impl Sink, start: *const u8, length: usize) {
    // SAFETY: the caller says so.
    let text = unsafe { std::slice::from_raw_parts(start, length) };
    push_with_tail(out, text, |rest| {
        // SAFETY: so many bytes end where the text ends, and begin in the text or in the header before it.
        let block = unsafe { start.add(length).sub(BLOCK).cast::<[u8; BLOCK]>().read_unaligned() };
        keep_last(&block, rest.len())
    });
}

/// Append text, given how what is left behind its whole blocks is loaded.
#[inline(always)]
fn push_with_tail(out: &mut impl Sink, text: &[u8], tail: impl FnOnce(&[u8]) -> [u8; BLOCK]) {
    let room = out.room(text.len() + BLOCK + 2);
    // SAFETY: the room is for two quotes, the text and the rest of a last block, and nothing else happens
    // between asking for it and counting in what was written.
    let plain = unsafe {
        let plain = copy_plain(room.add(1), text, tail);
        *room = b'"';
        *room.add(1 + plain) = b'"';
        out.advance(1 + plain);
        plain
    };
    if plain == text.len() {
        // SAFETY: the room was for this quote too, and it is written.
        unsafe { out.advance(1) };
    } else {
        push_rest(out, &text[plain..]);
    }
}

#[cold]
#[inline(never)]
fn push_rest(out: &mut impl Sink, text: &[u8]) {
    push_text(out, text);
    out.push(b'"');
}

/// Copy text as far as it means itself, in whole blocks; returns how many bytes those are.
///
/// # Safety
///
/// From `to` on, `text.len() + BLOCK` bytes may be written, and `text` isn't among them.
#[inline(always)]
unsafe fn copy_plain(to: *mut u8, text: &[u8], tail: impl FnOnce(&[u8]) -> [u8; BLOCK]) -> usize {
    let (blocks, rest) = text.as_chunks::<BLOCK>();
    let mut copied = 0;
    for block in blocks {
        // SAFETY: so much of the text was passed already that a whole block fits.
        unsafe { to.add(copied).cast::<[u8; BLOCK]>().write_unaligned(*block) };
        if specials(block) != 0 {
            return copied;
        }
        copied += BLOCK;
    }
    let block = tail(rest);
    // SAFETY: less than a block of the text is left, and one more fits.
    unsafe { to.add(copied).cast::<[u8; BLOCK]>().write_unaligned(block) };
    if specials(&block) & ((1 << rest.len()) - 1) != 0 { copied } else { text.len() }
}

/// Append UTF-8 text with its specials escaped, without quotes.
pub fn push_text(out: &mut impl Sink, text: &[u8]) {
    #[cfg(target_arch = "x86_64")]
    if super::shuffle::is_available() {
        let mut rest = text;
        while rest.len() >= BLOCK {
            let chunk = &rest[..rest.len().min(CHUNK)];
            // SAFETY: the processor was asked for these instructions.
            let done = unsafe { super::shuffle::push_blocks(out, chunk) };
            rest = &rest[done..];
            if done < chunk.len() {
                rest = push_block(out, rest);
            }
        }
        push_block(out, rest);
        return;
    }
    push_by_block(out, text);
}

/// The slow twin.
fn push_by_block(out: &mut impl Sink, text: &[u8]) {
    let mut rest = text;
    while !rest.is_empty() {
        rest = push_block(out, rest);
    }
}

/// Append the first block of text, or all of it if it is shorter; returns what is left.
fn push_block<'a>(out: &mut impl Sink, text: &'a [u8]) -> &'a [u8] {
    let (block, rest) = text.split_at(text.len().min(BLOCK));
    let padded = load_short(block);
    let mut marks = specials(&padded) & ((1u32 << block.len()) - 1);
    let mut from = 0;
    while marks != 0 {
        let at = marks.trailing_zeros() as usize;
        out.append(&block[from..at]);
        push_escape(out, block[at]);
        from = at + 1;
        marks &= marks - 1;
    }
    out.append(&block[from..]);
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quoted(text: &str) -> String {
        let mut out = Vec::new();
        push_quoted(&mut out, text.as_bytes());
        let stored = [&[b'"'; BLOCK], text.as_bytes()].concat();
        let mut behind = Vec::new();
        // SAFETY: a block stands before the text.
        unsafe { push_quoted_behind_header(&mut behind, stored.as_ptr().add(BLOCK), text.len()) };
        assert_eq!(out, behind);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn short_forms_are_used_where_they_exist() {
        assert_eq!(quoted("\"\\\u{8}\t\n\u{c}\r"), r#""\"\\\b\t\n\f\r""#);
    }

    #[test]
    fn other_controls_are_lower_case_hex() {
        assert_eq!(quoted("\u{0}\u{1f}\u{b}"), "\"\\u0000\\u001f\\u000b\"");
    }

    #[test]
    fn everything_else_stays_as_it_is() {
        let text = "/\u{7f}\u{2028}é😀";
        assert_eq!(quoted(text), format!("\"{text}\""));
    }

    #[test]
    fn a_special_is_found_at_every_offset() {
        for length in 0..70 {
            for offset in 0..length {
                let mut text = "a".repeat(length);
                assert_eq!(quoted(&text), format!("\"{text}\""));
                text.replace_range(offset..=offset, "\"");
                assert_eq!(quoted(&text), format!("\"{}\"", text.replace('"', "\\\"")), "offset {offset} of {length}");
            }
        }
    }

    #[test]
    fn both_twins_write_the_same() {
        let mut state = 1u32;
        for length in (0..200).chain([1023, 1024, 1025, 5000]) {
            for density in 1..8 {
                let text: Vec<u8> = (0..length)
                    .map(|_| {
                        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                        if (state >> 16) % 8 < density { b"\"\\\n\x01"[(state >> 24) as usize & 3] } else { b'a' }
                    })
                    .collect();
                let (mut fast, mut slow) = (Vec::new(), Vec::new());
                push_text(&mut fast, &text);
                push_by_block(&mut slow, &text);
                assert_eq!(fast, slow);
            }
        }
    }
}
