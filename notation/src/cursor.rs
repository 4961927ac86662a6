//! A cursor over a few bytes, for reading tokens.

/// A reader of bytes, token by token.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    /// Returns a cursor at the first byte.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Returns the number of bytes before the cursor.
    pub const fn offset(&self) -> usize {
        self.at
    }

    /// Returns the next byte without taking it.
    pub fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Returns whether no bytes are left.
    pub const fn is_at_end(&self) -> bool {
        self.at >= self.bytes.len()
    }

    /// Takes the next byte.
    pub fn bump(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    /// Takes the next byte if it is this one. Returns whether it was.
    pub fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// Takes these bytes if they are next. Returns whether they were.
    pub fn eat_all(&mut self, bytes: &[u8]) -> bool {
        let found = self.bytes[self.at..].starts_with(bytes);
        if found {
            self.at += bytes.len();
        }
        found
    }
}
