//! CBOR (RFC 8949) that is read in place, so that no value is copied, and in particular no seed.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;
use core::convert::Infallible;

use cbor4ii::core::dec::{self, Decode, IgnoredAny, Read};
use cbor4ii::core::enc::{Encode, Write};
use cbor4ii::core::utils::SliceReader;
use cbor4ii::core::{major, marker, types};
use moissanite::MuBuilder;

use crate::error::Error;

/// A label of a header parameter or of a parameter of a key (RFC 9052, section 1.5).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Label {
    /// A number, which most parameters have.
    Int(i64),
    /// A text.
    Text(String),
}

impl From<i64> for Label {
    fn from(label: i64) -> Self {
        Self::Int(label)
    }
}

impl From<&str> for Label {
    fn from(label: &str) -> Self {
        Self::Text(label.into())
    }
}

/// A reader of values, one after another.
pub(crate) struct Reader<'a> {
    reader: SliceReader<'a>,
    /// All bytes from the current one on.
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self {
            reader: SliceReader::new(bytes),
            rest: bytes,
        }
    }

    /// Returns the first byte of the next value.
    fn peek(&self) -> Result<u8, Error> {
        self.rest.first().copied().ok_or(Error::Cbor)
    }

    /// Checks the major type of the next value.
    fn expect(&self, major: u8, name: &'static str) -> Result<(), Error> {
        if dec::if_major(self.peek()?) != major {
            return Err(Error::WrongType(name));
        }
        Ok(())
    }

    /// Reads with a function, and moves to what follows.
    fn read<T, E>(
        &mut self,
        read: impl FnOnce(&mut SliceReader<'a>) -> Result<T, E>,
    ) -> Result<T, Error> {
        let value = read(&mut self.reader).map_err(|_| Error::Cbor)?;
        let Ok(rest) = self.reader.fill(self.rest.len());
        self.rest = match rest {
            dec::Reference::Long(rest) => rest,
            // A slice is never given in part.
            dec::Reference::Short(_) => return Err(Error::Cbor),
        };
        Ok(value)
    }

    /// Reads the tag, if the next value has one.
    pub(crate) fn tag(&mut self) -> Result<Option<u64>, Error> {
        if dec::if_major(self.peek()?) != major::TAG {
            return Ok(None);
        }
        self.read(types::Tag::tag).map(Some)
    }

    /// Reads the number of items of an array of definite length.
    pub(crate) fn array(&mut self, name: &'static str) -> Result<usize, Error> {
        self.expect(major::ARRAY, name)?;
        self.read(types::Array::len)?.ok_or(Error::Cbor)
    }

    /// Reads a byte string of definite length. `name` is for the error if it is another type.
    pub(crate) fn bytes(&mut self, name: &'static str) -> Result<&'a [u8], Error> {
        self.expect(major::BYTES, name)?;
        self.read(types::Bytes::<&[u8]>::decode)
            .map(|bytes| bytes.0)
    }

    /// Reads a byte string, or `nil`.
    pub(crate) fn bytes_or_nil(&mut self, name: &'static str) -> Result<Option<&'a [u8]>, Error> {
        if self.peek()? == marker::NULL {
            return self.skip().map(|_| None);
        }
        self.bytes(name).map(Some)
    }

    /// Reads an integer or a text.
    pub(crate) fn label(&mut self, name: &'static str) -> Result<Label, Error> {
        match dec::if_major(self.peek()?) {
            major::UNSIGNED | major::NEGATIVE => self.read(i64::decode).map(Label::Int),
            major::STRING => {
                let text = self.read(<&str>::decode)?;
                Ok(Label::Text(text.into()))
            }
            _ => Err(Error::WrongType(name)),
        }
    }

    /// Reads the next value, whatever it is, and returns its bytes.
    pub(crate) fn skip(&mut self) -> Result<&'a [u8], Error> {
        let before = self.rest;
        self.read(IgnoredAny::decode)?;
        let length = before.len().saturating_sub(self.rest.len());
        before.get(..length).ok_or(Error::Cbor)
    }

    /// Reads a map of definite length: its labels in ascending order, and the bytes of its values.
    pub(crate) fn map(&mut self, name: &'static str) -> Result<Vec<(Label, &'a [u8])>, Error> {
        self.expect(major::MAP, name)?;
        let count = self.read(types::Map::len)?.ok_or(Error::Cbor)?;
        // The number is not trusted: the memory grows with what is really there.
        let mut map = Vec::new();
        for _ in 0..count {
            map.push((self.label("label")?, self.skip()?));
        }
        map.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        if map
            .windows(2)
            .any(|pair| matches!(pair, [(one, _), (next, _)] if one == next))
        {
            return Err(Error::Duplicate);
        }
        Ok(map)
    }

    /// Checks that nothing follows.
    pub(crate) fn end(&self) -> Result<(), Error> {
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(Error::TrailingData)
        }
    }
}

