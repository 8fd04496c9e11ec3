//! The steps that read an image, without reading flash themselves.

use core::ops::Range;

use crate::error::Malformed;
use crate::format::{
    DIGEST, DIGEST_LEN, HEADER_LEN, INFO_LEN, ImageSet, MAGIC_OF_AREA, PROTECTED_LEN, signature_len,
};
use crate::header::{Header, Version};
use crate::protected::{Protected, read_info};

/// Reads an image from any memory: the caller reads the bytes that [`Self::wanted`] names and passes them to
/// [`Self::take`], until [`Self::image`] returns the image. [`crate::verify`] does all of this.
///
/// ```
/// use moissanite_mcuboot::{Malformed, Parser};
///
/// let flash = [0xff; 1024];
/// let mut parser = Parser::new(flash.len());
/// while let Some(wanted) = parser.wanted() {
///     let Err(reason) = parser.take(&flash[wanted]) else { continue };
///     assert_eq!(reason, Malformed::NoImage);
///     break;
/// }
/// assert!(parser.image().is_none());
/// ```
#[derive(Clone, Debug)]
pub struct Parser {
    capacity: usize,
    step: Step,
}

/// What has been read.
#[derive(Clone, Debug)]
enum Step {
    Start,
    Header(Header),
    Protected(Header, Protected),
    Entries(Entries),
    End(Image),
    Failed,
}

/// The position in the area that is not signed.
#[derive(Clone, Debug)]
struct Entries {
    header: Header,
    protected: Protected,
    next: usize,
    end: usize,
    digest: bool,
    signature: Option<(u16, usize)>,
}

impl Parser {
    /// The most bytes that are wanted at once.
    pub const LONGEST: usize = PROTECTED_LEN;

    /// Begins to read an image that may have at most `capacity` bytes: the size of the slot, or of the file. With
    /// fewer than 32 there is no image, and no bytes are wanted.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        let step = if capacity < HEADER_LEN {
            Step::Failed
        } else {
            Step::Start
        };
        Self { capacity, step }
    }

    /// The place of the next bytes, within the capacity: 4, 32 or 48 of them. There are none after the end and
    /// after an error.
    #[must_use]
    pub fn wanted(&self) -> Option<Range<usize>> {
        let (start, length) = match &self.step {
            Step::Start => (0, HEADER_LEN),
            Step::Header(header) => (after_body(header)?, PROTECTED_LEN),
            Step::Protected(header, _) => (after_protected(header)?, INFO_LEN),
            Step::Entries(entries) => (entries.next, INFO_LEN),
            Step::End(_) | Step::Failed => return None,
        };
        Some(start..start.checked_add(length)?)
    }

    /// Takes the bytes that [`Self::wanted`] named.
    ///
    /// # Errors
    /// The bytes are not those of an image.
    pub fn take(&mut self, bytes: &[u8]) -> Result<(), Malformed> {
        let step = core::mem::replace(&mut self.step, Step::Failed);
        let step = match step {
            Step::Start => Step::Header(Header::from_bytes(chunk(bytes)?)?),
            Step::Header(header) => Step::Protected(header, Protected::from_bytes(chunk(bytes)?)?),
            Step::Protected(header, protected) => {
                Entries::begin(header, protected, *chunk(bytes)?, self.capacity)?
            }
            Step::Entries(entries) => entries.take(*chunk(bytes)?)?,
            Step::End(_) | Step::Failed => return Err(Malformed::AreaSize),
        };
        self.step = step;
        // The next bytes must be within the capacity, so that they can be read.
        let within = match self.wanted() {
            Some(wanted) => wanted.end <= self.capacity,
            None => matches!(self.step, Step::End(_)),
        };
        if within {
            Ok(())
        } else {
            self.step = Step::Failed;
            Err(Malformed::TooLong)
        }
    }

    /// The image, once all bytes have been taken.
    #[must_use]
    pub fn image(&self) -> Option<&Image> {
        match &self.step {
            Step::End(image) => Some(image),
            _ => None,
        }
    }
}

