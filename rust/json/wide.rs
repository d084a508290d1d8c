//! Strings with code points beyond ASCII, as JSON in UTF-8.

use super::block::{BLOCK, load_short, specials};
use super::escape::{is_special, push_escape};
use super::sink::Sink;

/// Code units that are looked at together.
const UNITS: usize = 8;
/// What UTF-8 needs at most for so many, and for a last write of four bytes.
const ROOM: usize = 6 * UNITS + 4;

/// Append a string of one byte a code point, U+0000 to U+00FF.
pub fn push_latin(out: &mut impl Sink, bytes: &[u8]) {
    out.push(b'"');
    for block in bytes.chunks(BLOCK) {
        let padded = load_short(block);
        let marks = specials(&padded) & ((1u32 << block.len()) - 1);
        if marks == 0 && u128::from_le_bytes(padded) & (u128::MAX / 0xff * 0x80) == 0 {
            out.put(&padded, block.len());
        } else {
            push_units(out, block);
        }
    }
    out.push(b'"');
}

/// Append a string of two bytes a code point, U+0000 to U+FFFF; false if it holds a lone surrogate.
pub fn push_double(out: &mut impl Sink, units: &[u16]) -> bool {
    if has_surrogate_double(units) {
        return false;
    }
    out.push(b'"');
    for block in units.chunks(UNITS) {
        match narrow(block) {
            Some(ascii) => out.put(&ascii, UNITS),
            None => push_units(out, block),
        }
    }
    out.push(b'"');
    true
}

/// Append a string of four bytes a code point; false if it holds a lone surrogate.
pub fn push_quad(out: &mut impl Sink, units: &[u32]) -> bool {
    if has_surrogate_quad(units) {
        return false;
    }
    out.push(b'"');
    for block in units.chunks(UNITS) {
        push_units(out, block);
    }
    out.push(b'"');
    true
}

/// A whole block, if all of it is ASCII that means itself.
#[inline(always)]
fn narrow(units: &[u16]) -> Option<[u8; UNITS]> {
    let units = <&[u16; UNITS]>::try_from(units).ok()?;
    let all = units.iter().fold(0, |all, unit| all | unit);
    let mut padded = [b' '; BLOCK];
    let bytes = units.map(|unit| unit as u8);
    padded[..UNITS].copy_from_slice(&bytes);
    (all < 0x80 && specials(&padded) == 0).then_some(bytes)
}

/// Append at most sixteen code points, none of them a surrogate.
#[inline(always)]
fn push_units<Unit: Copy + Into<u32>>(out: &mut impl Sink, units: &[Unit]) {
    for units in units.chunks(UNITS) {
        // One look at the memory for all of them.
        out.room(ROOM);
        for &unit in units {
            match unit.into() {
                point @ 0..0x80 if is_special(point as u8) => push_escape(out, point as u8),
                point @ 0..0x80 => out.push(point as u8),
                point @ 0x80..0x800 => out.put(&[0xc0 | (point >> 6) as u8, tail(point)], 2),
                point @ 0x800..0x1_0000 => {
                    let bytes = [0xe0 | (point >> 12) as u8, tail(point >> 6), tail(point), 0];
                    out.put(&bytes, 3);
                }
                point => {
                    let bytes = [0xf0 | (point >> 18) as u8, tail(point >> 12), tail(point >> 6), tail(point)];
                    out.put(&bytes, 4);
                }
            }
        }
    }
}

#[inline(always)]
fn tail(point: u32) -> u8 {
    0x80 | (point & 0x3f) as u8
}

#[inline]
pub fn has_surrogate_double(units: &[u16]) -> bool {
    any_of(units, |unit| unit & 0xf800 == 0xd800)
}

#[inline]
pub fn has_surrogate_quad(units: &[u32]) -> bool {
    any_of(units, |unit| unit & 0xffff_f800 == 0xd800)
}

/// Whether a test holds for any unit. All of a block are tested, which the compiler makes vector instructions
/// of; the last block may overlap the one before.
#[inline(always)]
fn any_of<Unit: Copy>(units: &[Unit], test: impl Fn(Unit) -> bool) -> bool {
    let any = |block: &[Unit; UNITS]| block.iter().fold(false, |any, &unit| any | test(unit));
    match units.last_chunk::<UNITS>() {
        Some(last) => units.as_chunks::<UNITS>().0.iter().fold(any(last), |found, block| found | any(block)),
        None => units.iter().any(|&unit| test(unit)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expected(text: &str) -> String {
        text.chars().fold(String::from("\""), |text, point| match point {
            '"' | '\\' => text + "\\" + &point.to_string(),
            '\n' => text + "\\n",
            '\u{1}' => text + "\\u0001",
            _ => text + &point.to_string(),
        }) + "\""
    }

    #[test]
    fn code_points_of_each_size_stand_at_every_place() {
        for special in ['a', '"', '\\', '\n', '\u{1}', '\u{7f}', '\u{80}', 'é', 'ÿ', '東', '\u{ffff}', '😀'] {
            for length in 1..40 {
                for place in 0..length {
                    let text: String =
                        (0..length).map(|index| if index == place || index % 9 == 8 { special } else { 'x' }).collect();
                    let points: Vec<u32> = text.chars().map(u32::from).collect();
                    let mut out = Vec::new();
                    assert!(push_quad(&mut out, &points));
                    if special <= '\u{ffff}' {
                        let units: Vec<u16> = points.iter().map(|&point| point as u16).collect();
                        let mut double = Vec::new();
                        assert!(push_double(&mut double, &units));
                        assert_eq!(double, out);
                    }
                    if special <= '\u{ff}' {
                        let bytes: Vec<u8> = points.iter().map(|&point| point as u8).collect();
                        let mut latin = Vec::new();
                        push_latin(&mut latin, &bytes);
                        assert_eq!(latin, out);
                    }
                    assert_eq!(String::from_utf8(out).unwrap(), expected(&text));
                }
            }
        }
    }

    #[test]
    fn a_surrogate_is_found_at_every_place() {
        for length in 1..40 {
            for place in 0..length {
                let mut units = vec![0xd7ffu16; length];
                assert!(!has_surrogate_double(&units));
                units[place] = 0xdfff;
                let points: Vec<u32> = units.iter().map(|&unit| unit.into()).collect();
                assert!(has_surrogate_double(&units) && has_surrogate_quad(&points));
                assert!(!push_double(&mut Vec::new(), &units) && !push_quad(&mut Vec::new(), &points));
            }
        }
    }
}
