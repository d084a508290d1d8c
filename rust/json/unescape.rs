//! The text of JSON strings.

use std::borrow::Cow;

/// The text of a string in quotes that was scanned before; None if it has a lone surrogate.
pub fn unescape(quoted: &[u8]) -> Option<Cow<'_, str>> {
    let inner = std::str::from_utf8(quoted.get(1..quoted.len().checked_sub(1)?)?).ok()?;
    if !inner.contains('\\') {
        return Some(inner.into());
    }
    let mut units: Vec<u16> = Vec::with_capacity(inner.len());
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            units.extend_from_slice(character.encode_utf16(&mut [0; 2]));
            continue;
        }
        units.push(match characters.next()? {
            'b' => 0x08,
            'f' => 0x0c,
            'n' => 0x0a,
            'r' => 0x0d,
            't' => 0x09,
            'u' => {
                let digits: String = characters.by_ref().take(4).collect();
                u16::from_str_radix(&digits, 16).ok()?
            }
            other => u16::try_from(u32::from(other)).ok()?,
        });
    }
    String::from_utf16(&units).ok().map(Into::into)
}

#[cfg(test)]
mod tests {
    use super::unescape;

    #[test]
    fn escapes_become_what_they_stand_for() {
        assert_eq!(unescape(br#""a\u00e9\ud83d\ude00\n\/\"""#).as_deref(), Some("a\u{e9}\u{1f600}\n/\""));
    }

    #[test]
    fn a_lone_surrogate_has_no_text() {
        assert_eq!(unescape(br#""\ud83d""#), None);
    }
}
