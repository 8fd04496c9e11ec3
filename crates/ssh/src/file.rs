//! The file of a private key: `PROTOCOL.key` of OpenSSH.

use alloc::string::String;
use alloc::vec::Vec;

use moissanite_composite::Seed;
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use crate::error::Error;
use crate::public::PublicKey;
use crate::{limits, pem, wire};

const LABEL: &str = "OPENSSH PRIVATE KEY";
const MAGIC: &[u8; 15] = b"openssh-key-v1\0";
const NONE: &str = "none";
/// The section of a key that is not encrypted has a multiple of this length.
const BLOCK: usize = 8;

/// The decoded text.
pub(crate) struct File {
    pub(crate) cipher: String,
    pub(crate) kdf: String,
    pub(crate) kdf_options: Vec<u8>,
    pub(crate) public: Vec<u8>,
    /// The private section, which may be encrypted.
    pub(crate) section: Zeroizing<Vec<u8>>,
    /// The tag of ciphers that authenticate.
    pub(crate) tag: Vec<u8>,
}

/// Decrypts the section of a file with a passphrase, and returns the length of a block.
pub(crate) type Decrypt = fn(&File, &[u8]) -> Result<(Zeroizing<Vec<u8>>, usize), Error>;

impl File {
    pub(crate) fn from_pem(pem: &str) -> Result<Self, Error> {
        limits::check("private key", pem, limits::KEY)?;
        Self::parse(&pem::decode(pem, LABEL)?)
    }

    fn parse(bytes: &[u8]) -> Result<Self, Error> {
        let input = &mut bytes.strip_prefix(MAGIC).ok_or(Error::Encoding)?;
        let cipher = wire::line(wire::string(input)?, Error::Encoding)?.into();
        let kdf = wire::line(wire::string(input)?, Error::Encoding)?.into();
        let kdf_options = wire::string(input)?.into();
        if wire::number(input)? != 1 {
            return Err(Error::NumberOfKeys);
        }
        let public = wire::string(input)?.into();
        let section = Zeroizing::new(wire::string(input)?.into());
        if cipher == NONE {
            wire::end(input)?;
        }
        Ok(Self {
            cipher,
            kdf,
            kdf_options,
            public,
            section,
            tag: (*input).into(),
        })
    }

    /// Returns the file of a section that is not encrypted.
    pub(crate) fn plain(section: Section<'_>) -> Self {
        Self {
            cipher: NONE.into(),
            kdf: NONE.into(),
            kdf_options: Vec::new(),
            public: section.public.to_blob(),
            section: section.encode(BLOCK),
            tag: Vec::new(),
        }
    }

    pub(crate) fn to_pem(&self) -> Result<Zeroizing<String>, Error> {
        let strings = [
            self.cipher.as_bytes(),
            self.kdf.as_bytes(),
            &self.kdf_options,
        ];
        let private = [&self.public[..], &self.section];
        let lengths = strings
            .iter()
            .chain(&private)
            .map(|string| 4 + string.len());
        let length = MAGIC.len() + 4 + lengths.sum::<usize>() + self.tag.len();
        // The memory never grows, because that would leave a copy behind.
        let mut bytes = Zeroizing::new(Vec::with_capacity(length));
        bytes.extend_from_slice(MAGIC);
        for string in strings {
            wire::push(&mut bytes, string);
        }
        wire::push_number(&mut bytes, 1);
        for string in private {
            wire::push(&mut bytes, string);
        }
        bytes.extend_from_slice(&self.tag);
        debug_assert_eq!(bytes.len(), length, "the file has grown");
        pem::encode(LABEL, &bytes)
    }

    pub(crate) fn is_encrypted(&self) -> bool {
        self.cipher != NONE || self.kdf != NONE
    }

    /// Returns the decrypted section.
    pub(crate) fn section(mut self, decrypt: Option<(Decrypt, &[u8])>) -> Result<Decrypted, Error> {
        let encrypted = self.is_encrypted();
        let (section, block) = match decrypt {
            _ if !encrypted => (core::mem::take(&mut self.section), BLOCK),
            Some((decrypt, passphrase)) => decrypt(&self, passphrase)?,
            None => return Err(Error::Encrypted),
        };
        Ok(Decrypted {
            public: self.public,
            section,
            block,
            encrypted,
        })
    }
}

/// What the private section of a file contains.
#[derive(Clone, Copy)]
pub(crate) struct Section<'a> {
    pub(crate) public: &'a PublicKey,
    pub(crate) seed: &'a Seed<64>,
}

impl Section<'_> {
    /// Encodes the section with its padding.
    pub(crate) fn encode(&self, block: usize) -> Zeroizing<Vec<u8>> {
        let public = self.public.to_blob();
        let comment = self.public.comment().as_bytes();
        let length = 8 + public.len() + 4 + self.seed.as_bytes().len() + 4 + comment.len();
        let length = length.next_multiple_of(block);
        // The memory never grows, because that would leave a copy behind.
        let mut section = Zeroizing::new(Vec::with_capacity(length));
        // Two equal numbers, by which the reader recognises a wrong passphrase. OpenSSH draws one; any number
        // serves.
        let check = Sha256::digest(&public);
        for _ in 0..2 {
            section.extend(check.iter().take(4));
        }
        section.extend_from_slice(&public);
        wire::push(&mut section, self.seed.as_bytes());
        wire::push(&mut section, comment);
        let padding = length - section.len();
        section.extend((1..).take(padding));
        debug_assert_eq!(section.capacity(), length, "the section has grown");
        section
    }
}

/// The private section of a file, and what is compared with it.
pub(crate) struct Decrypted {
    public: Vec<u8>,
    section: Zeroizing<Vec<u8>>,
    block: usize,
    encrypted: bool,
}

impl Decrypted {
    /// Returns the public key with the comment, and the private key, which need not belong to it.
    pub(crate) fn open(&self) -> Result<(PublicKey, &[u8; 64]), Error> {
        let input = &mut &self.section[..];
        if !input.len().is_multiple_of(self.block) {
            return Err(Error::Encoding);
        }
        if wire::number(input)? != wire::number(input)? {
            return Err(if self.encrypted {
                Error::Passphrase
            } else {
                Error::Encoding
            });
        }
        let public = PublicKey::from_blob(&self.public)?;
        *input = input
            .strip_prefix(&self.public[..])
            .ok_or(Error::Contradiction)?;
        let seed = wire::string(input)?;
        let seed = seed.try_into().map_err(|_| Error::SeedLength)?;
        let comment = wire::line(wire::string(input)?, Error::Comment)?;
        let padding = *input;
        if padding.len() >= self.block || !padding.iter().copied().eq((1..).take(padding.len())) {
            return Err(Error::Encoding);
        }
        Ok((public.with_comment(comment)?, seed))
    }
}
