//! Finite floats as text: pydantic's form and ECMAScript's. Both are the shortest digits that read
//! back as the same number; they differ in where an exponent is used and in the trailing `.0`.

use super::sink::Sink;

/// Append a finite float as pydantic writes it (`1.0`, `-0.0`, `1e+16`, `5e-324`, `0.00001`).
#[inline]
pub fn push_pydantic(out: &mut impl Sink, value: f64) {
    out.append(zmij::Buffer::new().format_finite(value).as_bytes());
}

/// Append a finite float as ECMAScript's `Number::toString` writes it (`1`, `0`, `1e+21`, `1e-7`).
pub fn push_ecmascript(out: &mut impl Sink, value: f64) {
    if value == 0.0 {
        out.push(b'0');
        return;
    }
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format_finite(value.abs());
    let (digits, point) = significant(text);
    if value < 0.0 {
        out.push(b'-');
    }
    let count = digits.len() as i32;
    match point {
        1..=21 if point >= count => {
            out.append(&digits);
            (count..point).for_each(|_| out.push(b'0'));
        }
        1..=21 => {
            out.append(&digits[..point as usize]);
            out.push(b'.');
            out.append(&digits[point as usize..]);
        }
        -5..=0 => {
            out.append(b"0.");
            (point..0).for_each(|_| out.push(b'0'));
            out.append(&digits);
        }
        _ => {
            out.push(digits[0]);
            if count > 1 {
                out.push(b'.');
                out.append(&digits[1..]);
            }
            out.append(if point > 0 { b"e+" } else { b"e-" });
            out.append(itoa::Buffer::new().format((point - 1).unsigned_abs()).as_bytes());
        }
    }
}

/// The digits without zeros at either end, and the place of the decimal point relative to their start.
fn significant(text: &str) -> (Vec<u8>, i32) {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse().unwrap_or(0)),
        None => (text, 0),
    };
    let whole = mantissa.find('.').unwrap_or(mantissa.len()) as i32;
    let mut digits: Vec<u8> = mantissa.bytes().filter(u8::is_ascii_digit).collect();
    let zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
    digits.drain(..zeros);
    while digits.last() == Some(&b'0') {
        digits.pop();
    }
    (digits, whole + exponent - zeros as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ecmascript(value: f64) -> String {
        let mut out = Vec::new();
        push_ecmascript(&mut out, value);
        String::from_utf8(out).unwrap()
    }

    /// RFC 8785, appendix B.
    #[test]
    fn the_published_number_vectors_hold() {
        let vectors: &[(u64, &str)] = &[
            (0x0000000000000000, "0"),
            (0x8000000000000000, "0"),
            (0x0000000000000001, "5e-324"),
            (0x8000000000000001, "-5e-324"),
            (0x7fefffffffffffff, "1.7976931348623157e+308"),
            (0xffefffffffffffff, "-1.7976931348623157e+308"),
            (0x4340000000000000, "9007199254740992"),
            (0xc340000000000000, "-9007199254740992"),
            (0x4430000000000000, "295147905179352830000"),
            (0x44b52d02c7e14af5, "9.999999999999997e+22"),
            (0x44b52d02c7e14af6, "1e+23"),
            (0x44b52d02c7e14af7, "1.0000000000000001e+23"),
            (0x444b1ae4d6e2ef4e, "999999999999999700000"),
            (0x444b1ae4d6e2ef4f, "999999999999999900000"),
            (0x444b1ae4d6e2ef50, "1e+21"),
            (0x3eb0c6f7a0b5ed8c, "9.999999999999997e-7"),
            (0x3eb0c6f7a0b5ed8d, "0.000001"),
            (0x41b3de4355555553, "333333333.3333332"),
            (0x41b3de4355555554, "333333333.33333325"),
            (0x41b3de4355555555, "333333333.3333333"),
            (0x41b3de4355555556, "333333333.3333334"),
            (0x41b3de4355555557, "333333333.33333343"),
            (0xbecbf647612f3696, "-0.0000033333333333333333"),
            (0x43143ff3c1cb0959, "1424953923781206.2"),
        ];
        for &(bits, text) in vectors {
            assert_eq!(ecmascript(f64::from_bits(bits)), text);
        }
    }

    #[test]
    fn pydantic_keeps_the_fraction_and_the_sign_of_zero() {
        let cases =
            [(1.0, "1.0"), (-0.0, "-0.0"), (1e16, "1e+16"), (5e-324, "5e-324"), (1e-5, "0.00001"), (1e-7, "1e-7")];
        for (value, text) in cases {
            let mut out = Vec::new();
            push_pydantic(&mut out, value);
            assert_eq!(String::from_utf8(out).unwrap(), text);
        }
    }
}
