//! Tables of FlatBuffers, as far as the metadata of Arrow need them. The bytes are not trusted: a
//! value outside of them is treated as missing. Source: <https://flatbuffers.dev/internals/>.

#[derive(Debug, Clone, Copy)]
pub(super) struct Flat<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Flat<'a> {
    /// Returns the table at the root of a buffer.
    pub fn root(bytes: &'a [u8]) -> Option<Self> {
        Self { bytes, at: 0 }.follow(0)
    }

    fn array<const N: usize>(&self, at: usize) -> Option<[u8; N]> {
        self.bytes.get(at..at.checked_add(N)?)?.try_into().ok()
    }

    /// Returns the table to which an offset points.
    fn follow(&self, at: usize) -> Option<Self> {
        let by = u32::from_le_bytes(self.array(at)?) as usize;
        Some(Self {
            bytes: self.bytes,
            at: at.checked_add(by)?,
        })
    }

    /// Returns the place of a field.
    fn place(&self, field: usize) -> Option<usize> {
        // A table begins with the distance back to its vtable: its size, the size of the table,
        // then the offset of each field, 0 for one left out. Newer fields may be beyond its end.
        let back = i32::from_le_bytes(self.array(self.at)?);
        let names = usize::try_from(i64::try_from(self.at).ok()? - i64::from(back)).ok()?;
        let size = usize::from(u16::from_le_bytes(self.array(names)?));
        let slot = 4 + 2 * field;
        if slot + 2 > size {
            return None;
        }
        match u16::from_le_bytes(self.array(names + slot)?) {
            0 => None,
            offset => self.at.checked_add(usize::from(offset)),
        }
    }

    pub fn byte(&self, field: usize) -> Option<u8> {
        self.array::<1>(self.place(field)?).map(|[byte]| byte)
    }

    pub fn short(&self, field: usize) -> Option<i16> {
        self.array(self.place(field)?).map(i16::from_le_bytes)
    }

    pub fn int(&self, field: usize) -> Option<i32> {
        self.array(self.place(field)?).map(i32::from_le_bytes)
    }

    pub fn long(&self, field: usize) -> Option<i64> {
        self.array(self.place(field)?).map(i64::from_le_bytes)
    }

    pub fn table(&self, field: usize) -> Option<Self> {
        self.follow(self.place(field)?)
    }

    pub fn text(&self, field: usize) -> Option<&'a str> {
        let text = self.table(field)?;
        let length = u32::from_le_bytes(self.array(text.at)?) as usize;
        let begin = text.at.checked_add(4)?;
        std::str::from_utf8(self.bytes.get(begin..begin.checked_add(length)?)?).ok()
    }

    /// Returns the place and the length of a vector.
    fn vector(&self, field: usize) -> Option<(usize, usize)> {
        let vector = self.table(field)?;
        Some((
            vector.at.checked_add(4)?,
            u32::from_le_bytes(self.array(vector.at)?) as usize,
        ))
    }

    /// Returns a vector of tables; empty if it is missing.
    pub fn tables(&self, field: usize) -> Option<Vec<Self>> {
        let Some((begin, length)) = self.vector(field) else {
            return Some(Vec::new());
        };
        // Each takes at least four bytes: a damaged length must not reserve memory.
        (length <= self.bytes.len()).then_some(())?;
        (0..length)
            .map(|i| self.follow(begin.checked_add(4 * i)?))
            .collect()
    }

    /// Returns a vector of numbers of 64 bits, or of structs of `each` such numbers.
    pub fn longs(&self, field: usize, each: usize) -> Option<Vec<i64>> {
        let Some((begin, length)) = self.vector(field) else {
            return Some(Vec::new());
        };
        let length = length
            .checked_mul(each)
            .filter(|length| *length <= self.bytes.len())?;
        (0..length)
            .map(|i| {
                self.array(begin.checked_add(8 * i)?)
                    .map(i64::from_le_bytes)
            })
            .collect()
    }
}
