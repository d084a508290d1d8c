//! JSON text, read without building anything.

use super::MAX_DEPTH;

/// Where and why text isn't JSON.
#[derive(Debug, PartialEq, Eq)]
pub enum Fault {
    Malformed(usize),
    TooDeep(usize),
}

/// A position in JSON text.
pub struct Scanner<'a> {
    pub text: &'a [u8],
    pub position: usize,
}

/// Whether bytes are exactly one JSON value in UTF-8.
pub fn is_value(text: &[u8]) -> bool {
    let mut scanner = Scanner { text, position: 0 };
    std::str::from_utf8(text).is_ok() && scanner.skip_value(0).is_ok() && scanner.finish().is_ok()
}

impl<'a> Scanner<'a> {
    pub fn peek(&self) -> Option<u8> {
        self.text.get(self.position).copied()
    }

    pub fn malformed<T>(&self) -> Result<T, Fault> {
        Err(Fault::Malformed(self.position))
    }

    #[inline]
    pub fn skip_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\t' | b'\r') = self.peek() {
            self.position += 1;
        }
    }

    /// Take one byte after any space.
    #[inline]
    pub fn expect(&mut self, byte: u8) -> Result<(), Fault> {
        self.skip_space();
        if self.peek() != Some(byte) {
            return self.malformed();
        }
        self.position += 1;
        Ok(())
    }

    /// Take one byte after any space if it is there.
    #[inline]
    pub fn accept(&mut self, byte: u8) -> bool {
        self.skip_space();
        let found = self.peek() == Some(byte);
        self.position += usize::from(found);
        found
    }

    /// Nothing but space may be left.
    pub fn finish(&mut self) -> Result<(), Fault> {
        self.skip_space();
        if self.position == self.text.len() { Ok(()) } else { self.malformed() }
    }

    /// Pass one value; `depth` containers are open around it.
    pub fn skip_value(&mut self, depth: usize) -> Result<(), Fault> {
        self.skip_space();
        match self.peek() {
            Some(b'{') => self.skip_object(self.deeper(depth)?),
            Some(b'[') => self.skip_array(self.deeper(depth)?),
            Some(b'"') => self.skip_string(),
            Some(b'-' | b'0'..=b'9') => self.skip_number(),
            Some(b't') => self.skip_word(b"true"),
            Some(b'f') => self.skip_word(b"false"),
            Some(b'n') => self.skip_word(b"null"),
            _ => self.malformed(),
        }
    }

    pub fn deeper(&self, depth: usize) -> Result<usize, Fault> {
        if depth >= MAX_DEPTH { Err(Fault::TooDeep(self.position)) } else { Ok(depth + 1) }
    }

    fn skip_object(&mut self, depth: usize) -> Result<(), Fault> {
        self.position += 1;
        if self.accept(b'}') {
            return Ok(());
        }
        loop {
            self.skip_space();
            self.skip_string()?;
            self.expect(b':')?;
            self.skip_value(depth)?;
            if !self.accept(b',') {
                return self.expect(b'}');
            }
        }
    }

    fn skip_array(&mut self, depth: usize) -> Result<(), Fault> {
        self.position += 1;
        if self.accept(b']') {
            return Ok(());
        }
        loop {
            self.skip_value(depth)?;
            if !self.accept(b',') {
                return self.expect(b']');
            }
        }
    }

    /// Pass a string, its quotes included.
    pub fn skip_string(&mut self) -> Result<(), Fault> {
        if self.peek() != Some(b'"') {
            return self.malformed();
        }
        self.position += 1;
        loop {
            self.skip_plain();
            match self.peek() {
                Some(b'"') => {
                    self.position += 1;
                    return Ok(());
                }
                Some(b'\\') => self.skip_escape()?,
                Some(0x20..) => self.position += 1,
                _ => return self.malformed(),
            }
        }
    }

    /// Pass characters of a string that mean themselves, eight at a time, as far as eight are left.
    #[inline(always)]
    fn skip_plain(&mut self) {
        while let Some(word) = self.text.get(self.position..).and_then(<[u8]>::first_chunk::<8>) {
            let found = specials(u64::from_le_bytes(*word));
            if found != 0 {
                self.position += found.trailing_zeros() as usize / 8;
                return;
            }
            self.position += 8;
        }
    }

    fn skip_escape(&mut self) -> Result<(), Fault> {
        self.position += 1;
        match self.peek() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                self.position += 1;
                Ok(())
            }
            Some(b'u') => {
                let digits = self.text.get(self.position + 1..self.position + 5);
                if !digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)) {
                    return self.malformed();
                }
                self.position += 5;
                Ok(())
            }
            _ => self.malformed(),
        }
    }

    fn skip_number(&mut self) -> Result<(), Fault> {
        self.position += usize::from(self.peek() == Some(b'-'));
        if self.peek() == Some(b'0') {
            self.position += 1;
        } else {
            self.skip_digits()?;
        }
        if self.peek() == Some(b'.') {
            self.position += 1;
            self.skip_digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.position += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.position += 1;
            }
            self.skip_digits()?;
        }
        Ok(())
    }

    fn skip_digits(&mut self) -> Result<(), Fault> {
        if !self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            return self.malformed();
        }
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.position += 1;
        }
        Ok(())
    }

    fn skip_word(&mut self, word: &[u8]) -> Result<(), Fault> {
        if !self.text[self.position..].starts_with(word) {
            return self.malformed();
        }
        self.position += word.len();
        Ok(())
    }
}

/// The high bit of the first byte that is a quote, a backslash or a control, counted from the lowest, is
/// the lowest bit set; later bits may be wrong.
#[inline(always)]
fn specials(word: u64) -> u64 {
    const LOW: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let zeros = |word: u64| word.wrapping_sub(LOW) & !word;
    let controls = word.wrapping_sub(LOW * 0x20) & !word;
    (controls | zeros(word ^ (LOW * 0x22)) | zeros(word ^ (LOW * 0x5c))) & HIGH
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_told_from_other_text() {
        for text in ["0", "-0.5e+10", "\"\\u00e9\\n\"", " [1, {\"a\": null}] ", "{}", "[]", "true"] {
            assert!(is_value(text.as_bytes()), "{text}");
        }
        for text in [
            "",
            "01",
            "+1",
            ".5",
            "1.",
            "1e",
            "\"\\x\"",
            "\"\\u12g4\"",
            "[1,]",
            "{\"a\":1,}",
            "{a:1}",
            "nul",
            "1 2",
            "\"\n\"",
        ] {
            assert!(!is_value(text.as_bytes()), "{text}");
        }
        assert!(!is_value(b"\"\xff\""));
    }

    #[test]
    fn depth_is_bounded_exactly() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(is_value(nested(MAX_DEPTH).as_bytes()));
        assert!(!is_value(nested(MAX_DEPTH + 1).as_bytes()));
        assert!(!is_value("[".repeat(1_000_000).as_bytes()));
    }
}