/// Finds the value of a label.
pub(crate) fn find<'a>(map: &[(Label, &'a [u8])], label: i64) -> Option<&'a [u8]> {
    let found = map.iter().find(|(each, _)| *each == Label::Int(label));
    found.map(|(_, value)| *value)
}

/// Reads a whole value that is an integer or a text.
pub(crate) fn label(name: &'static str, value: &[u8]) -> Result<Label, Error> {
    Reader::new(value).label(name)
}

/// Reads a whole value that is an array of integers and texts, none of which occurs twice.
pub(crate) fn labels(name: &'static str, value: &[u8]) -> Result<BTreeSet<Label>, Error> {
    let mut reader = Reader::new(value);
    let mut labels = BTreeSet::new();
    for _ in 0..reader.array(name)? {
        if !labels.insert(reader.label(name)?) {
            return Err(Error::Duplicate);
        }
    }
    Ok(labels)
}

/// Reads a whole value that is a byte string.
pub(crate) fn bytes<'a>(name: &'static str, value: &'a [u8]) -> Result<&'a [u8], Error> {
    Reader::new(value).bytes(name)
}

/// Encoded values, which a buffer or a hash takes.
pub(crate) trait Sink {
    fn take(&mut self, bytes: &[u8]);
}

impl Sink for Vec<u8> {
    fn take(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }
}

/// The length of what is written.
#[derive(Default)]
pub(crate) struct Length(pub(crate) usize);

impl Sink for Length {
    fn take(&mut self, bytes: &[u8]) {
        self.0 += bytes.len();
    }
}

impl Sink for MuBuilder {
    fn take(&mut self, bytes: &[u8]) {
        self.update(bytes);
    }
}

/// Writes values to a sink.
pub(crate) struct Writer<'a, S>(pub(crate) &'a mut S);

impl<S: Sink> Write for Writer<'_, S> {
    type Error = Infallible;
    fn push(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
        self.0.take(bytes);
        Ok(())
    }
}

impl<S: Sink> Writer<'_, S> {
    fn write(&mut self, value: &impl Encode) {
        // A sink does not fail.
        let _ = value.encode(self);
    }

    pub(crate) fn array(&mut self, count: usize) {
        let _ = types::Array::bounded(count, self);
    }

    pub(crate) fn map(&mut self, count: usize) {
        let _ = types::Map::bounded(count, self);
    }

    pub(crate) fn tag(&mut self, tag: u64) {
        self.write(&types::Tag(tag, types::Nothing));
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.write(&types::Bytes(bytes));
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.write(&text);
    }

    pub(crate) fn int(&mut self, value: i64) {
        self.write(&value);
    }

    pub(crate) fn nil(&mut self) {
        self.write(&types::Null);
    }

    pub(crate) fn label(&mut self, label: &Label) {
        match label {
            Label::Int(number) => self.int(*number),
            Label::Text(text) => self.text(text),
        }
    }

    /// Writes a value that is encoded already.
    pub(crate) fn encoded(&mut self, value: &[u8]) {
        self.0.take(value);
    }
}

/// Returns encoded values.
pub(crate) fn encoded(write: impl FnOnce(&mut Writer<'_, Vec<u8>>)) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(&mut Writer(&mut bytes));
    bytes
}
