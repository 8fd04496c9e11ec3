//! A content that is to be signed.

use der::asn1::ObjectIdentifier;

use crate::digest::ContentDigest;
use crate::encoding::DATA;

/// A content and how it is to be signed.
///
/// ```
/// use moissanite_cms::Message;
///
/// let message = Message::detached(b"content").with_signing_time(1_795_392_000);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Message<'a> {
    pub(crate) content: ToSign<'a>,
    pub(crate) content_type: ObjectIdentifier,
    pub(crate) signing_time: Option<u64>,
    pub(crate) signed_attributes: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum ToSign<'a> {
    Attached(&'a [u8]),
    Detached(&'a [u8]),
    Digest(&'a ContentDigest),
}

impl<'a> Message<'a> {
    const fn new(content: ToSign<'a>) -> Self {
        Self {
            content,
            content_type: DATA,
            signing_time: None,
            signed_attributes: true,
        }
    }

    /// A content that the message contains.
    #[must_use]
    pub const fn attached(content: &'a [u8]) -> Self {
        Self::new(ToSign::Attached(content))
    }

    /// A content that the message does not contain, such as a file beside it.
    #[must_use]
    pub const fn detached(content: &'a [u8]) -> Self {
        Self::new(ToSign::Detached(content))
    }

    /// The same as [`Self::detached`] for a content that was hashed piece by piece, with the digest algorithm of
    /// each signer. It needs signed attributes.
    #[must_use]
    pub const fn detached_digest(digest: &'a ContentDigest) -> Self {
        Self::new(ToSign::Digest(digest))
    }

    /// Sets the type of the content, which is [`DATA`](crate::DATA) unless it is set. Other types need signed
    /// attributes.
    #[must_use]
    pub const fn with_content_type(mut self, content_type: ObjectIdentifier) -> Self {
        self.content_type = content_type;
        self
    }

    /// States a signing time, in seconds after 1970-01-01 UTC, until the year 9999. It needs signed attributes.
    #[must_use]
    pub const fn with_signing_time(mut self, seconds: u64) -> Self {
        self.signing_time = Some(seconds);
        self
    }

    /// Signs the content itself, without signed attributes. RFC 9882, section 3.2, prefers signed attributes.
    #[must_use]
    pub const fn without_signed_attributes(mut self) -> Self {
        self.signed_attributes = false;
        self
    }
}
