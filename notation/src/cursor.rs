//! A place in a few bytes: peek, bump, eat.

/// Reads the bytes of one token after another.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    /// At the first byte.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Bytes behind the cursor.
    pub const fn offset(&self) -> usize {
        self.at
    }

    /// The next byte.
    pub fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Is nothing left?
    pub const fn is_at_end(&self) -> bool {
        self.at >= self.bytes.len()
    }

    /// Takes the next byte.
    pub fn bump(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    /// Takes the next byte if it is this one.
    pub fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// Takes these bytes if they are next.
    pub fn eat_all(&mut self, bytes: &[u8]) -> bool {
        let found = self.bytes[self.at..].starts_with(bytes);
        if found {
            self.at += bytes.len();
        }
        found
    }
}
