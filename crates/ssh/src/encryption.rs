//! The encryption of private keys: bcrypt derives a key from the passphrase, and a cipher of OpenSSH encrypts.

use alloc::string::ToString;
use alloc::vec::Vec;

use moissanite_composite::rand_core::TryCryptoRng;
use ssh_cipher::{Cipher, Tag};
use zeroize::Zeroizing;

use crate::error::Error;
use crate::file::{File, Section};
use crate::{limits, wire};

/// The ciphers of OpenSSH.
const CIPHERS: [Cipher; 9] = [
    Cipher::Aes128Cbc,
    Cipher::Aes192Cbc,
    Cipher::Aes256Cbc,
    Cipher::Aes128Ctr,
    Cipher::Aes192Ctr,
    Cipher::Aes256Ctr,
    Cipher::Aes128Gcm,
    Cipher::Aes256Gcm,
    Cipher::ChaCha20Poly1305,
];
const BCRYPT: &str = "bcrypt";
const SALT: usize = 16;
/// The memory of bcrypt for keys and initialization vectors of at most 64 bytes, in bytes.
const MEMORY: usize = 64;

/// Decrypts the section of a file, and returns the length of a block of the cipher.
pub(crate) fn decrypt(
    file: &File,
    passphrase: &[u8],
) -> Result<(Zeroizing<Vec<u8>>, usize), Error> {
    let cipher = CIPHERS.into_iter().find(|one| one.as_str() == file.cipher);
    let cipher = cipher.ok_or(Error::UnsupportedEncryption)?;
    if file.kdf != BCRYPT {
        return Err(Error::UnsupportedEncryption);
    }
    let options = &mut &file.kdf_options[..];
    let salt = wire::string(options)?;
    let rounds = wire::number(options)?;
    wire::end(options)?;
    let keys = Keys::derive(cipher, passphrase, salt, rounds)?;
    let tag = match (cipher.has_tag(), &file.tag[..]) {
        (true, tag) => Some(Tag::try_from(tag).map_err(|_| Error::Encoding)?),
        (false, []) => None,
        (false, _) => return Err(Error::TrailingData),
    };
    let mut section = file.section.clone();
    if !section.len().is_multiple_of(cipher.block_size()) {
        return Err(Error::Encoding);
    }
    let decrypted = cipher.decrypt(keys.key(), keys.iv(), &mut section, tag);
    decrypted.map_err(|error| match error {
        ssh_cipher::Error::Crypto => Error::Passphrase,
        _ => Error::UnsupportedEncryption,
    })?;
    Ok((section, cipher.block_size()))
}

/// Encrypts a section as `ssh-keygen` does by default.
pub(crate) fn encrypt<R: TryCryptoRng + ?Sized>(
    section: Section<'_>,
    rng: &mut R,
    passphrase: &[u8],
    rounds: u32,
) -> Result<File, Error> {
    let cipher = Cipher::Aes256Ctr;
    let mut salt = [0; SALT];
    rng.try_fill_bytes(&mut salt).map_err(|_| Error::Signing)?;
    let keys = Keys::derive(cipher, passphrase, &salt, rounds)?;
    let mut kdf_options = Vec::new();
    wire::push(&mut kdf_options, &salt);
    wire::push_number(&mut kdf_options, rounds);
    let mut text = section.encode(cipher.block_size());
    cipher
        .encrypt(keys.key(), keys.iv(), &mut text)
        .map_err(|_| Error::UnsupportedEncryption)?;
    Ok(File {
        cipher: cipher.as_str().to_string(),
        kdf: BCRYPT.to_string(),
        kdf_options,
        public: section.public.to_blob(),
        section: text,
        tag: Vec::new(),
    })
}

/// The key and the initialization vector of a cipher.
struct Keys {
    derived: Zeroizing<Vec<u8>>,
    key_len: usize,
    iv_len: usize,
}

impl Keys {
    fn derive(cipher: Cipher, passphrase: &[u8], salt: &[u8], rounds: u32) -> Result<Self, Error> {
        let sizes = cipher.key_and_iv_size();
        let (key_len, iv_len) = sizes.ok_or(Error::UnsupportedEncryption)?;
        if rounds == 0 || rounds > limits::ROUNDS {
            return Err(Error::Rounds);
        }
        if passphrase.is_empty() {
            return Err(Error::EmptyPassphrase);
        }
        let length = match cipher {
            // In the protocol, the second half encrypts the lengths of packets. A file has none; its
            // initialization vector is zero.
            Cipher::ChaCha20Poly1305 => 2 * key_len,
            _ => key_len + iv_len,
        };
        let mut derived = Zeroizing::new(alloc::vec![0; length]);
        // The memory is here so that it is wiped.
        let mut memory = Zeroizing::new([0; MEMORY]);
        // It fails for an empty salt.
        bcrypt_pbkdf::bcrypt_pbkdf_with_memory(
            passphrase,
            salt,
            rounds,
            &mut derived,
            &mut memory[..],
        )
        .map_err(|_| Error::Encoding)?;
        if cipher == Cipher::ChaCha20Poly1305 {
            derived.split_at_mut(key_len).1.fill(0);
        }
        Ok(Self {
            derived,
            key_len,
            iv_len,
        })
    }

    fn key(&self) -> &[u8] {
        self.derived.get(..self.key_len).unwrap_or_default()
    }

    fn iv(&self) -> &[u8] {
        let end = self.key_len + self.iv_len;
        self.derived.get(self.key_len..end).unwrap_or_default()
    }
}