impl Entries {
    fn begin(
        header: Header,
        protected: Protected,
        info: [u8; INFO_LEN],
        capacity: usize,
    ) -> Result<Step, Malformed> {
        let (magic, size) = read_info(info);
        if magic != MAGIC_OF_AREA {
            return Err(Malformed::AreaMagic);
        }
        let start = after_protected(&header).ok_or(Malformed::TooLong)?;
        let next = start.checked_add(INFO_LEN).ok_or(Malformed::TooLong)?;
        let end = start.checked_add(usize::from(size));
        let end = end
            .filter(|end| *end <= capacity)
            .ok_or(Malformed::TooLong)?;
        if end < next {
            return Err(Malformed::AreaSize);
        }
        let entries = Self {
            header,
            protected,
            next,
            end,
            digest: false,
            signature: None,
        };
        entries.step()
    }

    fn take(mut self, info: [u8; INFO_LEN]) -> Result<Step, Malformed> {
        let (kind, length) = read_info(info);
        let length = usize::from(length);
        let right = if kind == DIGEST {
            DIGEST_LEN
        } else {
            signature_len(kind).ok_or(Malformed::Unknown(kind))?
        };
        let again = if kind == DIGEST {
            self.digest
        } else {
            self.signature.is_some()
        };
        if again {
            return Err(Malformed::Duplicate(kind));
        }
        if length != right {
            return Err(Malformed::EntryLength(kind));
        }
        let value = self.next.checked_add(INFO_LEN).ok_or(Malformed::TooLong)?;
        if kind == DIGEST {
            self.digest = true;
        } else {
            self.signature = Some((kind, value));
        }
        self.next = value.checked_add(length).ok_or(Malformed::TooLong)?;
        self.step()
    }

    /// The next entry, or the end.
    fn step(self) -> Result<Step, Malformed> {
        let left = self.end.checked_sub(self.next).ok_or(Malformed::AreaSize)?;
        if left == 0 {
            let (kind, signature) = self.signature.ok_or(Malformed::NoSignature)?;
            return Ok(Step::End(Image {
                header: self.header,
                protected: self.protected,
                kind,
                signature,
                len: self.end,
            }));
        }
        if left < INFO_LEN {
            return Err(Malformed::AreaSize);
        }
        Ok(Step::Entries(self))
    }
}

fn after_body(header: &Header) -> Option<usize> {
    usize::try_from(header.body)
        .ok()?
        .checked_add(usize::from(header.size))
}

fn after_protected(header: &Header) -> Option<usize> {
    after_body(header)?.checked_add(PROTECTED_LEN)
}

fn chunk<const N: usize>(bytes: &[u8]) -> Result<&[u8; N], Malformed> {
    bytes.try_into().map_err(|_| Malformed::AreaSize)
}

/// A well-formed image. Its content may come from anybody; [`crate::verify`] returns those of the vendor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    header: Header,
    protected: Protected,
    kind: u16,
    signature: usize,
    len: usize,
}

#[expect(clippy::len_without_is_empty, reason = "no image is empty")]
impl Image {
    /// The header.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The protected area.
    #[must_use]
    pub fn protected(&self) -> &Protected {
        &self.protected
    }

    /// The version.
    #[must_use]
    pub fn version(&self) -> Version {
        self.header.version
    }

    /// The rollback counter.
    #[must_use]
    pub fn counter(&self) -> u32 {
        self.protected.counter()
    }

    /// The place of the program.
    #[must_use]
    pub fn body(&self) -> Range<usize> {
        let start = usize::from(self.header.size);
        // The parser has read bytes after the program, so that the sum exists.
        start..after_body(&self.header).unwrap_or(start)
    }

    /// The place of the signed bytes between the header's 32 bytes and the protected area: the padding of the
    /// header, and the program.
    #[must_use]
    pub fn streamed(&self) -> Range<usize> {
        HEADER_LEN..self.body().end
    }

    /// The type of the signature, [`ImageSet::SIGNATURE_TYPE`].
    #[must_use]
    pub fn signature_type(&self) -> u16 {
        self.kind
    }

    /// The offset of the signature, whose length is that of the parameter set.
    #[must_use]
    pub fn signature_at<P: ImageSet>(&self) -> Option<usize> {
        (self.kind == P::SIGNATURE_TYPE).then_some(self.signature)
    }

    /// The number of bytes of the image.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }
}
