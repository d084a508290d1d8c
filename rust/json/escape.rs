//! JSON string escapes, as pydantic and RFC 8785 both write them.

const HEX: &[u8; 16] = b"0123456789abcdef";
const BLOCK: usize = 16;

/// Whether a byte of UTF-8 can't stand in a JSON string as it is.
#[inline(always)]
pub fn is_special(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

/// A bit for each special byte of a block, the first byte lowest. Written so that the compiler makes
/// vector instructions of it.
#[inline(always)]
fn specials(block: &[u8; BLOCK]) -> u32 {
    let mut marks = [0u8; BLOCK];
    for (mark, &byte) in marks.iter_mut().zip(block) {
        *mark = if is_special(byte) { 0xff } else { 0 };
    }
    let low = u64::from_le_bytes(marks[..8].try_into().unwrap_or_default());
    let high = u64::from_le_bytes(marks[8..].try_into().unwrap_or_default());
    if low | high == 0 {
        return 0;
    }
    gather_bits(low) | gather_bits(high) << 8
}

/// The lowest bit of each byte, side by side.
#[inline(always)]
fn gather_bits(marks: u64) -> u32 {
    ((marks & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32
}

/// Append one byte that `is_special`.
#[inline]
pub fn push_escape(out: &mut Vec<u8>, byte: u8) {
    if byte == b'"' {
        out.extend_from_slice(b"\\\"");
        return;
    }
    let short = match byte {
        b'\\' => b'\\',
        0x08 => b'b',
        b'\t' => b't',
        b'\n' => b'n',
        0x0c => b'f',
        b'\r' => b'r',
        _ => {
            let digits = [HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]];
            out.extend_from_slice(b"\\u00");
            out.extend_from_slice(&digits);
            return;
        }
    };
    out.extend_from_slice(&[b'\\', short]);
}

/// Append UTF-8 text with its specials escaped, without quotes.
pub fn push_text(out: &mut Vec<u8>, text: &[u8]) {
    let (blocks, rest) = text.as_chunks::<BLOCK>();
    for block in blocks {
        push_block(out, block, BLOCK);
    }
    if !rest.is_empty() {
        let mut block = [b' '; BLOCK];
        block[..rest.len()].copy_from_slice(rest);
        push_block(out, &block, rest.len());
    }
}

/// Append the first `length` bytes of a block.
#[inline(always)]
fn push_block(out: &mut Vec<u8>, block: &[u8; BLOCK], length: usize) {
    let start = out.len();
    out.extend_from_slice(block);
    let mut marks = specials(block);
    if marks == 0 {
        out.truncate(start + length);
        return;
    }
    out.truncate(start);
    // Pieces of a fixed size are copied faster; what is too much is cut off again.
    let mut padded = [0; 2 * BLOCK];
    padded[..BLOCK].copy_from_slice(block);
    let mut from = 0;
    while marks != 0 {
        let at = marks.trailing_zeros() as usize;
        push_piece(out, &padded, from, at);
        push_escape(out, block[at]);
        from = at + 1;
        marks &= marks - 1;
    }
    push_piece(out, &padded, from, length);
}

/// Append the bytes from `from` to `to` of a block that is followed by as many zeros.
#[inline(always)]
fn push_piece(out: &mut Vec<u8>, padded: &[u8; 2 * BLOCK], from: usize, to: usize) {
    let start = out.len();
    if let Some(piece) = padded.get(from..from + BLOCK) {
        out.extend_from_slice(piece);
        out.truncate(start + to - from);
    }
}

/// Append UTF-8 text as a JSON string.
#[inline]
pub fn push_quoted(out: &mut Vec<u8>, text: &[u8]) {
    out.reserve(text.len() + BLOCK + 2);
    out.push(b'"');
    push_text(out, text);
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quoted(text: &str) -> String {
        let mut out = Vec::new();
        push_quoted(&mut out, text.as_bytes());
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
}
