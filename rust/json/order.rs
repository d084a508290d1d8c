//! The order of keys in canonical JSON.

use std::cmp::Ordering;

/// Compare UTF-8 text by UTF-16 code units: beyond U+FFFF a surrogate comes first, before U+E000.
pub fn compare_utf16(left: &[u8], right: &[u8]) -> Ordering {
    let at = left.iter().zip(right).position(|(left, right)| left != right);
    match at {
        Some(at) => {
            let (left, right) = (left[at], right[at]);
            let is_high = |byte: u8| byte >= 0xf0;
            let is_private = |byte: u8| byte == 0xee || byte == 0xef;
            if is_high(left) && is_private(right) {
                Ordering::Less
            } else if is_private(left) && is_high(right) {
                Ordering::Greater
            } else {
                left.cmp(&right)
            }
        }
        None => left.len().cmp(&right.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_ordered_by_utf16_code_units() {
        // RFC 8785, section 3.2.3.
        let mut keys = ["\u{20ac}", "\r", "\u{fb33}", "1", "\u{1f600}", "\u{80}", "\u{f6}"];
        keys.sort_by(|left, right| compare_utf16(left.as_bytes(), right.as_bytes()));
        assert_eq!(keys, ["\r", "1", "\u{80}", "\u{f6}", "\u{20ac}", "\u{1f600}", "\u{fb33}"]);
    }

    #[test]
    fn order_agrees_with_utf16_for_all_pairs() {
        let texts =
            ["", "a", "ab", "\u{e000}", "\u{ffff}", "\u{d7ff}", "\u{10000}", "\u{10ffff}", "a\u{1f600}", "a\u{ff21}"];
        for left in texts {
            for right in texts {
                let units = left.encode_utf16().cmp(right.encode_utf16());
                assert_eq!(compare_utf16(left.as_bytes(), right.as_bytes()), units, "{left:?} {right:?}");
            }
        }
    }
}
